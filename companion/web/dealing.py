"""Who deals: the dealer's secret, the offer of the deal, and the recovery code that takes it from a silent phone."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from flask import current_app

from companion.engine.sentence import Sentence, say
from companion.store import Standing, Store, Takeover

from .addresses import TABLE
from .clock import later, now
from .logs import log_refusal

AN_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
NEW_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")  # of a table that a phone opened by itself: it must not be guessed
TYPED = "abcdefghjkmnpqrstuvwxyz23456789"  # no letter that is mistaken for another one or for a digit
TYPED_LENGTH = 16
TYPED_ID = re.compile(f"[{TYPED}]{{{TYPED_LENGTH}}}")
OFFERED = 180  # seconds an offered deal can be taken
FREE_GUESSES = 3  # wrong codes before one must wait, longer each time
FIRST_WAIT = 10  # seconds
MOST_DOUBLINGS = 12
SKEW = 5  # seconds by which the clocks of two of our machines may differ


class UnknownTable(Exception):
    """There is no table of that id."""


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
    """Secrets are long and random, so a plain hash keeps them."""
    return hashlib.sha256(secret.encode()).hexdigest()


def typed_id(chance: bytes) -> str:
    """A table's id: short enough to be typed by who cannot scan it, too long to be guessed (79 bits)."""
    rest, letters = int.from_bytes(chance, "big"), ""
    for _ in range(TYPED_LENGTH):
        rest, letter = divmod(rest, len(TYPED))
        letters += TYPED[letter]
    return letters


def id_from(typed: str) -> str:
    """The id in what somebody typed or pasted: the code in groups, in capitals, or a link to the table."""
    typed = typed.strip()
    if TABLE in typed:
        return re.split(r"[/?#]", typed.split(TABLE, 1)[1])[0]
    plain = re.sub(r"[\s.-]", "", typed).lower()
    return plain if len(plain) == TYPED_LENGTH and not set(plain) - set(TYPED) else typed


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def matches(secret: str, known: str) -> bool:
    """Whether a secret is the one whose hash is known."""
    return hmac.compare_digest(fingerprint(secret), known)


def _signed(words: str) -> bytes:
    """What only this server can make of these words."""
    key = current_app.secret_key or b""
    key = key.encode() if isinstance(key, str) else key
    return hmac.new(key, words.encode(), "sha256").digest()


def is_offered(standing: Standing) -> bool:
    return is_ahead(standing.offered, OFFERED)


def is_ahead(until: str | None, wait: float) -> bool:
    """Whether a time has still to come that was set so many seconds ahead, at most. One that lies further ahead was set
    before the clock went back: it would last for as long as the clock was wrong, so it is over."""
    return until is not None and now() < until <= later(wait + SKEW)


def wait_after(guesses: int) -> int:
    """Seconds to wait after so many wrong codes."""
    return FIRST_WAIT * 2 ** min(MOST_DOUBLINGS, guesses - FREE_GUESSES) if guesses >= FREE_GUESSES else 0


class Dealing:
    """The right to write at a table, and how it goes from phone to phone. The store settles every race."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def standing(self, table_id: str, client: str | None = None) -> Standing:
        """What the store knows of a table; a refusal if there is none."""
        # What cannot be an id is not asked for: some databases stumble over it.
        standing = self._store.standing(table_id, client) if AN_ID.fullmatch(table_id) else None
        if standing is None:
            raise UnknownTable(table_id)
        return standing

    def authorise(self, table_id: str, secret: str | None, client: str | None = None) -> Standing:
        """The same for the dealer alone."""
        standing = self.standing(table_id, client)
        if secret is None:
            raise NoSecret
        if not matches(secret, standing.secret):
            log_refusal("a secret was refused", table_id)
            raise WrongSecret
        return standing

    def hand_over(self, table_id: str, secret: str | None) -> str:
        """A new secret; the old one is dead."""
        epoch = self._takeover(table_id).epoch  # read before the right is checked: a faster phone keeps the deal
        self.authorise(table_id, secret)
        new = self._pass_on(table_id, epoch)
        if new is None:
            raise WrongSecret
        return new

    def offer(self, table_id: str, secret: str | None) -> None:
        """The dealer offers the deal to whoever takes it in the next minutes."""
        self._set_offer(table_id, secret, later(OFFERED))

    def withdraw(self, table_id: str, secret: str | None) -> None:
        """The deal is no longer offered; who was faster has it."""
        self._set_offer(table_id, secret, None)

    def _set_offer(self, table_id: str, secret: str | None, until: str | None) -> None:
        standing = self.authorise(table_id, secret)
        if not self._store.offer(table_id, until, standing.secret):
            raise WrongSecret

    def recovery_code(self, table_id: str) -> str:
        """Six digits that let another phone take over from a silent one. They stay the same all evening."""
        return f"{int.from_bytes(_signed(f'recovery {table_id}')[:8], 'big') % 1_000_000:06}"

    def id_for(self, client: str | None) -> str:
        """The id of a new table. Made from the id of the form that opens it, it is a proof: see `may_reopen`."""
        return typed_id(
            secrets.token_bytes(32) if client is None else hashlib.sha256(f"table {client}".encode()).digest()
        )

    def may_reopen(self, table_id: str, client: str) -> bool:
        """Whether the phone that sends this id of an opening may open a table that the store does not know.

        A table's own id cannot be made up, so a phone that only watched cannot open a table anew that was lost. Ids
        of another form were never given out by a server: a program may choose them.
        """
        if not TYPED_ID.fullmatch(table_id):
            return True
        return table_id in (self.id_for(client), typed_id(_signed(f"table {client}")))  # the second: up to 0.1.0

    def secret_for(self, table_id: str, client: str | None) -> str:
        """For the phone that opens a table. Nobody else knows the id it gave the opening.

        The secret is made from that id, so that a phone which lost our answer asks again and is known.
        """
        return new_secret() if client is None else _signed(f"opened {table_id} {client}").hex()

    def take(self, table_id: str, code: str | None = None) -> str:
        """Another phone takes the deal: because it is offered, or with the recovery code from one that is silent."""
        takeover = self._takeover(table_id)
        standing = self.standing(table_id)
        if not is_offered(standing):
            try:
                self._check_code(table_id, code, takeover)
            except CannotTake:
                log_refusal("a recovery code was refused", table_id)
                raise
        new = self._pass_on(table_id, takeover.epoch)
        if new is None:
            raise CannotTake(say("Another phone got there first and is dealing now."))
        return new

    def _check_code(self, table_id: str, code: str | None, takeover: Takeover) -> None:
        if code is None:
            raise CannotTake(say("That is not the recovery code."), 403)
        if is_ahead(takeover.barred, wait_after(takeover.guesses)):
            raise CannotTake(say("Too many wrong codes: wait a little, then try again."), 429)
        silence = current_app.config["TAKEOVER_SILENCE"]
        if later(-silence) < takeover.last <= later(max(silence, SKEW)):  # later than that: the clock went back
            raise CannotTake(say("The dealer's phone was used a moment ago: ask for the deal to be handed over."))
        # It is counted before it is looked at, so that guesses sent at once are one; the right one ends the count.
        guesses = takeover.guesses + 1
        wait = wait_after(guesses)
        if not self._store.guessed(table_id, guesses, later(wait) if wait else None):
            raise CannotTake(say("Too many wrong codes: wait a little, then try again."), 429)
        typed = "".join(code.split())  # it is shown in two groups
        if not hmac.compare_digest(typed.encode(), self.recovery_code(table_id).encode()):
            raise CannotTake(say("That is not the recovery code."), 403)

    def _pass_on(self, table_id: str, epoch: int) -> str | None:
        new = new_secret()
        return new if self._store.change_secret(table_id, fingerprint(new), epoch) else None

    def _takeover(self, table_id: str) -> Takeover:
        takeover = self._store.takeover(table_id) if AN_ID.fullmatch(table_id) else None
        if takeover is None:
            raise UnknownTable(table_id)
        return takeover
