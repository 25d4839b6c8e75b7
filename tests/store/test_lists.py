"""The lists of phones, on each store: tables, seats, what is out of sight, aliases, invitations, and the end of a table."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from companion.pocket.store import HERE, PhoneStore
from companion.store import Invitation, Listed, NotTheDealer, Row, SecretChange, StaleEntry, Store
from companion.table.change import Change

from .conftest import NAMES, OPENING, OpenSql

ONE, OTHER = HERE, "another phone"  # the phone's own store knows itself only
NOW = "2025-01-01T20:00:00+00:00"
LATER = "2025-01-01T20:03:00+00:00"


def at(minute: int) -> str:
    return f"2025-01-01T21:{minute:02}:00+00:00"


def played(number: int, time: str) -> Row:
    return Row(number, Change("enter", ("7",)), time)


@pytest.fixture(params=["memory", "sqlite", "postgres", "phone"])
def own(request: pytest.FixtureRequest) -> Store:
    """A store of each kind, with one table that a phone deals at."""
    made: Store = PhoneStore() if request.param == "phone" else request.getfixturevalue("open_store")(request.param)
    made.create("t", NAMES, "hash", OPENING)
    made.remember(ONE, "t", dealt=True)
    return made


@pytest.fixture
def open_store(request: pytest.FixtureRequest) -> Callable[[str], Store]:
    from companion.store.memory import MemoryStore

    def open_one(kind: str) -> Store:
        return MemoryStore() if kind == "memory" else request.getfixturevalue(f"open_{kind}")()  # type: ignore[no-any-return]

    return open_one


@pytest.fixture
def served(store: Store) -> Store:
    """A store that serves many phones; a phone follows its table."""
    store.remember(ONE, "t")
    return store


# -- every store, also that of the phone itself


def test_a_list_says_how_far_its_tables_have_come(own: Store) -> None:
    assert own.listed(ONE) == [Listed("t", True, "", False, 1, OPENING.at)]
    assert own.listed(ONE)[0].mark == OPENING.mark
    row = played(2, at(5))
    own.append("t", row)
    assert own.listed(ONE) == [Listed("t", True, "", False, 2, at(5))]
    assert own.listed(ONE)[0].mark == row.mark


def test_the_table_played_last_is_first(own: Store) -> None:
    for table in ("a", "b", "c"):
        own.create(table, NAMES, "hash", replace(OPENING, at=at(0)))
        own.remember(ONE, table, dealt=True)
    assert [one.table for one in own.listed(ONE)] == ["c", "b", "a", "t"], "of the same time, the one that joined last"
    own.append("a", played(2, at(9)))
    assert [one.table for one in own.listed(ONE)] == ["a", "c", "b", "t"]


def test_what_is_not_said_of_a_listed_table_stays(own: Store) -> None:
    assert own.remember(ONE, "t", seat="Benoît")
    assert own.remember(ONE, "t", hidden=True)
    assert own.listed(ONE) == [Listed("t", True, "Benoît", True, 1, OPENING.at)]
    assert own.remember(ONE, "t", hidden=False)
    assert own.remember(ONE, "t", seat="")
    assert own.remember(ONE, "t")
    assert own.listed(ONE) == [Listed("t", True, "", False, 1, OPENING.at)]


def test_an_unknown_table_joins_no_list(own: Store) -> None:
    assert not own.remember(ONE, "nobody", dealt=True)
    assert [one.table for one in own.listed(ONE)] == ["t"]


def test_aliases_are_set_and_taken_away(own: Store) -> None:
    own.set_alias(ONE, "ben", "Benoît")
    own.set_alias(ONE, "zoe", "Zoë Lee")
    own.set_alias(ONE, "ben", "Benjamin")
    assert own.aliases(ONE) == {"ben": "Benjamin", "zoe": "Zoë Lee"}
    own.set_alias(ONE, "ben", None)
    own.set_alias(ONE, "nobody", None)
    assert own.aliases(ONE) == {"zoe": "Zoë Lee"}


def test_a_deleted_table_is_gone_with_everything_of_it(own: Store) -> None:
    own.create("other", NAMES, "hash", OPENING)
    own.append("t", played(2, at(5)))
    assert own.delete("t", "hash")
    assert own.standing("t") is None
    assert (own.names("t"), own.rows("t"), own.takeover("t")) == (None, [], None)
    assert "t" not in [one.table for one in own.listed(ONE)]
    assert not own.remember(ONE, "t", dealt=True)
    with pytest.raises(StaleEntry):
        own.append("t", played(3, at(6)))
    assert len(own.rows("other")) == 1
    assert not own.delete("t", "hash")
    assert not own.delete("nobody")


def test_only_the_dealer_deletes_a_table(own: Store) -> None:
    own.change_secret("t", "the next one's", 0)
    assert not own.delete("t", "hash")
    assert len(own.rows("t")) == 1
    assert own.delete("t", "the next one's")


def test_the_owner_of_the_data_needs_no_secret_to_delete(own: Store) -> None:
    assert own.delete("t")
    assert own.standing("t") is None


def test_secrets_are_replaced_where_they_are_still_valid(own: Store) -> None:
    own.create("other", NAMES, "hash", OPENING)
    own.create("moved", NAMES, "of another phone", OPENING)
    own.offer("other", LATER, "hash")
    own.change_secrets([SecretChange(table, "hash", f"new {table}") for table in ("t", "other", "moved", "nobody")])
    secrets = [standing.secret for table in ("t", "other", "moved") if (standing := own.standing(table))]
    assert secrets == ["new t", "new other", "of another phone"]
    with pytest.raises(NotTheDealer):
        own.append("t", played(2, at(1)), "hash")
    own.append("t", played(2, at(1)), "new t")
    own.change_secrets([])


def test_a_secret_that_is_passed_on_counts_as_a_new_dealer(own: Store) -> None:
    own.change_secrets([SecretChange("t", "hash", "kept")])
    own.change_secrets([SecretChange("t", "kept", "passed on")], passed_on=True)
    takeover = own.takeover("t")
    assert takeover is not None
    assert takeover.epoch == 1
    assert not own.change_secret("t", "too late", 0)


# -- stores that serve many phones


def test_every_phone_has_a_list_of_its_own(served: Store) -> None:
    assert served.listed(OTHER) == []
    served.remember(OTHER, "t", dealt=True, seat="Ana")
    served.remember(ONE, "t", hidden=True)
    assert served.listed(ONE) == [Listed("t", False, "", True, 1, OPENING.at)]
    assert served.listed(OTHER) == [Listed("t", True, "Ana", False, 1, OPENING.at)]


def test_a_standing_has_the_seat_of_the_phone_that_asks(served: Store) -> None:
    served.remember(OTHER, "t", seat="Ana")
    for phone, seat in ((OTHER, "Ana"), (ONE, ""), ("a stranger", ""), (None, "")):
        for client in (None, "a tap"):
            standing = served.standing("t", client, phone)
            assert standing is not None
            assert (standing.seat, standing.version, standing.seen) == (seat, 1, False)


def test_a_list_is_copied_and_keeps_what_is_there(served: Store) -> None:
    for table in ("theirs", "both"):
        served.create(table, NAMES, "hash", OPENING)
    served.remember(ONE, "both", seat="Ana")
    served.remember(OTHER, "both", dealt=True, seat="Ben", hidden=True)
    served.remember(OTHER, "theirs", dealt=True, seat="Ben", hidden=True)
    served.set_alias(ONE, "ben", "Benoît")
    served.set_alias(OTHER, "ben", "Benjamin")
    served.set_alias(OTHER, "zoe", "Zoë")
    for _twice in range(2):
        served.copy_list(OTHER, ONE)
        assert {one.table: (one.dealt, one.seat, one.hidden) for one in served.listed(ONE)} == {
            "t": (False, "", False),
            "both": (True, "Ana", False),
            "theirs": (True, "Ben", True),
        }
        assert served.aliases(ONE) == {"ben": "Benoît", "zoe": "Zoë"}
    assert {one.table for one in served.listed(OTHER)} == {"both", "theirs"}, "a third phone may use it"


def test_a_forgotten_list_leaves_the_tables_and_the_other_lists(served: Store) -> None:
    served.remember(OTHER, "t", dealt=True)
    served.set_alias(ONE, "ben", "Benoît")
    served.set_alias(OTHER, "ben", "Benjamin")
    served.invite(ONE, "code", Invitation("sealed", LATER), NOW)
    served.forget_list(ONE)
    assert served.claim("code") is None
    assert (served.listed(ONE), served.aliases(ONE)) == ([], {})
    assert [one.table for one in served.listed(OTHER)] == ["t"]
    assert served.aliases(OTHER) == {"ben": "Benjamin"}
    assert served.rows("t") == [OPENING]


def test_an_invitation_is_for_one_caller(served: Store) -> None:
    served.invite(ONE, "code", Invitation("sealed", LATER), NOW)
    assert served.claim("another code") is None
    assert served.claim("code") == Invitation("sealed", LATER)
    assert served.claim("code") is None


def test_a_new_invitation_replaces_the_old_one(served: Store) -> None:
    served.invite(ONE, "old", Invitation("sealed", LATER), NOW)
    served.invite(OTHER, "of the other", Invitation("theirs", LATER), NOW)
    served.invite(ONE, "new", Invitation("sealed again", LATER), NOW)
    assert served.claim("old") is None
    served.withdraw(OTHER)
    assert served.claim("of the other") is None
    assert served.claim("new") == Invitation("sealed again", LATER)


# -- many at once


@pytest.fixture
def four(open_sql: OpenSql) -> list[Store]:
    """Four processes on one database."""
    return [open_sql() for _ in range(4)]


def at_once(stores: list[Store], act: Callable[[Store], object]) -> list[object]:
    together = Barrier(len(stores))

    def one(store: Store) -> object:
        together.wait(timeout=60)
        return act(store)

    with ThreadPoolExecutor(len(stores)) as pool:
        return list(pool.map(one, stores))


def test_phones_that_add_to_one_list_at_once_lose_nothing(four: list[Store]) -> None:
    tables = [f"table {number}" for number in range(5)]
    for table in tables:
        four[0].create(table, NAMES, "hash", OPENING)
    for table in tables:
        assert at_once(four, lambda store, table=table: store.remember(ONE, table, dealt=True)) == [True] * 4  # type: ignore[misc]
    assert sorted(one.table for one in four[0].listed(ONE)) == tables
    at_once(four, lambda store: store.copy_list(ONE, OTHER))
    assert sorted(one.table for one in four[0].listed(OTHER)) == tables


def test_the_same_tap_several_times_at_once_counts_once(four: list[Store]) -> None:
    for number in range(20):
        at_once(four, lambda store, key=str(number): store.set_alias(ONE, key, "Ben"))  # type: ignore[misc]
        at_once(
            four, lambda store, end=str(number): store.invite(ONE, f"{id(store)} {end}", Invitation(end, LATER), NOW)
        )  # type: ignore[misc]
    assert four[0].aliases(ONE) == {str(number): "Ben" for number in range(20)}
    codes = [f"{id(store)} {number}" for store in four for number in range(20)]
    assert [found.sealed for found in map(four[0].claim, codes) if found] == ["19"]


def test_of_several_phones_with_one_code_one_gets_the_list(four: list[Store]) -> None:
    four[0].invite(ONE, "code", Invitation("sealed", LATER), NOW)
    claimed = at_once(four, lambda store: store.claim("code"))
    assert sorted(map(bool, claimed)) == [False, False, False, True]


def test_a_tap_during_a_deletion_leaves_nothing_behind(four: list[Store]) -> None:
    four[0].create("t", NAMES, "hash", OPENING)
    taps = iter(four)

    def tap_or_delete(store: Store) -> bool:
        if store is next_deleting:
            return store.delete("t", "hash")
        try:
            store.append("t", played(2, at(1)), "hash")
        except (StaleEntry, NotTheDealer):
            return False
        return True

    next_deleting = next(taps)
    assert at_once(four, tap_or_delete)[0] is True
    assert four[0].rows("t") == []
    assert four[0].standing("t") is None
