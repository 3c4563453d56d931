"""Routes with their steps: "There are 3 routes from A to B by car. They are: 1. Via X | 40 mins | 9 km …"."""

import re
from dataclasses import dataclass, field

from map_tools.compute.route_replies import read_step
from map_tools.compute.scanning import parse_number
from map_tools.facts import NoteFact, RoutesFact
from map_tools.text import normalise
from map_tools.types import Route, RouteLeg, RouteStep, TravelMode
from modules.context_reader.drafts import Cursor, Finding
from modules.context_reader.lines import Line, Measures, cut_leading_measures, cut_measures, cut_mode, mode_in
from modules.context_reader.names import split_pair
from modules.context_reader.parsers.places import OMISSION, is_attribute, place_title
from modules.context_reader.parsers.travel import is_travel
from modules.context_reader.vocabulary import forms, words

_COUNTS = {"no": 0, "a": 1}
_VIA_IN_BRACKETS = re.compile(r"\s*\((?:via|through) ([^()]+)\)", re.IGNORECASE)


@dataclass(slots=True)
class _RouteDraft:
    summary: str
    measures: Measures
    indent: int
    steps: list[RouteStep] = field(default_factory=list)


@dataclass(slots=True)
class _Title:
    origin: str
    destination: str
    mode: TravelMode | None
    waypoints: tuple[str, ...]
    count: int | None
    only: _RouteDraft | None


def read_routes(cursor: Cursor) -> bool:
    """Reads a title of routes and the routes and steps below it into one fact."""
    line = cursor.peek()
    title = _title(line, cursor.known) if line else None
    if line is None or title is None:
        return False
    cursor.advance()
    if title.count == 0:
        cursor.entries.append(Finding(NoteFact(text=line.text), line.raw))
        return True
    raw = [line.raw]
    routes = tuple(map(_route, _read_list(cursor, title, raw)))
    fact = RoutesFact(
        origin=title.origin,
        destination=title.destination,
        mode=title.mode or TravelMode.DRIVING,
        waypoints=title.waypoints,
        routes=routes,
        complete=title.count is None or title.count <= len(routes),
    )
    cursor.entries.append(Finding(fact, "\n".join(raw)))
    return True


def _title(line: Line, known: frozenset[str]) -> _Title | None:
    folded = line.text.lower()
    if not ("route" in folded or "direction" in folded or " way" in folded):
        return None
    text = _without_tail(line.title)
    found = forms().match("routes", text)
    if found is None:
        return None
    groups = found.groupdict()
    names, only = _cut_route(groups["pair"], line)
    names, mode = cut_mode(names)
    stops = forms().match("waypoints", names)
    waypoints: tuple[str, ...] = ()
    if stops is not None:
        names, waypoints = stops["pair"], tuple(re.split(r",? and |; ", stops["name"]))
        names, mode = (names, mode) if mode else cut_mode(names)
    between = text[: found.start("pair")].lower().endswith("between ")
    pair = split_pair(names, "between" if between else "pair", known)
    if pair is None:
        return None
    mode = mode or mode_in(text[: found.start("pair")])
    return _Title(*pair, mode, waypoints, _count(groups.get("count")), only)


def _cut_route(text: str, line: Line) -> tuple[str, _RouteDraft | None]:
    """Takes the only route off a title that names it: "A to B by car (via Park Rd): 5 mins, 1.2 km"."""
    text, measures = cut_measures(text)
    if not measures:
        return text, None
    found = _VIA_IN_BRACKETS.search(text)
    summary = found[1].strip() if found else ""
    text = _VIA_IN_BRACKETS.sub("", text).rstrip(" :,;")
    return text, _RouteDraft(summary=summary, measures=measures, indent=line.indent)


def _without_tail(text: str) -> str:
    """Takes off what only announces the list ("They are:"), as often as there is such an end."""
    before = ""
    while before != text:
        before = text
        for pattern in forms().named["routes_tail"]:
            text = pattern.sub("", text).rstrip(":. ")
    return text


def _count(word: str | None) -> int | None:
    number = None if word is None else _COUNTS.get(word.lower(), parse_number(word))
    return None if number is None else round(number)


def _read_list(cursor: Cursor, title: _Title, raw: list[str]) -> list[_RouteDraft]:
    drafts = [title.only] if title.only else []
    while (line := cursor.peek()) is not None:
        if _title(line, cursor.known) is not None or place_title(line, cursor.peek(1)) is not None:
            break
        draft = _route_title(line, drafts)
        if draft is not None:
            drafts.append(draft)
        elif _is_step(line) and (drafts or _is_instruction(line.text)):
            if not drafts:  # directions without a title line for the route
                drafts.append(_RouteDraft(summary="", measures=Measures(), indent=line.indent))
            drafts[-1].steps.append(_step(line))
        elif not (
            forms().match("section", line.title) or _is_stop(line, title) or OMISSION.fullmatch(line.text)
        ):
            break
        raw.append(line.raw)
        cursor.advance()
    return drafts


def _route_title(line: Line, drafts: list[_RouteDraft]) -> _RouteDraft | None:
    """The line that names a route: a numbered one, "Route 2: …", or one that begins with "via"."""
    if line.bulleted and drafts and line.indent >= drafts[-1].indent and not _via(line.text):
        return None
    item = forms().match("route_item", line.text)
    rest = item["rest"].strip() if item else line.text
    listed = line.number is not None and (not drafts or line.indent <= drafts[0].indent)
    first = line.bulleted and not drafts and bool(cut_measures(rest)[1])
    named = (item is not None and bool(rest)) or ((listed or first) and not _is_instruction(rest))
    if not (named or _via(rest)):
        return None
    text = forms().via.sub("", rest, count=1) if _via(rest) else rest
    summary, measures = cut_measures(text.strip())
    return _RouteDraft(summary=summary.strip(" |:,;"), measures=measures, indent=line.indent)


def _via(text: str) -> bool:
    return forms().via.match(f"{text} ") is not None


def _is_instruction(text: str) -> bool:
    first = normalise(text[:40]).split(" ", 1)[0]
    return first in words().instructions


def _is_step(line: Line) -> bool:
    if line.bulleted:
        return not is_attribute(line)
    if line.plain and (line.blank_before or is_travel(line)):
        return False
    instruction = cut_leading_measures(line.text)[0]
    if line.number is not None:
        return True
    instructs = _is_instruction(instruction) and (line.indent > 0 or not line.announces)
    return instructs or (line.text.endswith(")") and bool(cut_measures(line.text)[1]))


def _is_stop(line: Line, title: _Title) -> bool:
    """A line that is only the name of the destination or of a stop on the way."""
    words_of_line = normalise(line.title)
    names = map(normalise, (title.origin, title.destination, *title.waypoints))
    return bool(words_of_line) and any(f"{name} ".startswith(f"{words_of_line} ") for name in names)


def _step(line: Line) -> RouteStep:
    text, measures = cut_leading_measures(line.text)
    if not measures:
        text, measures = cut_measures(text) if text.endswith((")", "]")) else (text, measures)
    notes = line.notes
    remark = forms().remark.search(text, 1)
    if remark is not None:
        notes = (text[remark.start() :].strip(), *notes)
        text = text[: remark.start()].rstrip(" .,;")
    step = read_step(text.strip(" .;"), notes)
    return step.model_copy(update={"distance_m": measures.distance_m, "duration_s": measures.duration_s})


def _route(draft: _RouteDraft) -> Route:
    """The finished route; without times of its own it has the sums of its steps, where all state them."""
    duration_s, distance_m = draft.measures.duration_s, draft.measures.distance_m
    if not draft.measures and draft.steps:
        duration_s = _sum([step.duration_s for step in draft.steps])
        distance_m = _sum([step.distance_m for step in draft.steps])
    leg = RouteLeg(distance_m=distance_m, duration_s=duration_s, steps=tuple(draft.steps))
    return Route(summary=draft.summary, distance_m=distance_m, duration_s=duration_s, legs=(leg,))


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
