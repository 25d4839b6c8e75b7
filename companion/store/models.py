"""Flask-SQLAlchemy, and the tables of the database. A change of a table needs a step in `migrations/`."""

from __future__ import annotations

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import ForeignKey, MetaData, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    # Every constraint has a name, so that a later migration can find it.
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(model_class=Base)


class TableRow(db.Model):  # type: ignore[misc, name-defined]
    __tablename__ = "tables"

    id: Mapped[str] = mapped_column(primary_key=True)
    names: Mapped[str]  # JSON list of the seats at the opening
    secret: Mapped[str]  # hash of the dealer's secret
    created: Mapped[str]
    epoch: Mapped[int] = mapped_column(default=0)  # how often the deal went to another phone
    offered: Mapped[str | None]  # until when the deal is offered
    guesses: Mapped[int] = mapped_column(default=0)  # wrong recovery codes since then
    barred: Mapped[str | None]  # no guess before this time


class ChangeRow(db.Model):  # type: ignore[misc, name-defined]
    __tablename__ = "changes"
    __table_args__ = (UniqueConstraint("table_id", "client"),)

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    entry: Mapped[int | None]  # the entry that was repaired
    entries: Mapped[str]  # one a line
    client: Mapped[str | None]
    at: Mapped[str]  # when it was entered; a phone that was offline says so itself
    taken: Mapped[str | None]  # when the server took it; empty in rows of release 0.1.0


class ListedRow(db.Model):  # type: ignore[misc, name-defined]
    """A table in the list of a phone."""

    __tablename__ = "listed"

    phone: Mapped[str] = mapped_column(primary_key=True)  # hash of the phone's secret
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True, index=True)
    place: Mapped[int]  # order in which the tables joined the list
    dealt: Mapped[bool]
    seat: Mapped[str]  # empty if none was chosen
    hidden: Mapped[bool]


class AliasRow(db.Model):  # type: ignore[misc, name-defined]
    """Another name of a person, in the list of a phone."""

    __tablename__ = "aliases"

    phone: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)  # of the other name, without case and accents
    name: Mapped[str]


class InvitationRow(db.Model):  # type: ignore[misc, name-defined]
    """A code by which one other phone gets a phone's list, for some minutes."""

    __tablename__ = "invitations"

    phone: Mapped[str] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(unique=True)  # its hash
    sealed: Mapped[str]
    until: Mapped[str]
