"""The table of verbs: every entry can be put into words, and a game may add verbs of its own."""

from __future__ import annotations

import pytest

from companion.engine import verbs
from companion.engine.notation import parse, text
from companion.engine.sentence import InvalidEntry, say
from companion.engine.verbs import FIXED, VERBS, Verb, card_drawn, describe_entry, form
from companion.games import GAMES
from companion.i18n import translate
from tests.ninth import ninth_game


@pytest.mark.parametrize(
    ("entry", "english", "french"),
    [
        ("8", "8", "8"),
        ("Ben: fold", "folds", "se couche"),
        ("fold 4 Ben", "takes Ben’s 4", "prend le 4 (Ben)"),
        ("take 3", "takes 3", "prend 3"),
        ("play 4", "plays the 4", "joue le 4"),
        ("grab 4", "takes the 4 from the Horde", "prend le 4 dans la Horde"),
        ("bet Ana 20", "Ana bets 20", "Ana mise 20"),
        ("lost", "a card was lost", "une carte est perdue"),
        ("lost 7", "a 7 was lost", "un 7 est perdu"),
        ("pay Ana Ben 5", "Ana pays Ben 5", "Ana paie 5 à Ben"),
        ("buy Ana -20", "Ana: −20 from the bank", "Ana\u202f: −20 de la banque"),
        ("rename Ben Benoît", "Ben is now called Benoît", "Ben s’appelle désormais Benoît"),
        ('title "The Anchor"', "the evening is called “The Anchor”", "la soirée s’appelle «\u202fThe Anchor\u202f»"),
        ('title ""', "the evening has no name", "la soirée n’a pas de nom"),
        ("title", "the evening has no name", "la soirée n’a pas de nom"),
        ("settled", "everything owed is paid", "tout ce qui était dû est payé"),
        ("order Cleo Ana Ben", "order of seats: Cleo, Ana, Ben", "ordre des places\u202f: Cleo, Ana, Ben"),
        (
            "game pairs limit=12 stakes=portland",
            "new game: Pairs, limit 12, Portland",
            "nouvelle partie\u202f: Pairs, limite 12, Portland",
        ),
        (
            "game rocket decks=2 odds=off",
            "new game: Rocket, 2 decks, no odds",
            "nouvelle partie\u202f: Rocket, 2 paquets, sans probas",
        ),
    ],
)
def test_an_entry_is_put_into_words(entry: str, english: str, french: str) -> None:
    assert translate(describe_entry(parse(entry), GAMES), "en") == english
    assert translate(describe_entry(parse(entry), GAMES), "fr") == french


def test_every_form_of_every_verb_has_words() -> None:
    examples = {"card": 4, "count": 3, "natural": 0, "amount": 2, "name": "{Ana}", "names": "Ben"}
    examples |= {"text": "{Anchor}", "game": "pairs", "yes": "yes", "no": "no"}
    for verb in VERBS.values():
        for one in verb.forms:
            words = str(one.filled(tuple(examples[kind] for kind in one.kinds)))
            assert words
            shown = [str(examples[kind]) for kind in one.kinds if kind not in FIXED]
            assert verb.name == "game" or all(example in words for example in shown), verb


def test_the_verbs_of_every_game_are_in_the_table() -> None:
    for game in GAMES.values():
        for name, verb in game.own_verbs.items():
            assert VERBS[name] == verb
            assert hasattr(game, f"on_{name}")


def test_one_registration_makes_a_game_and_its_verbs_known() -> None:
    for known in (False, True, False):
        if known:
            with ninth_game():
                assert "lantern" in GAMES
                assert str(describe_entry(parse("Ann: drop 4"), GAMES)) == "drops the 4"
        else:
            assert "lantern" not in GAMES
            with pytest.raises(InvalidEntry):
                parse("Ann: drop 4")


def test_the_options_of_a_game_are_made_once() -> None:
    for game in GAMES.values():
        assert game.options is game.options


def test_one_word_is_one_verb() -> None:
    for name in ("fold", "take"):
        with pytest.raises(ValueError, match=name):
            verbs.register({name: Verb(name, say("Folding"), (form(say("folds")),), draws=True)})
    with pytest.raises(ValueError, match="knock"):
        verbs.register({"knock": VERBS["fold"]})
    assert "knock" not in VERBS


@pytest.mark.parametrize(
    ("entry", "value"), [("8", 8), ("play 3", 3), ("take 3", None), ("grab 3", None), ("fold", None)]
)
def test_a_card_that_comes_from_the_pile_is_known(entry: str, value: int | None) -> None:
    assert card_drawn(parse(entry)) == value


def test_every_form_has_a_label_of_its_own() -> None:
    """What a button says: the label of the form, or what the log says."""
    assert str(VERBS["fold"].offered(())) == "Fold"
    assert str(VERBS["fold"].offered((4, "Ben"))) == "takes Ben’s 4"
    with ninth_game():
        assert str(VERBS["drop"].offered((4,))) == "Drop the 4"


def test_a_fixed_word_chooses_the_form() -> None:
    ask = Verb(
        "ask",
        say("Asking"),
        (
            form(say("says that {name} has a pair"), label=say("{name}: pair"), name="name", answer="yes"),
            form(say("says that {name} has none"), label=say("{name}: none"), name="name", answer="no"),
        ),
        by_seat=True,
    )
    with ninth_game():  # it forgets the verbs added in the meantime
        verbs.register({"ask": ask})
        for answer, said, label in (("yes", "a pair", "Ben: pair"), ("no", "none", "Ben: none")):
            entry = parse(f"Ana: ask Ben {answer}")
            assert (entry.args, text(entry)) == (("Ben", answer), f"Ana: ask Ben {answer}")
            assert str(describe_entry(entry, GAMES)).endswith(said)
            assert str(ask.offered(entry.args)) == label
        for wrong in ("ask Ben", "ask Ben maybe", "ask Ben yes no"):
            with pytest.raises(InvalidEntry):
                parse(wrong)
