"""Solver for places to be put in order by their distance or travel time from one place."""

from mapagent.answer import Named, Sequence, Solution
from modules.intents import CloserIntent
from modules.solvers.picks import solve_closer
from modules.view import CannotTellError, View


def solve_closer_or_order(intent: CloserIntent, view: View) -> Solution | None:
    """Which place is nearest (or farthest), or all of them in order if the question wants that.

    Raises:
        CannotTellError: The places are unknown, or one of them cannot be measured.
    """
    solution = solve_closer(intent, view)
    if not intent.in_order or solution is None or solution.value is None:
        return solution
    names = tuple(one.name for one in (solution.value, *solution.ranking) if isinstance(one, Named))
    if len(names) < len(intent.candidates):
        raise CannotTellError(f"Only {', '.join(names)} could be measured, so the order is not known.")
    return solution.model_copy(update={"value": Sequence(names=names), "ranking": ()})
