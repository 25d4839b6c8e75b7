"""What the phone says of the coach: sentences that can be translated, numbers included.

Numbers are sentences too, because a language has its own comma and its own space before a percent sign.
"""

from __future__ import annotations

from companion.engine.sentence import Sentence, say

from .accounts import Account
from .advice import Advice, Assumption, Choice, Unit, ranked

MINUS = "\N{MINUS SIGN}"
Said = Sentence | str


# -- numbers


def decimal(value: float, plus: str = "") -> Said:
    """One decimal, none if it is 0, and a real minus."""
    tenths = round(abs(value) * 10)
    sign = "" if not tenths else MINUS if value < 0 else plus
    whole, tenth = divmod(tenths, 10)
    return say("{sign}{whole}.{tenth}", sign=sign, whole=whole, tenth=tenth) if tenth else f"{sign}{whole}"


def whole(value: float) -> str:
    """A whole number with its sign."""
    number = round(value)
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number < 0 else "0"


def percent(chance: float) -> Sentence:
    """A chance as people say it."""
    return say("<1%") if 0 < chance < 0.005 else say("{number}%", number=round(100 * chance))


def amount(unit: Unit, value: float) -> Said:
    """A value of the coach as a number."""
    if unit == "lose":
        return percent(value)
    return say("{number}%", number=decimal(100 * value)) if unit == "bet" else decimal(value)


# -- the choices


def choices(advice: Advice) -> Sentence:
    """One sentence for the player to act, the better choice first."""
    if advice.method == "price":
        return _prices(advice)
    if advice.best is None:
        return _about_equal(advice)
    better, other = _two_kinds(advice)
    gaps = {
        "better": choice_name(better),
        "value": amount(advice.unit, better.value),
        "other": choice_name(other),
        "second": amount(advice.unit, other.value),
    }
    if advice.unit == "lose":
        return say("{better}: {value} to lose the game. {other}: {second}.", **gaps)
    if advice.unit == "bet":
        return say("{better}: {value} of the bet. {other}: {second}.", **gaps)
    if advice.unit == "chips":
        return say("{better}: {value} chips. {other}: {second}.", **gaps)
    return say("{better}: {value} points. {other}: {second}.", **gaps)


def _two_kinds(advice: Advice) -> tuple[Choice, Choice]:
    """The best choice, and the best that is no other number of the same."""
    best, *rest = ranked(advice.unit, advice.options)
    kind = best.entry.split()[0]
    return best, next((other for other in rest if other.entry.split()[0] != kind), rest[0])


def _about_equal(advice: Advice) -> Sentence:
    """The mean: two numbers would pretend a difference."""
    first, second = ranked(advice.unit, advice.options)[:2]
    mean = amount(advice.unit, (first.value + second.value) / 2)
    if advice.unit == "lose":
        return say("About equal: {value}.", value=mean)
    if advice.unit == "bet":
        return say("About equal: {value} of the bet.", value=mean)
    if advice.unit == "chips":
        return say("About equal: {value} chips.", value=mean)
    return say("About equal: {value} points.", value=mean)


def _prices(advice: Advice) -> Sentence:
    """Hawthorn: what both cost, and how often the pot must be won for a card to pay."""
    draw, fold = (decimal(-option.value) for option in advice.options)
    if advice.share is None:
        return say("A card costs {draw} on average, folding {fold}.", draw=draw, fold=fold)
    return say(
        "A card costs {draw} on average, folding {fold}. Drawing pays if you win the pot {times} times in 100.",
        draw=draw,
        fold=fold,
        times=round(100 * advice.share),
    )


def choice_name(choice: Choice) -> Sentence:
    """What a choice is called."""
    verb, *rest = choice.entry.split()
    return say("Take {count}", count=rest[0]) if verb == "take" else _NAMES[verb]


_NAMES = {"draw": say("Draw"), "fold": say("Fold"), "lock": say("Lock"), "pass": say("Pass")}


# -- how it was found


def how_found(advice: Advice, game: str) -> Sentence:
    """How the values were found, and what they take for granted."""
    if advice.method == "price":
        return say("The hands are hidden, so no choice can be called better.")
    if advice.method == "exact":
        return _EXACT[advice.assumes]
    return _estimate(advice, game)


def _estimate(advice: Advice, game: str) -> Sentence:
    """How far an estimate may be off, and why it is one."""
    error = advice.options[0].error
    if advice.assumes == "no shuffle":
        part = amount("bet", error)
        return say("Estimate, give or take {part} of the bet: a shuffle in this hand is likely.", part=part)
    if advice.unit == "lose":
        points = round(100 * error)
        return say("Estimate, give or take {points}: {assumption}", points=points, assumption=_RULES[game])
    assumption = _STOPS if advice.assumes == "stops" else _MINIMUM
    return say("Estimate, give or take {points}: {assumption}", points=decimal(error), assumption=assumption)


_RULES = {
    "pairs": say("everybody is taken to fold when a card costs more than one and a half folds."),
    "continuous": say("everybody is taken to fold when a card costs more than about half a fold."),
}
_STOPS = say("everybody is taken to stop where it is best for him.")
_MINIMUM = say("nobody is taken to take more cards than he must.")
_EXACT: dict[Assumption | None, Sentence] = {
    "no shuffle": say("Worked out exactly, if no shuffle falls in this hand."),
    "best play": say("Worked out exactly: everybody is taken to play his best."),
}


# -- luck and skill


def shown(account: Account, unit: Unit) -> Account:
    """An account as it is told: whole points, tenths of a chip. It still adds up: luck takes what rounding leaves."""
    scale = 100 if unit == "lose" else 1
    start = 0.0 if unit == "lose" else _shown(account.start, unit)
    result, gifts, skill, other = (
        _shown(scale * value, unit) for value in (account.result, account.gifts, account.skill, account.other)
    )
    return Account(start, skill, gifts, result - start - gifts - skill - other, other, result)


def luck_line(account: Account, unit: Unit) -> Sentence:
    """What made the result of a seat."""
    told = shown(account, unit)
    start, result, other = told.start, told.result, told.other
    causes = say(
        "Luck {luck}, others' mistakes {gifts}, own mistakes {skill}",
        luck=signed(told.luck),
        gifts=signed(told.gifts),
        skill=signed(told.skill),
    )
    if other:
        causes = say("{causes}, corrections {other}", causes=causes, other=signed(other))
    if unit == "chips":
        return say(
            "{causes}, at the start {start}: {result} chips.",
            causes=causes,
            start=signed(start),
            result=signed(result),
        )
    if result >= 0:
        return say("{causes}: won by {points} points.", causes=causes, points=round(result))
    return say("{causes}: lost by {points} points.", causes=causes, points=round(-result))


def luck_note() -> Sentence:
    """What luck means."""
    return say(
        "Luck is what the cards brought; 100 points are a lost game. The figures are estimates, except for "
        "Rocket and for Blackstone with up to three players."
    )


def _shown(value: float, unit: Unit) -> float:
    """As precise as it is told: whole points, tenths of a chip."""
    return float(round(value)) if unit == "lose" else round(value, 1)


def signed(value: float) -> Said:
    """One decimal with its sign."""
    return decimal(value, plus="+")
