"""A property that is worked out once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as once
else:

    class once:  # noqa: N801 - it is written like `property`
        """`functools.cached_property` as Python 3.12 has it. In 3.11 it takes a lock, and three times as long."""

        def __init__(self, work: Any) -> None:
            self.work, self.name, self.__doc__ = work, work.__name__, work.__doc__

        def __get__(self, owner: Any, kind: Any = None) -> Any:
            if owner is None:
                return self
            found = owner.__dict__[self.name] = self.work(owner)
            return found


__all__ = ["once"]
