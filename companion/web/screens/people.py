"""A player as the pages show one: by name and mark."""

from __future__ import annotations

from typing import NamedTuple

from .board import Mark


class Person(NamedTuple):
    """A player's name, and the mark that tells players apart."""

    name: str
    mark: Mark
