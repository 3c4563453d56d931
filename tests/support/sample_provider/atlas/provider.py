"""The provider atlas: builds requests and hands the replies to the parser, and nothing else."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Self

from map_tools.compute.geodesy import distance_m
from map_tools.errors import ConfigError, NoRouteError, PlaceNotFoundError, UnsupportedError
from map_tools.providers.base import Capabilities, ProviderSetting, Spot, Terms, position_of
from map_tools.testing.contract import Rehearsal, read_sample
from map_tools.types import (
    Candidate,
    LatLng,
    Matrix,
    MatrixCell,
    NearbyPlace,
    Place,
    RankBy,
    Route,
    TravelMode,
)

from atlas.parsing import KINDS, read_candidate, read_place, read_route
from atlas.service import Asker, Service
from atlas.stand_in import StandIn

KEY_VARIABLE = "ATLAS_KEY"
"""The environment variable that holds the key."""
TERMS = Terms(
    attribution="© Atlas",
    attribution_url="https://atlas.example/terms",
    keep_payload_days=30,
    base_map="Atlas",
)
"""Replies may be kept for 30 days and drawn on Atlas maps: https://atlas.example/terms#use."""
PROFILES = {TravelMode.DRIVING: "car", TravelMode.WALKING: "foot"}
CAPABILITIES = Capabilities(
    modes=frozenset(PROFILES), facts=frozenset({"location", "categories", "rating"}), full_candidates=True
)


class AtlasProvider:
    """Answers from the service atlas."""

    name: str = "atlas"
    map_name: str | None = None
    capabilities = CAPABILITIES
    terms = TERMS

    def __init__(self, service: Asker) -> None:
        self._service = service

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        """Opens the provider with the key from the environment; `ConfigError` without one."""
        key = os.environ.get(KEY_VARIABLE)
        if not key:
            raise ConfigError(f"The provider '{setting.name}' needs a key.", f"Set {KEY_VARIABLE}.")
        return cls(Service(key))

    @classmethod
    @asynccontextmanager
    async def rehearsal(cls, setting: ProviderSetting) -> AsyncIterator[Rehearsal]:
        """Opens the provider over the stand-in, to be checked without network and key."""
        yield Rehearsal(cls(StandIn()), read_sample(Path(__file__).with_name("sample.toml")))

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """Places whose name fits, best first."""
        reply = await self._service.get("search", q=text)
        found = [read_candidate(hit, _away(near, read_place(hit))) for hit in reply["hits"]]
        return tuple(sorted(found, key=lambda item: -item.score)[:limit])

    async def place_details(self, place_id: str) -> Place:
        """Everything known of a place."""
        reply = await self._service.get(f"places/{place_id}")
        if reply is None:
            raise PlaceNotFoundError(f"The Atlas service has no place with the id '{place_id}'.")
        return read_place(reply)

    async def nearby(
        self,
        center: Spot,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE,
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        """Places of a kind around a spot, nearest first."""
        at = position_of(center)
        params = {"at": _lonlat(at), "km": f"{radius_m / 1000:.3f}"}
        if categories:
            kinds = [kind for kind, category in KINDS.items() if category in categories]
            if not kinds:  # an empty list would claim that there are none
                raise UnsupportedError(f"The Atlas service has no kind for {', '.join(categories)}.")
            params["kind"] = ",".join(kinds)
        if keyword:
            params["text"] = keyword
        reply = await self._service.get("around", **params)
        places = [read_place(hit) for hit in reply["hits"]]
        items = [NearbyPlace(place=place, distance_m=_away(at, place)) for place in places]
        return tuple(sorted(items, key=lambda item: item.distance_m or 0)[:limit])

    async def inside(
        self, area_id: str, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """The service knows no outlines."""
        raise UnsupportedError("The Atlas service does not know what lies inside an area.")

    async def directions(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False,
        depart_at: datetime | None = None,
    ) -> tuple[Route, ...]:
        """Routes, best first."""
        profile = PROFILES.get(mode)
        if profile is None:
            raise UnsupportedError(f"The Atlas service has no routes for {mode.value}.")
        stops = [_lonlat(position_of(spot)) for spot in (origin, *waypoints, destination)]
        reply = await self._service.get("route", stops=";".join(stops), profile=profile)
        routes = tuple(read_route(way) for way in reply["ways"])
        if not routes:
            raise NoRouteError(f"The Atlas service knows no {mode.value} route between these places.")
        return routes if alternatives else routes[:1]

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """Travel times from every origin to every destination: the service has none, so each is a route."""
        cells = await asyncio.gather(*(self._cell(a, b, mode) for a in origins for b in destinations))
        width = len(destinations)
        rows = tuple(tuple(cells[start : start + width]) for start in range(0, len(cells), width))
        return Matrix(mode=mode, rows=rows)

    async def close(self) -> None:
        """Frees what the service holds."""
        await self._service.close()

    async def _cell(self, origin: Spot, destination: Spot, mode: TravelMode) -> MatrixCell:
        try:
            (route,) = await self.directions(origin, destination, mode=mode)
        except NoRouteError:
            return MatrixCell(distance_m=None, duration_s=None)
        return MatrixCell(distance_m=route.distance_m, duration_s=route.duration_s)


def _lonlat(at: LatLng) -> str:
    return f"{at.lng},{at.lat}"


def _away(point: LatLng | None, place: Place) -> float | None:
    return None if point is None or place.location is None else distance_m(point, place.location)
