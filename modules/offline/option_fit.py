"""Which kinds of questions the options can be answers to: "North" answers no question after a route."""

import re

from modules.offline.analysis import Analysis
from modules.offline.intents import Attribute, Intent, OpenIntent, RouteIntent
from modules.offline.route_grammar_passed import are_steps

MISFIT = 0.3
"""Taken off a reading whose answer could be none of the options."""

_GEOMETRY = frozenset({"distance", "bearing", "pair", "between", "direction_pick", "closer", "within"})
_FACTS = frozenset({"place_fact", "open"})
_NEVER: dict[str, frozenset[str]] = {
    "direction": frozenset({"distance", "pair", "between", "closer", "within", "route", "trip", *_FACTS}),
    "pair": frozenset({"bearing", "route", *_FACTS}),
    "via": frozenset({"nearby", "compare_places", *_GEOMETRY, *_FACTS}),
    "duration": _GEOMETRY,
    "clock": _GEOMETRY,
    "distance": (_GEOMETRY | _FACTS) - {"distance"},
}
"""By the kind of the options the kinds of questions they never answer."""
_NUMBERS = frozenset({Attribute.RATING, Attribute.RATING_COUNT})
_VERDICTS = frozenset({"is_open", "is_closed"})
_VERDICT = re.compile(r"\b(?:yes|no|not|open\w*|clos\w+)\b|\d", re.IGNORECASE)
_STEPS = frozenset({"first_step", "last_step", "next_step", "turn_onto"})
_NO_STEP = frozenset({"nearby", "compare_places", *_GEOMETRY, *_FACTS})


def can_be(analysis: Analysis, fact: Attribute) -> bool:
    """False if a fact is a number and the options hold none: names are to be chosen from."""
    named = analysis.option_kind == "text" and not any(char.isdigit() for char in "".join(analysis.options))
    return not (named and fact in _NUMBERS)


def _are_names(analysis: Analysis) -> bool:
    """True if no option says whether something is so ("It is closed then", "No, it opens at 9")."""
    return analysis.option_kind == "text" and not any(_VERDICT.search(option) for option in analysis.options)


def misfit(analysis: Analysis, intent: Intent) -> float:
    """What is taken off a reading for the options it could not be answered with."""
    if isinstance(intent, RouteIntent) and intent.ask in _STEPS:
        return 0.0  # "Head north" may be its answer
    if isinstance(intent, OpenIntent) and intent.ask in _VERDICTS and _are_names(analysis):
        return MISFIT
    never = _NO_STEP if are_steps(analysis.options) else _NEVER.get(analysis.option_kind, frozenset())
    return MISFIT if intent.kind in never else 0.0
