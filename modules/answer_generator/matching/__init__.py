"""Option matching by meaning: which option says what the solver found.

One comparison for each kind of value; all of them end in a `Match` with the margin by which the option leads,
or in a `NoMatch` that says why. Options of different meaning never win by chance: a tie names them all.
"""

from collections.abc import Callable, Mapping
from datetime import time
from typing import cast

from mapagent import answer
from mapagent.answer import OptionPick, Quantity, Value
from mapagent.question import Question
from modules.answer_generator.matching.clocks import match_clock
from modules.answer_generator.matching.names import match_named
from modules.answer_generator.matching.orders import match_schedule, match_sequence, match_set
from modules.answer_generator.matching.outcome import Choices, Match, NoMatch, same_text
from modules.answer_generator.matching.quantities import match_quantity
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


def match(value: Value, ranking: tuple[Value, ...], question: Question) -> Match | NoMatch:
    """The option that means the value; failing that, "none of these", or the best runner-up with a warning.

    Args:
        value: What the solver found.
        ranking: Runners-up in falling order; they also decide between options that fit the value equally well
            if they are of another kind (a yes with the closing time).
        question: Its options; empty ones keep their index and are never chosen.
    """
    found = match_one(value, question)
    if isinstance(found, Match):
        return found
    if found.tied:
        return _break_tie(found, value, ranking, question)
    none = none_of_these(question)
    if none is not None:
        return Match(
            index=none.index, text=none.text, margin=NONE_OF_THESE_MARGIN, how="none of the others fits",
            warnings=(found.reason,),
        )  # fmt: skip
    return _runner_up(value, ranking, question) or found


def match_one(value: Value, question: Question) -> Match | NoMatch:
    """The option that means this value and no other, without runners-up."""
    return _compare(value, ordinary(question, value))


def _compare(value: Value, choices: Choices) -> Match | NoMatch:
    if not choices.options:
        return NoMatch(reason="The question has no options to choose from.")
    return _COMPARERS[value.kind](value, choices)


def _break_tie(found: NoMatch, value: Value, ranking: tuple[Value, ...], question: Question) -> Match | NoMatch:
    choices = ordinary(question, value).only(found.tied)
    for other in ranking:
        if other.kind == value.kind:
            continue
        decided = _compare(other, choices)
        if isinstance(decided, Match):
            return decided.model_copy(update={"margin": round(decided.margin * TIE_BREAK_SHARE, 4)})
    return found


def _runner_up(value: Value, ranking: tuple[Value, ...], question: Question) -> Match | None:
    share = 1.0
    for other in ranking:
        share *= RUNNER_UP_SHARE
        found = match_one(other, question)
        if isinstance(found, Match):
            warning = f"The best value, {render(value)}, is not among the options; {found.text} comes next."
            return found.model_copy(
                update={"margin": round(found.margin * share, 4), "warnings": (*found.warnings, warning)}
            )
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
    minutes = round(value.value) % (24 * MINUTES_PER_HOUR)
    return match_clock(answer.ClockTime(at=time(*divmod(minutes, MINUTES_PER_HOUR))), choices)


_COMPARERS: Mapping[str, Callable[[Value, Choices], Match | NoMatch]] = {
    "quantity": lambda value, choices: _match_quantity(cast(Quantity, value), choices),
    "clock": lambda value, choices: match_clock(cast(answer.ClockTime, value), choices),
    "yes_no": lambda value, choices: match_yes_no(cast(answer.YesNo, value), choices),
    "named": lambda value, choices: match_named(cast(answer.Named, value), choices),
    "text": lambda value, choices: match_text(cast(answer.Text, value), choices),
    "sequence": lambda value, choices: match_sequence(cast(answer.Sequence, value), choices),
    "names": lambda value, choices: match_set(cast(answer.NameSet, value), choices),
    "schedule": lambda value, choices: match_schedule(cast(answer.Schedule, value), choices),
    "option": lambda value, choices: _match_pick(cast(OptionPick, value), choices),
}
