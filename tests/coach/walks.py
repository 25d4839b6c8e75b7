"""Random evenings for the tests and the bench."""

from __future__ import annotations

from random import Random

from companion.coach.cards import TAKEN_IN_PAIRS, FoldingRow, pairs_card
from companion.engine.cards import VALUES
from companion.engine.notation import Entry, card, parse
from companion.games import GAMES
from companion.games.pairs import PairsState
from companion.table.table import Table

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Eve", "Fay", "Gus", "Hal")


def evening(game: str, seats: int, entries: int, seed: int, options: str = "", corrections: float = 0.0) -> Table:
    """A table after some entries: cards drawn as from a real pile, random choices, and now and then a correction."""
    random = Random(f"{game} {seats} {seed}")
    opening = f"game {game} {options}".strip()
    table = Table.open(GAMES, NAMES[:seats], [opening])
    while table.head.number < entries:
        entry = next_entry(table, random, corrections) or parse(opening)
        table = table.enter([entry])
    return table


def next_entry(table: Table, random: Random, corrections: float = 0.0, folds: float = 0.15) -> Entry | None:
    """What the dealer enters next; None when the game is over."""
    state = table.state
    legal = GAMES[state.game].legal(state)
    if not legal:
        return None
    if random.random() < corrections:
        return correction(table, random)
    cards = [entry for entry in legal if entry.verb == "card"]
    others = [entry for entry in legal if entry.verb not in ("card", "white", "whites", "take")]
    takes = [entry for entry in legal if entry.verb == "take"]
    if takes and random.random() < 0.8:
        return takes[min(len(takes) - 1, int(random.expovariate(1)))]
    if others and (not cards or random.random() < folds):
        return random.choice(others)
    if not cards:
        return random.choice(legal)
    return card(random.choices(VALUES, weights=state.pile.unseen[1:])[0])


def folds_by_card(state: PairsState) -> bool:
    """Whether the printed card for Pairs tells the player to act to fold."""
    assert state.turn is not None
    me = state.seats[state.turn]
    rows = pairs_card()[len(state.seats)]
    row = next((row for row in rows if state.limit - me.points <= most_need(row)), rows[-1])
    least = dict(zip(TAKEN_IN_PAIRS, row.sums, strict=True)).get(min(state.in_play()))
    return least is not None and sum(me.stack) >= least


def most_need(row: FoldingRow) -> int:
    """The largest need of a row: 10 for `7-10`, any for `16+`."""
    return 1_000 if row.need.endswith("+") else int(row.need.split("-")[-1])


def correction(table: Table, random: Random) -> Entry:
    """An entry that is neither a card nor a choice."""
    state = table.state
    name = random.choice(state.seats).name
    playing = state.phase == "play" or (state.phase == "deal" and not state.between)
    kinds = [Entry("buy", (name, 10))]
    if playing:
        kinds.append(Entry("misdeal"))
    if state.game == "pairs":
        kinds += [Entry("score", (name, random.choice(VALUES))), Entry("points", (name, random.randrange(8)))]
    return random.choice(kinds)
