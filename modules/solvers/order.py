"""Ranking things by one number, and saying so."""

from collections.abc import Sequence
from dataclasses import dataclass

from mapagent.answer import Named, Solution, YesNo
from modules.offline.intents import Compare
from modules.solvers.choices import Choice
from modules.solvers.common import Trail
from modules.solvers.measures import measure_words
from modules.view import CannotTellError, View


@dataclass(frozen=True, slots=True)
class Scored:
    """A choice and its measure in `unit` ("m", "s", "rating", ...), with the evidence it rests on."""

    choice: Choice
    measure: float
    unit: str
    evidence_id: str = ""


def ranked(
    view: View, trail: Trail, scored: Sequence[Scored], pick: Compare, words: str, *, k: int = 1
) -> Solution:
    """The choice with the least or greatest measure, or the k-th from there; what follows are runners-up.

    `words` say what the measure is, for the explanation ("From the station").

    Raises:
        CannotTellError: There are fewer than `k`.
    """
    order = sorted(scored, key=lambda one: one.measure, reverse=pick is Compare.MAX)
    if len(order) < k:
        raise CannotTellError(f"Only {len(order)} places can be compared, not {k}.")
    best = order[k - 1]
    inputs = [one.evidence_id for one in order if one.evidence_id]
    inputs += [found.evidence_id for one in order for found in one.choice.places]
    trail.claim(
        pick.value,
        inputs,
        best.choice.label,
        values={one.choice.label: one.measure for one in order},
        unit=best.unit,
        k=k,
    )
    if len(order) > k and best.measure == order[k].measure:
        trail.warn(f"{best.choice.label} and {order[k].choice.label} are equal.")
    listed = ", ".join(f"{one.choice.label} {measure_words(one.measure, one.unit)}" for one in order)
    return trail.answered(
        best.choice.value(view), f"{words}: {listed}.", [one.choice.value(view) for one in order[k:]]
    )


def claimed(view: View, solution: Solution, claim: str | None) -> Solution:
    """For a yes/no question: whether the place found is the one it was said to be.

    Two places that are equal fulfil no claim of being more than the other, so a tie is a no.
    """
    if claim is None or not isinstance(solution.value, Named):
        return solution
    said = view.try_place(claim)
    won = said is not None and solution.value.place is not None and said.place.id == solution.value.place.id
    tied = any("are equal" in warning for warning in solution.warnings)
    return solution.model_copy(update={"value": YesNo(value=won and not tied), "ranking": ()})
