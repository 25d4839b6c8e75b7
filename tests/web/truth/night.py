"""A random evening at one table: people play, come, go, correct themselves, and look at the pages all the time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from flask.testing import FlaskClient

from companion.engine.notation import Entry, parse
from companion.engine.play import open_table, play
from companion.engine.record import parse_seats, strip_comment
from companion.engine.report import report
from companion.engine.state import AnyState
from companion.games import GAMES

Json = dict[str, Any]

# No two begin with the same letter, so that a name cut short is still known.
NAMES = ("Ana", "Benoît", "Cleo", "Dan le Grand", "Eve", "Fay", "Maximilian-Konstantin", "Zoë", "O’Hara", "Ugo")
NEW_NAMES = {"Ana": "Aliénor", "Benoît": "Bo", "Cleo": "Cyrano de B.", "Eve": "Ève-Marie", "Ugo": "Ulla"}
OPTIONS: dict[str, Sequence[str]] = {
    "limit": ("3", "6", "12"),
    "goal": ("2", "5", "9"),
    "stakes": ("downspear", "norland", "cutchfeld", "tacoma", "olympia", "portland", "seattle", "forfeit"),
    "sum": ("1", "7"),
    "forfeit": ('"one song"',),
    "calamities": ("yes",),
    "eights": ("yes",),
    "burn": ("0", "3", "40", "45"),
    "decks": ("2",),
    "ante": ("2", "3"),
    "bet": ("20", "0"),
    "max": ("50",),
    "button": ("yes",),
    "locks": ("draw",),
    "buyin": ("50",),
    "odds": ("after", "off"),
    "coach": ("all", "off"),
}


ELSE = """
    rename sit leave order settled title pay buy points score shuffle lost misdeal
    undo undo redo amend amend remove bet dealer button start
"""


OFTEN = ("limit", "goal", "stakes", "burn")  # what makes games end, and shuffles come


class Night:
    """A table, the log of its live entries, and the state after each of them."""

    def __init__(self, client: FlaskClient, random: Random, game: str) -> None:
        self.client = client
        self.random = random
        players = GAMES[game].players
        count = random.randint(players[0], min(players[-1], 8))
        self.unused = random.sample(NAMES, len(NAMES))
        names = [self.unused.pop() for _ in range(count)]
        opening = self.game_entry(game, cards=True)
        record = "\n".join(("fifty-five 1", "seats " + " ".join(f'"{name}"' for name in names), opening))
        answer = client.post("/api/tables/import", json={"record": record})
        if answer.status_code != 201:  # too many players for the options that were drawn
            opening = f"game {game}"
            record = "\n".join(("fifty-five 1", "seats " + " ".join(f'"{name}"' for name in names[:2]), opening))
            answer = client.post("/api/tables/import", json={"record": record})
        assert answer.status_code == 201, answer.text
        self.table: str = answer.json["table"]
        self.secret = {"Authorization": f"Bearer {answer.json['dealer']}"}
        self.log: list[Json] = []
        self.states: list[AnyState] = []
        self.state: Json = {}
        self.look()

    # -- changes

    def enter(self, *entries: str) -> bool:
        return self._call("POST", "/entries", {"entries": list(entries)})

    def _call(self, method: str, path: str, body: Json) -> bool:
        """Whether the change was accepted. One that was refused must have changed nothing."""
        body = {"version": self.state["version"], **body}
        address = f"/api/tables/{self.table}{path}"
        answer = self.client.open(address, method=method, json=body, headers=self.secret)
        assert answer.status_code in (200, 422), answer.text
        before = self.state
        self.look()
        assert answer.status_code == 200 or self.state == before
        return answer.status_code == 200

    def look(self) -> None:
        """Ask for the state and the log; work out the state after every entry."""
        self.state = self.client.get(f"/api/tables/{self.table}").json
        log = self.client.get(f"/api/tables/{self.table}/log").json["entries"]
        same = 0
        while same < min(len(log), len(self.log)) and log[same]["entry"] == self.log[same]["entry"]:
            same += 1
        del self.states[same:]
        self.log = log
        for line in log[same:]:
            entry = parse(line["entry"])
            self.states.append(play(GAMES, self.states[-1], entry) if self.states else self._open(entry))

    def _open(self, entry: Entry) -> AnyState:
        record = self.client.get(f"/t/{self.table}/record").text
        return open_table(GAMES, parse_seats(strip_comment(record.split("\n")[1])), entry)

    # -- what else the tests ask

    def after_shuffle(self) -> Json:
        """The state after the shuffle that is due; if none is due, the present state."""
        if not self.state["shuffle"] or "shuffle" not in self.state["legal"]:
            return self.state
        shuffled = play(GAMES, self.states[-1], Entry("shuffle"))
        return report(GAMES[shuffled.game], shuffled)

    def page(self, path: str, language: str, dealer: bool = True) -> str:
        """A page as the dealer or a watcher reads it."""
        headers = {"Accept-Language": language, **(self.secret if dealer else {})}
        answer = self.client.get(f"/t/{self.table}{path}", headers=headers)
        assert answer.status_code == 200, (path, answer.text)
        return answer.text

    # -- the course of the evening

    def course(self, entries: int) -> Iterator[str]:
        """That many changes, each in words once it is made."""
        while entries:
            done = self.a_change()
            if done:
                entries -= 1
                yield done

    def change_game(self, game: str, cards: bool) -> str:
        entry = self.game_entry(game, cards)
        if self.enter(entry):
            return entry
        while len(self.state["seats"]) > GAMES[game].players[-1]:
            if not self.enter(f'leave "{self.state["seats"][-1]["name"]}"'):
                self.enter("misdeal")
        return entry if self.enter(entry) or self.enter(f"game {game}") else ""

    def game_entry(self, game: str, cards: bool) -> str:
        known = [key for key in OPTIONS if key in GAMES[game].options]
        drawn = [key for key in known if self.random.random() < (0.8 if key in OFTEN else 0.15)]
        options = [f"{key}={self.random.choice(OPTIONS[key])}" for key in drawn]
        return " ".join(["game", game, *options, *([] if cards else ["cards=no"])])

    def a_change(self) -> str:
        """Usually a card or a choice, now and then something else; empty if it was refused."""
        over = self.state["phase"] == "game over"
        if over and self.random.random() < 0.3:
            return self.a_rename()
        if over and self.random.random() < 0.6:
            again = next(line["entry"] for line in reversed(self.log) if line["entry"].startswith("game "))
            return again if self.enter(again) else ""
        if self.random.random() < (0.08 if self.state["phase"] == "play" else 0.3):
            return self.something_else()
        if self.state["options"]["cards"] == "no":
            return self.a_score()
        if not self.state["legal"]:
            return self.something_else()
        return self.tried(self.a_choice())

    def a_choice(self) -> str:
        """One of the legal entries: each verb is as likely as a few cards."""
        verbs: dict[str, list[str]] = {}
        for entry in self.state["legal"]:
            verb = "card" if entry.isdigit() else entry.split()[0]
            verbs.setdefault(verb, []).append(entry)
        weights = [3 if verb == "card" else 1 for verb in verbs]
        return self.random.choice(verbs[self.random.choices(list(verbs), weights)[0]])

    def tried(self, *entries: str) -> str:
        return ", ".join(entries) if self.enter(*entries) else ""

    def a_score(self) -> str:
        one, other = self.two()
        if GAMES[self.state["game"]].scores_points:
            return self.tried(f'score "{one}" {self.random.randint(1, 6)}')
        return self.tried(f'pay "{one}" "{other}" {self.random.randint(1, 9)}')

    def two(self) -> list[str]:
        return self.random.sample([seat["name"] for seat in self.state["seats"]], 2)

    def something_else(self) -> str:
        one, other = self.two()
        random = self.random
        seats = [f'"{seat["name"]}"' for seat in self.state["seats"]]
        kind = random.choice(ELSE.split())
        match kind:
            case "undo" | "redo":
                return kind if self._call("POST", f"/{kind}", {}) else ""
            case "amend" | "remove":
                return self.a_repair(kind)
            case "rename":
                return self.a_rename()
            case "sit":
                return self.tried(f'sit "{self.unused.pop()}"') if self.unused else ""
            case "order":
                return self.tried("order " + " ".join(random.sample(seats, len(seats))))
            case "title":
                return self.tried(f'title "{random.choice(("The Anchor", "Chez Léa"))}"')
            case "pay":
                return self.tried(f'pay "{one}" "{other}" {random.randint(1, 9)}')
            case "buy":
                return self.tried(f'buy "{one}" {random.choice((20, 5, -3))}')
            case "points" | "score":
                return self.tried(f'{kind} "{one}" {random.randint(1, 4)}')
            case "bet":
                return self.tried(f'bet "{one}" {random.choice((0, 10, 30))}')
            case "leave" | "dealer" | "button" | "start":
                return self.tried(f'{kind} "{one}"')
            case "lost":
                return self.tried(random.choice(("lost", f"lost {random.randint(1, 10)}")))
        return self.tried(kind)

    def a_rename(self) -> str:
        """Somebody gets another name, with the same first letter."""
        name = self.random.choice(self.state["seats"])["name"]
        return self.tried(f'rename "{name}" "{NEW_NAMES.get(name) or f"{name[:1]}bis"}"')

    def a_repair(self, kind: str) -> str:
        """Another card in the place of an earlier one, or one entry less."""
        cards = [line["n"] for line in self.log[1:] if line["entry"].isdigit()]
        if not cards:
            return ""
        number, value = self.random.choice(cards[-12:]), self.random.randint(1, 10)
        if kind == "remove":
            return f"removes {number}" if self._call("DELETE", f"/entries/{number}", {}) else ""
        path = f"/entries/{number}"
        return f"{number}: {value}" if self._call("PUT", path, {"entry": str(value)}) else ""
