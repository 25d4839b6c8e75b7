"""How long a table may get, and what it weighs in memory.

An evening has a few hundred entries. The limits keep a table from filling the memory, and its replay from taking
minutes. What was accepted once is always read again, whatever the limits are by then.
"""

from __future__ import annotations

from companion.engine.sentence import say

from .log import BeyondLimits, Refused

MOST_ENTRIES = 20_000  # on the log
MOST_PLAYED = 100_000  # ever played for it
MOST_KEPT = 50_000  # kept only so that a repair can be undone
# Bytes in memory, measured: an entry, and what is kept after some of them (most with eight seats at a round's end).
A_STEP, A_STATE = 500, 3_500


def weight(entries: int, states: int) -> int:
    """The bytes of so many entries and states, at most."""
    return entries * A_STEP + states * A_STATE


def demand(entries: int, played: int, entered_after: int) -> None:
    """Refuse a table that is too long or was played too often; `entered_after` so many came the entries of the call."""
    if entries > MOST_ENTRIES:
        raise Refused(MOST_ENTRIES - entered_after, too_long())
    if played > MOST_PLAYED:
        raise BeyondLimits(
            say("This table has been changed too many times: save its file, then import it as a new table.")
        )


def too_long() -> BeyondLimits:
    return BeyondLimits(say("This table is full: it has {most} entries. Open a new table.", most=MOST_ENTRIES))
