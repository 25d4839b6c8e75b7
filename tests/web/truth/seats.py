"""What the seats of a board say, compared with the state: points, chips, cards, and how each stands in the round."""

from __future__ import annotations

import re

from companion.games import GAMES

from .markup import Node
from .night import Json, Night
from .words import find, say, signed


class SeatsTruth:
    """A board, the state it should show, and the language it is in."""

    def __init__(self, night: Night, page: Node, language: str) -> None:
        self.night = night
        self.page = page.one("main")
        self.language = language
        self.state: Json = night.state
        self.after: Json = night.after_shuffle()
        self.seats: dict[str, Json] = {seat["name"]: seat for seat in self.state["seats"]}
        self.phase: str = self.state["phase"]
        self.rules = GAMES[self.state["game"]]
        self.with_cards: bool = self.state["options"]["cards"] == "yes"

    def say(self, key: str, **gaps: object) -> str:
        return say(self.language, key, **gaps)

    @property
    def between(self) -> bool:
        return self.night.states[-1].between

    # -- the seats

    def check_seats(self) -> None:
        rows = self.page.all("li.seat")
        assert sorted(row.one(".name bdi").text for row in rows) == sorted(self.seats)
        for row in rows:
            self.check_seat(row, self.seats[row.one(".name bdi").text])
        marked = {row.one(".name bdi").text for row in rows if row.attributes.get("aria-current")}
        outcome = self.state["outcome"]
        if outcome:
            decided = {outcome["loser"]} if "limit" in self.state else set(outcome["winners"])
            assert marked == decided & set(self.seats), marked  # some may have left since
            self.check_ranks([row.one(".name bdi").text for row in rows])
        elif self.phase == "play" and self.with_cards:
            assert marked == {self.state["turn"]}, marked

    def check_ranks(self, names: list[str]) -> None:
        """The best first: the winners, then by points, the loser last."""
        outcome = self.state["outcome"]
        good = -1 if self.rules.points_are_bad else 1
        winners = () if "limit" in self.state else outcome["winners"]
        merits = [(name in winners, name != outcome["loser"], good * self.seats[name]["points"]) for name in names]
        assert merits == sorted(merits, reverse=True), list(zip(names, merits, strict=True))

    def check_seat(self, row: Node, seat: Json) -> None:
        name = seat["name"]
        assert row.one(".mark").text == name[0].upper()
        note = row.one(".name small").text if row.maybe(".name small") else ""
        told = " | ".join((note, row.one(".pts").text if row.maybe(".pts") else ""))
        self.check_cards(row, seat)
        if not self.rules.scores_points and self.between:
            assert row.one(".pts b").text == signed(seat["chips"]), f"{name}: {told}, has {seat['chips']}"
        if self.rules.scores_points:
            assert row.one(".pts b").text == str(seat["points"]), f"{name}: {told}, has {seat['points']}"
            goal = self.state.get("limit", self.state.get("goal"))
            unit = row.one(".pts").text.removeprefix(str(seat["points"]))
            assert unit in ("", f"/{goal}"), unit
        if "bet" in seat and row.maybe(".pts"):
            of = re.search(r"/(\d+)$", row.one(".pts").text)
            assert of is None or int(of[1]) == seat["bet"], f"{name}: {told}, the bet is {seat['bet']}"
        outcome = self.state["outcome"]
        if outcome:
            ended = {
                "wins": name in outcome["winners"] and "limit" not in self.state,
                "loses": name == outcome["loser"],
            }
            for key, is_so in ended.items():
                word = self.say(key, name="").strip()
                assert (word == note) == is_so, f"{name}: {note}, {outcome}"
            return
        if "black" in seat and seat["state"] == "passed":
            cost = signed(self.night.states[-1].chips_of_round()[name])
            assert find(self.language, "passed", note) == [cost], f"{name}: {told}, passed for {cost}"
        for key, number in self.facts(seat).items():
            for shown in find(self.language, key, told):
                assert shown.strip() == str(number), f"{name}: {told!r}, but {key} {number}"
        if self.phase == "play" and seat["state"] == "in":
            assert self.say("overwhelmed") != note, f"{name} is in"

    def facts(self, seat: Json) -> dict[str, object]:
        """What each label of a seat's line must say."""
        name = seat["name"]
        result = self.state["result"] if self.phase == "round over" else None
        won = result["chips"].get(name, 0) if result else 0
        now = self.night.states[-1].chips_of_round().get(name, 0)
        length = self.locked_with(name) if "common" in self.state else None
        return {
            "kept": " ".join(map(str, seat["kept"])),
            "sum": sum(seat["stack"]),
            "locked": sum(seat["stack"] or (result and result["stacks"].get(name)) or ()),
            "locked at": length,
            "beaten at": length,
            "bet": seat.get("bet"),
            "ante": self.state["options"].get("ante"),
            "won": max(won, 0),
            "lost": max(-won, 0),
            "in hand": seat.get("hand"),
            "fold at": seat.get("fold"),
            "paid": -now,
            "if 3": seat.get("bet", 0) // 10 * 3,
        }

    def locked_with(self, name: str) -> int | None:
        """The length of the common hand when this player locked in this round, or the last one."""
        for place in range(len(self.night.log) - 1, 0, -1):
            line = self.night.log[place]
            if line["round"] != self.night.log[-1]["round"] or line["entry"].startswith("game "):
                return None
            if line["seat"] == name and line["entry"].endswith("lock"):
                return len(self.night.states[place - 1].common)
        return None

    def check_cards(self, row: Node, seat: Json) -> None:
        name, stack = seat["name"], row.maybe(".stack")
        if stack is None:
            return
        shown = [int(card.text) for card in stack.all(".card")]
        result = self.state["result"]
        if stack.all(".card.kept") or (self.phase == "game over" and "limit" in self.state):
            right = seat["kept"]
        elif self.phase != "play" and result and "stacks" in result:
            right = result["stacks"].get(name, [])
        else:
            right = seat["stack"]
        stones = "black" in seat  # black stones lie there in the place of cards
        assert shown == right or (not shown and (stones or not self.with_cards)), f"{name}: {shown}, has {right}"
        if self.phase == "play":
            assert len(stack.all(".card.down")) == seat.get("facedown", 0), f"{name}: face down"
        low = [int(card.text) for card in stack.all(".card.low")]
        lowest = min((value for other in self.seats.values() for value in other["stack"]), default=None)
        folding = "limit" in self.state or "fold" in self.state["prices"]
        assert not folding or all(value == lowest for value in low), f"the lowest is {lowest}, not {low}"
