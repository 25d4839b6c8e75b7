"""The board of Rocket: the dealer's row is framed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from companion.coach.cards import rocket_card
from companion.engine.cards import CARDS_IN_A_DECK, VALUES
from companion.engine.results import Result
from companion.engine.sentence import MINUS, say
from companion.engine.state import AnyState, Seat
from companion.games import GAMES
from companion.games.rocket import DEATH, RocketState, payout
from companion.web.board.common import BoardOf
from companion.web.board.screen import Button, Tally, short_name
from companion.web.board.triangle import LARGE_CARDS
from companion.web.format import about, listing, percent, signed
from companion.web.games.examples import Example, ExampleRecord, faces, row, sum_of
from companion.web.games.lookups import Asked, Lookup, read_number
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext

from .room import Room


class RocketBoard(BoardOf[RocketState]):
    many_columns_from = 2

    def bar(self) -> tuple[str, ...]:
        options = self.state.options
        return (
            ngettext("{decks} deck", "{decks} decks", options["decks"]).format(decks=options["decks"]),
            _("max {value}").format(value=options["max"]) if "max" in options else "",
        )

    def is_dealer(self, position: int | None) -> bool:
        """Who deals; once a round is over, who dealt in it."""
        result = self.state.result
        if result and self.state.phase == "round over" and position is not None:
            dealt = result.winners[0] if result.how == "all out" else result.who
            return self.seat(position).name == dealt
        return position == self.state.dealer

    def turn_text(self) -> str:
        turn = self.state.turn
        if turn is None or self.is_dealer(turn):
            return _("dealer must draw")
        return _("draw or fold · bet {bet}").format(bet=self.state.seats[turn].bet)

    def deal_text(self, who: Seat) -> str:
        if not self.state.waiting:
            return _("nobody has bet")
        if self.state.between and not self.state.options["burn"]:
            return _("first card")
        return _("the dealer’s first card") if self.is_dealer(self.state.waiting[0]) else super().deal_text(who)

    def deal_sentence(self) -> tuple[str, str]:
        """Before the first card: who deals, and how bets are changed. Then: what the deal still needs."""
        head, soft = super().deal_sentence()
        if not self.state.between:
            return head, soft
        dealer = short_name(self.state.seats[self.state.dealer].name, 10)
        return head, _("{name} deals · tap a seat to change bets").format(name=dealer)

    def taker(self) -> str | None:
        """The dealer, where everybody is out: not the last one to go out."""
        result = self.state.result
        return result.winners[0] if result and result.how == "all out" else super().taker()

    def result_text(self, result: Result) -> str:
        if result.how == "all out":
            return _("everybody is out, {name} keeps it all").format(name=short_name(result.winners[0], 12))
        return _("{text}: everybody still in is paid").format(text=super().result_text(result))

    def rows_style(self) -> str:
        return "two led"

    def rows_high(self, style: str) -> int:
        return 1 + len(self.state.seats) // 2

    def order(self) -> Iterable[int]:
        """The dealer first."""
        return sorted(super().order(), key=lambda position: not self.is_dealer(position))

    def seat_style(self, position: int) -> str:
        style = super().seat_style(position)
        return f"dealer {style}" if self.is_dealer(position) else style

    def note_in_play(self, position: int) -> str:
        seat = self.state.seats[position]
        if self.state.between and self.state.result:
            return self.won_or_lost(seat.name)
        if self.is_dealer(position):
            return _("deals")
        if seat.state in ("out", "folded") and seat.bet:
            return _("out") if seat.state == "out" else _("folded")
        if self.state.phase == "play" and seat.bet:
            return ""  # the bet stands with the price of folding
        return _("bet {bet}").format(bet=seat.bet) if seat.bet else _("sits out")

    def tally(self, position: int) -> Tally:
        state, seat = self.state, self.state.seats[position]
        if state.between:
            return Tally(signed(seat.chips))
        if self.is_dealer(position):
            chance = self.chances.next_is(DEATH)
            return Tally(percent(chance) if chance is not None else "", _("3 = death"))
        if seat.state != "in":
            paid = -state.chips_of_round().get(seat.name, 0)
            return Tally(str(paid), _("paid")) if seat.bet else Tally()
        if self.is_dealer(state.turn):
            return Tally(f"+{payout(seat.bet, DEATH)}", _("if 3"))
        price = self.game.own_seat_keys(state, position).get("fold")
        return Tally(str(price), _("fold at"), unit=f"/{seat.bet}") if price is not None else Tally()

    def main_button(self) -> Button | None:
        price = self.prices.get("fold")
        if price is None:
            return None
        dealer = self.state.name(self.state.dealer)
        label = _("Fold: pays {price} to {name}").format(price=price, name=dealer)
        return Button("fold", f"{MINUS}{price}", _("Fold"), label)

    def forced_sentence(self) -> tuple[str, str]:
        risk = self.chances.risk()
        pays = _("3 pays 3/10 of each bet")
        return (_("{chance} risk").format(chance=percent(risk)) if risk is not None else _("Dealer draws")), pays

    def drawing_caption(self) -> str:
        cost = self.chances.expected()
        return super().drawing_caption() if cost is None else _("pair · ≈ {cost}").format(cost=about(-cost))

    def word_for(self, value: int) -> str:
        word = super().word_for(value)
        return _("death") if word and value == DEATH and self.is_dealer(self.chances.next_seat) else word


# -- the look-up tab

BETS = range(10, 210, 10)
USUAL_BET = 20


@dataclass(frozen=True)
class RocketFigures:
    """What each card is worth, for every bet, so that the page needs no server to step through them."""

    bet: int
    odd: int | None  # the bet that was asked for, if it is not a multiple of ten
    death: int
    cards: tuple[tuple[int, tuple[str, ...], int], ...]  # value, its dots, its worth
    bets: tuple[tuple[int, tuple[int, ...]], ...]
    last: int
    folds: tuple[tuple[str, str], ...]  # the dealer’s first card, and the own ones with which to fold; one deck
    edges: tuple[tuple[int, str, str], ...]  # by decks, what the dealer wins: at best play, without ever folding


def rocket_figures(asked: Asked, state: AnyState | None) -> RocketFigures:
    typed = read_number(asked.text("bet"))
    bet = bet_at(state) if typed is None else typed
    return RocketFigures(
        bet - bet % 10 or 10,
        bet if bet % 10 else None,
        payout(bet, DEATH),
        tuple((value, LARGE_CARDS[value].dots, payout(bet, value)) for value in VALUES),
        tuple((each, tuple(payout(each, value) for value in VALUES)) for each in BETS),
        BETS[-1],
        tuple((str(facing), listing(map(str, own))) for facing, own in rocket_card().folds.items()),
        tuple((decks, part_of_bet(best), part_of_bet(drawing)) for decks, best, drawing in rocket_card().edges),
    )


def bet_at(state: AnyState | None) -> int:
    """The bet of the player to act, or of the first one."""
    if not isinstance(state, RocketState):
        return USUAL_BET
    position = state.dealer + 1 if state.turn is None or state.turn == state.dealer else state.turn
    return state.seats[position % len(state.seats)].bet or USUAL_BET


def part_of_bet(part: float) -> str:
    """In percent with two decimals."""
    whole, hundredths = divmod(round(10_000 * part), 100)
    return _("{whole}.{hundredths}%").format(whole=whole, hundredths=f"{hundredths:02}")


# -- the rules page

RECORD = ExampleRecord(
    "Ana Ben Cleo Dan", "game rocket, bet Ben 20, bet Cleo 50, bet Dan 10, 5, 10, 7, 6, 5, fold, 9, 3"
)


class PaidCard(NamedTuple):
    """A card that costs or earns chips, as the rules page draws it."""

    title: str
    text: str
    value: int
    style: str
    twice: bool = False


def example() -> Example:
    """A pair, a fold and the dealer’s 3 in one lap."""
    state, before = RECORD.after(), RECORD.after(1)
    result = state.result
    rows = []
    for position, seat in enumerate(state.seats):
        stack = result.stacks[seat.name]
        dealt = position == before.dealer
        last = "hit death" if dealt else "hit" if len(set(stack)) < len(stack) else ""
        note = _("deals") if dealt else _("bet {bet}").format(bet=seat.bet)
        rows.append(row(state, position, faces(stack, last), label=note, figure=signed(result.chips[seat.name])))
    ben, cleo, dan = (state.seats[i].bet for i in (1, 2, 3))
    paired = result.stacks["Ben"][-1]
    low = min(result.stacks["Cleo"] + before.seats[before.dealer].stack)
    figures = {
        "paired": paired,
        "pair_sum": sum_of(paired, "×", payout(ben, 1), -result.chips["Ben"]),
        "low": low,
        "fold_sum": sum_of(low, "×", payout(cleo, 1), -result.chips["Cleo"]),
        "death": result.value,
        "death_sum": sum_of(result.value, "×", payout(dan, 1), result.chips["Dan"]),
    }
    return Example(tuple(rows), figures=figures)


def paid_at(bet: int) -> tuple[PaidCard, ...]:
    """The three ways chips move, for one bet."""

    def filled(words: str, value: int) -> str:
        return words.format(bet=bet, value=value, sum=sum_of(value, "×", payout(bet, 1), payout(bet, value)))

    return (
        PaidCard(_("You pair"), filled(_("with a bet of {bet} you pay {sum}"), 8), 8, "hit", twice=True),
        PaidCard(_("You fold"), filled(_("the lowest card is a {value}: you pay {sum}"), 5), 5, "low"),
        PaidCard(_("The dealer’s 3"), filled(_("you get {sum}"), DEATH), DEATH, "hit"),
    )


ROOM = Room(
    game=GAMES["rocket"],
    faces=("3",),
    board=RocketBoard,
    lookups=(Lookup("rocket", say("Rocket"), "lookup/_rocket.html", rocket_figures),),
    tab="rocket",
    rules="rules/rocket.html",
    record=RECORD,
    example=example,
    figures=lambda: {"death": DEATH, "fifth": CARDS_IN_A_DECK // 5, "paid": paid_at(USUAL_BET)},
    words=((say("death card"), "death"),),
)
