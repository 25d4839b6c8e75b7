"""The words on a board: title, headline, what to do next, and what the last entry did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Generic, TypeVar, cast

from companion.engine.game import AnyGame
from companion.engine.notation import Entry
from companion.engine.results import Result
from companion.engine.sentence import Sentence
from companion.engine.state import AnyState, Seat
from companion.engine.verbs import CARD, Form, card_drawn, describe_entry
from companion.table.log import card_forms
from companion.table.table import Table
from companion.web.board.chances import Chances
from companion.web.board.over import who_ended
from companion.web.board.screen import marks, short_name
from companion.web.format import listing, number_word, signed
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate

St = TypeVar("St", bound=AnyState)


class BoardWords(Generic[St]):
    """The words of a board about the present state."""

    def __init__(self, table: Table, table_id: str, dealer: bool, choosing: int = 0) -> None:
        self.table = table
        self.table_id = table_id
        self.dealer = dealer
        self.choosing = choosing  # which choices are open: 1 for those behind the main button
        self.state = cast(St, table.state)
        self.game: AnyGame = table.games[table.state.game]
        self.marks = marks(table.state)
        self.chances = Chances(self.game, table.state)

    @cached_property
    def legal(self) -> tuple[Entry, ...]:
        return self.game.legal(self.state)

    @cached_property
    def legal_texts(self) -> set[str]:
        return {str(entry) for entry in self.legal}

    @cached_property
    def prices(self) -> dict[str, int]:
        return self.game.prices(self.state)

    @cached_property
    def target(self) -> int | None:
        """The points that end the game: a limit or a goal; None if there are none."""
        return self.game.target(self.state)

    # -- title and headline

    def title(self) -> str:
        name = translate(self.game.title)
        if self.state.phase == "game over":
            return _("{game} · game over").format(game=name)
        if self.state.phase == "round over":
            return _("{game} · round {number} over").format(game=name, number=self.state.round)
        return _("{game} · round {number}").format(game=name, number=self.state.round)

    def bar(self) -> tuple[str, ...]:
        """The words under the title, besides carried chips and the rule about the odds."""
        return (_("pot {pot}").format(pot=self.state.pot),) if self.game.has_pot else ()

    def target_text(self) -> str:
        """The points that end the game; empty if there are none."""
        if self.target is None:
            return ""
        return translate(Sentence(self.game.target_line.template, {"value": self.target}))

    def carried(self) -> str:
        return _("carried over {chips}").format(chips=self.state.middle) if self.state.middle else ""

    def seat_in_focus(self) -> Seat:
        """The seat whose name is in large letters."""
        state = self.state
        if state.outcome and state.outcome.decided:
            return self.named(state.outcome.decided[0])
        if self.must_shuffle and self.chances.next_seat is not None:
            return self.seat(self.chances.next_seat)
        if state.turn is not None:
            return self.seat(state.turn)
        taker = self.taker()
        if taker:
            return self.named(taker)
        return self.seat(state.waiting[0] if state.waiting else 0)

    def seat(self, position: int) -> Seat:
        found: Seat = self.state.seats[position]
        return found

    def named(self, name: str) -> Seat:
        return next((seat for seat in self.state.everyone() if seat.name == name), self.seat(0))

    def taker(self) -> str | None:
        """Who ended the last round, or took all of it; None if somebody is to act already, as in an endless round."""
        return self.state.result.who if self.state.result and self.state.turn is None else None

    def fate(self, name: str) -> str:
        """What became of a player in the last round, in a word or two."""
        found = self.state.result and self.state.result.fates.get(name)
        return translate(found) if found else ""

    @cached_property
    def must_shuffle(self) -> bool:
        return bool(self.chances.shuffle_mark) and "shuffle" in self.legal_texts

    def headline(self, who: Seat) -> str:
        state = self.state
        if state.outcome:
            return who_ended(state.outcome, 10) or who.name
        if self.must_shuffle:
            return _("Shuffle")
        if not state.result or state.turn is not None:
            return who.name
        if self.taker() is None and state.phase == "round over":
            return _("Round {number} over").format(number=state.round)
        return self.with_change(state.result, who.name, 10)

    def with_change(self, result: Result, name: str, longest: int) -> str:
        """A name, cut to `longest` characters, with the points or else the chips of the round."""
        change = result.points[name] or result.chips[name]
        return f"{short_name(name, longest)} {signed(change)}" if change else name

    # -- what to do next

    def what_to_do(self, who: Seat) -> str:
        """What happens next, in about three words."""
        state = self.state
        if state.phase == "game over":
            return self.how_it_ended()
        if self.must_shuffle:
            return self.shuffle_text()
        if state.phase == "play":
            return self.round_without_a_break(state.result) if state.result else self.turn_text()
        if state.result:
            return self.result_text(state.result)
        return self.deal_text(who)

    def round_without_a_break(self, result: Result) -> str:
        """What the last player scored, and what the next one does at once."""
        if not result.who or self.choosing:
            return self.turn_text()
        scored = f"{short_name(result.who)} {signed(result.points[result.who])}"
        return _("{paid}; now {todo}").format(paid=scored, todo=self.turn_text())

    def shuffle_text(self) -> str:
        """What comes after the shuffle."""
        burn, following = self.state.options["burn"], self.next_card()
        return _("burn {burn} · {following}").format(burn=burn, following=following) if burn else following

    def next_card(self) -> str:
        seat = self.chances.next_seat
        if seat is None:
            return _("then a card")
        return _("then a card for {name}").format(name=short_name(self.seat(seat).name, 8))

    def deal_text(self, who: Seat) -> str:
        deal = self.state.deal
        aside = self.set_aside()
        if aside is not None:
            return _("the {value} pairs: set aside, one more card").format(value=aside)
        if deal and deal.tied:
            many = len(deal.tied) > 3
            names = _("{count} players").format(count=number_word(len(deal.tied))) if many else self.listed(deal.tied)
            return _("tie at {value}, {names}: one more card").format(value=deal.tied_at, names=names)
        burn = self.state.options["burn"]
        if burn and self.state.between and self.state.phase == "deal":  # the deck of a new game was just shuffled
            return _("burn {burn}, then first card").format(burn=burn)
        return _("next card") if who.stack else _("first card")

    def set_aside(self) -> int | None:
        """The last card, if it paired in the deal and is to be replaced: then the deal has not moved on."""
        head, deal = self.table.head, self.state.deal
        value = card_drawn(head.entry)
        if value is None or deal is None or head.before is None:
            return None
        if head.seat not in [self.seat(position).name for position in deal.waiting]:
            return None  # the seat has its card: no need to work out the state before
        return value if self.table.state_after(head.before).deal == deal else None

    def listed(self, positions: Iterable[int]) -> str:
        return listing(short_name(self.seat(position).name) for position in positions)

    def turn_text(self) -> str:
        return _("draw or fold")

    def result_text(self, result: Result) -> str:
        return translate(self.game.endings[result.how].in_words(result.value))

    def how_it_ended(self) -> str:
        outcome = self.state.outcome
        assert outcome is not None
        if outcome.loser or not self.game.scores_points:
            return translate(outcome.reason)
        points = self.named(outcome.winners[0]).points
        if len(outcome.winners) > 1:
            return ngettext("{number} point each", "{number} points each", points).format(number=points)
        return ngettext("{number} point", "{number} points", points).format(number=points)

    # -- what the last entry did

    def announcement(self, headline: str, do: str) -> str:
        """The last entry, its effect, and what happens next, for screen readers."""
        head = self.table.head
        understood = f"{head.seat or ''} {self.last_words}".strip()
        so = self.what_came_of_it()
        if self.table.future is not None:
            understood = _("Undone")
        elif so:
            understood = _("{understood}, {so}").format(understood=understood, so=so)
        said = _("{understood}. {name}: {do}.").format(understood=understood, name=headline, do=do)
        return re.sub(r"([.?!])\.", r"\1", said)

    @cached_property
    def last_words(self) -> str:
        return translate(self.said_last(self.table.head.entry))

    def said_last(self, entry: Entry) -> Sentence:
        """An entry in a few words."""
        return describe_entry(entry, self.table.games, True, self.card_forms)

    @cached_property
    def card_forms(self) -> Mapping[int, Form]:
        """How the game names the last card. Other entries skip this: it walks back through the log."""
        head = self.table.head
        by_another_name = any(verb.then for verb in self.game.own_verbs.values())
        return card_forms(head.before) if by_another_name and head.entry.verb == CARD else {}

    def what_came_of_it(self) -> str:
        """Whether the player who drew the last card is still in; empty at the end of a round."""
        head, state = self.table.head, self.state
        if head.seat is None or state.phase != "play" or state.result or card_drawn(head.entry) is None:
            return ""
        seat = self.named(head.seat)
        if seat.state != "in":
            return translate(self.game.card_words.out)
        nothing = self.game.card_words.nothing
        return translate(nothing) if nothing and len(seat.stack) > 1 else ""

    def won_or_lost(self, name: str) -> str:
        """The chips that a seat won or lost in the round or game that is over."""
        ended = self.state.outcome or self.state.result
        change = ended.chips.get(name, 0) if ended else 0
        if not change:
            return ""
        return (_("won {chips}") if change > 0 else _("lost {chips}")).format(chips=abs(change))
