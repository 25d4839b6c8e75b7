"""Numbers that stand in for chance: the fractions of r times the root of a prime, spread evenly from 0 to 1.

Path r of a calculation takes its k-th card by the k-th prime. The same position so has the same answer everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from math import isqrt, sqrt


def primes() -> Iterator[int]:
    """2, 3, 5, 7 and so on."""
    return (number for number in count(2) if all(number % divisor for divisor in range(2, isqrt(number) + 1)))


# More steps than any path takes: eight seats that all draw the ten values, or six laps of eight seats.
ROOTS = tuple(sqrt(prime) for prime in islice(primes(), 100))
