"""The board of a race for points: Port and Zombie Life."""

from __future__ import annotations

from companion.engine.results import Result
from companion.web.board.common import BoardOf
from companion.web.board.screen import short_name
from companion.web.board.words import St
from companion.web.format import listing
from companion.web.i18n import gettext as _

MOST_NAMED = 4  # so many gains have room in the line under the headline


class RaceBoard(BoardOf[St]):
    def bar(self) -> tuple[str, ...]:
        return (self.target_text(),)

    def result_text(self, result: Result) -> str:
        if result.how == "scored":
            return super().result_text(result)
        gains = {name: points for name, points in result.points.items() if points and name != result.who}
        if len(gains) > MOST_NAMED:  # every seat says its own
            most = max(gains.values())
            best = [short_name(name, 8) for name, points in gains.items() if points == most]
            return _("most points: {names} +{points}").format(names=listing(best[:MOST_NAMED]), points=most)
        earned = [f"{short_name(name, 8 if len(gains) < 3 else 5)} +{points}" for name, points in gains.items()]
        if earned:
            return listing(earned)
        return _("nobody else scores") if result.who else _("nobody scores")
