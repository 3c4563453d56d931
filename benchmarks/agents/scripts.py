"""What the scripted model thinks: which calls a task still needs, and the answer once the facts are there.

A script sees nothing but the words of the request it answers: it finds the facts in what the tools were
shown to have said, works with those, and knows neither the agent nor the map. Whatever an agent loses on the
way is missing in its answer.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Protocol

from mapagent.core.ports import ToolCall

type Habit = Literal["legs", "trip"]
"""How a model asks for several ways: one Route each, or one Trip for all of them."""
HABITS: tuple[Habit, ...] = ("legs", "trip")

MODE = "walking"
_OPEN = re.compile(r"Su (\d\d):(\d\d)-(\d\d):(\d\d)")


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The answer: the text of an option, and how it was found; no option where facts are missing."""

    option: str | None
    words: str


class Script(Protocol):
    """How one task is solved."""

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools in the order they are needed, for agents that plan before they see anything."""
        ...

    @property
    def program(self) -> str:
        """The same in the query language."""
        ...

    def calls(self, read: str) -> tuple[ToolCall, ...]:
        """The calls that can be made now; none where all is known."""
        ...

    def conclude(self, read: str) -> Conclusion:
        """The answer from what was read."""
        ...


@dataclass(frozen=True, slots=True)
class WalkScript:
    """Adds up the legs of a walk.

    Attributes:
        stops: Start and stops in their order.
        habit: How the legs are asked for.
        totals_min: What each option says, in minutes.
    """

    stops: tuple[str, ...]
    habit: Habit
    totals_min: Mapping[str, int]

    @property
    def tools(self) -> tuple[str, ...]:
        """One kind of call for all legs."""
        return ("Route" if self.habit == "legs" else "Trip",)

    @property
    def program(self) -> str:
        """A trip in the given order."""
        start, *stops = map(json.dumps, self.stops)
        return f'answer(trip([{", ".join(stops)}], start={start}, mode="walk").travel)'

    @property
    def _legs(self) -> tuple[tuple[str, str], ...]:
        return tuple(pairwise(self.stops))

    def calls(self, read: str) -> tuple[ToolCall, ...]:
        """The legs that are not known; a list of a Trip that was cut is completed leg by leg."""
        missing = [leg for leg in self._legs if walking_min(read, *leg) is None]
        if self.habit == "trip" and len(missing) == len(self._legs):
            return (trip_call(self.stops),)
        return tuple(route_call(*leg) for leg in missing)

    def conclude(self, read: str) -> Conclusion:
        """The option nearest to the sum."""
        minutes = [walking_min(read, *leg) for leg in self._legs]
        known = [each for each in minutes if each is not None]
        if len(known) < len(minutes):
            return Conclusion(None, "Not all legs are known.")
        total = sum(known)
        option = min(self.totals_min, key=lambda text: abs(self.totals_min[text] - total))
        return Conclusion(option, f"{' + '.join(f'{each:g}' for each in known)} = {total:g} min.")


@dataclass(frozen=True, slots=True)
class DetailsScript:
    """Looks up every place of a list, and takes the one that closes last on Sunday."""

    anchor: str
    kind: str
    radius_m: int

    @property
    def tools(self) -> tuple[str, ...]:
        """The list, then its places."""
        return ("Nearby", "PlaceInfo")

    @property
    def program(self) -> str:
        """The greatest of the hours' ends."""
        found = f'places("{self.kind}", near={json.dumps(self.anchor)}, within="{self.radius_m} m")'
        return f'answer(max({found}, key=lambda p: hours(p, "Sun")[-1].end))'

    def calls(self, read: str) -> tuple[ToolCall, ...]:
        """The list, or the places of it that are not known."""
        names = listed(read, self.kind, self.anchor)
        if not names:
            return (nearby_call(self.kind, self.anchor, self.radius_m),)
        return tuple(info_call(name) for name in names if sunday_min(read, name) is None)

    def conclude(self, read: str) -> Conclusion:
        """The place that closes last."""
        names = listed(read, self.kind, self.anchor)
        known = {name: hours for name in names if (hours := sunday_min(read, name)) is not None}
        if not names or len(known) < len(names):
            return Conclusion(None, "Not all hours are known.")
        last = max(known, key=lambda name: known[name][1])
        return Conclusion(last, f"Of {len(known)} places {last} closes last.")


@dataclass(frozen=True, slots=True)
class QuickestScript:
    """Looks up every place of a list, and measures the way to those that are open on Sunday at a time."""

    anchor: str
    kind: str
    radius_m: int
    at_min: int
    habit: Habit

    @property
    def tools(self) -> tuple[str, ...]:
        """The list, its places, the ways."""
        return ("Nearby", "PlaceInfo", "Route" if self.habit == "legs" else "Trip")

    @property
    def program(self) -> str:
        """The least of the ways to those that are open."""
        at = f"Sun {self.at_min // 60:02}:{self.at_min % 60:02}"
        return (
            f"a = place({json.dumps(self.anchor)})\n"
            f'found = places("{self.kind}", near=a, within="{self.radius_m} m", where=lambda p: is_open(p, "{at}"))\n'
            'answer(min(found, key=lambda p: travel(a, p, "walk").duration))'
        )

    def calls(self, read: str) -> tuple[ToolCall, ...]:
        """The list, or its places, or the ways to those that are open."""
        lookups = DetailsScript(self.anchor, self.kind, self.radius_m).calls(read)
        if lookups:
            return lookups
        missing = [name for name in self._open(read) if walking_min(read, self.anchor, name) is None]
        if self.habit == "trip" and len(missing) > 1:
            return (trip_call((self.anchor, *missing)),)
        return tuple(route_call(self.anchor, name) for name in missing)

    def conclude(self, read: str) -> Conclusion:
        """The place with the shortest way."""
        ways = {name: walking_min(read, self.anchor, name) for name in self._open(read)}
        known = {name: minutes for name, minutes in ways.items() if minutes is not None}
        if self.calls(read) or not known:
            return Conclusion(None, "Not all ways are known.")
        first = min(known, key=lambda name: known[name])
        return Conclusion(first, f"Of the {len(known)} that are open {first} takes {known[first]:g} min.")

    def _open(self, read: str) -> tuple[str, ...]:
        hours = {name: sunday_min(read, name) for name in listed(read, self.kind, self.anchor)}
        return tuple(name for name, span in hours.items() if span and span[0] <= self.at_min < span[1])


def route_call(origin: str, destination: str) -> ToolCall:
    """One way."""
    return ToolCall(
        tool="Route", arguments={"origin": origin, "destination": destination, "travel_mode": MODE}
    )


def trip_call(stops: Sequence[str]) -> ToolCall:
    """The ways between all stops."""
    arguments = {"current_location": stops[0], "visiting_places": list(stops[1:]), "travel_mode": MODE}
    return ToolCall(tool="Trip", arguments=arguments)


def nearby_call(kind: str, anchor: str, radius_m: int) -> ToolCall:
    """The places of a kind in a circle."""
    return ToolCall(tool="Nearby", arguments={"query": kind, "location": anchor, "radius": radius_m})


def info_call(name: str) -> ToolCall:
    """One place."""
    return ToolCall(tool="PlaceInfo", arguments={"location_address": name})


def walking_min(read: str, origin: str, destination: str) -> float | None:
    """The minutes that a Route or a Trip was shown to take (`mapagent.core.rendering`)."""
    ends = f"{MODE} from {re.escape(origin)} to {re.escape(destination)}: "
    found = re.search(rf"{ends}(?:via [^(\n]*\()?(\d+\.\d) min", read)
    return float(found[1]) if found else None


def listed(read: str, kind: str, anchor: str) -> tuple[str, ...]:
    """The names of a Nearby list, as observations show it (`evals.methods.tools`)."""
    head = rf"\d+ × {re.escape(kind)} around {re.escape(anchor)}[^\n]*:\n"
    found = re.search(rf"{head}((?:\d+\. [^\n]+(?:\n|$))+)", read)
    return tuple(re.findall(r"^\d+\. ([^,\n]+)", found[1], re.MULTILINE)) if found else ()


def sunday_min(read: str, name: str) -> tuple[int, int] | None:
    """When a place opens and closes on Sunday, as PlaceInfo told it, in minutes after midnight."""
    told = re.search(rf"“{re.escape(name)}” is [^\n]*", read)
    hours = _OPEN.search(told[0]) if told else None
    if hours is None:
        return None
    opens_h, opens_min, closes_h, closes_min = map(int, hours.groups())
    return opens_h * 60 + opens_min, closes_h * 60 + closes_min
