"""The lists of phones on a database."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql import Executable

from . import Invitation, Listed, SecretChange, statements
from .database import Database
from .models import AliasRow, InvitationRow


class SqlLists(Database):
    """Each phone's list, its aliases and its invitation. None of this is asked for by a tap."""

    def listed(self, phone: str) -> list[Listed]:
        found = self._ask(statements.LISTED, phone=phone)
        return [Listed(table, bool(dealt), seat, bool(hidden), *rest) for table, dealt, seat, hidden, *rest in found]

    def remember(
        self,
        phone: str,
        table: str,
        dealt: bool | None = None,
        seat: str | None = None,
        hidden: bool | None = None,
    ) -> bool:
        values = {"whose": phone, "of": table, "is_dealt": dealt, "own_seat": seat, "is_hidden": hidden}
        if self._do(statements.UPDATE_LISTED, **values):
            return True
        try:
            self._do(statements.ADD_LISTED, **values)
        except IntegrityError:  # another request was faster, or there is no such table
            return self._do(statements.UPDATE_LISTED, **values) == 1
        return True

    def copy_list(self, phone: str, to: str) -> None:
        try:
            self._in_one(statements.COPY_LIST, from_phone=phone, to_phone=to)
        except IntegrityError:  # another request has added the same table
            self._in_one(statements.COPY_LIST, from_phone=phone, to_phone=to)

    def forget_list(self, phone: str) -> None:
        self._in_one(statements.FORGET_LIST, phone=phone)

    def change_secrets(self, changes: Sequence[SecretChange], passed_on: bool = False) -> None:
        statement = statements.CHANGE_SECRET_AND_DEALER if passed_on else statements.CHANGE_SECRET
        if changes:
            with self.transaction() as connection:
                connection.execute(statement, [{"of": table, "old": old, "new": new} for table, old, new in changes])

    def aliases(self, phone: str) -> dict[str, str]:
        return dict(map(tuple, self._ask(statements.ALIASES, phone=phone)))

    def set_alias(self, phone: str, key: str, name: str | None) -> None:
        with self.transaction() as connection:
            connection.execute(statements.REMOVE_ALIAS, {"phone": phone, "of": key})
            if name is not None:
                connection.execute(insert(AliasRow).values(phone=phone, key=key, name=name))

    def invite(self, phone: str, code: str, invitation: Invitation, now: str) -> None:
        with self.transaction() as connection:
            connection.execute(statements.SWEEP, {"now": now})
            connection.execute(statements.WITHDRAW, {"phone": phone})
            connection.execute(insert(InvitationRow).values(phone=phone, code=code, **invitation._asdict()))

    def withdraw(self, phone: str) -> None:
        self._do(statements.WITHDRAW, phone=phone)

    def claim(self, code: str) -> Invitation | None:
        found = self._ask(statements.INVITATION, of=code)
        return Invitation(*found[0]) if found and self._do(statements.USE_UP, of=code) == 1 else None

    def _in_one(self, several: Sequence[Executable], **values: str) -> None:
        with self.transaction() as connection:
            for statement in several:
                connection.execute(statement, values)
