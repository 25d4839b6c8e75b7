"""The rules, one page a game. Every figure in an example is the engine's: a short record is played for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from companion.engine.cards import CARDS_IN_A_DECK
from companion.engine.odds import risk
from companion.engine.sentence import Sentence, say
from companion.engine.state import AnyState
from companion.games import GAMES
from companion.games.blackstone import ANTE, BLACK, bust_fine, pass_fine
from companion.games.hawthorn import HAND
from companion.games.pairs import limit_for
from companion.games.rocket import DEATH, payout
from companion.games.stakes import DEFAULT_SUM
from companion.games.starboard import PRICE_OF_A_CARD
from companion.table.lookup import stakes
from companion.table.table import Table
from companion.web.format import percent, signed
from companion.web.games.blackstone import stones
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.screens.board import Face, Mark, Row

from .lobby import FACES, LETTERS

blueprint = Blueprint("rules", __name__, url_prefix="/rules")

# The records behind the examples: who sits, and the entries.
RECORDS = {
    "pairs": ("Ana Ben Cleo Dan", "game pairs, 7, 10, 3, 9, 9, 6, 5, 8, 9"),
    "continuous": ("Ana Ben Cleo", "game continuous, 5, 7, 3, 9, 8, 10, 9, 2, fold"),
    "port": ("Ana Ben Cleo Dan Eve", "game port, 8, 9, 10, 7, 6, 9, 5, 7, 8, 10, 9, 10, 6, 4, lock, lock, lock, lock"),
    "starboard": ("Ana Ben Cleo Dan", "game starboard, 4, 9, 8, lock, 7, 9, 10, lock, lock"),
    "rocket": ("Ana Ben Cleo Dan", "game rocket, bet Ben 20, bet Cleo 50, bet Dan 10, 5, 10, 7, 6, 5, fold, 9, 3"),
    "blackstone": (
        "Ana Ben Cleo",
        "game blackstone, 6, 10, 4, take 4, whites, take 5, whites, take 5, white, white, white, white, 10",
    ),
    "hawthorn": ("Ana Ben Cleo", "game hawthorn, play 4, play 7, play 9, 8, 2, 10, play 6, fold, play 5, 8"),
    "zombie": (
        "Ana Ben Cleo",
        "game zombie, 4, 6, 5, 9, refuge, 8, horde, 10, refuge, 7, refuge, 8, 9, refuge, pass, 8, pass",
    ),
}
# The scores on which the stakes are shown; the loser first.
SCORES = (17, 10, 8, 7, 2)
STAKES_SHOWN: dict[str, tuple[Sentence, Sentence]] = {
    "forfeit": (say("Forfeit"), say("a round, a song")),
    "downspear": (say("Downspear, Seattle"), say("1 to each")),
    "norland": (say("Norland"), say("1 to the lowest")),
    "cutchfeld": (say("Cutchfeld"), say("own points, to the lowest")),
    "tacoma": (say("Tacoma"), say("{sum}, to the lowest", sum=DEFAULT_SUM)),
    "olympia": (say("Olympia"), say("the gap to the lowest")),
    "portland": (say("Portland"), say("the gap, to each")),
}


@dataclass(frozen=True)
class Example:
    """Rows as they lie on the table, and the figures of the caption."""

    rows: tuple[Row, ...]
    middle: tuple[Face, ...] = ()  # a common hand, a Horde
    figures: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Stake:
    """A line of the stakes table."""

    title: str
    pays: str
    chips: int


@dataclass(frozen=True)
class Entrance:
    """A game in the index."""

    key: str
    title: str
    players: str
    pitch: str
    faces: tuple[str, ...]


# -- the record


@cache
def played(game: str, fewer: int = 0) -> Table:
    """The example's table, without its last entries if so many are to be left out."""
    names, entries = (text.split(mark) for text, mark in zip(RECORDS[game], (None, ", "), strict=True))
    return Table.open(GAMES, names, entries[: len(entries) - fewer])


def after(game: str, fewer: int = 0) -> Any:
    """The state then; of the game's own type, so that its fields can be read."""
    return played(game, fewer).state


def row(state: AnyState, position: int, faces: tuple[Face, ...], **more: Any) -> Row:
    return Row(Mark(LETTERS[position], f"s{position + 1}"), state.seats[position].name, faces=faces, **more)


def face(value: int, look: str = "") -> Face:
    """A card, and what its look means to those who hear the page."""
    notes = {
        "": "",
        "low": _("lowest"),
        "hit": _("pair"),
        "hit death": _("death card"),
        "kept": _("kept"),
        "down": _("face down"),
    }
    return Face(str(value), look.partition(" ")[0], notes[look])


def sum_of(first: int, sign: str, second: int, whole: int) -> str:
    """A sum that stays on one line."""
    return f"{first} {sign} {second} = {whole}".replace(" ", "\N{NO-BREAK SPACE}")


def faces(stack: tuple[int, ...], last: str = "") -> tuple[Face, ...]:
    """A stack; `last` is the look of its newest card."""
    return tuple(face(value, last if place == len(stack) else "") for place, value in enumerate(stack, 1))


# -- one example a game


def pairs() -> Example:
    """A draw that pairs, where folding would have been cheap."""
    before, state = after("pairs", 1), after("pairs")
    result = state.result
    fold = GAMES["pairs"].prices(before)["fold"]
    rows = []
    for position, seat in enumerate(state.seats):
        stack = result.stacks[seat.name]
        shown = tuple(face(value, "low") if value == fold else face(value) for value in stack)
        if seat.name == result.who:
            shown = (*shown[:-1], face(stack[-1], "hit"))
        gained = result.points.get(seat.name, 0)
        rows.append(row(state, position, shown, figure=signed(gained) if gained else ""))
    chance = percent(risk(GAMES["pairs"], before)[result.who])
    figures = {"fold": fold, "card": result.value, "points": result.points[result.who], "chance": chance}
    return Example(tuple(rows), figures=figures)


def continuous() -> Example:
    """A pair cleared one stack; a fold takes another's card."""
    before, state = after("continuous", 1), after("continuous")
    result = state.result
    rows = []
    for position, seat in enumerate(before.seats):
        shown = tuple(face(value, "low") if value == result.value else face(value) for value in seat.stack)
        shown += tuple(face(value, "kept") for value in seat.kept)
        gained = state.seats[position].points
        rows.append(row(state, position, shown, figure=signed(gained) if gained else ""))
    figures = {
        "pair": before.seats[2].kept[0],
        "lost": before.seats[2].points,
        "card": result.value,
        "points": result.points["Ben"],
        "first": state.seats[0].stack[0],
        "second": state.seats[0].stack[1],
    }
    return Example(tuple(rows), figures=figures)


def port() -> Example:
    """Sums, ranks, and what equal sums earn."""
    state = after("port")
    result = state.result
    rows, sums = [], []
    for position, seat in enumerate(state.seats):
        stack, award = result.stacks[seat.name], result.points.get(seat.name)
        note = str(sum(stack)) if award else _("out")
        rows.append(row(state, position, faces(stack, "" if award else "hit"), label=note, figure=signed(award or 0)))
        sums.append(sum(stack))
    best, second, third, last, _out = (result.points.get(seat.name, 0) for seat in state.seats)
    figures = {"players": len(state.seats), "best": best, "equal": sums[1], "second": second, "third": third}
    return Example(tuple(rows), figures={**figures, "last": last, "skipped": second - 1})


def starboard() -> Example:
    """A pair shrinks the hand; a longer lock kills a shorter one; two share."""
    state, before = after("starboard"), after("starboard", 1)
    result = state.result
    rows = []
    for position, seat in enumerate(state.seats):
        won = seat.name in result.winners
        note = _("locked") if won else _("out")
        rows.append(row(state, position, (), label=note, figure=signed(result.chips[seat.name])))
    paired = played("starboard", 3)
    figures = {
        "early": paired.state.seats[1].locked_at,
        "pair": paired.head.entry.args[0],
        "length": len(before.common),
        "pot": before.pot,
        "share": result.share,
    }
    return Example(tuple(rows), tuple(face(value) for value in before.common), figures)


def rocket() -> Example:
    """A pair, a fold and the dealer's 3 in one lap."""
    state, before = after("rocket"), after("rocket", 1)
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


def blackstone() -> Example:
    """A pass that would have cost half, and the second black stone that costs all."""
    before, last, state = (after("blackstone", fewer) for fewer in (6, 1, 0))
    result = state.result
    rows = tuple(
        row(state, position, (), stones=len(result.stacks[seat.name]), figure=signed(result.chips[seat.name]))
        for position, seat in enumerate(state.seats)
    )
    figures = {
        "white_before": before.white,
        "pass_sum": sum_of(ANTE, "+", pass_fine(before.white, 0), pass_fine(before.white)),
        "took": last.last,
        "white": last.white,
        "new": last.white - before.white,
        "bust_sum": sum_of(ANTE, "+", last.white, bust_fine(last.white)),
        "share": result.share,
        "stones": stones(last.white),
        "width": 207,
    }
    return Example(rows, figures=figures)


def hawthorn() -> Example:
    """A fold, a pair, and the last one in."""
    state, before, fold = (after("hawthorn", fewer) for fewer in (0, 1, 3))
    result = state.result
    rows = []
    for position, seat in enumerate(state.seats):
        stack = result.stacks[seat.name]
        price = GAMES["hawthorn"].prices(fold)["fold"]
        if before.seats[position].state == "folded":
            shown, note = tuple(face(v, "low") if v == price else face(v) for v in stack), _("folded")
        elif seat.name in result.winners:
            shown, note = faces(stack), _("last in")
        else:
            shown, note = faces(stack, "hit"), _("out")
        rows.append(row(state, position, shown, label=note, figure=signed(result.chips[seat.name])))
    pair = result.stacks["Ana"][-1]
    figures = {
        "antes": before.options["ante"] * len(before.seats),
        "fold": GAMES["hawthorn"].prices(fold)["fold"],
        "pair": pair,
        "pair_pays": GAMES["hawthorn"].price(before, 0, pair),
        "pot": result.share,
    }
    return Example(tuple(rows), figures=figures)


def zombie() -> Example:
    """One passes early, one is overwhelmed, one stays to the end."""
    state, before, passed = (after("zombie", fewer) for fewer in (0, 1, 2))
    result = state.result
    rows = []
    for position, seat in enumerate(before.seats):
        stack = result.stacks.get(seat.name, ())
        gained = result.points.get(seat.name, 0)
        if seat.state == "out":
            stack = passed.seats[position].stack
            shown = (*faces(stack), face(stack[-1], "hit"))
            note = _("out")
        else:
            up = len(stack) - seat.facedown
            shown = (*faces(stack[:up]), *(face(value, "down") for value in stack[up:]))
            note = _("passed")
        rows.append(row(state, position, shown, label=note, figure=signed(gained)))
    figures = {
        "others": len(passed.those_in()),
        "down": passed.seats[0].facedown,
        "card": passed.seats[1].stack[-1],
        "up": result.points["Ana"],
        "all": result.points["Cleo"],
    }
    return Example(tuple(rows), tuple(face(value) for value in before.horde), figures)


EXAMPLES: dict[str, Callable[[], Example]] = {
    "pairs": pairs,
    "continuous": continuous,
    "port": port,
    "starboard": starboard,
    "rocket": rocket,
    "blackstone": blackstone,
    "hawthorn": hawthorn,
    "zombie": zombie,
}


# -- what the pages say in figures


def stake_lines() -> list[Stake]:
    """What the loser pays in all, under each of the stakes."""
    points = dict(zip("ABCDE", SCORES, strict=True))
    return [
        Stake(translate(title), translate(pays), -stakes(key, points)["chips"]["A"])
        for key, (title, pays) in STAKES_SHOWN.items()
    ]


def limits() -> list[tuple[str, int]]:
    """The limit by players; the last column is for everyone from six on."""
    most = GAMES["pairs"].players[-1]
    return [*((str(players), limit_for(players)) for players in range(2, 6)), (f"6–{most}", limit_for(most))]


def constants(game: str) -> dict[str, Any]:
    """The numbers of the rules, by name."""
    options = GAMES[game].options
    goal, ante = (options[key].default if key in options else None for key in ("goal", "ante"))
    return {
        "burn": GAMES[game].burn,
        "goal": goal,
        "ante": ante,
        "card_price": PRICE_OF_A_CARD,
        "death": DEATH,
        "black": BLACK,
        "hand": HAND,
        "fifth": CARDS_IN_A_DECK // 5,
    }


def players(game: str) -> str:
    numbers = GAMES[game].players
    return _("{least}–{most} players").format(least=numbers[0], most=numbers[-1])


def words() -> list[tuple[str, str, str]]:
    """What people look for: the word, the game whose page explains it, the place on it."""
    return [
        (_("add-ons"), "pairs", "addons"),
        (_("ante"), "starboard", "ante"),
        (_("black stone"), "blackstone", "black"),
        (_("burn"), "pairs", "burn"),
        (_("button"), "starboard", "button"),
        (_("cut card"), "rocket", "cut"),
        (_("death card"), "rocket", "death"),
        (_("face down"), "zombie", "down"),
        (_("Horde"), "zombie", "horde"),
        (_("lap"), "hawthorn", "lap"),
        (_("limit"), "pairs", "limit"),
        (_("lock"), "port", "lock"),
        (_("overwhelmed"), "zombie", "over"),
        (_("Refuge"), "zombie", "refuge"),
        (_("stakes"), "pairs", "stakes"),
        (_("tie"), "pairs", "tie"),
    ]


# -- the pages


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The games, and the words people look for."""
    games = [
        Entrance(key, translate(GAMES[key].title), players(key), translate(GAMES[key].pitch), FACES[key])
        for key in EXAMPLES
    ]
    return render_template("rules/index.html", games=games, words=words(), cards=CARDS_IN_A_DECK)


@blueprint.get("/<game>")
def page(game: str) -> ResponseReturnValue:
    """One game."""
    if game not in EXAMPLES:
        abort(404)
    return render_template(
        f"rules/{game}.html",
        title=translate(GAMES[game].title),
        players=players(game),
        example=EXAMPLES[game](),
        n=constants(game),
        limits=limits(),
        stakes=stake_lines(),
        scores="\N{WORD JOINER}–\N{WORD JOINER}".join(map(str, SCORES)),
    )
