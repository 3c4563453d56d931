"""The table of what a provider can do: declared, and seen to work with the sample."""

import asyncio
from collections.abc import Awaitable

from map_tools.testing.contract.checking import Subject
from map_tools.testing.contract.declarations import facts_seen
from map_tools.testing.contract.report import CapabilityTable, ModeRow
from map_tools.types import Matrix, Place, Route, TravelMode


async def capability_table(subject: Subject) -> CapabilityTable:
    """Fills the table; a call that fails counts as not served."""
    provider, sample = subject.provider, subject.sample
    found = await _tried(provider.find_place(sample.place)) or ()
    ends = await _tried(subject.ends())
    via = await _tried(subject.place(sample.via)) if sample.via else None
    can = provider.capabilities
    return CapabilityTable(
        find=bool(found),
        details=bool(found and await _tried(provider.place_details(found[0].place.id))),
        nearby=bool(await _tried(subject.around(limit=1))),
        areas=can.areas,
        cheap_names=can.cheap_names,
        full_candidates=can.full_candidates,
        modes={mode: await _mode(subject, mode, ends, via) for mode in TravelMode},
        facts_declared=tuple(sorted(can.facts)),
        facts_seen=tuple(sorted(await _tried(facts_seen(subject)) or ())),
        terms=provider.terms,
    )


async def _mode(
    subject: Subject, mode: TravelMode, ends: tuple[Place, Place] | None, via: Place | None
) -> ModeRow:
    declared = mode in subject.provider.capabilities.modes
    if not declared or ends is None:
        return ModeRow(declared=declared)
    ask = subject.provider.directions
    routes: tuple[Route, ...] = await _tried(ask(*ends, mode=mode, alternatives=True)) or ()
    over: tuple[Route, ...] = ()
    if routes and via is not None:
        over = await _tried(ask(*ends, mode=mode, waypoints=(via,))) or ()
    matrix = await _tried(subject.provider.matrix(ends[:1], ends[1:], mode=mode))
    return ModeRow(
        declared=declared,
        route=bool(routes),
        steps=any(route.steps for route in routes),
        alternatives=len(routes) > 1,
        waypoints=any(len(route.legs) == 2 for route in over),
        matrix=_has_cell(matrix),
    )


def _has_cell(matrix: Matrix | None) -> bool:
    return matrix is not None and matrix.rows[0][0].duration_s is not None


async def _tried[T](work: Awaitable[T]) -> T | None:
    """The result, None if the call failed: why it did is the checks' matter."""
    (result,) = await asyncio.gather(work, return_exceptions=True)
    return None if isinstance(result, BaseException) else result
