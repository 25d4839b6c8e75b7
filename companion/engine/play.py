"""The only ways to advance a state: `play` one entry, or `replay` many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from . import seating
from .cards import none_left
from .game import AnyGame
from .notation import Entry, check_names
from .options import YES, read_options
from .sentence import IllegalEntry, InvalidEntry, say
from .state import BANK, AnyState
from .verbs import CARD, VERBS, Verb

Games = Mapping[str, AnyGame]


def open_table(games: Games, names: tuple[str, ...], entry: Entry) -> AnyState:
    """The state after the first entry of a table, which must start a game."""
    check_names(names)
    if entry.verb != "game":
        raise IllegalEntry(say("The first entry must start a game."))
    return _open_game(games, None, names, entry)


def play(games: Games, state: AnyState, entry: Entry) -> AnyState:
    """The state after one entry; an entry that is not allowed is refused."""
    return play_with_seat(games, state, entry)[0]


def play_with_seat(games: Games, state: AnyState, entry: Entry) -> tuple[AnyState, int | None]:
    """The state after one entry, and the seat that drew or acted."""
    game = games[state.game]
    verb = VERBS[entry.verb]
    seat = None
    if verb.by_seat:
        after, seat = _play_of_seat(game, state, verb, entry)
    elif entry.verb == "game":
        return _open_game(games, _void_round(game, _forget_last(state)), tuple(state.names()), entry), None
    elif entry.verb in _BY_DEALER:
        after = _BY_DEALER[entry.verb](game, _forget_last(state), *entry.args)
    else:
        after = _before_the_deal(game, _forget_last(state), entry)
    if verb.of_round and after.paid:
        after = after.but(round_paid=(*after.round_paid, *after.paid))
    return after, seat


def replay(games: Games, names: tuple[str, ...], entries: Iterable[Entry]) -> AnyState:
    """The state after a whole log."""
    rest = iter(entries)
    state = open_table(games, names, next(rest))
    for entry in rest:
        state = play(games, state, entry)
    return state


def _forget_last(state: AnyState) -> AnyState:
    """The state without the payments and the result of the last entry."""
    return state.but(paid=(), result=None) if state.paid or state.result else state


def _open_game(games: Games, before: AnyState | None, names: tuple[str, ...], entry: Entry) -> AnyState:
    key, given = entry.args
    if key not in games:
        raise InvalidEntry(say("“{key}” is not a game.", key=key))
    game = games[key]
    return game.open(before, names, read_options(game.options, given, game.title))


def _play_of_seat(game: AnyGame, state: AnyState, verb: Verb, entry: Entry) -> tuple[AnyState, int | None]:
    """The state after a player's action or card, and the seat: it must be its turn, and the entry legal."""
    seat = game.actor(state, entry)
    plain = entry if entry.seat is None else Entry(entry.verb, entry.args)
    if not game.is_legal(state, plain):
        plain = _as_seated(state, plain)
        if not game.is_legal(state, plain):
            raise IllegalEntry(game.refusal(state, plain))
    if not state.between:
        state = _forget_last(state)
    elif state.phase == "play":
        state = state.but(between=False, paid=(), result=None)
    else:
        state = game.begin(_forget_last(state))
    if verb.name == CARD and state.phase == "deal":
        return game.on_deal(state, seat, *plain.args), seat
    return _method(game, verb)(state, seat, *plain.args), seat


def _as_seated(state: AnyState, entry: Entry) -> Entry:
    """The entry with every name spelled as at its seat; the other arguments stay."""
    kinds = VERBS[entry.verb].form_of(entry).kinds
    given = zip(kinds, entry.args, strict=True)
    return Entry(entry.verb, tuple(state.seats[state.find(one)].name if kind == "name" else one for kind, one in given))


def _method(game: AnyGame, verb: Verb) -> Callable[..., AnyState]:
    method: Callable[..., AnyState] | None = getattr(game, verb.method, None)
    if method is None:
        raise IllegalEntry(say("{doing} is not part of {game}.", game=game.title, doing=verb.doing))
    return method


# -- the deck


def _with_cards(state: AnyState) -> None:
    if state.options["cards"] != YES:
        raise IllegalEntry(say("Cards are not entered at this table: enter the points or chips."))
    if state.phase == "game over":
        raise IllegalEntry(say("The game is over: start the next one."))


def _shuffle(game: AnyGame, state: AnyState) -> AnyState:
    """The discards were shuffled back, and cards were burned where the game burns."""
    _with_cards(state)
    if not state.pile.can_shuffle and state.pile.left == 0:
        raise IllegalEntry(say("Nothing is left to shuffle."))
    return state.but(pile=state.pile.shuffle(state.options["burn"]))


def _lost(game: AnyGame, state: AnyState, value: int | None = None) -> AnyState:
    """A card of the pile was lost."""
    _with_cards(state)
    if value is not None and not game.may_turn_up(state)[value]:
        raise IllegalEntry(none_left(value, state.pile.decks))
    if state.pile.left == 0:
        raise IllegalEntry(say("No card is left in the pile."))
    return state.but(pile=state.pile.lose(value))


def _misdeal(game: AnyGame, state: AnyState) -> AnyState:
    """The round is void."""
    if not _round_under_way(state):
        raise IllegalEntry(say("No round is under way."))
    return _void_round(game, state)


def _round_under_way(state: AnyState) -> bool:
    return state.phase == "play" or (state.phase == "deal" and not state.between)


def _void_round(game: AnyGame, state: AnyState) -> AnyState:
    """Every card in play is discarded and every payment of the round goes back, if there is a round."""
    if not _round_under_way(state):
        return state
    for payment in reversed(state.round_paid):
        state = state.pay_back(payment)
    state = game.clear(state).but(round_paid=(), turn=None, deal=None, phase="round over", between=True)
    return game.between_rounds(state)


# -- points, chips and other entries by the dealer


def _points(game: AnyGame, state: AnyState, name: str, number: int) -> AnyState:
    """A correction sets the points; the limit is checked at once."""
    return game.on_points(state, state.find(name), number)


def _score(game: AnyGame, state: AnyState, name: str, number: int) -> AnyState:
    """Points without their cards."""
    return game.on_score(state, state.find(name), number)


def _buy(game: AnyGame, state: AnyState, name: str, amount: int) -> AnyState:
    """Chips from the bank, or back to it."""
    who = state.find_anyone(name)
    return state.pay(BANK, who, amount, say("bought from the bank"))


def _pay(game: AnyGame, state: AnyState, who: str, whom: str, amount: int) -> AnyState:
    """Chips from one to another."""
    payer, payee = state.find_anyone(who), state.find_anyone(whom)
    if payer == payee:
        raise IllegalEntry(say("You cannot pay yourself."))
    return state.pay(payer, payee, amount, say("paid manually"))


def _start(game: AnyGame, state: AnyState, name: str) -> AnyState:
    """The dealer names the starter, any time during the deal."""
    _with_cards(state)
    seat = state.find(name)
    if state.phase != "deal" or not game.deal_names_starter(state):
        raise IllegalEntry(say("You can only name the starting player during the deal."))
    if state.seats[seat].state != "in" or not game.may_start(state, seat):
        raise IllegalEntry(say("{name} cannot start this round.", name=state.seats[seat].name))
    return game.on_start(state, seat)


def _title(game: AnyGame, state: AnyState, title: str = "") -> AnyState:
    """The evening gets a name, or none."""
    return state.but(title=title)


def _settled(game: AnyGame, state: AnyState) -> AnyState:
    """Everything owed is paid. The log says when: nobody's chips change."""
    if not state.between:
        raise IllegalEntry(say("A round is under way: settle up between rounds."))
    return state


def _before_the_deal(game: AnyGame, state: AnyState, entry: Entry) -> AnyState:
    """An entry about one seat that some games allow before the first card of a round."""
    method = _method(game, VERBS[entry.verb])
    _with_cards(state)
    name, *rest = entry.args
    seat = state.find(name)
    if not state.between:
        raise IllegalEntry(
            say("{doing} is only possible before the first card of a round.", doing=VERBS[entry.verb].doing)
        )
    return game.ready(method(state, seat, *rest))


# Entries that work alike in every game. Other entries without a player are allowed before the deal only.
_BY_DEALER: dict[str, Callable[..., AnyState]] = {
    "shuffle": _shuffle,
    "lost": _lost,
    "misdeal": _misdeal,
    "points": _points,
    "score": _score,
    "buy": _buy,
    "pay": _pay,
    "start": _start,
    "title": _title,
    "settled": _settled,
    "sit": seating.sit,
    "leave": seating.leave,
    "rename": seating.rename,
    "order": lambda game, state, *names: seating.order(game, state, names),
}
