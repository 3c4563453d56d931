"""Questions about one route: how long, how far, which way, what comes next, which mode."""

import re
from typing import Literal

from map_tools.compute.quantities import parse_ordinal
from map_tools.types import TravelMode
from modules.names import same_name
from modules.offline.analysis import Analysis, Span
from modules.offline.intents import BACK, HERE, RouteIntent
from modules.offline.reading import Reading, score
from modules.offline.route_grammar_asks import (
    FEATURES,
    Ask,
    after_words,
    ask_of,
    asks_yes_no,
    feature_asked,
    more_features,
    option_modes,
    shunned,
)
from modules.offline.route_grammar_frame import Frame, frame_of, named_routes
from modules.offline.route_grammar_names import slots
from modules.offline.route_grammar_order import read_order
from modules.offline.route_grammar_passed import are_steps
from modules.offline.route_grammar_reach import read_reach
from modules.offline.route_grammar_stretch import stretch_asked
from modules.offline.route_grammar_ways import read_ways
from modules.offline.route_grammar_written import written_names
from modules.offline.route_vocabulary import pattern, says, street_like
from modules.offline.trip_grammar_stops import speaks_of_way_back

TURN_ASKS = frozenset(
    ("next_step", "next_street", "previous_street", "exit", "landmark", "count", "turn_onto")
)
"""Questions about a place on the route, so that the route itself may be named by a street."""

STEP_ASKS = frozenset(("first_step", "last_step", "next_step", "turn_onto"))

FEATURE_ASKS = frozenset(("count", "has", "fewest", "most"))

SELECTS: tuple[Literal["slowest", "shortest", "longest"], ...] = ("slowest", "shortest", "longest")

GUESS_DOUBT = 0.6
"""Taken off a choice of a way by no measure that the question names."""
_MUCH = 2
"""So many words that a reading does not explain tell something of the way that is meant."""

type FarEnd = Literal["slowest", "longest"]

_NEAR_END: dict[FarEnd, Literal["fastest", "shortest"]] = {"slowest": "fastest", "longest": "shortest"}


def read(analysis: Analysis) -> list[Reading]:
    """Readings as a question about one route, or about which place is reached first."""
    ranked = read_order(analysis) or read_ways(analysis)
    told = analysis.option_kind == "via" or are_steps(analysis.options)
    if ranked is None and not told and not says(analysis.text, "pattern", "gate"):
        return []
    reached = [ranked] if ranked is not None else read_reach(analysis)
    frame = None if reached else frame_of(analysis)
    ask = ask_of(frame) if frame is not None else None
    if frame is None or ask is None:
        return reached
    intent, used = _intent(frame, ask), _used(frame, ask)
    cue = _cue(frame, ask) - GUESS_DOUBT * _is_guess(frame, ask, used)
    return [Reading(intent, score(analysis, cue, used))]


def _is_guess(frame: Frame, ask: Ask, used: list[Span]) -> bool:
    """True if the fastest of the ways to choose from would be named though the question asks for more."""
    plain = ask == "via" and frame.analysis.option_kind == "via"
    told = any(says(frame.asking, "select", select) for select in (*SELECTS, "fastest"))
    tokens = zip(frame.analysis.tokens, frame.analysis.sentence, strict=True)
    asked = next(token.start for token, number in tokens if number == frame.analysis.sentence[-1])
    return plain and not told and len(frame.analysis.unexplained([*used, (0, asked)])) >= _MUCH


def _intent(frame: Frame, ask: Ask) -> RouteIntent:
    analysis, text = frame.analysis, frame.asking
    compared = named_routes(frame) if ask == "difference" else ()
    far = _far_end(frame, ask)
    back = ask == "difference" and says(text, "pattern", "than_back") is not None
    along, stops = (compared[0], ()) if len(compared) == 2 else _along(frame, ask)
    unwanted = _ruled_out(analysis)
    modes = tuple(dict.fromkeys(mark.value for mark in analysis.modes if mark.value not in unwanted))
    if ask == "best_mode":
        modes = tuple(mode for mode in option_modes(frame) if mode not in unwanted) or modes
    of_modes = ask == "best_mode" or (ask == "difference" and len(modes) > 1)
    limits = _limits(frame, ask)
    pace = says(text, "pattern", "afoot") if not modes else None
    feature = feature_asked(frame, ask)
    claim = modes[0] if ask == "best_mode" and says(text, "pattern", "claiming") else None
    in_metres = analysis.option_kind == "distance"
    selected = _select_claimed(text) if claim else _select(text, ask, along, in_metres=in_metres)
    return RouteIntent(
        origin=frame.origin or HERE,
        destination=frame.destination,
        via=stops,
        mode=TravelMode.WALKING if pace else None if of_modes or not modes else modes[0],
        modes=modes if of_modes else (),
        select=_NEAR_END[far] if far else selected,
        along=along,
        ask=ask,
        after=_after(frame, ask),
        feature=feature,
        against=compared[1] if len(compared) == 2 else BACK if back else far,
        more_features=more_features(frame, ask, feature),
        at_most=limits[0],
        at_least=limits[1],
        limit_unit="m" if ask in {"via", "alternatives"} and analysis.distances else "s",
        claim=claim,
        pace=pace.group().split()[-1] if pace else None,
        also=_both_measures(frame, ask),
        nth=_nth(frame) if ask in {"exit", "next_step"} else None,
        stretch=stretch_asked(analysis) if ask in {"duration", "distance"} else None,
        without=shunned(frame.text) if ask in {"duration", "distance"} else (),
    )


def _ruled_out(analysis: Analysis) -> set[TravelMode]:
    """The modes one cannot or will not use ("I don't have a car and don't want to walk")."""
    text = analysis.text.casefold()
    said = {mark: says(text[: mark.start], "pattern", "ruled_out") for mark in analysis.modes}
    wished = {mark.value for mark, ruled_out in said.items() if not ruled_out}
    unwanted = {mark.value for mark in said} - wished
    lacking = pattern("pattern", "lacking").finditer(text)
    return unwanted | {TravelMode.DRIVING if match["car"] else TravelMode.BICYCLING for match in lacking}


def _along(frame: Frame, ask: Ask) -> tuple[str | None, tuple[str, ...]]:
    """The street(s) that tell the route from others, and the stops on the way."""
    if frame.route is not None:
        return frame.route.text, ()
    if ask in {"most", "fewest"}:
        return None, ()
    vias = frame.vias[:1]
    if not vias:
        return None, ()
    text = vias[0].text
    if (
        ask in TURN_ASKS
        or street_like(text)
        or says(frame.text[: vias[0].cue_start], "pattern", "way_before")
    ):
        return text, ()
    parts = tuple(part for part in re.split(r",\s*(?:and\s+)?|\s+and\s+(?:then\s+)?", text) if part)
    return None, parts


def _select(
    text: str, ask: Ask, along: str | None, *, in_metres: bool
) -> Literal["fastest", "shortest", "longest", "slowest", "along"]:
    if along and ask not in {"via", "difference"}:
        return "along"
    if ask == "best_mode" and says(text, "select", "fastest"):
        return "fastest"
    if ask == "difference" and says(text, "select", "by_time"):
        return "slowest" if says(text, "select", "slowest") else "fastest"
    if ask == "difference" and (says(text, "select", "by_distance") or in_metres):
        return "shortest"
    return next((choice for choice in SELECTS if says(text, "select", choice)), "fastest")


def _far_end(frame: Frame, ask: Ask) -> FarEnd | None:
    """For a difference between the best route and the worst: how the worst is told."""
    if ask != "difference":
        return None
    said = [
        far for far, near in _NEAR_END.items() if all(says(frame.asking, "select", x) for x in (far, near))
    ]
    return said[0] if said else None


def _select_claimed(text: str) -> Literal["fastest", "shortest", "longest", "slowest"]:
    """By what a mode is said to surpass another ("slower than", "further than")."""
    slow = says(text, "pattern", "claim_slow") is not None
    if not says(text, "pattern", "claim_length"):
        return "slowest" if slow else "fastest"
    return "shortest" if says(text, "select", "shorter_said") else "longest"


def _both_measures(frame: Frame, ask: Ask) -> bool:
    """True if time and length are both asked for in so many words ("how long and how far is it")."""
    if ask not in {"duration", "distance"} or frame.analysis.options:
        return False
    return says(frame.asking, "ask", "both") is not None


def _after(frame: Frame, ask: Ask) -> str | None:
    """The place on the route the question is about."""
    if ask == "previous_street":
        return frame.befores[0].text if frame.befores else None
    if ask == "turn_onto":
        return frame.spots[-1].text
    if ask in {"next_step", "next_street", "landmark"}:
        return after_words(frame) if frame.afters else None
    if ask in {"exit", "count"}:
        return _place_of_feature(frame, ask)
    return None


def _place_of_feature(frame: Frame, ask: Ask) -> str | None:
    """The street whose exit or whose roundabouts are asked about; the one that tells the route is none."""
    spots = [slot for slot in frame.spots if street_like(slot.text)]
    reached = [span for span in written_names(frame.analysis) if _is_led_to(frame, span)]
    if ask == "exit" and reached:
        return frame.analysis.text[slice(*reached[0])]
    if ask == "exit":
        left = [slot.text for slot in slots(frame.analysis, "from") if street_like(slot.text)]
        if left and left[0] != frame.origin:
            return left[0]
        spots = spots or frame.afters
    named = [slot.text for slot in spots if slot.text not in {via.text for via in frame.vias[:1]}]
    return named[0] if named else None


def _is_led_to(frame: Frame, street: Span) -> bool:
    """True for the street of "the last roundabout, onto Mill Road"."""
    return says(frame.text[: street[0]], "pattern", "leads_to") is not None


def _nth(frame: Frame) -> int | None:
    """2 for "the second roundabout", -1 for the last; None where the question does not count them."""
    said = says(frame.text, "pattern", "nth")
    if said is not None and said["nth"] in {"last", "final"}:
        return -1
    rank = parse_ordinal(said["nth"]) if said else None
    return rank if rank is not None and rank > 0 else None


def _limits(frame: Frame, ask: Ask) -> tuple[float | None, float | None]:
    """For yes/no questions, and for the routes to choose from: at most or at least so long or so far."""
    analysis = frame.analysis
    measures = {"duration": analysis.durations, "distance": analysis.distances}
    of_routes = ask in {"via", "alternatives"}
    marks = (analysis.distances or analysis.durations) if of_routes else measures.get(ask, ())
    if not marks or not (of_routes or asks_yes_no(frame)):
        return None, None
    if says(frame.text[: marks[0].start], "pattern", "more_than"):
        return None, marks[0].value
    return marks[0].value, None


def _cue(frame: Frame, ask: Ask) -> float:
    """How typical of a route question this is."""
    told = bool(frame.route or frame.vias) or says(frame.text, "pattern", "way") is not None
    spoken = bool(frame.analysis.modes) or told
    cue = 0.95 if spoken else 0.75
    if spoken and ask in STEP_ASKS:
        cue = 1.0
    kinds = [frame.text[mark.start : mark.end] for mark in frame.analysis.kinds]
    sought = any(not street_like(kind.rstrip("s")) for kind in kinds)
    if ask in {"via", "steps"} and frame.analysis.option_kind == "text" and sought:
        cue -= 0.3  # places are asked for, on the way
    if ask in {"duration", "distance", "via", "steps"} and _goes_on(frame):
        cue -= 0.3  # a trip of several legs
    if ask in {"duration", "distance"} and _changes_mode(frame):
        cue -= 0.3
    if ask == "distance" and not spoken:
        cue = 0.45  # a straight line is as likely
    if ask == "steps" and not frame.analysis.options:
        cue -= 0.1
    return cue if frame.stated else cue - 0.15


def _changes_mode(frame: Frame) -> bool:
    """True if two modes are said and none of them ruled out: one after the other, or compared."""
    return len({mark.value for mark in frame.analysis.modes} - _ruled_out(frame.analysis)) > 1


def _goes_on(frame: Frame) -> bool:
    """True if the question speaks of a way back or of going on to another place."""
    if speaks_of_way_back(frame.asking):
        return True
    others = [slot for slot in slots(frame.analysis, "to") if slot.text[:1].isupper()]
    return any(
        not same_name(slot.text, frame.destination) and not same_name(slot.text, frame.origin)
        for slot in others
    )


def _used(frame: Frame, ask: Ask) -> list[Span]:
    analysis = frame.analysis
    spans = list(frame.spans)
    spans += [(slot.cue_start, slot.end) for slot in frame.spots]
    spans += [(mark.start, mark.end) for mark in (*analysis.modes, *analysis.durations, *analysis.distances)]
    spans += [(mention.start, mention.end) for mention in analysis.by_role("self", "qualifier")]
    keys = [("ask", ask), ("ask", "first_street"), ("ask", "last_street")]
    keys += [("select", select) for select in (*SELECTS, "fastest")]
    keys += [("feature", feature) for feature in FEATURES] if ask in FEATURE_ASKS else []
    for section, key in keys:
        found = says(frame.text, section, key)
        if found:
            spans.append(found.span())
    if ask == "difference":
        spans += [match.span() for match in pattern("pattern", "route_named").finditer(frame.text)]
    if ask == "arrival_side":
        spans += [(mark.start, mark.end) for mark in analysis.kinds]
    way = says(frame.text, "pattern", "way")
    return [*spans, way.span()] if way else spans
