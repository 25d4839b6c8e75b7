"""What a board says, compared with the state: names, points, chips, cards, the pot, and how a round or game ended."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from . import words
from .markup import blanks
from .seats import SeatsTruth
from .words import find, is_name, name_in, names_in, say, signed


class BoardTruth(SeatsTruth):
    """A whole board."""

    def check(self, me: str = "") -> None:
        self.check_plurals()
        self.check_title()
        self.check_name(me)
        self.check_letter()
        self.check_do()
        self.check_bar()
        self.check_middle()
        self.check_aloud()
        self.check_next()
        self.check_seats()
        if self.phase == "game over":
            self.check_stakes()

    def check_plurals(self) -> None:
        labels = [node.attributes.get("aria-label", "") for node in self.page.inside()]
        for text in (*(blanks(label) for label in labels), self.page.text):
            wrong = re.search(words.WRONG_PLURAL[self.language], text)
            assert not wrong, f"{wrong and wrong[0]!r} in {text!r}"

    def check_title(self) -> None:
        title = self.page.one("h1").text
        over = self.say("game over")
        assert (over in title) == (self.phase == "game over"), title
        for number in re.findall(r"\d+", title):
            assert int(number) == self.state["round"], title

    # -- who stands large

    def check_name(self, me: str) -> None:
        shown = self.page.one(".who").text
        letter = self.page.one(".turn").one(".mark").text
        result, outcome = self.state["result"], self.state["outcome"]
        if outcome:
            self.check_ended(shown)
        elif not self.with_cards and not result:
            assert shown == self.say("scores")
        elif self.must_shuffle:
            assert shown.lower() == self.say("shuffle"), shown
            name = self.next_seat()
            assert name is None or letter == name[0].upper(), f"the large letter is {letter}, {name} gets a card"
        elif self.phase == "play" and self.with_cards:
            name = self.state["turn"]
            yours = shown.rstrip(" !") == self.say("your turn")
            assert yours == (me == name), f"{shown} for {me or 'the dealer'}: it is {name}’s turn"
            assert yours or is_name(shown, name), f"{shown}: it is {name}’s turn"
            assert letter == name[0].upper(), f"the large letter is {letter} on {name}’s turn"
        elif result:
            self.check_taker(shown)
        elif self.state["waiting"] or self.state.get("button"):
            name = (self.state["waiting"] or [self.state["button"]])[0]
            assert is_name(shown, name), f"{shown}: the next card is {name}’s"

    def check_ended(self, shown: str) -> None:
        """Who has won or lost stands large. A goal is won, a limit is lost."""
        outcome = self.state["outcome"]
        wrong = re.search(words.WRONG_PLURAL["en"], outcome["reason"])
        assert not wrong, outcome["reason"]
        about = {*outcome["winners"], outcome["loser"]}
        assert names_in(outcome["reason"], about - {None}), f"{outcome['reason']} is not about {about}"
        if "limit" in self.state:
            assert shown == self.say("loses", name=outcome["loser"]), shown
            return
        winners = outcome["winners"]
        if len(winners) == 1:
            assert shown == self.say("wins", name=winners[0]), shown
            return
        _before, after = self.say("win", names="|").split("|")
        assert shown.endswith(after), shown
        everyone = [seat.name for seat in self.night.states[-1].everyone()]  # also who has left since
        assert names_in(shown, everyone) == set(winners), shown

    def check_taker(self, shown: str) -> None:
        """Who ended the round, or took all of it, with what it brought; if nobody did alone, the round."""
        result = self.state["result"]
        winners, who = result["winners"], result["who"]
        name = winners[0] if len(winners) == 1 and (result["how"] == "all out" or not who) else who
        if name is None:
            assert shown == self.say("round over", round=self.state["round"]), shown
            return
        change = result["points"].get(name) or result["chips"].get(name) or 0
        start, _, figure = shown.rpartition(" ") if change else (shown, "", "")
        assert is_name(start, name), f"{shown}: it was {name}, {signed(change)}"
        assert figure == (signed(change) if change else ""), f"{shown}: {name} has {signed(change)}"

    def check_letter(self) -> None:
        """The large letter is that of the large name."""
        shown = self.page.one(".turn .who").text
        letter = self.page.one(".turn").one(".mark").text
        named = next((name for name in self.seats if shown.startswith(name[:3])), None)
        assert named is None or letter == named[0].upper(), f"the large letter is {letter}, the name {shown}"

    def check_aloud(self) -> None:
        """What the caller says: the last entry, and then what the board says."""
        aloud = blanks(self.page.attributes["data-announcement"])
        done, name, do = self.say("aloud", done="|", name="|", do="|").split("|")[1:]
        who, line = self.page.one(".turn .who").text, self.page.one(".turn .do").text
        yours = who.rstrip(" !") == self.say("your turn")
        end = f"{done}{self.state['turn'] if yours else who}{name}{line}{'' if line[-1] in '.?!' else do}"
        assert aloud.endswith(end), f"{aloud!r} does not end with {end!r}"
        start, last = aloud.removesuffix(end), self.night.log[-1]
        undone = self.state["redo"] is not None
        assert (start == self.say("undone")) == undone, f"{aloud!r}: to redo there is {self.state['redo']!r}"
        if undone:
            return
        assert start.startswith(last["seat"] or ""), f"{aloud}: it was {last}"
        if last["entry"].isdigit():
            value = last["entry"]
            stone = self.say("did black" if value == "10" else "did white")
            assert re.match(rf"{re.escape(last['seat'] or '')} ?({value}|{stone})(?!\d)", start), f"{aloud}: {last}"

    # -- what to do, or what happened

    def check_do(self) -> None:
        line = self.page.one(".do").text
        result, outcome = self.state["result"], self.state["outcome"]
        if outcome:
            return self.check_how_it_ended(line)
        if self.must_shuffle:
            return self.check_shuffle(line)
        if result:
            self.check_result(line)
        self.check_figures(line)
        return None

    @property
    def must_shuffle(self) -> bool:
        return bool(self.state["shuffle"]) and "shuffle" in self.state["legal"]

    def next_seat(self) -> str | None:
        """Who gets the next card, if it is not for all."""
        waiting: list[str] = self.state["waiting"]
        name: str | None = self.state["turn"] or (waiting[0] if waiting else None)
        return name

    def check_shuffle(self, line: str) -> None:
        name = self.next_seat()
        assert name is None or name_in(line, name), f"{line}: the next card is {name}’s"
        burn = self.state["options"]["burn"]
        assert find(self.language, "burn", line.lower()) == ([str(burn)] if burn else []), line

    def check_how_it_ended(self, line: str) -> None:
        outcome = self.state["outcome"]
        about = {outcome["loser"], *outcome["winners"]} - {None}
        everyone = {seat.name: seat for seat in self.night.states[-1].everyone()}  # also who has left since
        points = {str(everyone[name].points) for name in ([outcome["loser"]] if outcome["loser"] else about)}
        if self.rules.scores_points:
            assert points & set(re.findall(r"\d+", line)), f"{line}: {about} have {points}"
        assert names_in(line, self.seats) <= about | self.taken_from(), line
        cards = [int(card.text) for card in self.page.one(".turn").all(".card")]
        if cards:
            result = self.state["result"]
            assert cards == [result["value"]] * (2 if result["how"] == "pair" else 1), f"{cards}: {result}"
            decided = {outcome["loser"]} if "limit" in self.state else set(outcome["winners"])
            assert result["who"] in decided, f"{cards}: {result['who']} had them, and the end is about {decided}"

    def taken_from(self) -> set[str]:
        """Who held the card that the last fold took."""
        result = self.state["result"]
        return set(self.seats) if result and result["how"] == "fold" else set()

    def check_result(self, line: str) -> None:
        result = self.state["result"]
        how = f"how {result['how']}"
        if how in words.PHRASES and self.phase == "round over":
            assert self.say(how, value=result["value"]) in line, f"{line}: {result['how']} {result['value']}"
        if "limit" in self.state and self.phase == "round over" and self.with_cards:
            points = self.seats[result["who"]]["points"]
            assert self.say("now of", points=points, limit=self.state["limit"]) in line, line
        changes = {name: result["points"][name] or result["chips"][name] for name in result["points"]}
        for figure in re.findall(r"[+−]\d+", line):
            assert figure in map(signed, changes.values()), f"{line}: {changes}"
        for name, change in changes.items():
            told = re.search(rf"(?<!\w){re.escape(name[:4])}[^ ,]* ([+−]\d+)", line)
            assert told is None or told[1] == signed(change), f"{line}: {name} has {signed(change)}"

    def check_figures(self, line: str) -> None:
        """Every number in the line is one of the state."""
        right = {str(number) for number in self.numbers()}
        assert set(re.findall(r"\d+", line)) <= right, f"{line}: only {sorted(right)}"
        for key, number in (("sum", self.of_turn("stack", sum)), ("bet", self.of_turn("bet", int))):
            for shown in find(self.language, key, line):
                assert self.state["turn"] is None or int(shown) == number, line

    def of_turn(self, key: str, to_number: Callable[[Any], int]) -> int:
        seat = self.seats.get(self.state["turn"] or "", {})
        return to_number(seat[key]) if key in seat else 0

    def numbers(self) -> set[int]:
        state, result = self.state, self.state["result"] or {}
        found = {state["round"], state["options"]["burn"], state.get("limit"), state.get("goal"), state.get("pot")}
        found |= {result.get("value"), result.get("share"), state.get("drawn"), len(state.get("common", ()))}
        found |= {state.get("take", {}).get(key) for key in ("min", "pending")} | {state.get("white")}
        for seat in state["seats"]:
            if "common" in state:
                found |= {seat["locked_at"], self.locked_with(seat["name"])}
            found |= {seat["points"], seat.get("bet"), sum(seat["stack"]), *seat["stack"], len(seat["stack"])}
        for changes in (result.get("points", {}), result.get("chips", {})):
            found |= {abs(change) for change in changes.values()}
        found |= {len(result.get("winners", ())), 1 if "common" in state else None}
        words_of_take = [re.findall(r"\d+", entry) for entry in (state["last"], state["undo"] or "")]
        found |= {int(number) for numbers in words_of_take for number in numbers}
        if self.with_cards and len(self.night.log) > 1:
            found |= {int(n) for line in self.night.log[-60:] for n in re.findall(r"\d+", line["entry"])}
        return {number for number in found if number is not None}

    # -- the bar, and the middle

    def check_bar(self) -> None:
        everything = self.page.words
        for key, number in (("pot", self.state.get("pot")), ("carried", self.state["carried"])):
            shown = find(self.language, key, everything)
            # A button or a result may tell of a pot that was paid out already.
            told = self.state["result"] and self.state["result"]["share"]
            assert all(int(one) in (number, told) for one in shown), f"{key} {shown}: it is {number}"
            assert shown or not number or not self.with_cards or self.phase == "game over", f"no {key} of {number}"
        for key in ("limit", "goal"):
            for one in find(self.language, key, self.page.one(".bar").words):
                assert int(one) == self.state[key]
        deck = self.page.maybe(".deck")
        if deck and self.with_cards:
            shown = deck.one("b").text
            state = self.after if self.phase != "play" and self.between else self.state
            assert shown == str(state["deck"]["left"]), f"{shown} left: there are {state['deck']}"

    def check_middle(self) -> None:
        """The cards or stones that belong to all, how many there are, and what became of each player."""
        middle = self.page.maybe(".mid")
        if middle is None:
            return
        fates = [(fate.one(".mark").text, fate.text.split(maxsplit=1)[1]) for fate in middle.all(".fates li")]
        if fates:
            assert fates == [(name[0].upper(), self.fate_of(name)) for name in self.state["result"]["chips"]], fates
            return
        cards = self.state.get("common", self.state.get("horde"))
        if cards is not None:
            assert [int(card.text) for card in middle.all(".card")] == cards, f"{middle.text}: {cards}"
            right = {len(cards), self.state["pot"] if "common" in self.state else len(cards)}
        else:
            take = self.state["take"]
            takes = [line["entry"] for line in self.night.log if line["entry"].startswith("take ")]
            right = {self.state["white"], take["pending"], *(int(take.split()[1]) for take in takes[-1:])}
        told = {int(number) for number in re.findall(r"\d+", middle.one("header").words)}
        assert told <= right, f"{middle.text}: {right}"

    def fate_of(self, name: str) -> str:
        """How a player of Starboard ended the round."""
        length = self.locked_with(name)
        if length is None:
            return self.say("paired")
        return self.say("locked at" if name in self.state["result"]["winners"] else "beaten at", number=length)

    def check_next(self) -> None:
        """Whose card is next, who deals, and who has the button."""
        line = self.page.maybe(".say")
        if line and self.with_cards:
            waiting = self.state["waiting"][:1]
            for key in ("card for", "chosen card"):
                told = self.named(line.one("b").text, key)
                assert not told or [told] == waiting or self.phase == "play", f"{line.text}: {waiting} is next"
            dealer = self.named(line.one("span").text, "deals")
            assert dealer in ("", self.state.get("dealer")), f"{line.text}: {self.state.get('dealer')} deals"
        button = self.named(self.page.one(".bar").words, "button")
        assert button in ("", self.state.get("button")), f"{button} has no button"

    def named(self, text: str, key: str) -> str:
        """The seat that this sentence names in the text; empty if the text has no such sentence."""
        before, after = self.say(key, name="|").split("|")
        found = re.search(rf"{re.escape(before)}(.+){re.escape(after)}", text)
        return "" if found is None else next(iter(names_in(found[1], self.seats)), found[1])

    # -- who pays whom when a game is lost

    def check_stakes(self) -> None:
        stake, outcome = self.page.maybe(".stake"), self.state["outcome"]
        if "stakes" not in self.state["options"]:
            assert self.page.maybe(".pay") is None
            return
        assert stake is not None
        chips, loser = outcome["chips"], outcome["loser"]
        paid = {name: number for name, number in chips.items() if number > 0}
        assert_sentence(self.language, self.state, stake.text)
        arrows = self.page.all(".pay")
        for arrow in arrows:
            people = [person.text for person in arrow.all("bdi")]
            assert people[0] == loser, f"{people}: {loser} lost"
            assert set(people[1:]) == set(paid) or len(paid) > 1, f"{people}: {paid}"
            letters = {mark.text for mark in arrow.all(".mark")}
            assert letters == {name[0].upper() for name in (loser, *paid)}, f"{letters}: {paid}"
            assert arrow.one(".fig").text == str(-chips[loser]), f"{arrow.text}: {chips}"
        assert bool(arrows) == bool(paid), f"no arrow: {paid}"


def assert_sentence(language: str, state: dict[str, Any], text: str) -> None:
    """The stakes in a sentence: who pays, how much, and to whom if that is one."""
    stakes, outcome = state["options"]["stakes"], state["outcome"]
    loser, chips = outcome["loser"], outcome["chips"]
    sum_, paid = -chips.get(loser, 0), [name for name, number in chips.items() if number > 0]
    if stakes == "forfeit":
        assert say(language, "owes", name=loser) in text, text
        assert state["options"].get("forfeit", "") in text, text
    elif not sum_:
        assert say(language, "nobody pays") in text, text
    elif len(paid) == 1:
        assert say(language, "pays one", name=loser, number=sum_, other=paid[0]) in text, f"{text}: {paid}"
    elif stakes in ("downspear", "seattle", "norland"):
        assert say(language, "pays to each", name=loser) in text, text
    else:
        assert say(language, "pays", name=loser, number=sum_) in text, f"{text}: {paid}"
        shared = re.search(rf"{say(language, 'pays', name=loser, number=sum_)}(.*?)\.", text)
        named = names_in(shared[1], chips) if shared and len(paid) == 2 and stakes != "portland" else set(paid)
        assert named == set(paid), f"{text}: {paid}"
