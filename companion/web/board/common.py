"""The board as all games share it: deck, seats, buttons and keys. A game overrides what differs."""

from __future__ import annotations

from collections.abc import Iterable

from companion.coach import is_slow, may_tell
from companion.engine.cards import VALUES
from companion.engine.game import ODDS
from companion.engine.notation import Entry
from companion.engine.results import Result
from companion.engine.state import AnyState, Seat
from companion.engine.verbs import CARD
from companion.web.board.over import over_part, settled
from companion.web.board.screen import (
    FACES,
    Action,
    Board,
    BoardPart,
    Button,
    DeckButton,
    Face,
    Key,
    Message,
    Pick,
    SeatRow,
    Tally,
    Undo,
    deck_label,
    key_with_odds,
    short_name,
)
from companion.web.board.triangle import triangle
from companion.web.board.words import BoardWords, St
from companion.web.format import percent, signed
from companion.web.i18n import gettext as _
from companion.web.i18n import translate


def speaks_to(state: AnyState, dealer: bool, me: str) -> bool:
    """Whether a phone shows the coach: the dealer's always does, a watcher's when its own seat is to act.

    A watcher who has not chosen a seat sees the coach only if the table shows it to everybody.
    """
    if dealer:
        return True
    if me and any(seat.name == me for seat in state.seats):
        return state.turn is not None and state.name(state.turn) == me
    return bool(state.options["coach"] == "all")


def with_short_names(entry: Entry) -> Entry:
    """The entry with its names cut short, to leave room for the figures."""
    if entry.verb in (CARD, "game"):
        return entry
    return Entry(entry.verb, tuple(short_name(word) if isinstance(word, str) else word for word in entry.args))


class BoardOf(BoardWords[St]):
    """The board of a game. `screen` makes what the template shows."""

    many_columns_from = 5  # seats

    def screen(self, tab: str, message: Message | None = None, me: str = "", recovery: str = "") -> Board:
        """The whole board. `tab` is its tab of the quick reference, `me` the seat that a watcher chose."""
        who = self.seat_in_focus()
        headline, do, rows_style = self.headline(who), self.what_to_do(who), self.rows_style()
        over = self.state.phase == "game over"
        instead = over_part(self.table) if over else self.instead_of_keys()
        return Board(
            table_id=self.table_id,
            version=self.table.version,
            dealer=self.dealer,
            title=self.title(),
            bar=tuple(filter(None, (*self.bar(), self.carried(), self.odds_rule()))),
            mark=self.marks[who.name],
            who=headline,
            do=do,
            deck=self.deck(),
            rows=tuple([self.row(position, "lean" in rows_style) for position in self.order()]),
            rows_style=f"{rows_style} ended" if self.state.between and self.state.result else rows_style,
            rows_high=self.rows_high(rows_style),
            middle=None if over else self.middle(),
            settled=settled(self.table) if over else None,
            action=self.action(),
            undo=self.undo(),
            instead_of_keys=instead,
            keys=() if instead else self.keys(),
            announcement=self.announcement(headline, do),
            pad_style=self.pad_style(),
            tab=tab,
            message=message,
            over=over,
            ended_by=self.ended_by(),
            loud=self.must_shuffle,
            coach=self.coach(me),
            recovery=recovery,
            people=() if self.dealer else tuple((self.marks[seat.name], seat.name) for seat in self.state.seats),
        )

    def odds_rule(self) -> str:
        """The table's rule about the odds, where they are not simply shown: every phone says it."""
        rule = ODDS.line(self.state.options["odds"])
        return translate(rule) if rule and self.state.options["odds"] != ODDS.default else ""

    # -- the coach

    def coach(self, me: str) -> str:
        """How this phone gets advice: by a button ("ask"), by itself ("all"), or not at all ("")."""
        state = self.state
        if not may_tell(self.game, state) or not speaks_to(state, self.dealer, me):
            return ""
        return "ask" if state.options["coach"] == "ask" or is_slow(self.game, state) else "all"

    # -- the deck

    def deck(self) -> DeckButton | None:
        state = self.chances.dealt_from if self.state.between and self.must_shuffle else self.state
        left = state.pile.left
        if not self.chances.shown:
            return DeckButton(left, deck_label(left, None))
        return DeckButton(left, deck_label(left, state.pile.total), triangle(state))

    # -- seats

    def order(self) -> Iterable[int]:
        """The positions in the order of their lines: by seat, or by rank when the game is over."""
        positions = range(len(self.state.seats))
        if self.state.phase != "game over":
            return positions
        return sorted(positions, key=self.game.places(self.state).__getitem__)

    def rows_style(self) -> str:
        many = len(self.state.seats) >= self.many_columns_from
        return "two lean" if many and self.state.phase == "game over" else "two" if many else ""

    def rows_high(self, style: str) -> int:
        """The number of lines, one above the other."""
        seats = len(self.state.seats)
        return -(-seats // 2) if "two" in style else seats

    def row(self, position: int, lean: bool) -> SeatRow:
        """The line of a seat; a lean one has no room for cards."""
        name = self.state.seats[position].name
        return SeatRow(
            self.marks[name],
            name,
            note=self.note(position),
            faces=self.faces(position),
            tally=self.tally(position),
            style=self.seat_style(position),
            lean=lean,
            lands=self.dealer and position == self.chances.next_seat,
            picks=self.picks(name),
        )

    def picks(self, name: str) -> tuple[Pick, ...]:
        """What a tap on the line of a seat chooses, where that is part of an entry."""
        return ()

    def seat_style(self, position: int) -> str:
        state, seat = self.state, self.state.seats[position]
        if state.outcome:
            return "now" if seat.name in state.outcome.decided else ""
        if position == state.turn or seat.name == self.taker():
            return "now"
        waits = state.phase != "play" and state.waiting[:1] == (position,) and not state.result
        return "now" if waits else "" if seat.state in ("in", "locked") else "out"

    def note(self, position: int) -> str:
        """A few words about a seat: during the game its own, at the end who won or lost."""
        outcome, name = self.state.outcome, self.state.seats[position].name
        if outcome is None:
            return self.note_in_play(position)
        return _("wins") if name in outcome.winners else _("loses") if name == outcome.loser else ""

    def note_in_play(self, position: int) -> str:
        return ""

    def kept(self, position: int) -> str:
        """The score cards of a seat."""
        kept = self.state.seats[position].kept
        return _("kept {cards}").format(cards=" ".join(map(str, kept))) if kept else ""

    def faces(self, position: int) -> tuple[Face, ...]:
        result, seat = self.state.result, self.state.seats[position]
        if result and self.state.phase != "play":
            stack = result.stacks[seat.name]
            return tuple(self.result_face(result, seat, value, index) for index, value in enumerate(stack))
        return tuple([FACES[value] for value in seat.stack])

    def ended_by(self) -> tuple[Face, ...]:
        """The cards that decided a game that is over, while its last round is known."""
        result, outcome = self.state.result, self.state.outcome
        if not outcome or not result or result.value is None or result.who not in outcome.decided:
            return ()
        low = Face(str(result.value), "low")
        return {"pair": (FACES[result.value], Face(str(result.value), "hit")), "fold": (low,)}.get(result.how, ())

    def result_face(self, result: Result, seat: Seat, value: int, index: int) -> Face:
        last = index == len(result.stacks[seat.name]) - 1
        hit = seat.name == result.who and value == result.value and last and result.how != "fold"
        return Face(str(value), "hit") if hit else FACES[value]

    def tally(self, position: int) -> Tally:
        """Points, with the bar to what ends the game; chips where no points are kept."""
        seat, target = self.state.seats[position], self.target
        if not self.game.scores_points:
            return Tally(signed(seat.chips))
        points: int = seat.points
        if target is None:
            return Tally(str(points))
        return Tally(str(points), "", f"/{target}", (min(points, target), target))

    # -- the action row

    def middle(self) -> BoardPart | None:
        """A part of the board above the seats."""
        return None

    def action(self) -> Action:
        state = self.state
        if state.phase == "game over":
            return Action()
        if state.phase != "play":
            return Action(sentence=self.deal_sentence())
        main = self.main_button()
        if main is None:
            return Action(sentence=self.forced_sentence())
        return Action(main, self.second_button(), self.price_of_drawing())

    def deal_sentence(self) -> tuple[str, str]:
        state = self.state
        first = self.seat(state.waiting[0]).name if state.waiting else ""
        head = _("Card for {name}").format(name=short_name(first, 12)) if first else _("Turn up a card")
        if state.between and state.phase == "round over" and self.game.whole_deck_each_round:
            return head, _("shuffle the whole deck for round {number}").format(number=state.round + 1)
        if state.between and state.phase == "round over":
            return head, _("the next card starts round {number}").format(number=state.round + 1)
        return head, _("the lowest card starts") if self.game.deal_names_starter(state) else ""

    def forced_sentence(self) -> tuple[str, str]:
        return _("Turn up a card"), ""

    def main_button(self) -> Button | None:
        return None

    def second_button(self) -> Button | None:
        return None

    def price_of_drawing(self) -> tuple[str, str] | None:
        risk = self.chances.risk()
        return None if risk is None else (percent(risk), self.drawing_caption())

    def drawing_caption(self) -> str:
        return translate(self.game.card_words.risk)

    def undo(self) -> Undo:
        head, past = self.table.head, self.table.past
        if past and past.done and past.done.kind != "enter":
            what = _("correction")
            return Undo("", what, True, _("{name}: {what}").format(name=_("Undo"), what=what))
        who, what = head.seat or "", self.done(with_short_names(head.entry))
        label = _("{name}: {what}").format(name=_("Undo"), what=f"{who} {what}".strip())
        return Undo(who, what, self.table.past is not None, label)

    def done(self, entry: Entry) -> str:
        """The last entry, for the undo button."""
        if entry.verb == "game":
            return _("new game")
        return self.last_words if entry is self.table.head.entry else translate(self.said_last(entry))

    # -- keys

    def pad_style(self) -> str:
        """A CSS class for a pad that is not as high as the card keys."""
        return ""

    def instead_of_keys(self) -> BoardPart | None:
        """A part of the board in place of the card keys, where something else is to be tapped."""
        return None

    def keys(self) -> tuple[Key, ...]:
        """The card keys; while no card can come they take no touch, and promise nothing."""
        entries = [self.key_entry(value) for value in VALUES]
        if self.must_shuffle or not self.legal_texts.isdisjoint(entries):
            return tuple([self.key(value) for value in VALUES])
        return tuple([Key(entry, value, str(value), closed=True) for entry, value in zip(entries, VALUES, strict=True)])

    def key(self, value: int) -> Key:
        """The key of a card: with the odds, if the table shows them."""
        pile = self.chances.dealt_from.pile
        count, entry = pile.unseen[value], self.key_entry(value)
        word, bad = (self.word_for(value), self.is_bad(value)) if count else ("", False)
        if not self.chances.shown:
            return Key(entry, value, str(value), word=word, bad=bad)
        return key_with_odds(entry, value, count, self.chances.total, pile.decks, word, bad)

    def key_entry(self, value: int) -> str:
        return str(value)

    def word_for(self, value: int) -> str:
        """What the card would do to its seat: a word on its key, or nothing."""
        effect = self.chances.effects.get(value)
        return translate(self.game.card_words.of(effect)) if effect else ""

    def is_bad(self, value: int) -> bool:
        """Whether the card would put its seat out."""
        effect = self.chances.effects.get(value)
        return effect is not None and effect.is_bad
