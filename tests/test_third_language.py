"""A third language is a line in `LANGUAGES` and a catalogue: here Polish, with ten sentences and three plural forms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from flask.testing import FlaskClient

from companion import i18n
from companion.store.memory import MemoryStore
from companion.web import create_app

TEN: dict[str | tuple[str, str], str | tuple[str, ...]] = {
    "New table": "Nowy stół",
    "Join": "Dołącz",
    "Rules": "Zasady",
    "Settings": "Ustawienia",
    "Takeover code": "Kod zastępczy",
    "Fold": "Pas",
    "draw or fold": "dobierz albo spasuj",
    "{whole}.{tenth}": "{whole},{tenth}",
    "The only {value} is out: an earlier entry is wrong.": "Jedyna karta {value} już wyszła: wcześniejszy wpis jest błędny.",
    (
        "Deck: {left} card left to deal, {total} unseen. Show the odds",
        "Deck: {left} cards left to deal, {total} unseen. Show the odds",
    ): (
        "Talia: została {left} karta, nieznanych: {total}. Pokaż szanse",
        "Talia: zostały {left} karty, nieznanych: {total}. Pokaż szanse",
        "Talia: zostało {left} kart, nieznanych: {total}. Pokaż szanse",
    ),
}
ENGLISH = "Quick reference"  # not translated
OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    """A phone of somebody whose browser asks for Polish."""
    catalogue = Catalog(locale="pl")
    for english, polish in TEN.items():
        catalogue.add(english, polish)
    file = tmp_path / "pl" / "LC_MESSAGES" / "messages.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as compiled:
        write_mo(compiled, catalogue)
    monkeypatch.setattr(i18n, "CATALOGUES", tmp_path)
    monkeypatch.setitem(i18n.LANGUAGES, "pl", "Polski")
    i18n.catalogue.cache_clear()
    client = create_app(MemoryStore(), {"SECRET_KEY": "key"}).test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "pl-PL,pl;q=0.9,fr;q=0.5"
    yield client
    i18n.catalogue.cache_clear()


def opened(phone: FlaskClient, *entries: str) -> str:
    """The address of a new table."""
    record = "\n".join(("fifty-five 1", "seats Ana Ben", "game pairs", *entries))
    return phone.post("/import", data={"record": record}, headers=OURS).headers["Location"]


def test_the_browser_gets_it_and_what_is_not_translated_in_english(phone: FlaskClient) -> None:
    page = phone.get("/").text
    assert '<html lang="pl"' in page
    assert all(word in page for word in ("Nowy stół", "Dołącz", "Zasady", "Ustawienia", ENGLISH))
    assert "Nouvelle table" not in page


def test_the_board_speaks_it(phone: FlaskClient) -> None:
    board = phone.get(opened(phone, "7", "3")).text
    assert all(word in board for word in ("Kod zastępczy", "Pas", "dobierz albo spasuj"))
    assert "Talia: zostało 48 kart, nieznanych: 53." in board  # 5 are burned


@pytest.mark.parametrize(("left", "words"), [(1, "została 1 karta"), (3, "zostały 3 karty"), (5, "zostało 5 kart")])
def test_it_has_its_own_plural_forms(phone: FlaskClient, left: int, words: str) -> None:
    one, many = next(english for english in TEN if isinstance(english, tuple))
    assert words in i18n.catalogue("pl").ngettext(one, many, left).format(left=left, total=9)


def test_a_refusal_is_told_in_it(phone: FlaskClient) -> None:
    table = opened(phone, "1", "3")
    version = phone.get(f"/api{table.replace('/t/', '/tables/')}").get_json()["version"]
    answer = phone.post(f"{table}/enter", data={"entry": "1", "version": version}, headers=OURS)
    assert answer.status_code == 422
    assert "Jedyna karta 1 już wyszła" in answer.text


def test_the_settings_offer_it_and_keep_it(phone: FlaskClient) -> None:
    phone.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    assert "Polski" in phone.get("/").text
    phone.post("/settings", data={"language": "pl"}, headers=OURS)
    assert "Nowy stół" in phone.get("/").text


def test_a_terminal_gets_it(phone: FlaskClient) -> None:
    assert i18n.of_environment({"LANG": "pl_PL.UTF-8"}) == "pl"
