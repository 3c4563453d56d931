"""Option matching by meaning: which option says what the solver found.

One comparison for each kind of value; all of them end in a `Match` with the margin by which the option leads,
or in a `NoMatch` that says why. Options of different meaning never win by chance: a tie names them all.
"""

from dataclasses import replace
from datetime import time
from typing import Literal

from map_tools.compute.measures import find_distances, find_durations
from map_tools.text import normalise
from mapagent.core import answer
from mapagent.core.answer import OptionPick, Quantity, Value, YesNo
from mapagent.core.question import Question
from modules.answer_generator.amounts import counts
from modules.answer_generator.orders import (
    match_alone,
    match_listed,
    match_schedule,
    match_sequence,
    match_set,
)
from modules.answer_generator.outcome import (
    SAME,
    Choices,
    Fit,
    Match,
    NoMatch,
    Option,
    decide,
    has_phrase,
    phrases,
    same_text,
)
from modules.answer_generator.quantities import (
    match_clock,
    match_quantity,
    nearest_amount,
    nearest_clock,
)
from modules.answer_generator.render import render
from modules.answer_generator.texts import match_named, match_text

__all__ = ["Match", "NoMatch", "match", "match_one", "option_for_unanswerable"]

RUNNER_UP_SHARE = 0.6
"""A runner-up keeps this share of its margin for each place it stands behind the best value."""

NONE_OF_THESE_MARGIN = 0.5
TIE_BREAK_SHARE = 0.8
MINUTES_PER_HOUR = 60

type Special = Literal["none", "unknown"]

BARE_NONE = "none"
"""Zero for a count, "none of these" for everything else."""

NEGATIVE_STATES = ("closed", "impossible", "unavailable", "infeasible")
"""States a question may ask for ("Is it closed?"): an option naming one then means yes."""


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


def special_kind(text: str, *, counting: bool = False) -> Special | None:
    """What kind of no-answer an option is; None for an ordinary option.

    A phrase of several words may go on ("None of the above routes"); a single word stands alone.
    """
    folded = normalise(text)
    if folded == BARE_NONE:
        return None if counting else "none"
    kinds: tuple[Special, Special] = ("unknown", "none")
    for kind in kinds:
        for phrase in phrases("special", kind):
            if folded == phrase or (" " in phrase and folded.startswith(f"{phrase} ")):
                return kind
    return None


def ordinary(question: Question, value: Value) -> Choices:
    """The options a value can mean."""
    counting = isinstance(value, Quantity) and value.unit == "count"
    options = tuple(
        Option(index, text)
        for index, text in question.live_options()
        if special_kind(text, counting=counting) is None
    )
    return Choices(question=question, options=options)


def option_for_unanswerable(question: Question) -> Option | None:
    """The option that says that the question has no answer; "cannot tell" before "none of these".

    A bare "None" among numbers is a zero.
    """
    counting = any(counts(text) for _, text in question.live_options() if normalise(text) != BARE_NONE)
    return _longest(question, "unknown", counting=counting) or _longest(question, "none", counting=counting)


def none_of_these(question: Question) -> Option | None:
    """The option that says that no other option is right."""
    return _longest(question, "none")


def _longest(question: Question, kind: Special, *, counting: bool = False) -> Option | None:
    """The option of this kind; of several the longest, for their order tells nothing."""
    found = [
        Option(index, text)
        for index, text in question.live_options()
        if special_kind(text, counting=counting) == kind
    ]
    return max(found, key=lambda option: (len(option.text), option.text), default=None)


def match_yes_no(value: YesNo, choices: Choices) -> Match | NoMatch:
    """The option that says yes or no."""
    fits = [
        Fit(option, SAME if polarity(option.text, choices.question.text) is value.value else 0.0)
        for option in choices.options
    ]
    return decide(fits, floor=SAME, how="yes or no", shown="yes" if value.value else "no")


def polarity(text: str, question: str = "") -> bool | None:
    """True for yes, False for no, None if a text says neither.

    The first word decides if it is yes or no; otherwise any negative phrase, then any positive one. A state
    the question itself asks for counts as yes.
    """
    folded = normalise(text)
    first = folded.split()[0] if folded else ""
    if first in {"yes", "yeah", "yep", "true"}:
        return True
    if first in {"no", "nope", "false"}:
        return False
    state = next((word for word in NEGATIVE_STATES if has_phrase(folded, (word,))), None)
    if state is not None and has_phrase(question, (state,)):
        return not has_phrase(folded, ("not",))
    if has_phrase(folded, phrases("polarity", "no")):
        return False
    if has_phrase(folded, phrases("polarity", "yes")):
        return not any(has_phrase(question, (word,)) for word in NEGATIVE_STATES)
    return None
