"""When a name fits several places: the answer stands only if all of them, or the options, agree on it."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice, product

from map_tools.ids import ID_PREFIX
from map_tools.types import Place
from mapagent.answer import Named, Quantity, Solution, Status, Text, Value
from modules.names import normalise
from modules.solvers.common import title
from modules.view import CannotTellError, Found, View

MAX_READINGS = 12
"""At most so many combinations of rival places are worked through."""

MAX_RIVALS = 4
"""At most so many rivals of one name are looked at."""

SAME_SHARE = 0.02
"""Two quantities this close (2 %) are the same answer: rivals are at least a street apart, so a long distance
measured from either reads alike."""

Judge = Callable[[tuple[Found, ...]], Solution | None]
"""Works the question out for one reading of its place names."""


def settle(view: View, founds: Sequence[Found], judge: Judge) -> Solution | None:
    """Works a question out for every place its names may mean.

    Returns:
        The common answer; or the one answer that is among the options; else a solution with status AMBIGUOUS
        that names the candidates. None while facts are still to be fetched.

    Raises:
        CannotTellError: No reading has an answer.
    """
    if not any(found.rivals for found in founds):
        return judge(tuple(founds))
    readings = list(islice(product(*(_readings(view, found) for found in founds)), MAX_READINGS))
    outcomes = [_attempt(judge, reading) for reading in readings]
    if view.waiting:
        return None
    answered = [
        (reading, outcome)
        for reading, outcome in zip(readings, outcomes, strict=True)
        if isinstance(outcome, Solution) and outcome.value is not None
    ]
    # A place whose source is silent, or that was not looked at, may well differ: that is no agreement.
    all_seen = all(len(found.rivals) <= MAX_RIVALS for found in founds)
    if not answered and all_seen:
        raise next(outcome for outcome in outcomes if isinstance(outcome, CannotTellError))
    if answered and all_seen and len(answered) == len(readings):
        first = answered[0][1]
        if all(same_answer(first.value, outcome.value) for _, outcome in answered):
            return _warned(first, f"{_names(founds)} fits several places; they agree on the answer.")
    return _by_options(view, answered) or Solution(status=Status.AMBIGUOUS, reason=_reason(founds))


def same_answer(a: Value | None, b: Value | None) -> bool:
    """True if two values say the same."""
    if isinstance(a, Quantity) and isinstance(b, Quantity) and a.unit == b.unit:
        return abs(a.value - b.value) <= SAME_SHARE * max(abs(a.value), abs(b.value))
    if isinstance(a, Text) and isinstance(b, Text):
        return normalise(a.text) == normalise(b.text)
    if isinstance(a, Named) and isinstance(b, Named):
        return normalise(a.name) == normalise(b.name)
    return a == b


def option_of(view: View, value: Value, ranking: Iterable[Value] = ()) -> int | None:
    """Index of the option that means this value; None if none does, or if there are no options."""
    if not view.question.live_options():
        return None
    from modules.answer_generator.matching import Match, match

    outcome = match(value, tuple(ranking), view.question)
    return outcome.index if isinstance(outcome, Match) else None


def _readings(view: View, found: Found) -> list[Found]:
    """The place found and its rivals, each with all that is known of it."""
    readings = [Found(place=found.place, evidence_id=found.evidence_id)]
    for rival in found.rivals[:MAX_RIVALS]:
        full = view.try_place(ID_PREFIX + rival.id)
        known = full.place if full else rival
        readings.append(Found(place=known, evidence_id=full.evidence_id if full else found.evidence_id))
    return readings


def _attempt(judge: Judge, reading: tuple[Found, ...]) -> Solution | CannotTellError | None:
    try:
        return judge(reading)
    except CannotTellError as error:
        return error


def _by_options(view: View, answered: Sequence[tuple[tuple[Found, ...], Solution]]) -> Solution | None:
    """The solution whose value is an option, if the options leave only one choice."""
    fitting: dict[int, tuple[tuple[Found, ...], Solution]] = {}
    for reading, outcome in answered:
        index = option_of(view, outcome.value) if outcome.value is not None else None
        if index is not None:
            fitting.setdefault(index, (reading, outcome))
    if len(fitting) != 1:
        return None
    reading, outcome = next(iter(fitting.values()))
    meant = " and ".join(describe(found.place) for found in reading)
    return _warned(outcome, f"The name fits several places; only {meant} leads to one of the options.")


def describe(place: Place) -> str:
    """A place with what tells it from its namesakes: its address, else its position."""
    where = place.address or (str(place.location) if place.location else place.id)
    return f"{title(place)} ({where})"


def _names(founds: Sequence[Found]) -> str:
    return " and ".join(f"'{title(found.place)}'" for found in founds if found.rivals)


def _reason(founds: Sequence[Found]) -> str:
    parts = []
    for found in founds:
        if found.rivals:
            listed = "; ".join(describe(place) for place in (found.place, *found.rivals[:MAX_RIVALS]))
            parts.append(f"'{title(found.place)}' may mean: {listed}.")
    return " ".join([*parts, "Say which one, for example by its street or district."])


def _warned(solution: Solution, text: str) -> Solution:
    return solution.model_copy(update={"warnings": (*solution.warnings, text)})
