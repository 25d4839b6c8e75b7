"""How long a table may get, and how much memory it takes.

An evening has 300 to 1,000 entries. The limits keep replays short and memory small. They apply to new changes only:
what was accepted once is always read again. Tables of earlier releases may have up to 20,000 entries. They can be
read, undone and repaired, but not grow.
"""

from __future__ import annotations

from companion.engine.sentence import say

from .log import BeyondLimits, Refused

MOST_ENTRIES = 4_000  # in the log
MOST_PLAYED = 20_000  # entries replayed by undo and repair, over the table's life
MOST_PLAYED_IF_LONG = 100_000  # for a table longer than MOST_ENTRIES, whose file cannot be imported as a new table
# Entries kept only so that a repair can be undone. Lowering this would break stored tables: an undo that was accepted
# would find nothing to undo when it is replayed.
MOST_KEPT = 50_000
# Bytes in memory, measured: one entry, and one kept state (largest with eight seats at the end of a round).
A_STEP, A_STATE = 500, 3_500


def weight(entries: int, states: int) -> int:
    """An upper bound for the bytes that this many entries and states take."""
    return entries * A_STEP + states * A_STATE


def demand_length(entries: int, before: int = 0) -> None:
    """Refuse a table that has grown too long; `before` is the length before the call, to say which entry is refused."""
    if entries > MOST_ENTRIES:
        raise Refused(max(0, MOST_ENTRIES - before), too_long())


def demand_played(entries: int, played: int) -> None:
    """Refuse a table that was changed too often; `entries` is its length before or after the change, if longer."""
    if played > (MOST_PLAYED if entries <= MOST_ENTRIES else MOST_PLAYED_IF_LONG):
        raise BeyondLimits(
            say("This table has been changed too many times: save its file, then import it as a new table.")
        )


def too_long() -> BeyondLimits:
    """The refusal of an entry beyond the limit."""
    return BeyondLimits(
        say(
            "This table is full: a table has at most {most} entries. To go on, open a new table with the same people.",
            most=MOST_ENTRIES,
        )
    )
