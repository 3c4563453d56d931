"""Makes defective providers out of a good one: by other results, calls and declarations, or as a class."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

from map_tools.errors import MapAgentError
from map_tools.providers.base import Spot, position_of
from map_tools.providers.recorded import RecordedProvider
from map_tools.types import Candidate, LatLng, Matrix, NearbyPlace, Place, RankBy, Shape, TravelMode
from tests.map_tools.testing.contract.world import Kit

KEY = "contract-key-5f1c"
type Maker = Callable[[], RecordedProvider]


def after(**changes: Callable[..., Any]) -> Maker:
    """A provider whose named calls change their results: `change(result, *args, **kwargs)`."""

    def wrap(call: str, change: Callable[..., Any]) -> Any:
        original = getattr(RecordedProvider, call)

        @wraps(original)
        async def changed(self: RecordedProvider, *args: Any, **kwargs: Any) -> Any:
            return change(await original(self, *args, **kwargs), *args, **kwargs)

        return changed

    return type("Defective", (Kit,), {call: wrap(call, change) for call, change in changes.items()})


def instead(**calls: Callable[..., Any]) -> Maker:
    """A provider whose named calls are others: `call(provider, original, *args, **kwargs)`, awaited."""

    def wrap(name: str, call: Callable[..., Any]) -> Any:
        original = getattr(RecordedProvider, name)

        @wraps(original)
        async def changed(self: RecordedProvider, *args: Any, **kwargs: Any) -> Any:
            async def usual(*own: Any, **more: Any) -> Any:
                return await original(self, *own, **more)

            return await call(self, usual, *args, **kwargs)

        return changed

    return type("Defective", (Kit,), {name: wrap(name, call) for name, call in calls.items()})


def declaring(*, terms: dict[str, Any] | None = None, **capabilities: Any) -> Maker:
    """A provider that declares other things."""

    def make() -> RecordedProvider:
        kit = Kit()
        declared = {
            name: value(getattr(kit.capabilities, name)) if callable(value) else value
            for name, value in capabilities.items()
        }
        kit.terms = kit.terms.model_copy(update=terms or {})
        kit.capabilities = kit.capabilities.model_copy(update=declared)
        return kit

    return make


class LacksARank(Kit):
    async def nearby(  # type: ignore[override]
        self,
        center: Any,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        return await super().nearby(
            center, radius_m=radius_m, categories=categories, keyword=keyword, limit=limit
        )


class BlockingDetails(Kit):
    def place_details(self, place_id: str) -> Any:
        return self._world.places[place_id]


class Scores(Kit):
    def score(self, text: str) -> float:
        return 100 * super().score(text)


class ReachesLess(Kit):
    """The more time there is, the less it reaches."""

    async def reach(self, origin: Spot, *, within_s: float, mode: TravelMode) -> Shape:
        return await super().reach(origin, within_s=900.0 - within_s, mode=mode)


class ReachesElsewhere(Kit):
    """Writes latitude before longitude."""

    async def reach(self, origin: Spot, *, within_s: float, mode: TravelMode) -> Shape:
        at = position_of(origin)
        return await super().reach(LatLng(lat=at.lng, lng=at.lat), within_s=within_s, mode=mode)


def reaching_despite(refusal: type[MapAgentError]) -> Maker:
    """A provider that tells what is reached also where it has to raise this error."""

    async def reach(self: Kit, origin: Spot, *, within_s: float, mode: TravelMode) -> Shape:
        try:
            return await Kit.reach(self, origin, within_s=within_s, mode=mode)
        except refusal:
            return self.round_about(origin, 600.0)

    return type("ReachesDespite", (Kit,), {"reach": reach})


class ByName(Kit):
    """Sorts what it finds by name, not by distance."""

    async def nearby(
        self,
        center: Any,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE,
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        kind = {"categories": categories, "keyword": keyword, "rank": rank}
        found = await super().nearby(center, radius_m=radius_m, limit=None, **kind)
        return tuple(sorted(found, key=lambda item: item.place.name)[:limit])


class SharesItsWork(Kit):
    """Keeps what belongs to one call in itself."""

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5, **more: Any
    ) -> tuple[Candidate, ...]:
        self._asked = text
        await asyncio.sleep(0)
        return await super().find_place(self._asked, near=near, limit=limit, **more)


class SwallowsCancellation(Kit):
    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5, **more: Any
    ) -> tuple[Candidate, ...]:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)
        return await super().find_place(text, near=near, limit=limit, **more)


class EndsLate(Kit):
    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5, **more: Any
    ) -> tuple[Candidate, ...]:
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            await asyncio.sleep(30)
            raise
        return await super().find_place(text, near=near, limit=limit, **more)


class LosesSlots(Kit):
    """Takes a slot by hand, and does not give it back if it is cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self._slots = asyncio.Semaphore(4)

    async def matrix(self, origins: Any, destinations: Any, *, mode: TravelMode) -> Matrix:
        await self._slots.acquire()
        await asyncio.sleep(0)
        result = await super().matrix(origins, destinations, mode=mode)
        self._slots.release()
        return result


class ClosesOnce(Kit):
    _open = True

    async def close(self) -> None:
        if not self._open:
            raise ValueError("closed already")
        self._open = False


class ShowsItsKey(Kit):
    def __repr__(self) -> str:
        return f"ShowsItsKey({KEY})"


class LogsItsKey(Kit):
    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5, **more: Any
    ) -> tuple[Candidate, ...]:
        logging.getLogger("http").info("GET /search?q=%s&key=%s", text, KEY)
        return await super().find_place(text, near=near, limit=limit, **more)


class Areas(Kit):
    """Does not declare areas, and answers all the same."""

    def __init__(self) -> None:
        super().__init__()
        self.capabilities = self.capabilities.model_copy(update={"areas": False})

    async def inside(
        self, area_id: str, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        return ()
