"""Two descriptions of a place, a semantic and a spatial one (appendix B.2.2), from what the map states.

The paper has a model summarise reviews. Here tags, opening hours and computed surroundings are put in words;
descriptions and reviews that a source has are added as they are. All of it is data, never an instruction.

What lies around a place is computed from the map, in the words of the vocabulary. Two ways lead there: from the
places that a map tool lists (`Surroundings`; areas count by the point that stands for them), and ahead of time from a
whole map (`surroundings_of`), which knows the outlines of lakes.
"""

import math
import re
from collections.abc import Iterator, Sequence
from datetime import time, timedelta
from functools import lru_cache
from itertools import islice

import numpy as np
import numpy.typing as npt

from map_tools.compute.hours import Interval, intervals_on
from map_tools.kinds.concepts import label_of
from map_tools.maps.geodesic import geodesic_m
from map_tools.maps.store import MapStore
from map_tools.types import Hours, LatLng, Place
from modules.query.values.moment import ANY_MONDAY
from modules.recommender.understand import surroundings as table

VERSION = "3"
"""Of the wording and the vocabulary of descriptions: vectors of other wordings are never mixed with them."""

MAX_SENTENCES = 24
"""What is read of all that a source tells of a place: its descriptions first, then reviews."""
MAX_SENTENCE_CHARS = 400

_STATED = ("cuisine", "stars", "historic", "dress_code")
_TOLD = ("description:en", "description", "short_description")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
_FLAGS = ("microbrewery", "fireplace", "live_music", "sauna")
_SPATIAL_FLAGS = ("outdoor_seating", "summer_terrace", "rooftop", "beer_garden")
_PRICES = ("free", "cheap, inexpensive", "moderate, reasonable", "expensive, upmarket", "luxurious")
"""Words for Google's price levels 0 to 4."""
_WELL_RATED = 4.5
_EARLY, _LATE_HOUR = time(9), 23
"""Opening by 9 is in time for breakfast; closing at 23 h or after midnight is late."""

type Floats = npt.NDArray[np.float64]
type Rows = npt.NDArray[np.int64]
type Bits = npt.NDArray[np.uint16]

_A_M = 6_378_137.0
_E2 = 6.69437999014e-3
"""Semi-major axis and first eccentricity squared of WGS84 (NIMA TR8350.2, tables 3.1 and 3.3)."""
BAND_DEG = 0.25
"""A map is worked off in bands of latitude in which the Earth is taken as flat: from the middle of a band to
its edge a degree of longitude changes by less than half a per cent up to 65 degrees of latitude, so 200 m are
right to 1 m."""


def semantic_sentences(place: Place) -> tuple[str, ...]:
    """What the place is like, wherever it lies: a sentence of what the map states, then what is told."""
    return (", ".join(part for part in _semantic_parts(place) if part), *_told(place))


def semantic_description(place: Place) -> str:
    """The semantic sentences as one text."""
    return ". ".join(semantic_sentences(place))


def whole_description(place: Place) -> str:
    """What the place is like, with all that a source tells of it uncut."""
    stated, *_ = semantic_sentences(place)
    return ". ".join((stated, *_texts(place)))


def spatial_sentences(place: Place, around: Sequence[str]) -> tuple[str, ...]:
    """Where the place lies, apart from its distance to anything the question names: at least one sentence.

    What a source tells of a place may be of either kind ("a view over the park"), so it belongs to both.

    Args:
        place: The place.
        around: The keys of what lies around it (`modules.recommender.describe`).
    """
    street = (place.address or "").partition(",")[0]
    parts = (*map(words_for, around), *_said(place, _SPATIAL_FLAGS), street)
    return (", ".join(part for part in parts if part), *_told(place))


def _semantic_parts(place: Place) -> Iterator[str]:
    yield place.name
    yield ", ".join(map(label_of, place.categories))
    stated = (place.attributes[key] for key in _STATED if key in place.attributes)
    yield ", ".join(value.replace(";", ", ").replace("_", " ") for value in stated)
    services = (name for name, offered in place.services.items() if offered)
    yield ", ".join(name.removeprefix("serves_").replace("_", " ") for name in services)
    yield ", ".join(_said(place, _FLAGS))
    yield f"chain {place.attributes['brand']}" if "brand" in place.attributes else "independent"
    yield "" if place.hours is None else _times(place.hours)
    yield "" if place.price_level is None else _PRICES[place.price_level]
    yield "excellent, highly rated" if (place.rating or 0) >= _WELL_RATED else ""


def _told(place: Place) -> tuple[str, ...]:
    """The sentences of a place's descriptions and reviews."""
    sentences = (
        sentence.strip()[:MAX_SENTENCE_CHARS]
        for text in _texts(place)
        for sentence in _SENTENCE_END.split(text)
    )
    return tuple(islice((sentence for sentence in sentences if sentence), MAX_SENTENCES))


def _texts(place: Place) -> tuple[str, ...]:
    """A place's descriptions and reviews."""
    told = (*(place.attributes.get(key, "") for key in _TOLD), *(review.text for review in place.reviews))
    return tuple(text for text in told if text)


def _said(place: Place, keys: Sequence[str]) -> Iterator[str]:
    """The words of the flags a place has, as a service or as a tag."""
    for key in keys:
        if place.services.get(key) or place.attributes.get(key) == "yes":
            yield key.replace("_", " ")


@lru_cache(maxsize=16_384)
def _times(hours: Hours) -> str:
    """What the hours of an ordinary week say in words."""
    week = [span for day in range(7) for span in intervals_on(hours, ANY_MONDAY + timedelta(days=day))]
    early = any(span.opens.time() <= _EARLY for span in week)
    late = any(_ends_late(span) for span in week)
    return ", ".join(["open early for breakfast"] * early + ["open late at night"] * late)


def _ends_late(span: Interval) -> bool:
    return span.closes.date() > span.opens.date() or span.closes.hour >= _LATE_HOUR


def wanted_kinds(keys: Sequence[str]) -> tuple[tuple[str, ...], float]:
    """The categories that tell of some surroundings, and the farthest that any of them reaches, in metres."""
    known = [table()[key] for key in keys if key in table()]
    categories = tuple(dict.fromkeys(category for entry in known for category in entry["categories"]))
    return categories, max((float(entry["within_m"]) for entry in known), default=0.0)


def words_for(key: str) -> str:
    """How a surrounding is called in a description."""
    return str(table()[key]["words"])


def keys_of(bits: int) -> tuple[str, ...]:
    """The keys that some bits stand for: the first key of the vocabulary is the lowest bit."""
    return tuple(key for number, key in enumerate(table()) if bits >> number & 1)


def surroundings_of(store: MapStore) -> Bits:
    """What lies around every feature of a map, by row, as bits (`keys_of`); none surrounds itself."""
    bits = np.zeros(len(store), np.uint16)
    bands = np.floor(store.lats / BAND_DEG)
    order = np.argsort(bands, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(bands[order])) + 1)
    for number, entry in enumerate(table().values()):
        shapes = _Shapes(store, entry["categories"])
        for rows in groups:
            bits[shapes.near(rows, float(entry["within_m"]))] |= np.uint16(1 << number)
    return bits


class Surroundings:
    """The places around candidates, by what they make of a place near them.

    Args:
        others: Everything that may count, of any kind. Areas count by the point that stands for them.
    """

    def __init__(self, others: Sequence[Place]) -> None:
        self._by_key = {key: _positions(others, frozenset(table()[key]["categories"])) for key in table()}

    def of(self, place: Place) -> tuple[str, ...]:
        """The keys of what is within reach of a place; it is no surrounding of itself."""
        if place.location is None:
            return ()
        at = place.location
        return tuple(
            key
            for key, (ids, spots) in self._by_key.items()
            if self._reaches(place.id, at, ids, spots, float(table()[key]["within_m"]))
        )

    @staticmethod
    def _reaches(own_id: str, at: LatLng, ids: Sequence[str], spots: Floats, within_m: float) -> bool:
        if not ids:
            return False
        near = geodesic_m(at.lat, at.lng, spots[:, 0], spots[:, 1]) <= within_m
        return any(hit and other != own_id for hit, other in zip(near.tolist(), ids, strict=True))


class _Shapes:
    """The features of some categories with their outlines, in degrees."""

    def __init__(self, store: MapStore, categories: Sequence[str]) -> None:
        import shapely

        self._store = store
        self._rows = np.unique(store.spatial.members(categories)).astype(np.int64)
        spots = shapely.points(store.lngs[self._rows], store.lats[self._rows])
        outlines = [store.geometry(row) if store.shapes[row] else None for row in self._rows.tolist()]
        self._shapes = np.array(
            [
                spot if wkb is None else shapely.from_wkb(wkb)
                for spot, wkb in zip(spots, outlines, strict=True)
            ],
            dtype=object,
        )
        self._bounds = shapely.bounds(self._shapes).reshape(-1, 4)

    def near(self, rows: Rows, within_m: float) -> Rows:
        """Those of the rows of one band of latitude that lie within reach of one of the shapes."""
        import shapely

        lats, lngs = self._store.lats[rows], self._store.lngs[rows]
        scale = np.array(metres_per_degree(float(lats.min() + lats.max()) / 2))
        margin = within_m / scale[1]
        of_band = (self._bounds[:, 3] >= lats.min() - margin) & (self._bounds[:, 1] <= lats.max() + margin)
        if not of_band.any():
            return rows[:0]
        tree = shapely.STRtree(shapely.transform(self._shapes[of_band], lambda degrees: degrees * scale))
        spots = shapely.points(np.column_stack((lngs, lats)) * scale)
        found, by = tree.query(spots, predicate="dwithin", distance=within_m)
        others = rows[found] != self._rows[of_band][by]
        return np.unique(rows[found[others]])


def _positions(others: Sequence[Place], kinds: frozenset[str]) -> tuple[list[str], Floats]:
    """Ids and positions, shape (n, 2), of the places of some kinds."""
    found = [
        (other.id, other.location.lat, other.location.lng)
        for other in others
        if other.location is not None and not kinds.isdisjoint(other.categories)
    ]
    return [one[0] for one in found], np.array([one[1:] for one in found], np.float64).reshape(-1, 2)


def metres_per_degree(lat: float) -> tuple[float, float]:
    """Length of a degree of longitude and of one of latitude at a latitude in degrees.

    By the radii of curvature in the prime vertical and along the meridian.
    """
    w_squared = 1.0 - _E2 * math.sin(math.radians(lat)) ** 2
    normal, meridian = _A_M / math.sqrt(w_squared), _A_M * (1.0 - _E2) / w_squared**1.5
    return math.radians(normal * math.cos(math.radians(lat))), math.radians(meridian)
