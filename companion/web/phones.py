"""The phone behind a request: its secret, the right to deal that comes from it, and the list of its tables."""

from __future__ import annotations

from flask import Flask, request, session

from companion.store import Listed, SecretChange

from .clock import later, now
from .dealing import fingerprint, new_secret, secret_of
from .tables import tables

IN_OLD_COOKIES = ("dealer", "demo", "me")  # until 0.1.0: secrets and seats by table
COPY_EVERY = 30  # days


def init_app(app: Flask) -> None:
    app.jinja_env.globals["copy_is_due"] = copy_is_due


def phone_secret() -> str | None:
    """The secret of this phone; None if it has none yet."""
    if not session.keys().isdisjoint(IN_OLD_COOKIES):
        read_old_cookie()
    secret: str | None = session.get("phone")
    return secret


def read_old_cookie() -> None:
    """Put the tables of a cookie of release 0.1.0 into the list, and make their secrets those of this phone.

    The phone's secret is made from the old ones: if the answer is lost, the same old cookie gives the same secret.
    """
    dealt, demo, seats = (session.get(name, {}) for name in IN_OLD_COOKIES)
    phone = session.get("phone") or tables().dealing.phone_with(dealt) or new_secret()
    for table_id in dealt:
        tables().store.remember(fingerprint(phone), table_id, dealt=True)
    for table_id, seat in seats.items():
        tables().store.remember(fingerprint(phone), table_id, seat=seat)
    tables().store.change_secrets(
        [
            SecretChange(table_id, fingerprint(secret), fingerprint(secret_of(phone, table_id)))
            for table_id, secret in {**demo, **dealt}.items()
        ]
    )
    for name in IN_OLD_COOKIES:
        session.pop(name, None)
    keep_phone(phone)


def this_phone() -> str | None:
    """The fingerprint of this phone, by which the server knows its list; None if it has no secret yet."""
    secret = phone_secret()
    return fingerprint(secret) if secret else None


def own_secret() -> str:
    """The secret of this phone; a new one if it has none yet."""
    secret = phone_secret()
    if secret is None:
        secret = new_secret()
        keep_phone(secret)
    return secret


def keep_phone(secret: str) -> None:
    session["phone"] = secret
    session.permanent = True


# -- the right to deal


def bearer() -> str | None:
    """The secret in the Authorization header, or None."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.casefold() == "bearer" and secret.strip() else None


def dealers_secret(table_id: str) -> str | None:
    """The secret for a table that the request has in a header, or that comes from the phone's own; or None."""
    phone = phone_secret()
    return bearer() or (secret_of(phone, table_id) if phone else None)


# -- the list


def my_tables() -> list[Listed]:
    """The list of this phone's tables, the one played last first, with those that are out of sight."""
    phone = this_phone()
    return tables().store.listed(phone) if phone else []


def tables_in_sight() -> list[Listed]:
    return [one for one in my_tables() if not one.hidden]


def put_out_of_sight(table_id: str, hidden: bool) -> bool:
    """Take a table of this phone's list out of sight, or bring it back; False if it is not in the list."""
    phone = this_phone()
    known = phone is not None and any(one.table == table_id for one in my_tables())
    return bool(phone and known and tables().store.remember(phone, table_id, hidden=hidden))


def my_aliases() -> dict[str, str]:
    """The other names of people that were entered on this phone."""
    phone = this_phone()
    return tables().store.aliases(phone) if phone else {}


def set_alias(key: str, name: str | None) -> None:
    """Keep in this phone's list that a name is another name for somebody; None: it is no longer."""
    tables().store.set_alias(fingerprint(own_secret()), key, name)


def note_copy() -> None:
    """Note that all tables of this phone were saved in a file."""
    session["copied"] = now()
    session.permanent = True


def copy_is_due() -> bool:
    """True if all tables of this phone were not saved in a file for some time, or never."""
    copied: str = session.get("copied", "")
    return copied < later(-COPY_EVERY * 24 * 3600)


def remember_dealer(table_id: str) -> None:
    """Put a table at which this phone deals into its list."""
    tables().store.remember(fingerprint(own_secret()), table_id, dealt=True, hidden=False)


def remember_watched(table_id: str, seat: str | None = None) -> None:
    """Put a table that this phone watches into its list, with the seat that was chosen there."""
    tables().store.remember(fingerprint(own_secret()), table_id, seat=seat, hidden=False)


def who_am_i(table_id: str) -> str:
    """The seat that was chosen on this phone; empty if none."""
    phone = this_phone()
    return tables().dealing.standing(table_id, phone=phone).seat if phone else ""
