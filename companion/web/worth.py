"""The value of a chip in money: read from a form, and used to show sums."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from companion.engine.sentence import MINUS

from .i18n import gettext as _

CURRENCY = "€"
MOST_CENTS = 1_000_00
_WORTH = re.compile(r"([0-9]{1,4})(?:[.,]([0-9]{1,2}))?")


@dataclass(frozen=True)
class Worth:
    """The value of a chip; 0 cents if none was set."""

    cents: int = 0
    currency: str = CURRENCY

    def money(self, chips: int) -> str:
        """Chips in money; empty if no value was set."""
        if not self.cents:
            return ""
        whole, cents = divmod(abs(chips) * self.cents, 100)
        amount = _("{whole}.{cents}").format(whole=whole, cents=f"{cents:02}")
        form = _("{currency} {amount}") if self.currency[-1].isalpha() else _("{currency}{amount}")
        return (MINUS if chips < 0 else "") + form.format(currency=self.currency, amount=amount)

    def signed(self, chips: int) -> str:
        return ("+" if chips > 0 and self.cents else "") + self.money(chips)

    @property
    def typed(self) -> str:
        """The value as the form shows it."""
        return f"{self.cents // 100}.{self.cents % 100:02}" if self.cents else ""


def read_worth(worth: str, currency: str) -> Worth | None:
    """The value that was typed, at most 1000 with two decimals; empty means no value. None if it is invalid."""
    currency = unicodedata.normalize("NFC", currency[:40]).strip() or CURRENCY
    if len(currency) > 4 or any(unicodedata.category(char) not in ("Sc", "Lu", "Ll", "Lo") for char in currency):
        return None
    if not worth.strip():
        return Worth(0, currency)
    found = _WORTH.fullmatch(worth.strip())
    if not found:
        return None
    cents = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))
    return Worth(cents, currency) if 0 < cents <= MOST_CENTS else None
