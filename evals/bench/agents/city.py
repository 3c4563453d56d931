"""The invented city the agents are asked about, and what is true in it.

Places and paces stand in `city.toml`. The world the map serves is made of them, and the right answers are
worked out from them by another way than the agents': from positions on the grid, without any map tool.
"""

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import permutations
from typing import Any

from map_tools.providers.world import World, build_world
from map_tools.providers.world_file import FORMAT_NAME, FORMAT_VERSION, WorldFile

METRES_PER_DEGREE = 111_195.0
"""Of latitude, on the sphere of radius 6,371,008.8 m (IUGG mean radius)."""
SUNDAY_HOURS = re.compile(r"Su (\d\d):(\d\d)-(\d\d):(\d\d)")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place: metres east and north of the first one, its kind, and its hours."""

    name: str
    kind: str
    east_m: float
    north_m: float
    hours: str

    @property
    def closes_on_sunday_min(self) -> int:
        """Minutes after midnight."""
        found = SUNDAY_HOURS.search(self.hours)
        if found is None:
            raise ValueError(f"'{self.name}' is closed on Sunday.")
        return int(found[3]) * 60 + int(found[4])


@dataclass(frozen=True, slots=True)
class City:
    """All places by name, and how fast people walk."""

    places: Mapping[str, Spot]
    pace_m_per_s: float
    origin: tuple[float, float]
    zone: str

    def walk_m(self, origin: str, destination: str) -> float:
        """The way along the grid."""
        a, b = self.places[origin], self.places[destination]
        return abs(a.east_m - b.east_m) + abs(a.north_m - b.north_m)

    def walk_s(self, origin: str, destination: str) -> float:
        """How long the way takes."""
        return self.walk_m(origin, destination) / self.pace_m_per_s

    def around(self, anchor: str, kind: str, radius_m: float) -> tuple[Spot, ...]:
        """The places of a kind in a circle, nearest first."""
        center = self.places[anchor]
        away = {
            spot.name: math.hypot(spot.east_m - center.east_m, spot.north_m - center.north_m)
            for spot in self.places.values()
            if spot.kind == kind
        }
        names = sorted(
            (name for name, metres in away.items() if metres <= radius_m), key=lambda name: away[name]
        )
        return tuple(self.places[name] for name in names)

    def world(self) -> World:
        """The city as a recorded world: every place, and the way between every two."""
        return build_world((WorldFile.model_validate(self._file()),))

    def _file(self) -> dict[str, Any]:
        """The form of `docs/recorded-world.md`."""
        spots = enumerate(self.places.values(), start=1)
        return {
            "format": FORMAT_NAME,
            "version": FORMAT_VERSION,
            "name": "invented city",
            "attribution": "invented",
            "places": [self._place(number, spot) for number, spot in spots],
            "routes": [self._way(*ends) for ends in permutations(self.places, 2)],
        }

    def _place(self, number: int, spot: Spot) -> dict[str, Any]:
        lat, lng = self.origin
        return {
            "name": spot.name,
            "categories": [spot.kind],
            "address": f"{number} Canal Street",
            "hours": spot.hours,
            "timezone": self.zone,
            "location": [
                round(lat + spot.north_m / METRES_PER_DEGREE, 7),
                round(lng + spot.east_m / (METRES_PER_DEGREE * math.cos(math.radians(lat))), 7),
            ],
        }

    def _way(self, origin: str, destination: str) -> dict[str, Any]:
        way = {
            "summary": "Canal Street",
            "distance": self.walk_m(origin, destination),
            "duration": self.walk_s(origin, destination),
        }
        return {"origin": origin, "destination": destination, "mode": "walking", "routes": [way]}


@lru_cache(maxsize=1)
def city() -> City:
    """The city of `city.toml`."""
    told = tomllib.loads(files(__package__).joinpath("city.toml").read_text(encoding="utf-8"))
    lat, lng = told["origin"]
    spots = (_spot(item) for item in told["places"])
    return City({spot.name: spot for spot in spots}, told["pace_m_per_s"], (lat, lng), told["zone"])


def _spot(item: dict[str, Any]) -> Spot:
    east_m, north_m = item["at"]
    return Spot(item["name"], item["kind"], east_m, north_m, item["hours"])
