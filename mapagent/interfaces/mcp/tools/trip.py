"""`trip`: travel between all places of a trip."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import ClassVar

from pydantic import Field

from map_tools.compute.measures import format_distance, format_duration
from map_tools.errors import ToolError
from map_tools.facts import TravelFact
from map_tools.modes import SYNONYMS, TOLD
from map_tools.types import Frozen, LatLng
from mapagent.core.answer import Answer, Named, Part, Quantity
from mapagent.core.rendering import clean
from mapagent.interfaces.mcp.programs import answer, call, quoted
from mapagent.interfaces.mcp.replies import Outcome, Reply, clipped
from mapagent.interfaces.mcp.tools.base import PlaceBrief, notes_of, whole
from mapagent.interfaces.mcp.tools.route import Mode
from mapagent.interfaces.mcp.workbench import Workbench, candidate_line

MOST_PLACES = 12
SAME_SHARE = 0.1
"""Ways there and back whose times differ by less are told as one."""


class TripArguments(Frozen):
    """Places, and how one travels between them."""

    places: tuple[str, ...] = Field(
        description="Names, addresses, positions or ids; the start first, if there is one.",
        min_length=2,
        max_length=MOST_PLACES,
    )
    modes: tuple[Mode, ...] = Field(description="How; several are measured side by side.", min_length=1)


class LegBrief(Frozen):
    """Travel from one place to another by one mode."""

    origin: str
    destination: str
    mode: str
    duration_s: float | None = None
    distance_m: float | None = None
    straight_m: float | None = Field(None, description="The straight line, in metres.")
    ferry: bool = Field(default=False, description="A ferry is part of it, as far as the map tells.")
    reason: str = Field("", description="Why the time is not known.")


class TripReply(Reply):
    """The places of a trip and the ways between every two of them."""

    shortened: ClassVar[tuple[str, ...]] = ("places", "legs", "failures")

    legs: tuple[LegBrief, ...] = Field(description="For each ordered pair and mode, in seconds and metres.")
    places: tuple[PlaceBrief, ...] = Field((), description="The places, with opening hours where known.")
    failures: tuple[str, ...] = Field((), description="What could not be found out, and what to do.")

    def lines(self) -> Iterator[str]:
        """A line for each two places, with all modes; then the places, then failures."""
        by_ends: dict[tuple[str, str], dict[str, LegBrief]] = {}
        for leg in self.legs:
            by_ends.setdefault((leg.origin, leg.destination), {})[leg.mode] = leg
        told: set[tuple[str, str]] = set()
        for ends, legs in by_ends.items():
            back = by_ends.get((ends[1], ends[0]), {})
            if ends in told:
                continue
            alike = bool(back) and all(_alike(leg, back.get(mode)) for mode, leg in legs.items())
            if alike:
                told.add((ends[1], ends[0]))
            yield _leg_line(ends, legs, "↔" if alike else "→")
        yield from (f"- {place.line()}" for place in self.places)
        yield from (f"- not known: {failure}" for failure in self.failures)


class Trip:
    """Measures travel between every two places of a trip."""

    name: ClassVar[str] = "trip"
    title: ClassVar[str] = "Measure a trip"
    description: str = (
        "Gives travel time and distance between every two of the places, in both directions, by one mode or "
        "by several, with the straight lines beside them, and the opening hours of each place. For the best "
        "order or a whole schedule use run_query or ask_map, which compute it."
    )
    arguments: ClassVar[type[Frozen]] = TripArguments
    result: ClassVar[type[Reply]] = TripReply
    open_world: ClassVar[bool] = True

    async def __call__(self, arguments: TripArguments, bench: Workbench) -> Outcome:
        """The cells of `travel(…)` for all pairs; a missing place loses only its own legs."""
        modes = tuple(dict.fromkeys(arguments.modes))
        found = await bench.look_up(*_program(arguments.places, modes))
        stops = found.parts["stops"].members
        legs = tuple(_legs(arguments.places, stops, modes, found))
        unclear = (candidate_line(found),) if found.candidates else ()
        if all(leg.duration_s is None and leg.straight_m is None for leg in legs):
            reasons = (*unclear, *_failures(stops), *(leg.reason for leg in legs))
            raise ToolError(" ".join(dict.fromkeys(reason for reason in reasons if reason)))
        places = [place for stop in stops for place in stop.places]
        told = (*unclear, *_failures(stops), *(leg.reason for leg in legs if leg.reason))
        failures = tuple(dict.fromkeys(told))
        missing = ", as far as the map tells" if failures else ""
        how = ", ".join(TOLD[mode] for mode in modes)
        reply = TripReply(
            summary=f"Between {len(places)} places, {how}{missing}:",
            legs=legs,
            places=tuple(map(PlaceBrief.of, places)),
            failures=failures,
            warnings=notes_of(found),
            attribution=found.attribution,
        )
        return Outcome(reply, whole(found))


def _program(places: tuple[str, ...], modes: tuple[str, ...]) -> tuple[str, ...]:
    """Cells of all pairs, there and back, by each mode; and the straight lines."""
    stops = ", ".join(call("place", quoted(place)) for place in places)
    parts = {"stops": "stops", "straight": "[distance(p[0], p[1]) for p in pairs(stops)]"}
    for mode in modes:
        for name, ends in (("there", "p[0], p[1]"), ("back", "p[1], p[0]")):
            way = f'travel({ends}, "{mode}")'
            parts[f"{name}_{mode}_s"] = f"[{way}.duration for p in pairs(stops)]"
            parts[f"{name}_{mode}_m"] = f"[{way}.distance for p in pairs(stops)]"
    return (f"stops = [{stops}]", answer("count(stops)", parts))


def _legs(
    asked: tuple[str, ...], stops: tuple[Part, ...], modes: tuple[str, ...], found: Answer
) -> Iterator[LegBrief]:
    parts, by_ferry = found.parts, set(_by_ferry(found))
    names = [_name(stop, words) for stop, words in zip(stops, asked, strict=True)]
    known = [bool(stop.places) for stop in stops]
    for mode in modes:
        for name in ("there", "back"):
            for number, (first, second) in enumerate(combinations(range(len(stops)), 2)):
                if not (known[first] and known[second]):
                    continue
                origin, destination = (first, second) if name == "there" else (second, first)
                took = parts[f"{name}_{mode}_s"].members[number]
                ends = (stops[origin].places[0].location, stops[destination].places[0].location)
                yield LegBrief(
                    origin=names[origin],
                    destination=names[destination],
                    mode=mode,
                    duration_s=_amount(took),
                    distance_m=_amount(parts[f"{name}_{mode}_m"].members[number]),
                    straight_m=_amount(parts["straight"].members[number]),
                    ferry=(*ends, SYNONYMS.get(mode, mode)) in by_ferry,
                    reason="" if took.known else clipped(took.text),
                )


def _by_ferry(found: Answer) -> Iterator[tuple[LatLng | None, LatLng | None, str]]:
    """The ways that a ferry is part of: where they begin and end, and how one travels."""
    for fact in (item.value for item in found.evidence):
        if isinstance(fact, TravelFact) and fact.ferry and fact.origin_place and fact.destination_place:
            yield fact.origin_place.location, fact.destination_place.location, fact.mode


def _name(stop: Part, words: str) -> str:
    """What a stop is called: as the map has it."""
    value = stop.value
    return clipped(value.name if isinstance(value, Named) and value.name else words)


def _failures(stops: tuple[Part, ...]) -> tuple[str, ...]:
    return tuple(clipped(clean(stop.text)) for stop in stops if not stop.places)


def _amount(part: Part) -> float | None:
    return part.value.value if isinstance(part.value, Quantity) else None


def _alike(leg: LegBrief, back: LegBrief | None) -> bool:
    if back is None or leg.duration_s is None or back.duration_s is None:
        return back is not None and leg.duration_s is None and back.duration_s is None
    return abs(leg.duration_s - back.duration_s) <= SAME_SHARE * max(leg.duration_s, back.duration_s)


def _leg_line(ends: tuple[str, str], legs: Mapping[str, LegBrief], arrow: str) -> str:
    """As "A ↔ B: walk 5 min, 400 m; drive 3 min, 900 m; straight 350 m"."""
    told = []
    for mode, leg in legs.items():
        ferry = "by ferry in part, " if leg.ferry else ""
        took = "no way known" if leg.duration_s is None else format_duration(leg.duration_s)
        far = "" if leg.distance_m is None else f", {format_distance(leg.distance_m)}"
        told.append(f"{mode} {ferry}{took}{far}")
    straight_m = next(iter(legs.values())).straight_m
    if straight_m is not None:
        told.append(f"straight {format_distance(straight_m)}")
    return f"{ends[0]} {arrow} {ends[1]}: {'; '.join(told)}"
