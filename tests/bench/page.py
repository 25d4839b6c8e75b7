"""The page that the floor and the ordinary way draw, with as many elements and bytes as our answer."""

from __future__ import annotations

import re
from typing import NamedTuple

SHAPE = "X-Shape"  # the header that says which page to draw: "<elements> <letters in each>"
ELEMENT = '<p class="seat">{{ value }}</p>\n'
ELEMENTS = f"{{% for value in values %}}{ELEMENT}{{% endfor %}}"
LETTERS = "a name, a card, a price, a risk, or a sentence of some length. "


class Shape(NamedTuple):
    """The number of elements of a page, and the letters in each."""

    elements: int
    letters: int

    @classmethod
    def of(cls, page: bytes) -> Shape:
        elements = max(1, len(re.findall(rb"<[a-z]", page)))
        return cls(elements, max(1, round(len(page) / elements) - len(ELEMENT.replace("{{ value }}", ""))))

    @property
    def headers(self) -> dict[str, str]:
        return {SHAPE: f"{self.elements} {self.letters}"}


def values_for(shape: str) -> list[str]:
    """The values that the template draws for a header."""
    elements, letters = map(int, shape.split())
    return [(LETTERS * (letters // len(LETTERS) + 1))[:letters]] * elements
