"""Generates synthetic maps of any size: a seeded town through the same writer as real extracts.

For tests and benchmarks. Streets form a grid over square districts; places are clustered towards the centre.
The same seed and size always give the same features.
"""

import hashlib
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from map_tools.concepts import categories_of, label_of
from map_tools.errors import UsageError
from map_tools.maps.feature import Feature, Shape
from map_tools.maps.home import MapHome
from map_tools.maps.info import Box, MapInfo, mark_files, write_info
from map_tools.maps.ingest import write_store, zone_at

_CENTER_LAT, _CENTER_LNG = 52.0, 9.0
_METRES_A_DEGREE = 111_320.0
_FEATURES_A_KM2 = 600.0
_STREET_SHARE, _PARK_SHARE = 0.05, 0.01
_DISTRICTS_A_SIDE = 4
_MAX_SIZE = 20_000_000
_BATCH = 50_000
_WORDS = 8_000
"""Made-up words that names are composed of, two each: far more pairs than places."""
_HOURS_SHARE, _ADDRESS_SHARE, _HOUSES = 0.3, 0.2, 200

_KINDS = tuple(
    f"{key}={value}"
    for key, values in {
        "amenity": "restaurant cafe fast_food pub bar pharmacy bank atm school kindergarten library dentist",
        "shop": "supermarket bakery clothes hairdresser books florist convenience shoes",
        "tourism": "hotel museum hostel viewpoint",
        "leisure": "playground fitness_centre",
        "historic": "monument",
        "office": "company",
        "highway": "bus_stop",
    }.items()
    for value in values.split()
)
_UNNAMED = frozenset({"amenity=atm"})
_CUISINES = ("italian", "chinese", "indian", "mexican", "burger", "sushi", "thai", "turkish", "regional")
_HOURS = (
    "Mo-Fr 09:00-18:00; Sa 10:00-16:00",
    "Mo-Su 08:00-22:00",
    "24/7",
    "Tu-Su 11:30-14:30,17:00-23:00",
    "Mo-Th 07:30-17:00; Fr 07:30-15:00",
)
_ONSETS = ("b", "br", "d", "f", "g", "gr", "h", "k", "kl", "l", "m", "n", "p", "r", "s", "st", "t", "v", "w")
_VOWELS = ("a", "e", "i", "o", "u", "au", "ei", "ie")
_CODAS = ("", "l", "n", "r", "s", "nd", "rt", "m", "ck")
_STREET_TYPES = ("Street", "Road", "Avenue", "Lane")


def synth(*, seed: int, size: int, home: MapHome, name: str | None = None) -> MapInfo:
    """Builds a synthetic map of `size` features; it has no routing tiles.

    Raises:
        UsageError: The size is not between 50 and 20 million, or the seed is negative.
    """
    if not 50 <= size <= _MAX_SIZE:
        raise UsageError(f"A synthetic map cannot have {size} features.", f"Give 50 to {_MAX_SIZE}.")
    if seed < 0:
        raise UsageError(f"The seed {seed} is negative.", "Give 0 or more.")
    town = _Town(np.random.default_rng(seed), size)
    recipe = f"synth:seed={seed}:size={size}"
    with home.building(name or f"synth-{seed}-{size}") as folder:
        counts = write_store(town.features(), folder)
        info = MapInfo(
            name=name or f"synth-{seed}-{size}",
            source_file=recipe,
            source_sha256=hashlib.sha256(recipe.encode("utf-8")).hexdigest(),
            attribution="Synthetic data",
            attribution_url="",
            timezone=zone_at(town.box),
            bbox=town.box,
            counts={**counts, "damaged": 0},
            files=mark_files(folder),
        )
        write_info(folder, info)
    return info


@dataclass(slots=True)
class _Town:
    """A town to be generated; `half_m` is half of its side."""

    random: np.random.Generator
    size: int

    @property
    def half_m(self) -> float:
        return float(np.sqrt(self.size / _FEATURES_A_KM2)) * 500.0

    @property
    def box(self) -> Box:
        south, west = self._at(-self.half_m, -self.half_m)
        north, east = self._at(self.half_m, self.half_m)
        return Box(south=south, west=west, north=north, east=east)

    def features(self) -> Iterator[Feature]:
        """All features: districts, streets, parks, then places until the size is reached."""
        districts = list(self._districts())
        streets = list(self._streets(max(4, int(self.size * _STREET_SHARE))))
        parks = list(self._parks(max(1, int(self.size * _PARK_SHARE))))
        yield from (*districts, *streets, *parks)
        names = [street.tags["name"] for street in streets]
        yield from self._places(self.size - len(districts) - len(streets) - len(parks), names)

    def _at(self, east_m: float, north_m: float) -> tuple[float, float]:
        lat = _CENTER_LAT + north_m / _METRES_A_DEGREE
        return lat, _CENTER_LNG + east_m / (_METRES_A_DEGREE * np.cos(np.radians(_CENTER_LAT)))

    def _districts(self) -> Iterator[Feature]:
        side = 2 * self.half_m / _DISTRICTS_A_SIDE
        for index in range(_DISTRICTS_A_SIDE**2):
            east = -self.half_m + side * (index % _DISTRICTS_A_SIDE)
            north = -self.half_m + side * (index // _DISTRICTS_A_SIDE)
            tags = {"boundary": "administrative", "admin_level": "10", "name": f"{self._word()} District"}
            yield self._area("r", index + 1, tags, (east, north, east + side, north + side))

    def _streets(self, count: int) -> Iterator[Feature]:
        spots = self.random.uniform(-self.half_m, self.half_m, count)
        for index, across in enumerate(spots.tolist()):
            ends = ((-self.half_m, across), (self.half_m, across))
            if index % 2:
                ends = ((across, -self.half_m), (across, self.half_m))
            kind = _STREET_TYPES[index // 2 % len(_STREET_TYPES)]
            tags = {"highway": "residential", "name": f"{self._word()} {kind}"}
            wkb = _line([self._at(*end) for end in ends])
            yield Feature("w", index + 1, tags, categories_of(tags), Shape.LINE, wkb=wkb)

    def _parks(self, count: int) -> Iterator[Feature]:
        corners = self.random.uniform(-self.half_m, self.half_m * 0.98, (count, 2)).tolist()
        for index, (east, north) in enumerate(corners):
            tags = {"leisure": "park", "name": f"{self._word()} Park"}
            yield self._area("w", 10_000_000 + index, tags, (east, north, east + 80, north + 60))

    def _places(self, count: int, streets: list[str]) -> Iterator[Feature]:
        spread = self.half_m / 2.5
        words = [self._word() for _ in range(_WORDS)]
        for start in range(0, count, _BATCH):
            size = min(_BATCH, count - start)
            offsets = np.clip(self.random.normal(0, spread, (size, 2)), -self.half_m, self.half_m).tolist()
            draws = self.random.random((size, 7)).tolist()
            for index, ((east, north), draw) in enumerate(zip(offsets, draws, strict=True), start + 1):
                tags = _place_tags(draw, words, streets)
                lat, lng = self._at(east, north)
                yield Feature("n", index, tags, categories_of(tags), Shape.POINT, lat, float(lng))

    def _area(
        self, kind: str, osm_id: int, tags: dict[str, str], box: tuple[float, float, float, float]
    ) -> Feature:
        west, south, east, north = box
        corners = ((west, south), (east, south), (east, north), (west, north), (west, south))
        wkb = _polygon([self._at(*corner) for corner in corners])
        return Feature(kind, osm_id, tags, categories_of(tags), Shape.AREA, wkb=wkb)

    def _word(self) -> str:
        """A made-up name of two or three syllables."""
        draw = self.random.integers(0, 1 << 30, 4).tolist()
        syllables = [_syllable(number) for number in draw[: 2 + draw[3] % 2]]
        return "".join(syllables).capitalize()


def _place_tags(draw: list[float], words: list[str], streets: list[str]) -> dict[str, str]:
    """Tags of a place, made of seven random numbers between 0 and 1."""
    kind = _pick(_KINDS, draw[0])
    key, value = kind.split("=")
    tags = {key: value}
    if kind not in _UNNAMED:
        tags["name"] = f"{_pick(words, draw[1])} {_pick(words, draw[2])} {label_of(value).capitalize()}"
    if draw[3] < _HOURS_SHARE:
        tags["opening_hours"] = _pick(_HOURS, draw[3] / _HOURS_SHARE)
    if draw[4] < _ADDRESS_SHARE:
        tags["addr:street"] = _pick(streets, draw[4] / _ADDRESS_SHARE)
        tags["addr:housenumber"] = str(1 + int(draw[5] * _HOUSES))
    if value in {"restaurant", "fast_food"}:
        tags["cuisine"] = _pick(_CUISINES, draw[6])
    return tags


def _pick(choices: Sequence[str], draw: float) -> str:
    return choices[int(draw * len(choices))]


def _syllable(number: int) -> str:
    onset = _ONSETS[number % len(_ONSETS)]
    vowel = _VOWELS[number // 100 % len(_VOWELS)]
    return onset + vowel + _CODAS[number // 10_000 % len(_CODAS)]


def _line(points: list[tuple[float, float]]) -> bytes:
    """Well-known binary of a line of (latitude, longitude) points (OGC 06-103r4, section 8)."""
    return struct.pack("<BII", 1, 2, len(points)) + _coordinates(points)


def _polygon(points: list[tuple[float, float]]) -> bytes:
    return struct.pack("<BIII", 1, 3, 1, len(points)) + _coordinates(points)


def _coordinates(points: list[tuple[float, float]]) -> bytes:
    return b"".join(struct.pack("<dd", lng, lat) for lat, lng in points)
