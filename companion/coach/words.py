"""The coach in words: sentences that can be translated.

Numbers are sentences too, because languages differ in the decimal comma and the space before a percent sign.
"""

from __future__ import annotations

from collections.abc import Collection

from companion.engine.sentence import MINUS, Sentence, say, say_many

from .accounts import Account
from .advice import Advice, Assumption, Choice, Unit, ranked

Said = Sentence | str


# -- numbers


def decimal(value: float, plus: str = "") -> Said:
    """A number with one decimal, without it if it is 0, and with a real minus."""
    tenths = round(abs(value) * 10)
    sign = "" if not tenths else MINUS if value < 0 else plus
    whole, tenth = divmod(tenths, 10)
    return say("{sign}{whole}.{tenth}", sign=sign, whole=whole, tenth=tenth) if tenth else f"{sign}{whole}"


def whole(value: float) -> str:
    """A whole number with its sign."""
    number = round(value)
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number < 0 else "0"


def percent(chance: float) -> Sentence:
    """A chance in whole percent."""
    return say("<1%") if 0 < chance < 0.005 else say("{number}%", number=round(100 * chance))


def amount(unit: Unit, value: float) -> Said:
    """A value of the coach as a number; gains have a plus."""
    if unit == "lose":
        return percent(value)
    return say("{number}%", number=signed(100 * value)) if unit == "bet" else signed(value)


def counted(value: float) -> int:
    """An int with the same plural form as this number with one decimal: in French plural begins at 2."""
    tenths = round(abs(value) * 10)
    return 1 if tenths == 10 else 0 if tenths < 20 else 2


# -- the choices


def choices(advice: Advice) -> Sentence:
    """One sentence for the player to act, the better choice first."""
    if advice.method == "price":
        return _prices(advice)
    better, other = _two_kinds(advice)
    value, second = amount(advice.unit, better.value), amount(advice.unit, other.value)
    if advice.best is None or str(value) == str(second):
        return _about_equal(advice)
    gaps = {"better": choice_name(better), "value": value, "other": choice_name(other), "second": second}
    count = counted(better.value)
    if advice.unit == "lose":
        return say("{better}: {value} risk of losing the game. {other}: {second}.", **gaps)
    if advice.unit == "bet":
        return say("{better}: {value} of the bet. {other}: {second}.", **gaps)
    if advice.unit == "chips":
        return say_many(
            "{better}: {value} chip. {other}: {second}.", "{better}: {value} chips. {other}: {second}.", count, **gaps
        )
    return say_many(
        "{better}: {value} point. {other}: {second}.", "{better}: {value} points. {other}: {second}.", count, **gaps
    )


def _two_kinds(advice: Advice) -> tuple[Choice, Choice]:
    """The best choice, and the best of a different kind."""
    best, *rest = ranked(advice.unit, advice.options)
    kind = best.entry.split()[0]
    return best, next((other for other in rest if other.entry.split()[0] != kind), rest[0])


def _about_equal(advice: Advice) -> Sentence:
    """The mean of the two best: two numbers would suggest a difference."""
    first, second = ranked(advice.unit, advice.options)[:2]
    middle = (first.value + second.value) / 2
    mean, count = amount(advice.unit, middle), counted(middle)
    if advice.unit == "lose":
        return say("About equal: {value}.", value=mean)
    if advice.unit == "bet":
        return say("About equal: {value} of the bet.", value=mean)
    if advice.unit == "chips":
        return say_many("About equal: {value} chip.", "About equal: {value} chips.", count, value=mean)
    return say_many("About equal: {value} point.", "About equal: {value} points.", count, value=mean)


def _prices(advice: Advice) -> Sentence:
    """Hawthorn: what both choices cost, and how often the pot must be won for a card to pay."""
    draw, fold = (decimal(-option.value) for option in advice.options)
    times = round(100 * advice.share) if advice.share is not None else 0
    if times <= 0:
        return say("A card costs {draw} on average, folding {fold}.", draw=draw, fold=fold)
    return say_many(
        "A card costs {draw} on average, folding {fold}. Drawing pays if you win the pot {times} time in 100.",
        "A card costs {draw} on average, folding {fold}. Drawing pays if you win the pot {times} times in 100.",
        times,
        draw=draw,
        fold=fold,
        times=times,
    )


def choice_name(choice: Choice) -> Sentence:
    """The name of a choice."""
    verb, *rest = choice.entry.split()
    return say("Take {count}", count=rest[0]) if verb == "take" else _NAMES[verb]


_NAMES = {"draw": say("Draw"), "fold": say("Fold"), "lock": say("Lock"), "pass": say("Pass")}


# -- how it was found


def how_found(advice: Advice, game: str) -> Sentence:
    """How the values were found, and what they assume."""
    if advice.method == "price":
        return say("The hands are hidden, so no choice can be called better.")
    if advice.method == "exact":
        return _EXACT[advice.assumes]
    return _estimate(advice, game)


def _estimate(advice: Advice, game: str) -> Sentence:
    """How far an estimate may be off, and why it is an estimate."""
    error = advice.options[0].error
    if advice.assumes == "no shuffle":
        assumption = _SHUFFLE
    elif advice.unit == "lose":
        assumption = _RULES[game]
    else:
        assumption = _STOPS if advice.assumes == "stops" else _MINIMUM
    return say("Estimate, give or take {error}: {assumption}", error=_error(advice.unit, error), assumption=assumption)


def _error(unit: Unit, error: float) -> Sentence:
    """The error with its unit."""
    if unit == "bet":
        return say("{part} of the bet", part=say("{number}%", number=decimal(100 * error)))
    if unit == "lose":
        points = round(100 * error)
        return say_many("{number} percentage point", "{number} percentage points", points, number=points)
    number, count = decimal(error), counted(error)
    if unit == "chips":
        return say_many("{number} chip", "{number} chips", count, number=number)
    return say_many("{number} point", "{number} points", count, number=number)


_RULES = {
    "pairs": say("it assumes that everyone folds when a card costs more than one and a half times as much as folding."),
    "continuous": say("it assumes that everyone folds when a card costs more than about half as much as folding."),
}
_STOPS = say("it assumes that everyone stops at the best moment.")
_SHUFFLE = say("a shuffle in this round is likely.")
_MINIMUM = say("it assumes that nobody takes more cards than they must.")
_EXACT: dict[Assumption | None, Sentence] = {
    "no shuffle": say("Worked out exactly, as long as there is no shuffle in this round."),
    "best play": say("Worked out exactly, assuming that everyone plays as well as possible."),
}


# -- luck and skill


def shown(account: Account, unit: Unit) -> Account:
    """An account rounded to whole points or tenths of a chip. It still adds up: luck takes the rounding errors."""
    scale = 100 if unit == "lose" else 1
    start = 0.0 if unit == "lose" else _shown(account.start, unit)
    result, gifts, skill, other = (
        _shown(scale * value, unit) for value in (account.result, account.gifts, account.skill, account.other)
    )
    return Account(start, skill, gifts, result - start - gifts - skill - other, other, result)


def luck_line(account: Account, unit: Unit) -> Sentence:
    """The causes of a seat's result."""
    rounded = shown(account, unit)
    start, result, other = rounded.start, rounded.result, rounded.other
    causes = say(
        "Luck {luck}, others’ mistakes {gifts}, own mistakes {skill}",
        luck=signed(rounded.luck),
        gifts=signed(rounded.gifts),
        skill=signed(rounded.skill),
    )
    if other:
        causes = say("{causes}, corrections {other}", causes=causes, other=signed(other))
    if unit == "chips":
        if start:
            causes = say("{causes}, starting position {start}", causes=causes, start=signed(start))
        return say_many(
            "{causes}: {result} chip.",
            "{causes}: {result} chips.",
            counted(result),
            causes=causes,
            result=signed(result),
        )
    points = abs(round(result))
    if result >= 0:
        return say_many(
            "{causes}: won by {points} point.",
            "{causes}: won by {points} points.",
            points,
            causes=causes,
            points=points,
        )
    return say_many(
        "{causes}: lost by {points} point.", "{causes}: lost by {points} points.", points, causes=causes, points=points
    )


def luck_notes(units: Collection[Unit]) -> list[Sentence]:
    """What luck and own mistakes mean, and how reliable the figures are, for the games played."""
    notes = [
        say("Luck is what the cards brought, good or bad."),
        say(
            "Own mistakes: at each decision, the difference between the best choice and the one that was made, "
            "by what could be known then. What one player gives away, the others gain."
        ),
    ]
    if "lose" in units:
        notes.append(say("For Pairs the figures are estimates."))
        notes.append(
            say(
                "A bad habit shows in the mistakes after 5 to 60 games of Pairs. "
                "In wins and losses alone it takes 40 to 1,000."
            )
        )
    if "chips" in units:
        notes.append(
            say(
                "For Rocket, and for Blackstone with up to three players, the figures are exact. "
                "With more players in, takes above the least are not analysed."
            )
        )
        notes.append(
            say(
                "Starting position: what a round is worth before its first card. In Rocket the dealer has the edge, "
                "in Blackstone everybody a share of the chips carried over."
            )
        )
    return notes


def _shown(value: float, unit: Unit) -> float:
    """Rounded to whole points or tenths of a chip."""
    return float(round(value)) if unit == "lose" else round(value, 1)


def signed(value: float) -> Said:
    """A number with one decimal and its sign."""
    return decimal(value, plus="+")
