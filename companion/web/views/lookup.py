"""Look up a price, a fine or a chance in mid-hand; no table is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from flask import Blueprint, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.cards import VALUES, copies
from companion.engine.errors import EntryError
from companion.engine.report import odds_shown
from companion.engine.sentence import Sentence, say
from companion.games import GAMES
from companion.games.blackstone import ANTE, BLACK, bust_fine, pass_fine, second_black
from companion.games.port import award
from companion.games.rocket import DEATH, payout
from companion.games.stakes import STAKES
from companion.games.zombie import turned_down
from companion.table import lookup
from companion.web.addresses import addresses_of
from companion.web.dealing import UnknownTable
from companion.web.format import about, percent, signed
from companion.web.i18n import translate
from companion.web.tables import tables
from companion.web.triangle import large_dots

blueprint = Blueprint("lookup", __name__, url_prefix="/lookup")

BETS = range(10, 210, 10)
WHITES = range(lookup.MOST_WHITE + 1)
TAKES = range(1, 11)
SEATS = "ABCDEFGH"

TABS: dict[str, Sentence] = {
    "pairs": say("Pairs"),
    "stakes": say("Stakes"),
    "odds": say("Odds"),
    "port": say("Port"),
    "starboard": say("Starboard"),
    "rocket": say("Rocket"),
    "blackstone": say("Blackstone"),
    "hawthorn": say("Hawthorn"),
    "zombie": say("Zombie Life"),
}
# Where a game's figures are looked up.
TAB_OF = {"continuous": "pairs"}


@dataclass(frozen=True)
class Shown:
    """A look-up page: its tab and what it holds."""

    tab: str
    back: str
    things: Mapping[str, Any]
    message: str = ""


def tab_for(game: str) -> str:
    return TAB_OF.get(game, game)


def number(name: str, default: int, least: int, most: int) -> int:
    """A whole number of the query within bounds; what cannot be is the default."""
    raw = request.args.get(name, "")
    if raw.isascii() and raw.isdigit() and len(raw) < 7:
        return max(least, min(most, int(raw)))
    return default


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The first tab."""
    return show("pairs")


@blueprint.get("/<tab>")
def show(tab: str) -> ResponseReturnValue:
    """One tab; from a table it opens with the hand that is played."""
    if tab in TAB_OF or tab not in TABS:
        tab = TAB_OF.get(tab) or abort(404)
    table_id = request.args.get("table", "")
    state = state_of(table_id)
    message = ""
    try:
        things = PAGES[tab](state)
    except EntryError as error:
        message, things = translate(error.sentence), {}
    back = addresses_of(table_id).board if state else url_for("lobby.home")
    # The tab one is on stands first, so that it is always in sight.
    keys = [tab, *(key for key in TABS if key != tab)]
    tabs = [(key, translate(TABS[key]), key == tab) for key in keys]
    page = Shown(tab, back, things, message)
    status = 422 if message else 200
    return render_template("lookup/lookup.html", page=page, tabs=tabs, table=table_id if state else ""), status


def state_of(table_id: str) -> Any:
    """The state of the table the look-up was opened from, if there is one."""
    if not table_id:
        return None
    try:
        return tables().load(table_id).state
    except UnknownTable:
        return None


def pairs(state: Any) -> dict[str, Any]:
    players = number("players", len(state.seats) if state else 4, 2, 8)
    in_play = state.in_play() if state else ()
    return {
        "players": players,
        "limits": [(count, lookup.limit(count)["limit"]) for count in GAMES["pairs"].players],
        "fold": lookup.fold([in_play]) if in_play else None,
    }


def stakes(state: Any) -> dict[str, Any]:
    """All stakes on any scores."""
    known = {seat.name: seat.points for seat in state.seats} if state else {}
    names = list(known) or list(SEATS)
    points = {}
    for index, name in enumerate(names):
        raw = request.args.get(f"p{index}", str(known[name]) if known and not request.args.get("p0") else "")
        if raw.strip().isascii() and raw.strip().isdigit() and len(raw) < 6:
            points[name] = int(raw)
    carried = number("carried", state.middle if state else 0, 0, 99_999)
    sum_ = number("sum", state.options.get("sum", 6) if state else 6, 1, 99_999)
    asked = len(points) >= 2 and any(points.values())
    answers = [(key, lookup.stakes(key, points, carried, sum_)) for key in STAKES if key != "seattle"] if asked else []
    return {
        "names": [(index, name, points.get(name, "")) for index, name in enumerate(names)],
        "carried": carried,
        "sum": sum_,
        "heads": list(points),
        "rows": [
            (key.capitalize(), [signed(chips) for chips in answer["chips"].values()], answer["carried"])
            for key, answer in answers
        ],
    }


def odds(state: Any) -> dict[str, Any]:
    """The chance that the next card pairs any stack, with any cards seen."""
    stack = [value for value in VALUES if request.args.get(f"s{value}")]
    seen = {value: number(f"n{value}", 0, 0, copies(value)) for value in VALUES}
    if state and not request.args.get("ask"):
        stack, seen = seen_at(state)
    everything = stack + [value for value, count in seen.items() for _copy in range(count)]
    answer = lookup.odds(stack, everything) if stack else None
    return {
        "rows": [
            (
                value,
                value in stack,
                seen[value],
                range(copies(value) + 1),
                percent(Fraction(answer["odds"][str(value)])) if answer else "",
            )
            for value in VALUES
        ],
        "pair": percent(Fraction(answer["pair"])) if answer else "",
        "exactly": answer["pair"] if answer else "",
        "expected": about(Fraction(answer["expected"])) if answer else "",
    }


def seen_at(state: Any) -> tuple[list[int], dict[int, int]]:
    """The stack of the player to act, and what else was seen; nothing where the table hides its odds."""
    if not odds_shown(state) or state.pile.decks > 1 or state.pile.untold:
        return [], dict.fromkeys(VALUES, 0)
    stack = sorted(set(state.seats[state.turn if state.turn is not None else 0].stack))
    return stack, {value: copies(value) - state.pile.unseen[value] - (value in stack) for value in VALUES}


def port(state: Any) -> dict[str, Any]:
    return {
        "awards": [(players, [award(players, rank) for rank in range(players)]) for players in GAMES["port"].players]
    }


def starboard(state: Any) -> dict[str, Any]:
    pot = number("pot", state.pot if state and state.game == "starboard" else 10, 0, 999)
    return {"pot": pot, "shares": [(winners, *divmod(pot, winners)) for winners in range(1, 8)]}


def rocket(state: Any) -> dict[str, Any]:
    bet = 20
    if state and state.game == "rocket":
        position = state.turn if state.turn is not None and state.turn != state.dealer else (state.dealer + 1)
        bet = state.seats[position % len(state.seats)].bet or 20
    raw = request.args.get("bet", "")
    asked = int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 7 else bet
    return {
        "bet": asked - asked % 10 or 10,
        "odd": asked if asked % 10 else None,
        "death": payout(asked, DEATH),
        "values": [(value, large_dots(value), payout(asked, value)) for value in VALUES],
        "bets": [(each, [payout(each, value) for value in VALUES]) for each in BETS],
        "last": BETS[-1],
    }


@cache
def second_table() -> str:
    """The chance of a second black for every white, held, black unseen and number taken: a character each."""
    marks = []
    for white in WHITES:
        for held in (0, 1):
            for black in range(BLACK + 1):
                unseen = lookup.MOST_WHITE - white
                for taken in TAKES:
                    possible = taken <= unseen + black
                    chance = second_black(taken, held, unseen, black) if possible else Fraction(1)
                    marks.append(chr(35 + round(chance * 100)) if possible else " ")
    return "".join(marks)


def blackstone(state: Any) -> dict[str, Any]:
    """Fines for every number of white stones; the chance of a second black for each number taken."""
    white, held, black = 15, 1, 9
    if state and state.game == "blackstone" and state.phase == "play":
        white = state.white
        held = min(1, len(state.seats[state.turn].stack)) if state.turn is not None else 0
        black = state.pile.unseen[BLACK] if odds_shown(state) else BLACK - held
    white, held = number("white", white, 0, lookup.MOST_WHITE), number("held", held, 0, 1)
    black = number("black", black, 0, BLACK)
    unseen = lookup.MOST_WHITE - white
    chances = [(k, second_black(k, held, unseen, black)) for k in TAKES if k <= unseen + black]
    return {
        "white": white,
        "held": held,
        "black": black,
        "unseen": unseen + black,
        "half": pass_fine(white, 0),
        "ante": ANTE,
        "pass": pass_fine(white),
        "bust": bust_fine(white),
        "rows": [(k, f"{float(c):.3f}", exactly(c), percent(c)) for k, c in chances],
        "fines": [(count, pass_fine(count), bust_fine(count)) for count in WHITES],
        "second": second_table(),
    }


def exactly(chance: Fraction) -> str:
    """The fraction, as long as a person can read it."""
    return f"{chance.numerator}/{chance.denominator}" if chance.denominator < 1_000_000 else ""


def hawthorn(state: Any) -> dict[str, Any]:
    price = None
    if state and state.game == "hawthorn" and state.phase == "play":
        price = GAMES["hawthorn"].prices(state).get("fold")
    return {"fold": price}


def zombie(state: Any) -> dict[str, Any]:
    others = range(8)
    return {
        "others": list(others),
        "rows": [(cards, [cards - turned_down(cards, count) for count in others]) for cards in range(1, 11)],
    }


PAGES = {
    "pairs": pairs,
    "stakes": stakes,
    "odds": odds,
    "port": port,
    "starboard": starboard,
    "rocket": rocket,
    "blackstone": blackstone,
    "hawthorn": hawthorn,
    "zombie": zombie,
}
