"""A sentence for the dealer that can be translated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with gaps. The template is the key for a translation; `str()` is the English."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format(**self.values)


def say(template: str, **values: Any) -> Sentence:
    """Build a sentence; the name is what the translators' extraction looks for."""
    return Sentence(template, values)
