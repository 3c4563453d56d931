"""A synthetic city: streets, areas, buses and places, drawn from one seed."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from map_tools.maps.synth.areas import Area, areas
from map_tools.maps.synth.grid import Grid, degrees
from map_tools.maps.synth.places import SynthPlace, places
from map_tools.maps.synth.transit import Transit, transit
from map_tools.types import Box, LatLng

FEATURES_A_KM2 = 600.0
PARK_SHARE, STOP_SHARE = 0.01, 0.03


class City:
    """A city with a given number of features.

    Args:
        seed: Decides everything.
        size: The number of features: areas, parts of streets, stops and places together.
    """

    def __init__(self, seed: int, size: int) -> None:
        self.seed, self.size = seed, size
        # Each part has dice of its own: a change to one leaves the others as they are.
        *seeds, self._place_seed = np.random.SeedSequence(seed).spawn(4)
        dice = [np.random.default_rng(each) for each in seeds]
        self._half_m = float(np.sqrt(size / FEATURES_A_KM2)) * 500.0
        self.grid = Grid(dice[0], self._half_m)
        self.areas: tuple[Area, ...] = tuple(
            areas(dice[1], self.grid, self._half_m, max(1, int(size * PARK_SHARE)))
        )
        self.transit: Transit = transit(dice[2], self.grid, int(size * STOP_SHARE))

    @cached_property
    def junctions(self) -> tuple[LatLng, ...]:
        """The positions of all junctions, by number."""
        return tuple(self.grid.junctions())

    @property
    def box(self) -> Box:
        """The rectangle it covers."""
        low, high = degrees(-self._half_m, -self._half_m), degrees(self._half_m, self._half_m)
        return Box(south=low.lat, west=low.lng, north=high.lat, east=high.lng)

    @property
    def name(self) -> str:
        """The city's name."""
        return self.areas[0].name

    def places(self) -> Iterator[SynthPlace]:
        """As many places as are left of the size; the same ones each time."""
        parts = sum(1 for street in self.grid.streets for _ in self.grid.runs(street))
        count = self.size - len(self.areas) - len(self.transit.stops) - parts
        dice = np.random.default_rng(self._place_seed)
        return places(dice, self.grid, self._half_m, count)
