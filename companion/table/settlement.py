"""The fewest payments after which nobody owes anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# Up to this many people the true minimum is found; each additional person doubles the work.
MOST_EXACT = 12


@dataclass(frozen=True, slots=True)
class Transfer:
    """One payment of a settlement."""

    who: str
    whom: str
    amount: int


def settle(owed: Mapping[str, int]) -> list[Transfer]:
    """The fewest payments after which nobody owes anything. The balances must add up to 0.

    A group that adds up to 0 and cannot be split needs one payment fewer than it has people, so the largest number of
    such groups needs the fewest payments.
    """
    if sum(owed.values()):
        raise ValueError("The balances are not 0 in all.")
    names = [name for name, amount in owed.items() if amount]
    amounts = [owed[name] for name in names]
    transfers = []
    for group in _groups(amounts) if len(names) <= MOST_EXACT else _opposites(amounts):
        transfers += _settle_group({names[i]: amounts[i] for i in group})
    place = {name: i for i, name in enumerate(owed)}

    def order(transfer: Transfer) -> tuple[int, int, int, int]:
        """The largest debtor first, then the largest creditor."""
        who, whom = transfer.who, transfer.whom
        return owed[who], place[who], -owed[whom], place[whom]

    return sorted(transfers, key=order)


def _groups(amounts: Sequence[int]) -> list[list[int]]:
    """As many groups as possible that each add up to 0.

    For every subset (one bit a person) this finds the most groups among its members, by taking out one person after
    another: each time the rest adds up to 0, a group is complete.
    """
    everybody = (1 << len(amounts)) - 1
    total = [0] * (everybody + 1)
    most = [0] * (everybody + 1)
    out = [0] * (everybody + 1)  # the person taken out of the subset first
    for subset in range(1, everybody + 1):
        members = [i for i in range(len(amounts)) if subset >> i & 1]
        total[subset] = total[subset & (subset - 1)] + amounts[members[0]]
        out[subset] = max(members, key=lambda i: most[subset ^ 1 << i])
        most[subset] = most[subset ^ 1 << out[subset]] + (total[subset] == 0)
    groups: list[list[int]] = []
    subset = everybody
    while subset:
        if total[subset] == 0:
            groups.append([])
        groups[-1].append(out[subset])
        subset ^= 1 << out[subset]
    return groups


def _opposites(amounts: Sequence[int]) -> list[list[int]]:
    """Groups for many people: pairs whose balances cancel out, and everybody else."""
    waiting: dict[int, list[int]] = {}
    groups = []
    for i, amount in enumerate(amounts):
        if waiting.get(-amount):
            groups.append([waiting[-amount].pop(), i])
        else:
            waiting.setdefault(amount, []).append(i)
    rest = [i for places in waiting.values() for i in places]
    return [*groups, rest] if rest else groups


def _settle_group(owed: dict[str, int]) -> list[Transfer]:
    """The largest debtor pays the largest creditor: each payment settles one of the two, the last one both."""
    owed = dict(owed)
    transfers = []
    while any(owed.values()):
        who, whom = min(owed, key=lambda name: owed[name]), max(owed, key=lambda name: owed[name])
        amount = min(-owed[who], owed[whom])
        owed[who] += amount
        owed[whom] -= amount
        transfers.append(Transfer(who, whom, amount))
    return transfers
