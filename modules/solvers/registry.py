"""Which solver carries out which intent."""

from collections.abc import Callable, Mapping
from importlib import import_module

from map_tools.errors import PlanError
from mapagent.answer import Solution
from modules.offline.intents import Intent
from modules.view import CannotTellError, View

SOLVERS: Mapping[str, str] = {
    "place_fact": "modules.solvers.place:solve_place_fact",
    "open": "modules.solvers.openings:solve_open",
    "compare_places": "modules.solvers.compare:solve_compare_places",
    "nearby": "modules.solvers.nearby:solve_nearby",
    "distance": "modules.solvers.geometry:solve_distance",
    "bearing": "modules.solvers.geometry:solve_bearing",
    "direction_pick": "modules.solvers.picks:solve_direction_pick",
    "between": "modules.solvers.picks:solve_between",
    "closer": "modules.solvers.picks:solve_closer",
    "within": "modules.solvers.within:solve_within",
    "pair": "modules.solvers.picks:solve_pair",
    "route": "modules.solvers.route:solve_route",
    "trip": "modules.solvers.trip:solve_trip",
}
"""Intent kind → "module:function"; a solver is imported when its first question comes."""


def solver_of(kind: str) -> Callable[[Intent, View], Solution | None]:
    """The function that solves intents of this kind.

    Raises:
        PlanError: No solver is registered for the kind.
    """
    if kind not in SOLVERS:
        raise PlanError(f"There is no solver for intents of kind '{kind}'.", f"Known: {', '.join(SOLVERS)}.")
    module, _, function = SOLVERS[kind].partition(":")
    found: Callable[[Intent, View], Solution | None] = getattr(import_module(module), function)
    return found


def solve(intent: Intent, view: View) -> Solution | None:
    """Solves an intent from the facts of a view.

    Returns:
        The solution; None while the view still waits for facts (its `needs` say which).
        Where the evidence does not tell, a solution with that status and its reason.
    """
    try:
        return solver_of(intent.kind)(intent, view)
    except CannotTellError as error:
        return Solution(status=error.status, reason=error.reason)
