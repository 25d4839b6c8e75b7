"""Two languages. Catalogues are compiled by the build; without one, the English of the source is used."""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files

from .engine.sentence import Sentence

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
    """A sentence with its gaps filled, nested ones included."""
    if isinstance(said, str):
        return said
    values = {
        key: translate(value, language) if isinstance(value, Sentence) else value for key, value in said.values.items()
    }
    return catalogue(language).gettext(said.template).format(**values)


def of_environment(variables: dict[str, str]) -> str:
    """The language a terminal asks for."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if variables.get(name):
            wanted = variables[name][:2].casefold()
            return wanted if wanted in LANGUAGES else DEFAULT
    return DEFAULT
