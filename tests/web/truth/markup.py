"""A small reader of HTML: elements by tag, class and attribute, and the text people see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

VOID = {"input", "link", "meta", "br", "img", "hr", "path", "circle", "rect", "polyline", "stop"}


class Node:
    """An element with its attributes, and what is in it."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parts: list[Node | str] = []
        self.classes = attributes.get("class", "").split()
        self._inside: list[Node] = []

    @property
    def text(self) -> str:
        """The text in it, with single ordinary blanks."""
        return blanks("".join(self._texts()))

    @property
    def words(self) -> str:
        """The same, with a blank between elements, which lie apart on the screen."""
        return blanks(" ".join(self._texts()))

    def _texts(self) -> Iterator[str]:
        for part in self.parts:
            if isinstance(part, str):
                yield part
            else:
                yield from part._texts()

    def inside(self) -> list[Node]:
        """Every element in it, in order."""
        if not self._inside:
            for part in self.parts:
                if isinstance(part, Node):
                    self._inside += [part, *part.inside()]
        return self._inside

    def all(self, selector: str) -> list[Node]:
        """The elements for a `tag`, `.classes`, both, or several of these, one inside the other."""
        first, _, rest = selector.partition(" ")
        tag, *styles = first.split(".")
        found = [node for node in self.inside() if tag in ("", node.tag) and {*styles} <= {*node.classes}]
        return [deeper for node in found for deeper in node.all(rest)] if rest else found

    def one(self, selector: str) -> Node:
        """The first such element; it must exist."""
        found = self.maybe(selector)
        assert found is not None, f"there is no {selector}"
        return found

    def maybe(self, selector: str) -> Node | None:
        return next(iter(self.all(selector)), None)


def blanks(text: str) -> str:
    """The text with ordinary single blanks: French has narrow ones that do not break."""
    return re.sub(r"[\s\u00a0\u202f]+", " ", text).strip()


class _Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.root = Node("", {})
        self.open = [self.root]
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].parts.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].parts.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        places = [place for place, node in enumerate(self.open) if node.tag == tag]
        if places:
            del self.open[places[-1] :]

    def handle_data(self, data: str) -> None:
        self.open[-1].parts.append(data)


def read(html: str) -> Node:
    return _Reader(html).root
