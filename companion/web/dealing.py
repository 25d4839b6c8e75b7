"""The right to deal: the dealer's secret, the offer of the deal, and the recovery code for a silent phone."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping

from flask import current_app

from companion.engine.sentence import Sentence, say
from companion.store import SecretChange, Standing, Store, Takeover

from .addresses import TABLE
from .clock import later, now
from .logs import log_refusal

AN_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
NEW_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")  # of a table that a phone opened offline: hard to guess
TYPED = "abcdefghjkmnpqrstuvwxyz23456789"  # without letters and digits that look alike
TYPED_LENGTH = 16
TYPED_ID = re.compile(f"[{TYPED}]{{{TYPED_LENGTH}}}")
OFFERED = 180  # seconds that an offer lasts
FREE_GUESSES = 3  # wrong codes before there is a wait, which grows each time
FIRST_WAIT = 10  # seconds
MOST_DOUBLINGS = 12
SKEW = 5  # seconds by which the clocks of two servers may differ


class UnknownTable(Exception):
    """There is no table with that id."""


class NoSecret(Exception):
    """Writing needs the dealer's secret."""


class WrongSecret(Exception):
    """That is not the dealer's secret (any more)."""


class CannotTake(Exception):
    """The deal cannot be taken now; the sentence says why."""

    def __init__(self, sentence: Sentence, status: int = 409) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.status = status


def fingerprint(secret: str) -> str:
    """The hash of a secret. A plain hash is enough: secrets are long and random."""
    return hashlib.sha256(secret.encode()).hexdigest()


def typed_id(chance: bytes) -> str:
    """A table's id from random bytes: short enough to type, too long to guess (79 bits)."""
    rest, letters = int.from_bytes(chance, "big"), ""
    for _ in range(TYPED_LENGTH):
        rest, letter = divmod(rest, len(TYPED))
        letters += TYPED[letter]
    return letters


def id_from(typed: str) -> str:
    """The table's id in a typed or pasted text: a code, perhaps in groups or capitals, or a link."""
    typed = typed.strip()
    if TABLE in typed:
        return re.split(r"[/?#]", typed.split(TABLE, 1)[1])[0]
    plain = re.sub(r"[\s.-]", "", typed).lower()
    return plain if len(plain) == TYPED_LENGTH and not set(plain) - set(TYPED) else typed


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def secret_of(phone: str, table_id: str) -> str:
    """The dealer's secret of a phone at a table, made from the phone's own secret: it need not be kept anywhere."""
    return hmac.new(phone.encode(), table_id.encode(), "sha256").hexdigest()


def matches(secret: str, known: str) -> bool:
    """Whether a secret has this hash."""
    return hmac.compare_digest(fingerprint(secret), known)


def _signed(text: str) -> bytes:
    """An HMAC of the text with the server's key."""
    key = current_app.secret_key or b""
    key = key.encode() if isinstance(key, str) else key
    return hmac.new(key, text.encode(), "sha256").digest()


def is_offered(standing: Standing) -> bool:
    return is_ahead(standing.offered, OFFERED)


def is_ahead(until: str | None, wait: float) -> bool:
    """True if `until` is at most `wait` seconds away.

    A deadline further away dates from before the clock was set back: it has expired.
    """
    return until is not None and now() < until <= later(wait + SKEW)


def wait_after(guesses: int) -> int:
    """Seconds to wait after a number of wrong codes."""
    return FIRST_WAIT * 2 ** min(MOST_DOUBLINGS, guesses - FREE_GUESSES) if guesses >= FREE_GUESSES else 0


class Dealing:
    """Passes the right to deal from phone to phone. The store decides every race."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def standing(self, table_id: str, client: str | None = None, phone: str | None = None) -> Standing:
        """The `Standing` of a table in the store; `UnknownTable` if there is none."""
        # Only valid ids reach the database: some databases fail on odd characters.
        standing = self._store.standing(table_id, client, phone) if AN_ID.fullmatch(table_id) else None
        if standing is None:
            raise UnknownTable(table_id)
        return standing

    def authorise(self, table_id: str, secret: str | None, client: str | None = None) -> Standing:
        """The same, if the secret is the dealer's; else `NoSecret` or `WrongSecret`."""
        standing = self.standing(table_id, client)
        if secret is None:
            raise NoSecret
        if not matches(secret, standing.secret):
            log_refusal("a secret was refused", table_id)
            raise WrongSecret
        return standing

    def hand_over(self, table_id: str, secret: str | None) -> str:
        """A new secret for the next dealer. The old one is no longer valid."""
        epoch = self._takeover(table_id).epoch  # read before the check, so that a faster phone keeps the deal
        self.authorise(table_id, secret)
        new = new_secret()
        if not self._pass_on(table_id, epoch, new):
            raise WrongSecret
        return new

    def offer(self, table_id: str, secret: str | None) -> None:
        """Offer the deal to any phone for the next minutes."""
        self._set_offer(table_id, secret, later(OFFERED))

    def withdraw(self, table_id: str, secret: str | None) -> None:
        """Take the offer back, unless a phone has taken the deal already."""
        self._set_offer(table_id, secret, None)

    def _set_offer(self, table_id: str, secret: str | None, until: str | None) -> None:
        standing = self.authorise(table_id, secret)
        if not self._store.offer(table_id, until, standing.secret):
            raise WrongSecret

    def recovery_code(self, table_id: str) -> str:
        """Six digits by which another phone takes over from a silent one: the same all evening."""
        return f"{int.from_bytes(_signed(f'recovery {table_id}')[:8], 'big') % 1_000_000:06}"

    def id_for(self, client: str | None) -> str:
        """The id of a new table. It is made from the id of the form that opens it, as a proof: see `may_reopen`."""
        return typed_id(
            secrets.token_bytes(32) if client is None else hashlib.sha256(f"table {client}".encode()).digest()
        )

    def may_reopen(self, table_id: str, client: str) -> bool:
        """Whether a phone with this client id may open a table that the store does not know.

        A table's id is made from the client id of its opening, so a phone that only watched cannot reopen a lost
        table. Ids of another form never came from a server: a program may choose them.
        """
        if not TYPED_ID.fullmatch(table_id):
            return True
        return table_id in (
            self.id_for(client),
            typed_id(_signed(f"table {client}")),
        )  # the second: until 0.1.0

    def secret_for(self, table_id: str, phone: str | None) -> str:
        """The dealer's secret for the phone that opens a table; a new one for a program, which has no phone."""
        return new_secret() if phone is None else secret_of(phone, table_id)

    def phone_with(self, secrets: Mapping[str, str]) -> str | None:
        """A secret for a phone that knows only its tables' secrets, the same each time; None if it knows none."""
        return _signed(f"phone {sorted(secrets.items())}").hex() if secrets else None

    def reopen(self, table_id: str, client: str, secret: str) -> bool:
        """Give the deal back to the phone that opened a table and has lost its secret, while it never went elsewhere.

        The client id of the opening is the proof: no other phone knows it before it deals.
        """
        epoch = self._takeover(table_id).epoch
        standing = self.standing(table_id, client)
        if epoch or not standing.seen or self._store.rows(table_id)[0].client != client:
            return False
        self._store.change_secrets([SecretChange(table_id, standing.secret, fingerprint(secret))])
        return True

    def take(self, table_id: str, secret: str, code: str | None = None) -> None:
        """Make another phone the dealer: if the deal is offered, or by the recovery code from a silent phone."""
        takeover = self._takeover(table_id)
        standing = self.standing(table_id)
        if not is_offered(standing):
            try:
                self._check_code(table_id, code, takeover)
            except CannotTake:
                log_refusal("a recovery code was refused", table_id)
                raise
        if not self._pass_on(table_id, takeover.epoch, secret):
            raise CannotTake(say("Another phone got there first and is dealing now."))

    def _check_code(self, table_id: str, code: str | None, takeover: Takeover) -> None:
        if code is None:
            raise CannotTake(say("That is not the takeover code."), 403)
        if is_ahead(takeover.barred, wait_after(takeover.guesses)):
            raise CannotTake(say("Too many wrong codes: wait a little, then try again."), 429)
        silence = current_app.config["TAKEOVER_SILENCE"]
        if later(-silence) < takeover.last <= later(max(silence, SKEW)):  # a later time: the clock was set back
            raise CannotTake(say("The dealer’s phone was used a moment ago: ask for the deal to be handed over."))
        # Count a guess before checking it: of many sent at once, one is checked. A right guess resets the count.
        guesses = takeover.guesses + 1
        wait = wait_after(guesses)
        if not self._store.guessed(table_id, guesses, later(wait) if wait else None):
            raise CannotTake(say("Too many wrong codes: wait a little, then try again."), 429)
        typed = "".join(code.split())  # shown in two groups
        if not hmac.compare_digest(typed.encode(), self.recovery_code(table_id).encode()):
            raise CannotTake(say("That is not the takeover code."), 403)

    def _pass_on(self, table_id: str, epoch: int, secret: str) -> bool:
        return self._store.change_secret(table_id, fingerprint(secret), epoch)

    def _takeover(self, table_id: str) -> Takeover:
        takeover = self._store.takeover(table_id) if AN_ID.fullmatch(table_id) else None
        if takeover is None:
            raise UnknownTable(table_id)
        return takeover
