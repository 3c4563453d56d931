"""Option matching by meaning: which option says what the solver found.

One comparison for each kind of value; all of them end in a `Match` with the margin by which the option leads,
or in a `NoMatch` that says why. Options of different meaning never win by chance: a tie names them all.
"""

from dataclasses import replace
from datetime import time

from map_tools.compute.quantities import find_distances, find_durations
from mapagent.core import answer
from mapagent.core.answer import OptionPick, Quantity, Value
from mapagent.core.question import Question
from modules.answer_generator.matching.clocks import match_clock, nearest_clock
from modules.answer_generator.matching.lists import match_alone, match_listed
from modules.answer_generator.matching.names import match_named
from modules.answer_generator.matching.orders import match_schedule, match_sequence, match_set
from modules.answer_generator.matching.outcome import Choices, Match, NoMatch, same_text
from modules.answer_generator.matching.quantities import match_quantity, nearest_amount
from modules.answer_generator.matching.special import none_of_these, option_for_unanswerable, ordinary
from modules.answer_generator.matching.texts import match_text
from modules.answer_generator.matching.yes_no import match_yes_no
from modules.answer_generator.render import render

__all__ = ["Match", "NoMatch", "match", "match_one", "option_for_unanswerable"]

RUNNER_UP_SHARE = 0.6
"""A runner-up keeps this share of its margin for each place it stands behind the best value."""

NONE_OF_THESE_MARGIN = 0.5
TIE_BREAK_SHARE = 0.8

MINUTES_PER_HOUR = 60


def match(
    value: Value, ranking: tuple[Value, ...], question: Question, *, beside: tuple[Value, ...] = ()
) -> Match | NoMatch:
    """The option that means the value; failing that, "none of these", or with a warning the next best.

    The next best is the option that a number is clearly nearest to, unless one says that there is no answer, or
    else the best runner-up.

    Args:
        value: What the solver found.
        ranking: Runners-up in falling order; they also decide between options that fit the value equally well
            if they are of another kind (a yes with the closing time).
        question: Its options; empty ones keep their index and are never chosen.
        beside: What is told with the value, of whatever kind ("29 mins, 12.2 km"): it decides between options
            that fit the value equally well.
    """
    listed = match_listed(value, ranking, ordinary(question, value))
    found = match_one(value, question) if listed is None else listed
    if isinstance(found, Match):
        return found
    if found.tied:
        return _break_tie(
            found, value, (*beside, *(one for one in ranking if one.kind != value.kind)), question
        )
    none = none_of_these(question)
    if none is not None:
        return Match(
            index=none.index, text=none.text, margin=NONE_OF_THESE_MARGIN, how="none of the others fits",
            warnings=(found.reason,),
        )  # fmt: skip
    if listed is not None:
        return found
    return _clearly_nearest(value, question) or _runner_up(value, ranking, question) or found


def match_one(value: Value, question: Question) -> Match | NoMatch:
    """The option that means this value and no other, without runners-up."""
    return _compare(value, ordinary(question, value))


def _compare(value: Value, choices: Choices) -> Match | NoMatch:
    if not choices.options:
        return NoMatch(reason="The question has no options to choose from.")
    return _by_kind(value, choices)


def _by_kind(value: Value, choices: Choices) -> Match | NoMatch:
    match value:
        case Quantity():
            return _match_quantity(value, choices)
        case answer.ClockTime():
            return match_clock(value, choices)
        case answer.YesNo():
            return match_yes_no(value, choices)
        case answer.Named():
            return match_named(value, choices)
        case answer.Text():
            return match_text(value, choices)
        case answer.Sequence():
            return match_sequence(value, choices)
        case answer.NameSet():
            return match_set(value, choices)
        case answer.Schedule():
            return match_schedule(value, choices)
        case OptionPick():
            return _match_pick(value, choices)


def _break_tie(
    found: NoMatch, value: Value, others: tuple[Value, ...], question: Question
) -> Match | NoMatch:
    """The one of equally good options that says the most of what is told with the value."""
    choices = ordinary(question, value).only(found.tied)
    alone = match_alone(value, choices) if isinstance(value, answer.Named) else None
    if alone is not None:
        return alone
    for other in (*_noted(value), *others):
        decided = _compare(other, choices)
        if isinstance(decided, Match):
            return replace(decided, margin=round(decided.margin * TIE_BREAK_SHARE, 4))
        if decided.tied:
            choices = choices.only(decided.tied)
    return found


def _noted(value: Value) -> tuple[Quantity, ...]:
    """The measures told beside a name ("Saint Anne Hospital, 19 minutes")."""
    if not isinstance(value, answer.Named):
        return ()
    times = [Quantity(value=span.value, unit="s") for span in find_durations(value.note)]
    lengths = [Quantity(value=span.value, unit="m") for span in find_distances(value.note)]
    return (*times, *lengths)


def _clearly_nearest(value: Value, question: Question) -> Match | None:
    if option_for_unanswerable(question) is not None:
        return None
    choices = ordinary(question, value)
    if isinstance(value, Quantity) and value.unit == "minutes_of_day":
        value = _clock_of(value)
    if isinstance(value, Quantity):
        return nearest_amount(value, choices)
    return nearest_clock(value, choices) if isinstance(value, answer.ClockTime) else None


def _runner_up(value: Value, ranking: tuple[Value, ...], question: Question) -> Match | None:
    for rank, other in enumerate(ranking, start=1):
        if isinstance(value, Quantity) and not isinstance(other, Quantity):
            continue  # what decides between options with one number does not stand in for the number
        found = match_one(other, question)
        if isinstance(found, Match):
            warning = f"The best value, {render(value)}, is not among the options; {found.text} comes next."
            margin = round(found.margin * RUNNER_UP_SHARE**rank, 4)
            return replace(found, margin=margin, rank=rank, warnings=(*found.warnings, warning))
    return None


def _match_pick(value: OptionPick, choices: Choices) -> Match | NoMatch:
    """The solver judged the options itself; its index and its text must belong together."""
    for option in choices.options:
        if option.index == value.index and same_text(option.text, value.text):
            return Match(index=option.index, text=option.text, margin=1.0, how="judged")
    return NoMatch(reason=f"Option {value.index + 1} does not read '{value.text}'.")


def _match_quantity(value: Quantity, choices: Choices) -> Match | NoMatch:
    if value.unit != "minutes_of_day":
        return match_quantity(value, choices)
    return match_clock(_clock_of(value), choices)


def _clock_of(value: Quantity) -> answer.ClockTime:
    minutes = round(value.value) % (24 * MINUTES_PER_HOUR)
    return answer.ClockTime(at=time(*divmod(minutes, MINUTES_PER_HOUR)))
