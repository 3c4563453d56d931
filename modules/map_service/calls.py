"""Needs become calls: the fewest map-tool calls that serve all needs of a round."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from map_tools.types import TravelMode
from mapagent.ports import ToolCall
from modules.needs import NearbyNeed, Need, PlaceNeed, RoutesNeed, TravelNeed


def calls_for(needs: Iterable[Need]) -> tuple[ToolCall, ...]:
    """One round of calls.

    Travel needs of one mode are merged into one Trip (one matrix); places that a Trip looks up anyway are not
    asked for again.
    """
    needs = tuple(needs)
    trips, travelled = _trips([need for need in needs if isinstance(need, TravelNeed)])
    calls: list[ToolCall] = []
    for need in needs:
        if isinstance(need, PlaceNeed) and need.text not in travelled:
            calls.append(ToolCall(tool="PlaceInfo", arguments={"location_address": need.text}))
        elif isinstance(need, NearbyNeed):
            calls.append(_nearby(need))
        elif isinstance(need, RoutesNeed):
            calls.append(_route(need))
    return (*calls, *trips)


def _nearby(need: NearbyNeed) -> ToolCall:
    arguments: dict[str, Any] = {"query": need.what.text, "location": need.anchor}
    if need.what.categories:
        arguments["categories"] = list(need.what.categories)
    if need.what.keyword:
        arguments["keyword"] = need.what.keyword
    if need.radius_m is not None:
        arguments["radius"] = need.radius_m
    if need.inside:
        arguments["inside"] = True
    if need.everything:
        arguments["everything"] = True
    if need.details:
        arguments["details"] = True
    return ToolCall(tool="Nearby", arguments=arguments)


def _route(need: RoutesNeed) -> ToolCall:
    arguments: dict[str, Any] = {
        "origin": need.origin,
        "destination": need.destination,
        "travel_mode": need.mode.value,
        "alternatives": need.alternatives,
    }
    if need.waypoints:
        arguments["waypoints"] = list(need.waypoints)
    return ToolCall(tool="Route", arguments=arguments)


def _trips(needs: list[TravelNeed]) -> tuple[list[ToolCall], set[str]]:
    by_mode: dict[TravelMode, list[str]] = defaultdict(list)
    for need in needs:
        places = by_mode[need.mode]
        places += [place for place in (need.origin, need.destination) if place not in places]
    calls = [
        ToolCall(
            tool="Trip",
            arguments={
                "current_location": places[0],
                "visiting_places": places[1:],
                "travel_mode": mode.value,
            },
        )
        for mode, places in by_mode.items()
    ]
    return calls, {place for places in by_mode.values() for place in places}
