"""The course of ways that are drawn or taken away.

A program that asks only how long a way takes or is gets a cell of a matrix, which has no course. A map would
show a straight line through houses and water, so the course is looked up: a picture, and no evidence.
"""

import asyncio
from collections.abc import Mapping

from map_tools.errors import LimitError, ToolError
from map_tools.facts import TravelFact
from map_tools.providers.base import Provider
from map_tools.types import Route
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.interfaces.takeaway.features import legs_of

EMBEDDED_PROVIDER = "osm"
MOST_WAYS = 6
"""Courses that are drawn; of more ways than that no map makes a picture."""
MOST_LEGS = 24
"""Of a trip, whose ways follow each other, so many."""


async def ways_of(answer: Answer, agent: MapAgent) -> Mapping[str, Route]:
    """The route of each way whose time or length the answer rests on, by evidence id; of a trip those it takes.

    Only the embedded map is asked, where it costs nothing but milliseconds; many ways are not drawn at all.
    """
    legs = legs_of(answer)
    ways = {
        item.id: item.value
        for item in answer.evidence
        if isinstance(item.value, TravelFact) and (not legs or item.id in legs)
    }
    most = MOST_LEGS if legs else MOST_WAYS
    if not ways or len(ways) > most or answer.provider != EMBEDDED_PROVIDER:
        return {}
    provider = agent.open_provider()
    courses = await asyncio.gather(*(_course(fact, provider) for fact in ways.values()))
    return {name: course for name, course in zip(ways, courses, strict=True) if course is not None}


async def _course(fact: TravelFact, provider: Provider) -> Route | None:
    if fact.origin_place is None or fact.destination_place is None or fact.duration_s is None:
        return None
    try:
        routes = await provider.directions(fact.origin_place, fact.destination_place, mode=fact.mode)
    except (ToolError, LimitError):
        return None
    return routes[0] if routes and len(routes[0].geometry) > 1 else None
