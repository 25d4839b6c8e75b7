"""What the evening's page and the shared texts and pictures say, compared with the accounts of somebody with a pencil."""

from __future__ import annotations

import re
from collections import Counter

from . import words
from .board import assert_sentence
from .markup import Node, blanks
from .night import Night
from .pencil import Figures, Pencil
from .words import say, signed

MOST_PAYMENTS = 12  # in the picture
MIDDLE = "the middle"
MIDDLE_IN = {"en": "the middle", "fr": "le milieu"}


class PaperTruth:
    """The evening in one language."""

    def __init__(self, night: Night, pencil: Pencil, language: str) -> None:
        self.night = night
        self.language = language
        self.pencil = pencil
        self.owed = pencil.owed
        self.people = [seat.name for seat in night.states[-1].everyone()]
        self.columns = [*self.people, MIDDLE]

    def say(self, key: str, **gaps: object) -> str:
        return say(self.language, key, **gaps)

    def with_middle(self, change: Figures) -> Figures:
        """The middle has what the people lack."""
        return {**change, MIDDLE: -sum(change.values())}

    # -- the page

    def check_page(self, page: Node) -> None:
        text = page.text
        assert not re.search(words.WRONG_PLURAL[self.language], text), text
        title = self.night.states[-1].title
        assert page.one("h1").text == (title or page.one("h1").text)
        self.check_games(page.one(".bar").text)
        self.check_accounts(page)
        self.check_ledger(page)
        self.check_payments(self.payments_on(page), self.owed)
        last = len(self.pencil.entries) - 1
        middle = self.with_middle(self.pencil.at(last))[MIDDLE]
        assert self.say("in the pot", number=words.plain(middle)) in text or not middle, f"the middle has {middle}"
        owed = [(item.one("bdi").text, item.one("span.c").parts and item.text) for item in page.all(".owed li")]
        assert [name for name, _text in owed] == [name for name, _what in self.pencil.forfeits()], text
        for (_name, told), (_who, what) in zip(owed, self.pencil.forfeits(), strict=True):
            assert what in told, told

    def check_games(self, line: str) -> None:
        """How many games were played."""
        count = self.pencil.played()
        one = count == 1 or (self.language == "fr" and count == 0)
        assert self.say("game" if one else "games", number=count) in line, f"{line}: {count}"

    def check_accounts(self, page: Node) -> None:
        accounts = [account for account in page.all("a.account") if account.maybe("bdi")]
        told = {account.one("bdi").text: account.one("b").text for account in accounts if account.maybe("b")}
        assert told == {name: signed(self.owed[name]) for name in told}, f"{told}: {self.owed}"
        by_ledger = page.maybe("table.ledger") is not None  # each figure stands on the page once
        assert by_ledger or {name for name, chips in self.owed.items() if chips} <= set(told), f"{told}: {self.owed}"

    def check_ledger(self, page: Node) -> None:
        table = page.maybe("table.ledger")
        if table is None:
            return
        rows = [row for row in table.one("tbody").all("tr") if row.all("td")]
        heads = [head.text for head in table.all("tbody th")]
        assert len(rows) == len(heads)
        for head, row in zip(heads, rows, strict=True):
            figures = [cell.text for cell in row.all("td")]
            number = re.match(r"(\d+) ", head)
            if number:
                change = self.with_middle(self.pencil.change_in(int(number[1])))
                self.check_row(table, head, figures, change)
            elif head == self.say("won or lost"):
                self.check_row(table, head, figures, self.with_middle(self.owed))
        assert self.say("won or lost") in heads

    def check_row(self, table: Node, head: str, figures: list[str], change: Figures) -> None:
        columns = self.columns_of(table)
        right = [signed(change[name]) for name in columns]
        assert figures == right, f"{head}: {dict(zip(columns, figures, strict=True))}, not {change}"

    def columns_of(self, table: Node) -> list[str]:
        """Whose each column is: the heads name the players, and the pot."""
        named = [head.one(".hide").text for head in table.all("thead th") if head.maybe(".mark")]
        pot = [head for head in table.all("thead th") if not head.maybe(".hide")]
        return [*named, *([MIDDLE] if pot else [])]

    def payments_on(self, page: Node) -> list[tuple[str, str, int]]:
        found = []
        for item in page.all("ol.pays li"):
            holders = [
                part.one("bdi").text if part.maybe("bdi") else MIDDLE
                for part in item.all("span")
                if "c" in part.classes or "party" in part.classes
            ]
            found.append((holders[0], holders[1], int(item.one("b").text)))
            for who in holders:
                if who != MIDDLE:
                    assert signed(self.owed[who]) in item.one(".why").text, item.text
        return found

    def check_payments(self, payments: list[tuple[str, str, int]], owed: Figures) -> None:
        """After these payments nobody owes anything, and no payment could be left out."""
        left = Counter(self.with_middle(owed))
        for who, whom, amount in payments:
            assert amount > 0
            left[who] += amount
            left[whom] -= amount
        assert not any(left.values()), f"{payments} do not settle {owed}"
        assert len(payments) < max(1, sum(1 for chips in self.with_middle(owed).values() if chips)), payments

    # -- the text of the evening

    def check_text(self, text: str) -> None:
        lines = [blanks(line) for line in text.split("\n")]
        payments = [payment for line in lines if (payment := self.payment_in(line))]
        self.check_payments(payments, self.owed)
        if not payments:
            assert self.say("nobody owes") in lines
        row = next((line for line in lines if line.startswith(self.say("won or lost"))), None)
        assert row is not None or not any(self.owed.values())
        if row is not None:
            for name in self.people:
                told = re.search(rf"(?<!\w){re.escape(name)} ([+−]?\d+)(?=,|$)", row)
                assert told or not self.owed[name], f"{row}: {name}"
                assert told is None or told[1] == signed(self.owed[name]), f"{row}: {name} has {self.owed[name]}"
        for name, what in self.pencil.forfeits():
            assert any(line.startswith(name) and what in line for line in lines), text
        self.check_games(lines[0])
        self.check_text_ledger(lines)

    def check_text_ledger(self, lines: list[str]) -> None:
        """The games of the ledger, and the middle."""
        games = self.pencil.games()
        for line in lines:
            number, _, rest = line.partition(" ")
            if number.isdigit() and int(number) in games and re.search(r" ?: .* [+−]?\d+$", rest):
                change = self.with_middle(self.pencil.change_in(int(number)))
                figures = re.split(r" ?: ", rest)[-1].split(", ")
                told = [tuple(figure.rsplit(" ", 1)) for figure in figures]
                names = {**change, MIDDLE_IN[self.language]: change[MIDDLE]}
                assert told == [(name, signed(names[name])) for name, _figure in told], f"{line}: {change}"
                assert len(told) >= len(self.people), line
        middle = self.with_middle(self.pencil.at(len(self.pencil.entries) - 1))[MIDDLE]
        assert self.say("in the pot", number=words.plain(middle)) in lines or not middle, f"the middle has {middle}"

    def payment_in(self, line: str) -> tuple[str, str, int] | None:
        for key in ("who pays", "into the middle", "from the middle"):
            gaps = {"name": "(?P<name>.+)", "other": "(?P<other>.+)", "number": r"(?P<number>\d+)"}
            pattern = re.escape(words.PHRASES[key][words.LANGUAGES.index(self.language)])
            for gap, form in gaps.items():
                pattern = pattern.replace(re.escape("{" + gap + "}"), form)
            found = re.fullmatch(pattern, line)
            if found and found["name"] in self.people:
                other = found["other"] if key == "who pays" else MIDDLE
                who, whom = (other, found["name"]) if key == "from the middle" else (found["name"], other)
                return who, whom, int(found["number"])
        return None

    # -- the picture of the evening

    def check_picture(self, picture: Node) -> None:
        told = [text.text for text in picture.all("text")]
        for name in self.people:
            places = [place for place, text in enumerate(told) if words.is_name(text, name)]
            assert places or not self.owed[name], f"{name} is not in the picture: {told}"
            if places:
                assert told[places[0] + 1] == signed(self.owed[name]), f"{name}: {told[places[0] + 1]}"
        self.check_picture_payments(picture)
        self.check_games(" ".join(told))

    def check_picture_payments(self, picture: Node) -> None:
        """The payments in the picture: with a gold figure at the right."""
        texts = picture.all("text")
        paid = [text for text in texts if text.attributes.get("fill") == "#e6b85e"]
        left = Counter(self.with_middle(self.owed))
        for figure in paid:
            beside = [text.text for text in texts if text.attributes["y"] == str(int(figure.attributes["y"]) - 2)]
            who, whom = (self.holder(name) for name in beside)
            left[who] += int(figure.text)
            left[whom] -= int(figure.text)
        # Of many payments the picture has the first few.
        assert len(paid) >= MOST_PAYMENTS or not any(left.values()), f"{[text.text for text in texts]}: {self.owed}"
        was = self.with_middle(self.owed)
        assert all(abs(left[name]) <= abs(was[name]) for name in was), f"{[text.text for text in texts]}: {was}"

    def holder(self, shown: str) -> str:
        found = [name for name in self.people if words.is_name(shown, name)]
        assert found or shown == MIDDLE_IN[self.language], shown
        return found[0] if found else MIDDLE

    # -- a game that is over

    def check_game(self, text: str, picture: Node) -> None:
        """Who won or lost, everybody's points, and the chips that moved."""
        state = self.night.state
        outcome = state["outcome"]
        lines = [blanks(line) for line in text.split("\n")]
        told = [node.text for node in picture.all("text")]
        ended = self.ended()
        assert any(ended in line for line in lines), f"{lines}: {ended}"
        assert len(self.seats_named(ended)) > 1 or ended in " ".join(told), f"{told}: {ended}"
        if "stakes" in state["options"]:
            assert_sentence(self.language, state, " ".join(lines))
        about = {outcome["loser"]} if "limit" in state else {outcome["loser"], *outcome["winners"]}
        reason = next(line for line in lines[1:] if ended not in line)
        assert self.seats_named(reason) <= about, f"{reason}: {about}"
        for seat in state["seats"]:
            assert any(f"{seat['name']} {seat['points']}" in line for line in lines), f"{lines}: {seat}"
            places = [place for place, text in enumerate(told[:-1]) if words.is_name(text, seat["name"])]
            place = next(place for place in places if re.fullmatch(r"[+−]?\d+", told[place + 1]))
            assert str(seat["points"]) in told[place + 1 : place + 3], f"{told}: {seat}"
        for name, chips in outcome["chips"].items():
            if chips:
                assert any(f"{name} {signed(chips)}" in line for line in lines), f"{lines}: {name} {chips}"
        marked = {name for box in picture.all("rect") if "rx" in box.attributes for name in self.inside(box, picture)}
        decided = {outcome["loser"]} if "limit" in state else set(outcome["winners"])
        here = {seat["name"] for seat in state["seats"]}  # some may have left since
        assert marked == decided & here, f"{marked} are marked"
        assert not re.search(words.WRONG_PLURAL[self.language], " ".join((*lines, *told))), lines

    def inside(self, box: Node, picture: Node) -> set[str]:
        """The names that lie in this box of the picture."""
        top, height = float(box.attributes["y"]), float(box.attributes["height"])
        texts = [text for text in picture.all("text") if top < float(text.attributes["y"]) < top + height]
        return {name for text in texts for name in self.people if words.is_name(text.text, name)}

    def seats_named(self, text: str) -> set[str]:
        return words.names_in(text, self.people)

    def ended(self) -> str:
        """Who has won or lost, in words."""
        outcome = self.night.state["outcome"]
        if "limit" in self.night.state:
            return self.say("loses", name=outcome["loser"])
        if len(outcome["winners"]) == 1:
            return self.say("wins", name=outcome["winners"][0])
        *most, last = outcome["winners"]
        both = f"{', '.join(most)} {'and' if self.language == 'en' else 'et'} {last}"
        return self.say("win", names=both)
