"""The database goes back while a process runs: a backup was restored, or an outdated replica took over."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from flask import Flask

from companion.store.opening import DATABASE
from tests.web.conftest import Dealt, deal_at


@pytest.fixture
def phones(two_apps: tuple[Flask, Flask]) -> tuple[Dealt, Dealt]:
    """The same table through two processes. Only the first has seen Ana's 4 and Ben's 6, which were then lost."""
    here = deal_at(two_apps[0].test_client())
    there = Dealt(two_apps[1].test_client(), here.table, here.secret, here.opening)
    here.play("4", "6")
    board(here)  # the server keeps the drawn board for the next watcher
    folder = Path(two_apps[0].config["DATA"])
    connection = sqlite3.connect(folder / DATABASE)
    with connection:
        connection.execute("DELETE FROM changes WHERE number > 1")
    connection.close()
    return here, there


def board(dealt: Dealt) -> str:
    """The board as a watcher gets it."""
    page = dealt.client.application.test_client().get(f"/t/{dealt.table}", headers={"HX-Request": "true"})
    assert page.status_code == 200
    return page.text


def test_lost_entries_are_not_shown(phones: tuple[Dealt, Dealt]) -> None:
    here, _there = phones
    assert here.enter("9", version=3).status_code == 409, "the dealer has seen cards that are gone"
    assert here.state() == here.opening
    assert here.play("9")["version"] == 2


def test_a_different_history_of_the_same_length_is_shown(phones: tuple[Dealt, Dealt]) -> None:
    here, there = phones
    there.play("8", "10")
    assert here.state() == there.state()
    assert here.entries()[1:] == ["8", "10"]
    assert board(here) == board(there)


def test_a_tap_continues_from_the_stored_history(phones: tuple[Dealt, Dealt]) -> None:
    here, there = phones
    there.play("8", "10")  # these have the versions of the lost entries
    answer = here.enter("9", version=3)
    assert answer.status_code == 200
    assert answer.json == there.state()
    assert here.entries()[1:] == ["8", "10", "9"]


def test_new_rows_are_not_added_to_the_lost_history(phones: tuple[Dealt, Dealt]) -> None:
    here, there = phones
    there.play("8", "10", "7", "9")
    assert here.state() == there.state()
    assert here.entries()[1:] == ["8", "10", "7", "9"]
