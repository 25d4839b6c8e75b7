"""Numbers, lists and times as the pages write them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from fractions import Fraction

from companion.engine.cards import NUMBER_WORDS
from companion.engine.sentence import MINUS, in_gap, say
from companion.web.clock import now

from .i18n import gettext as _
from .i18n import ngettext, translate

MONTHS = (
    say("January"),
    say("February"),
    say("March"),
    say("April"),
    say("May"),
    say("June"),
    say("July"),
    say("August"),
    say("September"),
    say("October"),
    say("November"),
    say("December"),
)


def percent(chance: Fraction) -> str:
    """A chance in percent."""
    return percent_of(chance.numerator, chance.denominator)


def percent_of(number: int, total: int) -> str:
    """`number` of `total` in percent."""
    if 0 < 200 * number < total:
        return _("<1%")
    if 0 < 200 * (total - number) < total:
        return _(">99%")
    return _("{number}%").format(number=rounded(100 * number, total))


def rounded(number: int, by: int) -> int:
    """The rounded quotient, a half to the even number: as `round(Fraction(number, by))`, but faster."""
    whole, rest = divmod(number, by)
    return whole + (2 * rest > by or (2 * rest == by and whole % 2 == 1))


def signed(number: int) -> str:
    """The number with its sign, and a real minus."""
    return f"+{number}" if number > 0 else plain(number)


def plain(number: int) -> str:
    return str(in_gap(number))


def about(number: Fraction) -> str:
    """One decimal, with its sign."""
    tenths = rounded(10 * abs(number.numerator), number.denominator)
    digits = _("{whole}.{tenth}").format(whole=tenths // 10, tenth=tenths % 10)
    return f"{'+' if number > 0 else MINUS}{digits}" if tenths else "0"


def number_word(number: int) -> str:
    return translate(NUMBER_WORDS[number]) if number < len(NUMBER_WORDS) else str(number)


def listing(words: Iterable[str]) -> str:
    """Ana, Ben and Cleo."""
    *most, last = words
    return _("{most} and {last}").format(most=", ".join(most), last=last) if most else last


def grouped(code: str) -> str:
    """A code in groups of three or four that stay on one line, so that it can be read out."""
    size = 3 if len(code) == 6 else 4
    return "\N{NO-BREAK SPACE}".join(code[at : at + size] for at in range(0, len(code), size))


def day_in_words(at: str | None) -> str:
    """The day of a time: 19 November 2026."""
    if at is None:
        return ""
    when = datetime.fromisoformat(at)
    words = _("1 {month} {year}") if when.day == 1 else _("{day} {month} {year}")  # French: 1er
    return words.format(day=when.day, month=translate(MONTHS[when.month - 1]), year=when.year)


def day_or_today(at: str | None) -> str:
    """The same; "today" if it was in the last hours."""
    return _("today") if at and _days_since(at) <= 0 else day_in_words(at)


def days_ago(at: str | None) -> str:
    """How many days ago a time was. A day is 24 hours, so last night is still “today” at breakfast."""
    if at is None:
        return ""
    days = _days_since(at)
    return ngettext("{count} day ago", "{count} days ago", days).format(count=days) if days > 0 else _("today")


def _days_since(at: str) -> int:
    return round((datetime.fromisoformat(now()) - datetime.fromisoformat(at)) / timedelta(days=1))
