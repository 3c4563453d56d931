"""Where two streets meet: "Robson Street & Bute Street" is their corner, unless something is called just so."""

from collections.abc import Sequence
from typing import cast

from map_tools.compute import shapes
from map_tools.kinds.concepts import LINEAR
from map_tools.providers.base import HasShapes, NarrowsNames, Provider
from map_tools.text import normalise
from map_tools.types import Candidate, Place, Shape

JOINTS = (" & ", " and ", " / ")
SURE = 0.85
"""A street is taken for the one that is named from this score on."""
MEET_WITHIN_M = 30.0
"""Streets that come no nearer to each other have no corner."""


async def corner_of(text: str, provider: Provider) -> Place | None:
    """The corner of the two streets that a text names; None if it names no two, or they do not meet."""
    names = next((text.split(joint) for joint in JOINTS if text.count(joint) == 1), None)
    if names is None or not provider.capabilities.narrow_names or not isinstance(provider, HasShapes):
        return None
    whole = await provider.find_place(text, limit=1)
    if whole and normalise(whole[0].place.name) == normalise(text):
        return None

    courses = []
    for name in names:
        narrowing = cast("NarrowsNames", provider)
        found = await narrowing.find_place(name.strip(), limit=3, kind=tuple(LINEAR))
        course = await _course(found, provider)
        if course is None:
            return None
        courses.append(course)
    (first, one), (second, other) = courses
    if shapes.distance_m(one, other) > MEET_WITHIN_M:
        return None
    at = shapes.nearest_point(one, other)
    return Place(id=f"point:{at.lat},{at.lng}", name=f"{first} & {second}", location=at)


async def _course(found: Sequence[Candidate], provider: HasShapes) -> tuple[str, Shape] | None:
    """The name and the whole course of the street that was found."""
    if not found or found[0].score < SURE:
        return None
    shape = await provider.shape(found[0].place.id)
    return None if shape is None else (found[0].place.name, shape)
