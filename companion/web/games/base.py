"""What all boards have in common: bar, turn, seats, action row, keys."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

from companion.engine import odds
from companion.engine.cards import VALUES
from companion.engine.game import AnyGame
from companion.engine.notation import Entry
from companion.engine.report import odds_shown
from companion.engine.sentence import say
from companion.engine.state import Result, Seat
from companion.engine.verbs import said
from companion.table.log import Step
from companion.table.table import Table
from companion.web.format import listing, percent, plain, signed
from companion.web.i18n import gettext as _
from companion.web.i18n import language, translate
from companion.web.screens.board import Board, Button, DeckButton, Face, Key, Me, Message, Row, Undo
from companion.web.screens.pieces import FACES, deck_label, key_with_odds, marks
from companion.web.triangle import large_dots, triangle

ODDS_RULES = {"all": say("odds for all"), "after": say("odds after the round"), "off": say("no odds")}


class BoardOf:
    """A board of some game. Subclasses say what is special about it."""

    # Words of the game.
    hit_word = say("pair")
    many_columns_from = 5

    def __init__(self, table: Table, table_id: str, dealer: bool, choosing: bool = False) -> None:
        self.table = table
        self.table_id = table_id
        self.dealer = dealer
        self.choosing = choosing
        self.state: Any = table.state
        self.game: AnyGame = table.games[table.state.game]
        self.marks = marks(table.state)
        self.odds_shown = odds_shown(table.state)
        self.looked = odds.past_shuffle(self.game, table.state)

    @cached_property
    def legal(self) -> tuple[Entry, ...]:
        return self.game.legal(self.state)

    @cached_property
    def legal_texts(self) -> set[str]:
        return {str(entry) for entry in self.legal}

    @cached_property
    def prices(self) -> dict[str, int]:
        return self.game.prices(self.state)

    # -- the whole

    def screen(self, message: Message | None = None) -> Board:
        who = self.seat_in_focus()
        return Board(
            table_id=self.table_id,
            version=self.table.version,
            dealer=self.dealer,
            game=self.state.game,
            title=self.title(),
            facts=tuple(fact for fact in (*self.facts(), translate(ODDS_RULES[self.state.options["odds"]])) if fact),
            mark=self.marks[who.name],
            who=self.headline(who),
            do=self.what_to_do(who),
            deck=self.deck(),
            rows=tuple(self.row(position, seat) for position, seat in enumerate(self.state.seats)),
            rows_look=self.rows_look(),
            undo=self.undo(),
            message=message,
            over=self.state.phase == "game over",
            people=() if self.dealer else tuple((self.marks[seat.name], seat.name) for seat in self.state.seats),
            **self.middle_part(),
            **self.action_part(),
            **self.keys_part(),
        )

    def me(self, name: str) -> Me | None:
        """One's own stack, price, risk, points and chips, large."""
        position = next((i for i, seat in enumerate(self.state.seats) if seat.name == name), None)
        if position is None:
            return None
        seat = self.seat(position)
        facts = [*self.my_prices(position)]
        risk = self.risk_of(position) if self.state.phase == "play" else None
        if risk is not None:
            facts.append((_("You would go out"), percent(risk), ""))
        if self.game.scores_points:
            facts.append((_("Your points"), str(seat.points), str(self.right_side(position, seat).get("unit", ""))))
        facts.append((_("Your chips"), plain(seat.chips), ""))
        cards = tuple((value, large_dots(value)) for value in seat.stack)
        return Me(self.marks[name], name, cards, tuple(facts), self.note(position, seat))

    def my_prices(self, position: int) -> list[tuple[str, str, str]]:
        """What folding or passing costs this seat now, where the game says."""
        if self.state.phase != "play" or self.seat(position).state != "in":
            return []
        prices = self.prices
        own = self.game.own_seat_keys(self.state, position).get("fold", prices.get("fold"))
        told = [(_("Fold now costs"), str(own), "")] if own is not None else []
        return told + ([(_("Pass now costs"), str(prices["pass"]), "")] if "pass" in prices else [])

    def middle_part(self) -> dict[str, Any]:
        return {}

    # -- words

    def title(self) -> str:
        name = translate(self.game.title)
        if self.state.phase == "game over":
            return _("{game} · game over").format(game=name)
        if self.state.phase == "round over":
            return _("{game} · round {number} over").format(game=name, number=self.state.round)
        return _("{game} · round {number}").format(game=name, number=self.state.round)

    def facts(self) -> tuple[str, ...]:
        return ()

    def seat_in_focus(self) -> Seat:
        """Whose name stands in large letters."""
        state = self.state
        if state.result and state.result.who:
            return self.named(state.result.who)
        if state.turn is not None:
            return self.seat(state.turn)
        if state.outcome:
            return self.named(state.outcome.loser or (state.outcome.winners or (state.seats[0].name,))[0])
        return self.seat(state.waiting[0] if state.waiting else 0)

    def seat(self, position: int) -> Seat:
        found: Seat = self.state.seats[position]
        return found

    def named(self, name: str) -> Seat:
        return next((seat for seat in self.state.everyone() if seat.name == name), self.seat(0))

    def headline(self, who: Seat) -> str:
        state = self.state
        if state.phase == "game over" and state.outcome and state.outcome.loser:
            return _("{name} loses").format(name=who.name)
        if state.phase == "game over" and state.outcome and len(state.outcome.winners) == 1:
            return _("{name} wins").format(name=who.name)
        if state.result and state.result.who:
            change = state.result.points[who.name] or state.result.chips[who.name]
            return f"{who.name} {signed(change)}" if change else who.name
        return who.name

    def what_to_do(self, who: Seat) -> str:
        """In three words, what happens next."""
        state = self.state
        if state.phase == "game over":
            return self.how_it_ended()
        if self.game.shuffle_mark(state) and "shuffle" in self.legal_texts:
            return self.shuffle_text(who)
        if state.result:
            return self.result_text(state.result)
        if state.phase == "play":
            return self.turn_text(who)
        return self.deal_text(who)

    def shuffle_text(self, who: Seat) -> str:
        burn = self.state.options["burn"]
        if burn:
            return _("shuffle, burn {burn}, go on with {name}").format(burn=burn, name=who.name)
        return _("shuffle, go on with {name}").format(name=who.name)

    def deal_text(self, who: Seat) -> str:
        deal = self.state.deal
        if deal and deal.tied:
            names = listing(self.seat(position).name for position in deal.tied)
            return _("tie at {value}, {names}: one more card").format(value=deal.tied_at, names=names)
        return _("next card") if who.stack else _("first card")

    def turn_text(self, who: Seat) -> str:
        return _("draw or fold")

    def result_text(self, result: Result) -> str:
        return translate(self.game.endings[result.how].told(result.value))

    def how_it_ended(self) -> str:
        outcome = self.state.outcome
        if outcome.loser:
            seat = self.named(outcome.loser)
            return _("{points} points, the limit is {limit}").format(points=seat.points, limit=self.state.limit)
        if len(outcome.winners) > 1:
            return _("shared by {names}").format(names=listing(outcome.winners))
        return _("{points} points").format(points=self.named(outcome.winners[0]).points)

    # -- the deck

    def deck(self) -> DeckButton | None:
        pile = self.state.pile
        if not self.odds_shown:
            return DeckButton(pile.left, deck_label(pile.left, None, language()))
        return DeckButton(pile.left, deck_label(pile.left, pile.total, language()), triangle(self.state))

    # -- seats

    @cached_property
    def lean(self) -> bool:
        return "lean" in self.rows_look()

    def rows_look(self) -> str:
        return "two" if len(self.state.seats) >= self.many_columns_from else ""

    def row(self, position: int, seat: Seat) -> Row:
        return Row(
            mark=self.marks[seat.name],
            name=seat.name,
            note=self.note(position, seat),
            faces=self.faces(position, seat),
            look=self.look(position, seat),
            lean=self.lean,
            **self.right_side(position, seat),
        )

    def look(self, position: int, seat: Seat) -> str:
        now = position == self.state.turn or seat.name == (self.state.result and self.state.result.who)
        if now:
            return "now"
        waits = self.state.phase != "play" and self.state.waiting[:1] == (position,) and not self.state.result
        return "now" if waits else "" if seat.state in ("in", "locked") else "out"

    def note(self, position: int, seat: Seat) -> str:
        return ""

    def faces(self, position: int, seat: Seat) -> tuple[Face, ...]:
        result = self.state.result
        if result and self.state.phase != "play":
            return tuple(
                self.result_face(result, seat, value, index) for index, value in enumerate(result.stacks[seat.name])
            )
        return tuple([FACES[value] for value in seat.stack])

    def result_face(self, result: Result, seat: Seat, value: int, index: int) -> Face:
        last = index == len(result.stacks[seat.name]) - 1
        hit = seat.name == result.who and value == result.value and last and result.how != "fold"
        return Face(str(value), "hit") if hit else FACES[value]

    def right_side(self, position: int, seat: Seat) -> dict[str, Any]:
        """Label, figure, unit and bar: chips, unless the game counts points."""
        return {"figure": signed(seat.chips)}

    # -- the action row

    def action_part(self) -> dict[str, Any]:
        state = self.state
        if state.phase == "game over":
            return {"sentence": None}
        if state.phase != "play":
            return {"sentence": self.deal_sentence()}
        main = self.main_button()
        if main is None:
            return {"sentence": self.forced_sentence()}
        return {"main": main, "figure": self.price_of_drawing(), "second": self.second_button()}

    def deal_sentence(self) -> tuple[str, str]:
        state = self.state
        first = self.seat(state.waiting[0]).name if state.waiting else ""
        head = _("Card for {name}").format(name=first) if first else _("Turn up a card")
        if state.between and state.phase == "round over":
            return head, _("the next key is the deal of round {number}").format(number=state.round + 1)
        return head, _("the lowest card starts") if self.game.deal_names_starter(state) else ""

    def forced_sentence(self) -> tuple[str, str]:
        return _("Turn up a card"), ""

    def main_button(self) -> Button | None:
        return None

    def second_button(self) -> Button | None:
        return None

    def price_of_drawing(self) -> tuple[str, str] | None:
        risk = self.risk_now()
        return None if risk is None else (percent(risk), self.drawing_caption())

    def drawing_caption(self) -> str:
        return _("to pair")

    @cached_property
    def odds_now(self) -> tuple[Fraction, Fraction] | None:
        """Risk and expected cost of the player to act."""
        return self.odds_of(self.state.turn)

    def odds_of(self, position: int) -> tuple[Fraction, Fraction] | None:
        shown = self.odds_shown and self.looked.pile.total and self.seat(position).state == "in"
        return odds.of_seat(self.game, self.looked, position) if shown else None

    def risk_of(self, position: int) -> Fraction | None:
        found = self.odds_of(position) if self.game.tells_risk(self.state) else None
        return found and found[0]

    def risk_now(self) -> Fraction | None:
        return self.odds_now[0] if self.odds_now and self.game.tells_risk(self.state) else None

    def expected_now(self) -> Fraction | None:
        return self.odds_now[1] if self.odds_now and self.state.turn in self.game.pays_for_cards(self.state) else None

    def undo(self) -> Undo:
        head: Step = self.table.head
        what = translate(said(head.entry))
        return Undo(head.seat or "", what, self.table.past is not None)

    # -- keys

    def keys_part(self) -> dict[str, Any]:
        if self.state.phase == "game over":
            return {"keys_template": "board/_over.html", "things": self.over_things()}
        pile = self.looked.pile
        total, spoken = pile.total, language()
        return {"keys": tuple([self.key(value, total, spoken) for value in VALUES])}

    def over_things(self) -> dict[str, Any]:
        outcome = self.state.outcome
        flows = [
            (self.marks.get(p.who), p.who, p.amount, self.marks.get(p.whom), p.whom)
            for p in self.table.head.paid
            if not p.who.startswith(":") and not p.whom.startswith(":")
        ]
        if not flows and outcome.loser:
            flows = [
                (self.marks[outcome.loser], outcome.loser, chips, self.marks[name], name)
                for name, chips in outcome.chips.items()
                if chips > 0
            ]
        options = self.state.options
        return {
            "flows": flows,
            "stakes": options.get("stakes", ""),
            "forfeit": options.get("forfeit", "") if options.get("stakes") == "forfeit" else "",
            "carried": self.state.middle,
            "again": str(self.table.game_entry()),
        }

    def key_entry(self, value: int) -> str:
        return str(value)

    def key_seat(self) -> int | None:
        """Whose card the next one is."""
        state = self.state
        if state.phase == "play":
            turn: int | None = state.turn
            return turn
        return state.waiting[0] if state.waiting else None

    def word_for(self, value: int) -> str:
        seat = self.key_seat()
        if seat is None or self.game.price(self.looked, seat, value) is None:
            return ""
        return translate(self.hit_word)

    def key(self, value: int, total: int, spoken: str) -> Key:
        pile = self.looked.pile
        count = pile.unseen[value]
        word = self.word_for(value) if count else ""
        entry = self.key_entry(value)
        if not self.odds_shown:
            return Key(entry, value, str(value), word=word)
        return key_with_odds(entry, value, count, total, pile.decks, word, spoken)
