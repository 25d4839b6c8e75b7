"""The sentences of the pages that have a name or a number in them, in English and French, written down by hand.

Where a page words something in another way, the change belongs here too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

LANGUAGES = ("en", "fr")

PHRASES: dict[str, tuple[str, str]] = {
    # -- who stands large
    "wins": ("{name} wins", "{name} gagne"),
    "win": ("{names} win", "{names} gagnent"),
    "loses": ("{name} loses", "{name} perd"),
    "round over": ("Round {round} over", "Manche {round} finie"),
    "scores": ("Scores", "Scores"),
    "your turn": ("Your turn", "À toi"),
    "game over": ("game over", "partie finie"),
    # -- the bar
    "pot": ("pot {number}", "pot {number}"),
    "carried": ("carried over {number}", "reporté {number}"),
    "limit": ("limit {number}", "limite {number}"),
    "goal": ("race to {number}", "objectif {number}"),
    # -- how a round ended
    "how pair": ("pair of {value}s", "paire de {value}"),
    "how fold": ("folded, took the {value}", "couché, a pris le {value}"),
    "how scored": ("scored {value}", "a marqué {value}"),
    "how dealer 3": ("the dealer’s 3", "le 3 du donneur"),
    "how dealer pair": ("the dealer’s pair of {value}s", "la paire de {value} du donneur"),
    "how black": ("second black", "deuxième noire"),
    "now of": ("now {points} of {limit}", "maintenant {points} sur {limit}"),
    # -- the shuffle
    "shuffle": ("shuffle", "mélange"),
    "burn": ("burn {number}", "brûle {number}"),
    # -- who is next
    "card for": ("Card for {name}", "Carte pour {name}"),
    "chosen card": ("{name}’s chosen card", "Carte choisie par {name}"),
    "deals": ("{name} deals ·", "{name} donne ·"),
    "button": ("button {name}", "bouton {name}"),
    # -- a seat
    "kept": ("kept {cards}", "a gardé {cards}"),
    "sum": ("sum {number}", "total {number}"),
    "locked": ("locked {number}", "verrou {number}"),
    "locked at": ("locked at {number}", "verrou à {number}"),
    "beaten at": ("beaten at {number}", "battu à {number}"),
    "passed": ("passed {signed}", "passé {signed}"),
    "bet": ("bet {number}", "mise {number}"),
    "ante": ("ante {number}", "ante {number}"),
    "won": ("won {number}", "gagne {number}"),
    "lost": ("lost {number}", "perd {number}"),
    "in hand": ("{number} in hand", "{number} en main"),
    "fold at": ("fold at {number}", "coût {number}"),
    "paid": ("paid {number}", "payé {number}"),
    "if 3": ("if 3 +{number}", "si 3 +{number}"),
    # -- the deck and the keys
    "%": ("{number}%", "{number} %"),
    "<1%": ("<1%", "< 1 %"),
    ">99%": (">99%", "> 99 %"),
    "puts out": ("pair", "paire"),
    "death": ("death", "mort"),
    "overwhelmed": ("out", "sorti"),
    # -- what a button costs
    "takes the lowest": ("takes the {price}, {price} {points}", "prend le {price}, {price} {points}"),
    "at least": ("{price} {points} at least", "{price} {points} au moins"),
    "point": ("point", "point"),
    "points": ("points", "points"),
    "costs to fold": ("Folding costs", "Se coucher coûte"),
    "costs to pass": ("Passing costs", "Passer coûte"),
    "your points": ("Your points", "Tes points"),
    "your chips": ("Your chips", "Tes jetons"),
    "your risk": ("Risk on the next card", "Risque en piochant"),
    # -- the undo button
    "undo": ("Undo: {what}", "Annuler : {what}"),
    "did correction": ("correction", "correction"),
    "did fold": ("folded", "couché"),
    "did fold of": ("takes {name}’s {value}", "prend le {value} ({name})"),
    "did pass": ("passes", "passe"),
    "did lock": ("locked in", "verrou"),
    "did grab": ("takes the {value}", "prend le {value}"),
    "did refuge": ("Refuge", "Refuge"),
    "did horde": ("Horde", "Horde"),
    "did eight": ("8 dropped", "8 jeté"),
    "did play": ("plays the {value}", "joue le {value}"),
    "did take": ("takes {value}", "prend {value}"),
    "did white": ("white stone", "pierre blanche"),
    "did black": ("black stone", "pierre noire"),
    "did whites": ("all white", "toutes blanches"),
    "did game": ("new game", "nouvelle partie"),
    "did shuffle": ("shuffled", "mélangé"),
    "did lost": ("a card was lost", "une carte est perdue"),
    "did lost value": ("a {value} was lost", "un {value} est perdu"),
    "did misdeal": ("misdeal", "maldonne"),
    "did score": ("{name} scores {number}", "{name} marque {number}"),
    "did points": ("{name}, points: {number}", "{name}, points : {number}"),
    "did buy": ("{name}: {number} from the bank", "{name} : {number} de la banque"),
    "did pay": ("{name} pays {other} {number}", "{name} paie {number} à {other}"),
    "did sit": ("{name} joins", "{name} rejoint la table"),
    "did leave": ("{name} sits out", "{name} fait une pause"),
    "did rename": ("{name} is now called {other}", "{name} s’appelle désormais {other}"),
    "did title": ("the evening is called “{name}”", "la soirée s’appelle « {name} »"),
    "did settled": ("everything owed is paid", "tout ce qui était dû est payé"),
    "did bet": ("{name} bets {number}", "{name} mise {number}"),
    "did dealer": ("{name} deals", "{name} a la donne"),
    "did button": ("{name} has the button", "{name} a le bouton"),
    "did start": ("{name} starts", "{name} commence"),
    "did order": ("order of seats: {name}", "ordre des places : {name}"),
    # -- the stakes of a lost game
    "owes": ("{name} owes a forfeit", "{name} doit un gage"),
    "pays one": ("{name} pays {number} to {other}", "{name} paie {number} à {other}"),
    "pays": ("{name} pays {number}", "{name} paie {number}"),
    "pays to each": ("{name} pays 1", "{name} paie 1"),
    "nobody pays": ("nobody pays", "personne ne paie"),
    # -- aloud
    "undone": ("Undone", "Annulé"),
    "aloud": ("{done}. {name}: {do}.", "{done}. {name} : {do}."),
    "to deal": ("{number} left", "reste {number}"),
    # -- the middle
    "paired": ("paired", "paire"),
    # -- the evening
    "who pays": ("{name} pays {other} {number}", "{name} paie {number} à {other}"),
    "into the middle": ("{name} puts {number} in the middle", "{name} met {number} au milieu"),
    "from the middle": ("{name} gets {number} from the middle", "{name} reçoit {number} du milieu"),
    "games": ("{number} games", "{number} parties"),
    "game": ("{number} game", "{number} partie"),
    "won or lost": ("Won or lost", "Gain ou perte"),
    "in the pot": ("In the pot or carried over: {number}", "Dans le pot ou reporté : {number}"),
    "nobody owes": ("Nobody owes anybody chips.", "Personne ne doit de jetons à personne."),
}
UP_TO_TEN = (
    ("", ""),
    ("one", "une"),
    ("two", "deux"),
    ("three", "trois"),
    ("four", "quatre"),
    ("five", "cinq"),
    ("six", "six"),
    ("seven", "sept"),
    ("eight", "huit"),
    ("nine", "neuf"),
    ("ten", "dix"),
)
NUMBER = {"number": r"\d+", "signed": r"[+−]?\d+", "cards": r"[\d ]+"}
# One of something is never said in the plural (in French, none of it neither), and more of it not in the singular.
WRONG_PLURAL = {
    "en": r"(?<![\d.,/–+−])\b1 (points|chips|cards|rounds|decks|stones|players|games|entries)\b"
    r"|\b([02-9]|\d\d+) (point|chip|card|round|deck)\b",
    "fr": r"(?<![\d.,/–+−])\b[01] (points|jetons|cartes|manches|paquets|pierres|joueurs|parties|saisies)\b"
    r"|\b([2-9]|\d\d+) (point|jeton|carte|manche|paquet)\b",
}


def say(language: str, key: str, **gaps: object) -> str:
    """A sentence, filled in."""
    return PHRASES[key][LANGUAGES.index(language)].format(**gaps)


def find(language: str, key: str, text: str) -> list[str]:
    """What stands in the one gap of this sentence, wherever the text has it."""
    written = re.escape(PHRASES[key][LANGUAGES.index(language)])
    for gap, form in NUMBER.items():
        written = written.replace(re.escape("{" + gap + "}"), f"({form})")
    return re.findall(rf"(?<!\w){written}(?!\w)", text)


def in_words(language: str, number: int) -> str:
    """A number as a key says it."""
    return UP_TO_TEN[number][LANGUAGES.index(language)] if 0 < number < len(UP_TO_TEN) else str(number)


def percent(language: str, chance: Fraction) -> str:
    """A chance as the pages round it."""
    if 0 < chance < Fraction(1, 200):
        return say(language, "<1%")
    if Fraction(199, 200) < chance < 1:
        return say(language, ">99%")
    return say(language, "%", number=round(100 * chance))


def signed(number: int) -> str:
    return f"+{number}" if number > 0 else plain(number)


def plain(number: int) -> str:
    return str(number).replace("-", "−")


def one_decimal(language: str, number: Fraction) -> str:
    """An average cost or gain: with its sign, and a comma in French."""
    tenths = round(10 * abs(number))
    written = f"{tenths // 10}{'.' if language == 'en' else ','}{tenths % 10}"
    return f"{'+' if number > 0 else '−'}{written}" if tenths else "0"


def counted(language: str, number: int, one: str, many: str) -> str:
    """The noun for that many: French has the singular for none, too."""
    return say(language, one if number == 1 or (language == "fr" and number == 0) else many)


def is_name(shown: str, name: str) -> bool:
    """Whether this is the name, perhaps cut short. No two names of these tests begin alike."""
    return shown == name or (shown.endswith("…") and len(shown) > 1 and name.startswith(shown[:-1]))


def name_in(text: str, name: str) -> bool:
    """Whether a text has the name, perhaps cut short."""
    cut = [f"{name[:size].rstrip()}…" for size in range(3, len(name))]
    return any(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) for form in (name, *cut))


def names_in(text: str, names: Iterable[str]) -> set[str]:
    return {name for name in names if name_in(text, name)}
