"""How long or how far one stays on one street of a route, by the steps that lie on it."""

from map_tools.compute import route_steps
from mapagent.answer import Quantity, Solution
from modules.solvers.measures import measure_words
from modules.solvers.route_case import RouteCase
from modules.view import CannotTellError


def stretch(case: RouteCase) -> Solution | None:
    """The time or the length of the steps on the street `stretch`, added up; the single steps come next.

    Raises:
        CannotTellError: The route does not run along the street, or a step on it has no such measure.
    """
    found = case.chosen()
    if found is None:
        return None
    item, fact, route = found
    street, unit = case.intent.stretch or "", "m" if case.intent.ask == "distance" else "s"
    on_it = [step for step in route.steps if route_steps.on_street(step, street)]
    name = case.name_of(fact, route)
    if not on_it:
        raise CannotTellError(f"The steps of the route via {name} do not run along {street}.")
    measured = [step.distance_m if unit == "m" else step.duration_s for step in on_it]
    values = [value for value in measured if value is not None]
    if len(values) < len(on_it):
        raise CannotTellError(f"The steps of the route via {name} do not say how long {street} is.")
    total = sum(values)
    case.trail.claim("sum", (item.id,), total, values=values, unit=unit)
    shown = " + ".join(measure_words(value, unit) for value in values)
    single = [Quantity(value=value, unit=unit) for value in sorted(values, reverse=True)]
    words = f"via {name} on {street}: {shown} = {measure_words(total, unit)}"
    return case.answered(Quantity(value=total, unit=unit), words, single)
