"""What a visitor with a link can ask of tables at their limits: CPU time and bytes of every page. Prints; no test.

`python -m tests.bench.limits` builds five tables of 4,000 entries and asks for every page twice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from time import process_time

from flask import Flask

from companion.engine.notation import Entry, parse
from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.table.limits import MOST_ENTRIES
from companion.table.table import Table
from companion.web import create_app

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
PAGES = (
    "",
    "/menu",
    "/deck",
    "/seats",
    "/chips",
    "/game",
    "/history",
    "/history?n=1&kind=remove",
    "/history?n=9000&entry=5",
    "/history?before=100",
    "/history?card=1",
    "/evening",
    "/evening?by=game",
    "/evening?before=9",
    "/evening.txt",
    "/payments",
    "/payments?who=Ana&before=90",
    "/payments?who=Hana",
    "/evening.csv",
    "/record",
    "/coach/why",
    "/luck",
)
API = ("", "/coach", "/luck", "/log")


def walk(game: str, seats: int, options: str = "") -> Iterator[str]:
    """Random legal entries, game after game, until the table is full."""
    choose = random.Random(5)
    opening = f"game {game} {options}".strip()
    table = Table.open(GAMES, NAMES[:seats], [opening])
    yield opening
    for _ in range(MOST_ENTRIES - 1):
        legal = GAMES[game].legal(table.state)
        entry = str(choose.choice(legal)) if legal else opening
        table = table.enter([entry])
        yield entry


def many_games() -> Iterator[str]:
    for number in range(MOST_ENTRIES // 2):
        yield "game blackstone"
        yield f"pay {NAMES[number % 8]} {NAMES[(number + 3) % 8]} {number % 9 + 1}"


def many_payments() -> Iterator[str]:
    """Eight antes with every card, and eight back."""
    yield "game blackstone"
    for _ in range(MOST_ENTRIES // 2 - 1):
        yield "3"
        yield "misdeal"


def forty_people() -> Iterator[str]:
    yield "game pairs cards=no stakes=tacoma limit=50"
    for number in range(32):
        yield f"leave {NAMES[number] if number < 8 else f'P{number - 8}'}"
        yield f"sit P{number}"
        yield f"score P{number} 3"
    yield from (
        f"score P{number % 8 + 24} 1" if number % 20 else "game pairs cards=no stakes=tacoma limit=50"
        for number in range(1, MOST_ENTRIES - 100)
    )


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "2,000 games": many_games,
    "pairs, 8 seats": lambda: walk("pairs", 8, "stakes=tacoma"),
    "one game of rocket": lambda: walk("rocket", 7),
    "40 people": forty_people,
    "32,000 payments": many_payments,
}


def entries_of(texts: Iterator[str]) -> list[Entry]:
    return [parse(text) for text in texts]


def cost(app: Flask, address: str) -> tuple[float, float, int, int]:
    """Milliseconds of the first and of the second request, the bytes, and the status."""
    client, times = app.test_client(), []
    for _ in range(2):
        before = process_time()
        answer = client.get(address)
        size = len(answer.data)
        times.append((process_time() - before) * 1000)
    return times[0], times[1], size, answer.status_code


def main() -> None:
    app = create_app(MemoryStore(), {"SECRET_KEY": "a key for the bench", "TABLES_PER_HOUR": 100})
    for title, made in TABLES.items():
        with app.app_context():
            table_id, _secret, table = app.extensions["tables"].create(
                NAMES[: 7 if "rocket" in title else 8], entries_of(made())
            )
        print(f"\n{title}: {table.head.number + 1} entries, {table.head.game} games")
        for address in [
            *(f"/t/{table_id}{page}" for page in PAGES),
            *(f"/api/tables/{table_id}{page}" for page in API),
        ]:
            first, second, size, status = cost(app, address)
            mark = " <--" if min(first, second) > 50 or size > 200_000 else ""
            print(
                f"{address.replace(table_id, 'x'):40} {status} {first:8.1f} {second:8.1f} ms {size / 1000:8.1f} KB{mark}"
            )


if __name__ == "__main__":
    main()
