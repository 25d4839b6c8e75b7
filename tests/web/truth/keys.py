"""What can be tapped on the dealer's board, compared with the state: choices, prices, cards left, chances, undo."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import takewhile

from companion.engine.notation import parse
from companion.engine.verbs import VERBS
from companion.games import GAMES
from companion.i18n import translate

from .board import BoardTruth
from .markup import Node, blanks, read
from .words import counted, in_words, one_decimal, percent, plain, signed

HITS = ("puts out", "death", "overwhelmed")  # words on a key for a card that puts its player out


class KeysTruth(BoardTruth):
    """The dealer's board."""

    opened: tuple[Node, ...] = ()  # the same board after a tap on what opens more choices

    def check(self, me: str = "") -> None:
        super().check(me)
        asked = [link.attributes.get("href", "").partition("?")[2] for link in self.page.all("a")]
        self.opened = tuple(
            read(self.night.page(f"?{query}", self.language)).one("main") for query in asked if "choose=" in query
        )
        if self.opened:
            self.check_fold_choice(self.opened[0])
        for node in (*self.page.all("a"), *self.entries()):
            self.check_challenge(node)
        self.check_choices()
        self.check_keys()
        self.check_stones()
        self.check_deck()
        self.check_risk()
        self.check_prices()
        self.check_undo()

    @property
    def choices(self) -> dict[str, Node]:
        return {button.attributes["value"]: button for button in self.entries()}

    def entries(self) -> list[Node]:
        buttons = [button for page in (self.page, *self.opened) for button in page.all("button")]
        return [button for button in buttons if button.attributes.get("name") == "entry"]

    def check_choices(self) -> None:
        """What is offered is legal, and what is legal is offered."""
        legal = {*self.state["legal"], *self.after["legal"]}
        offered = {entry for entry, button in self.choices.items() if entry and "disabled" not in button.attributes}
        dead = {entry for entry, button in self.choices.items() if "none" in button.classes}
        dead |= {entry for entry, button in self.choices.items() if "stonekey" in button.classes} - legal
        again = {entry for entry in offered if entry.startswith("game ")}
        if not self.after.get("deck", {}).get("unseen"):
            offered = {entry for entry in offered if not self.is_card(entry)}  # a key does not tell what is left
        assert offered - dead - again <= legal, f"offered, but not legal: {offered - dead - again - legal}"
        assert not dead & legal, f"none left? {dead & legal}"
        if again:
            opening = next(line["entry"] for line in reversed(self.night.log) if line["entry"].startswith("game "))
            assert again == {opening}
        hidden = {entry for entry in legal if entry.startswith("start ") or entry in ("fold", "shuffle")}
        if not self.page.maybe("section.keys"):
            hidden |= {entry for entry in legal if self.is_card(entry)}
        missing = legal - set(self.choices) - hidden
        assert not missing, f"legal, but not offered: {missing}"
        if any(entry.startswith("fold") for entry in self.state["legal"]):
            assert "fold" in offered or self.page.all(".act a.main"), "there is no way to fold"

    @staticmethod
    def is_card(entry: str) -> bool:
        return VERBS[parse(entry).verb].draws

    def check_fold_choice(self, page: Node) -> None:
        """The cards that a fold may take, each with the letter of its owner; the lowest is marked."""
        folds = {entry for entry in self.state["legal"] if re.fullmatch(r"fold \d+ .+", entry)}
        chips = {chip.attributes["value"]: chip for chip in page.all("button.chip") if folds}
        assert set(chips) == folds
        for entry, chip in chips.items():
            value, name = parse(entry).args
            assert chip.one(".mark").text == str(name)[0].upper()
            assert chip.text.removesuffix(str(name)[0].upper()) == str(value)
            assert bool(chip.attributes.get("aria-current")) == (value == self.state["prices"]["fold"]), entry

    def check_challenge(self, node: Node) -> None:
        """The chance that a challenge puts the player to act out, wherever it can be tapped."""
        chances = self.state.get("challenge", {})
        entry = node.attributes.get("value", "")
        name = parse(entry).args[0] if entry.startswith("challenge ") else ""
        if node.tag == "a" and node.maybe("bdi"):
            name = node.one("bdi").text
        if name in chances:
            shown = re.findall(r"[<>]? ?\d+ ?%", node.text)
            right = percent(self.language, Fraction(chances[name]))
            assert [one.strip() for one in shown] == [right], f"{node.text}: challenging {name} risks {right}"

    # -- the card keys

    def check_keys(self) -> None:
        keys = self.page.all("button.key")
        if not keys:
            return
        unseen, odds = self.after["deck"].get("unseen"), self.after.get("odds")
        hits: set[str] = set()
        own_word = translate(GAMES[self.state["game"]].card_words.out, self.language)
        for key in keys:
            value = key.attributes["data-card"]
            copies, chance, word = self.parts(key)
            if word in (*map(self.say, HITS), own_word):
                hits.add(value)
            assert set(re.findall(r"\d+", word)) <= {value}, f"the key of {value} says {word}"
            if copies:
                assert unseen, f"the odds are hidden, and the key of {value} says {copies}"
                assert copies == f"×{unseen[value]}", f"{copies} of {value}: there are {unseen[value]}"
            if copies and unseen:
                label, left = blanks(key.attributes["aria-label"]), in_words(self.language, int(unseen[value]))
                told = unseen[value] == 0 or self.say("to deal", number=left) in label
                assert told, f"{label}: there are {unseen[value]} of {value}"
                assert re.match(rf"{value}\b", label), f"{label} on the key of {value}"
            if chance:
                assert odds, f"the odds are hidden, and the key of {value} says {chance}"
                assert chance == percent(self.language, Fraction(odds[value])), f"{value}: {chance}, {odds[value]}"
        closed = all("disabled" in key.attributes for key in keys)
        if unseen and not closed and self.from_the_deck():
            assert all(self.parts(key)[0] for key in keys), "a key says not how many are left"
            self.check_hits(hits)

    def from_the_deck(self) -> bool:
        return any(entry.isdigit() for entry in self.after["legal"])

    def parts(self, key: Node) -> tuple[str, str, str]:
        """Copies, chance and word of a key."""
        copies = key.maybe(".v small")
        word = key.maybe(".p small")
        chance = "".join(part for part in key.one(".p").parts if isinstance(part, str)).replace("\u202f", " ").strip()
        none = "none" in key.classes
        return copies.text if copies else "", chance, "" if none or not word else word.text

    def check_stones(self) -> None:
        """The chance of a second black for each number one may take, and of each stone of a take."""
        second, odds = self.state.get("second", {}), self.after.get("odds", {})
        for chip in self.page.all("button.chip"):
            entry = chip.attributes["value"]
            if entry.startswith("take "):
                told = chip.one("small").text if chip.maybe("small") else None
                count = entry.removeprefix("take ")
                right = percent(self.language, Fraction(second[count])) if count in second else None
                assert told == right, f"{entry}: {told}, not {right}"
        for drawing, kind in (("svg.stones", "white"), ("svg.black", "10")):
            for key in self.page.all("button.stonekey"):
                if odds and key.maybe(drawing):
                    assert percent(self.language, Fraction(odds[kind])) in key.text, f"{key.text}: {odds}"

    def check_hits(self, hits: set[str]) -> None:
        """The marked cards are exactly those that put the next player out."""
        waiting = self.state["waiting"]
        name = self.state["turn"] or (waiting[0] if waiting else None)
        risk = self.after.get("risk", {}).get(name)
        if risk is not None:
            marked = sum((Fraction(self.after["odds"][value]) for value in hits), Fraction(0))
            assert marked == Fraction(risk), f"{sorted(hits)} are marked: {marked}, but {name}’s risk is {risk}"

    def check_deck(self) -> None:
        """The label of the deck: the cards to deal, and those unseen or the black ones."""
        deck = self.page.maybe(".deck")
        if deck is None or not self.with_cards:
            return
        pile = (self.after if self.phase != "play" and self.between else self.state)["deck"]
        left, *others = map(int, re.findall(r"\d+", deck.attributes["aria-label"]))
        assert left == pile["left"], f"{deck.attributes['aria-label']}: {pile}"
        unseen = pile.get("unseen", {})
        right = {sum(unseen.values()), unseen.get("10")}
        assert set(others) <= right, f"{deck.attributes['aria-label']}: {right}"

    # -- the action row

    def check_risk(self) -> None:
        shown = self.page.maybe("a.risk")
        if shown is None:
            return
        turn = self.state["turn"]
        risk = self.state.get("risk", {}).get(turn)
        figure = shown.one(".fig").text
        if "%" in figure:
            assert "odds" in self.state, f"{figure}: the odds are hidden"
            risk = risk or self.after["odds"]["10"]  # of a black stone
            assert figure == percent(self.language, Fraction(risk)), f"{figure}: {turn}’s risk is {risk}"
        about = re.search(r"≈ ([+−]?[\d.,]+)", shown.text)
        if about:
            cost = Fraction(self.state["expected"][turn])
            sign = 1 if self.rules.scores_points else -1
            assert about[1] == one_decimal(self.language, sign * cost), f"{shown.text}: {cost}"

    def check_prices(self) -> None:
        """What folding, passing or locking costs, or where it locks, stands on the button and in its label."""
        prices, act = self.state["prices"], self.page.one(".act")
        main = act.maybe(".btn.main")
        verb = (main.attributes.get("value") or "fold") if main else ""
        fines = [node.text for node in self.page.all(".fines b")]
        if fines:
            assert fines == [str(prices.get("pass")), str(prices.get("bust"))] or "pass" not in prices, fines
        if main is None or self.state["turn"] is None or main.text.startswith("✕"):
            return
        figure, label = main.one(".fig").text, main.attributes["aria-label"]
        label = label.replace("\u202f", " ").replace("\u00a0", " ")
        seat = self.seats[self.state["turn"]]
        if verb in prices:
            price = prices[verb]
            right = (signed(price) if self.rules.scores_points else plain(-price), str(price))
            assert figure in right, f"{figure}: {verb} costs {price}"
            noun = counted(self.language, price, "point", "points")
            keys = ("takes the lowest", "at least") if self.rules.scores_points else ()
            assert not keys or any(self.say(key, price=price, points=noun) in label for key in keys), label
            assert re.search(rf"(?<!\d){price}(?!\d)", label), f"{label}: {verb} costs {price}"
        elif verb == "lock":
            number = seat["sum"] if "sum" in seat else len(self.state["common"])
            assert figure == str(number), f"locks at {figure}, not {number}"
            assert re.search(rf"(?<!\d){number}(?!\d)", label), label
        elif verb == "pass" and "horde" in self.state:
            others = sum(other["state"] == "in" for other in self.state["seats"]) - 1
            up = len(seat["stack"]) - min(len(seat["stack"]), others)
            assert figure == (signed(up) if up else "0"), f"{figure}: {up} would lie face up"

    # -- undo

    def check_undo(self) -> None:
        buttons = [button for button in self.page.all("button") if button.attributes.get("name") == "undo"]
        if not buttons:
            assert self.state["undo"] is None, "there is no undo button"
            return
        (button,) = buttons
        assert ("disabled" in button.attributes) == (self.state["undo"] is None)
        label = button.attributes["aria-label"].replace("\u202f", " ").replace("\u00a0", " ")
        start, end = self.say("undo", what="|").split("|")
        shown = label.removeprefix(start).removesuffix(end)
        if self.state["undo"] is not None and self.state["undo"].startswith(("entry ", "back to")):
            assert shown == self.say("did correction"), f"{label}: undo takes back {self.state['undo']!r}"
            return
        line = self.night.log[-1]
        name, what = line["seat"], shown
        if name:
            assert what == name or what.startswith(f"{name} "), f"{label}: it was {name}"
            what = what.removeprefix(name).strip()
        right = self.done(line["entry"])
        assert right is None or same_words(what, right), f"{label}: not {right!r}"

    def done(self, line: str) -> str | None:
        """The last entry in words; None for a verb of a game that is not written down here."""
        entry = parse(line)
        key, args = f"did {entry.verb}", [str(one) for one in entry.args]
        match entry.verb:
            case "card":
                return self.stone(args[0]) if self.takes_stones() else args[0]
            case "fold" if len(args) == 2:
                return self.say("did fold of", value=args[0], name=args[1])
            case "lost" if args:
                return self.say("did lost value", value=args[0])
            case "take" | "grab" | "play":
                return self.say(key, value=args[0])
            case "score" | "points" | "bet" | "buy":
                return self.say(key, name=args[0], number=plain(int(args[1])))
            case "pay":
                return self.say(key, name=args[0], other=args[1], number=args[2])
            case "rename":
                return self.say(key, name=args[0], other=args[1])
            case "order":
                return self.say(key, name=", ".join(args))
        try:
            return self.say(key, name=args[0] if args else "")
        except KeyError:
            return None

    def takes_stones(self) -> bool:
        """Whether the last card came from a take of Blackstone."""
        before = reversed(self.night.log[:-1])
        this_game = takewhile(lambda line: not line["entry"].startswith("game "), before)
        return any("take " in line["entry"] for line in this_game if line["round"] == self.night.log[-1]["round"])

    def stone(self, value: str) -> str:
        return self.say("did black" if value == "10" else "did white")


def same_words(shown: str, right: str) -> bool:
    """Whether both say the same: a name of one word may be cut short."""
    pattern = "".join(".*" if part == "…" else re.escape(part) for part in re.split(r"(…)", shown))
    return re.fullmatch(pattern, right) is not None
