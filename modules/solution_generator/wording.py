"""Claims in words: what a step of the derivation says to the person who reads the evidence.

The claim itself, with its rule and exact numbers, is what verification recomputes; its words are only shown.
The rules and their arguments are those of `modules.answer_generator.verify.rules`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from map_tools.compute.conflicts import clock_of
from map_tools.compute.geodesy import wind, wind_name
from map_tools.facts import ComputedFact
from mapagent.answer import Claim
from mapagent.facttext import LIST_LIMIT
from modules.solvers.measures import measure_words

SUMMED = " (summed)"
"""What solvers put behind a unit whose values are sums of their own (`RouteCase.claim_measures`)."""

type Words = Callable[[Any, Mapping[str, Any]], tuple[str, str, str]]


def fact_of(claim: Claim) -> ComputedFact:
    """The claim as a fact to be shown: what was computed, the result with its unit, what it was made from."""
    plain = _plain(claim.rule)
    try:
        label, value, formula = _WORDS.get(claim.rule, plain)(claim.result, claim.arguments)
    except (KeyError, TypeError, ValueError):
        # A model's draft may bring arguments that the rule does not know: verification objects to it by name.
        label, value, formula = plain(claim.result, claim.arguments)
    return ComputedFact(label=label, value=value, formula=formula)


def _lookup(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    field = str(arguments["field"]).replace(".", ": ").replace("_", " ")
    return f"{field} of {arguments['place']}", _text(result), ""


def _travel(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    unit = str(arguments.get("unit") or "s")
    what = "time" if unit == "s" else "way"
    ends = f"from {arguments['origin']} to {arguments['destination']}"
    via = f"via {arguments['route']}" if arguments.get("route") else ""
    return f"{arguments['mode']} {what} {ends}", _measure(result, unit), via


def _distance(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    return f"straight line from {arguments['a']} to {arguments['b']}", _measure(result, "m"), ""


def _bearing(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    towards = wind_name(wind(float(result)))
    return f"direction from {arguments['a']} to {arguments['b']}", towards, f"{float(result):.0f}° from north"


def _sum(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    return "total", *_reckoning(" + ", result, arguments)


def _difference(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    return "difference", *_reckoning(" − ", result, arguments)


def _reckoning(sign: str, result: Any, arguments: Mapping[str, Any]) -> tuple[str, str]:
    unit = str(arguments.get("unit") or "")
    return _measure(result, unit), sign.join(_measure(value, unit) for value in arguments["values"])


def _least(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    return _ranked("smallest", result, arguments)


def _greatest(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    return _ranked("greatest", result, arguments)


def _ranked(end: str, result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    rank = int(arguments.get("k") or 1)
    unit = str(arguments.get("unit") or "")
    label = end if rank == 1 else f"number {rank} from the {end} on"
    items = (f"{name} {_measure(value, unit)}" for name, value in arguments["values"].items())
    # A rank is the place in a list whose own measures are not known: it tells nothing beside the names.
    return label, _text(result), _listed(arguments["values"] if unit == "rank" else items)


def _count(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    return "number", _text(result), _listed(map(str, arguments["labels"]))


def _filter(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:  # noqa: ARG001 (kept says more)
    dropped = f"not {_listed(arguments['dropped'])}" if arguments["dropped"] else ""
    return str(arguments["condition"]), _listed(arguments["kept"]) or "none", dropped


def _open(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    return f"{arguments['place']} open at {arguments['at']}", "yes" if result else "no", ""


def _step(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    via = f" via {arguments['route']}" if arguments.get("route") else ""
    after = f" after {arguments['after']}" if arguments.get("after") else ""
    return f"instruction{via}{after}", _text(result), ""


def _itinerary(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    parts = [f"start {clock_of(arguments['start_s'])}"]
    parts += [f"{a} to {b} {_measure(duration_s, 's')}" for a, b, duration_s in arguments["legs"]]
    parts += [f"{_measure(stay_s, 's')} at {name}" for name, stay_s in arguments.get("dwell", {}).items()]
    parts += [
        f"{_measure(wait_s, 's')} waiting at {name}" for name, wait_s in arguments.get("waits", {}).items()
    ]
    return f"end of the trip {' → '.join(arguments['order'])}", clock_of(result), ", ".join(parts)


def _option(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:  # noqa: ARG001 (texts say it)
    first, *others = (str(text) for text in arguments["texts"])
    rest = f"rather than {_listed(others)}" if others else ""
    return "option that fits", first, str(arguments.get("reason") or rest)


def _plain(rule: str) -> Words:
    """The words of a rule that a module from outside brought."""

    def words(result: Any, arguments: Mapping[str, Any]) -> tuple[str, str, str]:
        return rule, _text(result), ", ".join(f"{name} {_text(value)}" for name, value in arguments.items())

    return words


def _measure(value: Any, unit: str) -> str:
    """A measure with its unit; "m (summed)" marks what is stated nowhere as such and reads as metres do."""
    if not isinstance(value, int | float):
        return _text(value)
    return measure_words(float(value), unit.removesuffix(SUMMED))


def _text(value: Any) -> str:
    """A value for reading: numbers to six digits, lists and tables item by item."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value))
    return "not known" if value is None else str(value)


def _listed(items: Iterable[str]) -> str:
    """Names in a row; of a long row the rest is counted."""
    names = list(items)
    more = len(names) - LIST_LIMIT
    return "; ".join(names[:LIST_LIMIT]) + (f" and {more} more" if more > 0 else "")


_WORDS: Mapping[str, Words] = {
    "lookup": _lookup,
    "travel": _travel,
    "distance": _distance,
    "bearing": _bearing,
    "sum": _sum,
    "difference": _difference,
    "min": _least,
    "max": _greatest,
    "count": _count,
    "filter": _filter,
    "open": _open,
    "step": _step,
    "itinerary": _itinerary,
    "option": _option,
}
