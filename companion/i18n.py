"""Two languages. Catalogues are compiled by the build; without one, the English of the source is used."""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from typing import Any

from .engine.sentence import Sentence, in_gap

LANGUAGES = {"en": "English", "fr": "Français"}
DEFAULT = "en"
CATALOGUES = files(__package__) / "locale"  # a folder, or on the phone a part of a zip


@cache
def catalogue(language: str) -> NullTranslations:
    """The messages of a language, read once."""
    file = CATALOGUES / language / "LC_MESSAGES" / "messages.mo"
    if not file.is_file():
        return NullTranslations()
    with file.open("rb") as compiled:
        return GNUTranslations(compiled)


def translate(said: Sentence | str, language: str) -> str:
    """A sentence in a language, with its gaps filled."""
    return translate_with(said, catalogue(language))


def translate_with(said: Sentence | str, known: NullTranslations) -> str:
    """A sentence in the language of this catalogue."""
    if isinstance(said, str):
        return said
    one, many = said.template, said.plural
    template = known.ngettext(one, many, said.count) if many else known.gettext(one)
    if not said.values:
        return template
    return template.format(**{gap: _filled(value, known) for gap, value in said.values.items()})


def _filled(value: Any, known: NullTranslations) -> Any:
    if isinstance(value, Sentence):
        return translate_with(value, known)
    return in_gap(tuple(_filled(part, known) for part in value) if isinstance(value, tuple) else value)


def of_environment(variables: dict[str, str]) -> str:
    """The language a terminal asks for."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if variables.get(name):
            wanted = variables[name][:2].casefold()
            return wanted if wanted in LANGUAGES else DEFAULT
    return DEFAULT
