"""Providers for the tests of the tools: one that counts and waits, one with fixed candidates."""

import asyncio
from collections import Counter
from typing import Any

from map_tools.providers.base import Capabilities, Provider
from map_tools.types import Candidate, LatLng, Place

CALLS = frozenset({"find_place", "place_details", "nearby", "inside", "directions", "matrix"})


class Counting:
    """Passes every call on after a wait; counts the calls, and the waits one after the other (`rounds`).

    `incomplete` hides that the candidates already have all details.
    """

    def __init__(self, inner: Provider, *, incomplete: bool = False) -> None:
        self.inner = inner
        self.calls: Counter[str] = Counter()
        self.rounds = 0
        self.capabilities = inner.capabilities.model_copy(update={"full_candidates": not incomplete})
        self._waiting = 0

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self.inner, name)
        if name not in CALLS:
            return attribute

        async def slow(*args: Any, **kwargs: Any) -> Any:
            self.calls[name] += 1
            if self._waiting == 0:
                self.rounds += 1
            self._waiting += 1
            await asyncio.sleep(0.005)
            self._waiting -= 1
            return await attribute(*args, **kwargs)

        return slow


class Candidates:
    """Answers `find_place` with fixed candidates and nothing else."""

    capabilities = Capabilities(modes=frozenset(), facts=frozenset())

    def __init__(self, *candidates: Candidate) -> None:
        self._candidates = candidates

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        return self._candidates[:limit]


def candidate(name: str, lat: float, lng: float, *, score: float = 1.0, **more: Any) -> Candidate:
    place = Place(
        id=f"{name}@{lat},{lng}",
        name=name,
        location=LatLng(lat=lat, lng=lng),
        **{"categories": ("cafe",), **more},
    )
    return Candidate(place=place, score=score)
