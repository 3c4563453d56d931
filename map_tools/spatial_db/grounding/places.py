"""From words for a place or a road to features: by name, with city and state behind commas, by id, by likeness.

A cascade (Geo-ReAct, section 4.1.2, ResolveLocation): the longest part of the words that is a name to the
letter, in the tables in their order; what stands behind it ("The Mill, Westport, OH", "The Mill in Westport") must be
the feature's city, state or region. Where several features remain, all are given: which one is meant is not guessed
here. Roads are also found by number ("I-95" and "Interstate 95" are one), and the corners where two of them meet.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from map_tools.compute.geodesy import distance_m
from map_tools.errors import PlaceNotFoundError
from map_tools.maps.search.names import canonical
from map_tools.spatial_db.grounding.vocabulary import read_data
from map_tools.spatial_db.memory.engine import FeatureRef, MemoryEngine
from map_tools.text import normalise
from map_tools.types import LatLng

Wanted = Literal["place", "region"]

ORDER: dict[Wanted, tuple[str, ...]] = {
    "place": ("pois", "parks", "lakes", "roads", "regions"),
    "region": ("regions", "parks", "lakes", "pois", "roads"),
}
"""Tables in the order they are looked in; those of another name come with `pois`."""
SAME_SPOT_M = 100.0
"""Features of one name this near to each other are one place, mapped twice."""
ALIKE = 0.86
"""A name less like the words, or with other numbers in it, is not what was meant."""

_ID = re.compile(r"(?:(?:osm[ _]?)?id\s*[:#]?\s*)?(-?\d{4,})", re.IGNORECASE)
_NUMBERS = re.compile(r"\d+")
_AREA_WORDS = re.compile(
    r"^(?:the )?(?:city|town|village|county|state|district|municipality|borough|island) of ", re.I
)


@dataclass(frozen=True, slots=True)
class Resolved:
    """The features that words can mean.

    Attributes:
        words: The words.
        refs: The features, the first one the likeliest only if `ambiguous` is False.
        exact: True if a name was met to the letter.
        note: What a reader should know about the choice; empty if nothing.
    """

    words: str
    refs: tuple[FeatureRef, ...]
    exact: bool = True
    note: str = ""

    @property
    def ambiguous(self) -> bool:
        """True if several places are called so."""
        return len(self.refs) > 1


class PlaceFinder:
    """Finds features by what people call them.

    Args:
        engine: The data.
    """

    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine

    def find(self, words: str, wanted: Wanted = "place") -> Resolved:
        """The features these words mean.

        Args:
            words: A name, perhaps with city and state behind commas, or an OpenStreetMap id.
            wanted: Whether a place to measure from or a region is meant.

        Raises:
            PlaceNotFoundError: Nothing is called like this.
        """
        for head, behind in name_cuts(words):
            refs = self._called(head, wanted)
            chosen = self._fitting(refs, behind)
            if chosen:
                return Resolved(words, self._apart(chosen))
        by_id = self._by_id(words)
        if by_id:
            return Resolved(words, by_id)
        return self._alike(words, wanted)

    def known(self, words: str) -> bool:
        """True if a feature is called so to the letter, city and state aside."""
        return any(self._engine.find_name(head, fuzzy=False) for head, _ in name_cuts(words))

    def _called(self, name: str, wanted: Wanted) -> list[FeatureRef]:
        """The features of exactly this name, of the first table that has any."""
        found = [hit.ref for hit in self._engine.find_name(name, fuzzy=False)]
        if not found and wanted == "region":
            found = [hit.ref for hit in self._engine.find_name(_AREA_WORDS.sub("", name), fuzzy=False)]
        return found and self._first_table(found, wanted)

    def _first_table(self, refs: Sequence[FeatureRef], wanted: Wanted) -> list[FeatureRef]:
        """Of the first table that has any; of those the ones the map has an id for, if there are such.

        What has no id is known by name alone (from a text, say), and its position is less certain.
        """
        order = ORDER[wanted]
        rank = {
            ref: (order.index(ref.table) if ref.table in order else order.index("pois"), self._is_loose(ref))
            for ref in refs
        }
        first = min(rank.values())
        return [ref for ref in refs if rank[ref] == first]

    def _is_loose(self, ref: FeatureRef) -> bool:
        ids = self._engine.table(ref).columns.get("osm_id")
        return ids is not None and ids.text(ref.row) is None

    def _fitting(self, refs: Sequence[FeatureRef], behind: Sequence[str]) -> list[FeatureRef]:
        """Those that lie where the words say; where no address tells, those that none speaks against."""
        sure = [ref for ref in refs if all(self._lies_in(ref, area) for area in behind)]
        if sure or not behind:
            return sure
        return [ref for ref in refs if all(self._lies_in(ref, area) is not False for area in behind)]

    def _lies_in(self, ref: FeatureRef, area: str) -> bool | None:
        """Whether a feature lies in an area; None if nothing tells."""
        stated = list(self._stated_areas(ref))
        if any(_same_area(area, text) for text in stated):
            return True
        outlines = [
            hit.ref for hit in self._engine.find_name(area, fuzzy=False) if hit.ref.table == "regions"
        ]
        if any(self._inside(ref, outline) for outline in outlines):
            return True
        return False if stated or outlines else None

    def _stated_areas(self, ref: FeatureRef) -> Iterator[str]:
        table = self._engine.table(ref)
        for column in ("addr_city", "addr_state", "addr_county", "addr_country", "is_in"):
            text = table.text(ref.row, column)
            if text:
                yield text
        for part in (table.text(ref.row, "wikipedia") or "").split(",")[1:]:
            yield part.strip()

    def _inside(self, ref: FeatureRef, outline: FeatureRef) -> bool:
        import shapely

        place = self._engine.position(ref)
        return bool(shapely.intersects_xy(self._engine.geometry(outline), place.lng, place.lat))

    def _apart(self, refs: Sequence[FeatureRef]) -> tuple[FeatureRef, ...]:
        """Without those that are the same place as one before."""
        kept: list[FeatureRef] = []
        for ref in refs:
            here = self._engine.position(ref)
            if all(distance_m(here, self._engine.position(other)) > SAME_SPOT_M for other in kept):
                kept.append(ref)
        return tuple(kept)

    def _by_id(self, words: str) -> tuple[FeatureRef, ...]:
        """The feature of an OpenStreetMap id; a negative one is a relation's (as osm2pgsql writes them)."""
        match = _ID.fullmatch(words.strip())
        if match is None:
            return ()
        number = int(match[1])
        for name, table in self._engine.tables.items():
            column = table.columns.get("osm_id")
            if column is None:
                continue
            for text in {str(number), str(abs(number))}:
                rows = [row for row in range(len(table)) if column.text(row) == text]
                kinds = [row for row in rows if number > 0 or table.text(row, "osm_type") in {None, "r"}]
                if kinds:
                    return tuple(FeatureRef(name, row) for row in kinds[:1])
        return ()

    def _alike(self, words: str, wanted: Wanted) -> Resolved:
        for text in dict.fromkeys((words, words.partition(",")[0])):
            numbers = _NUMBERS.findall(text)
            hits = [
                hit
                for hit in self._engine.find_name(text)
                if hit.score >= ALIKE and _NUMBERS.findall(self._engine.name(hit.ref)) == numbers
            ]
            if hits:
                best = [hit.ref for hit in hits if hit.score >= hits[0].score - 0.005]
                refs = self._apart(self._first_table(best, wanted))
                note = f"'{words}' is taken for '{self._engine.name(refs[0])}'."
                return Resolved(words, refs, exact=False, note=note)
        raise PlaceNotFoundError(
            f"Nothing is called '{words}' here.", "Check the spelling, or name its city."
        )


def _same_area(said: str, stated: str) -> bool:
    return bool(area_forms(said) & area_forms(stated))


_JOINT = re.compile(r"\s*,\s*|\s+in\s+")


def name_cuts(words: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Words as a name and the areas behind it, the longest name first.

    A name can have a comma or an "in" of its own, so the words are cut at each, and not at all first.
    """
    yield words.strip(), ()
    joints = list(_JOINT.finditer(words))
    for number in range(len(joints) - 1, -1, -1):
        ends = [joint.start() for joint in joints[number + 1 :]] + [len(words)]
        begins = [joint.end() for joint in joints[number:]]
        areas = (words[begin:end].strip() for begin, end in zip(begins, ends, strict=True))
        yield words[: joints[number].start()].strip(), tuple(area for area in areas if area)


def area_forms(area: str) -> frozenset[str]:
    """An area's name in comparable form, and its code if it has one."""
    plain = _plain(area)
    return frozenset({plain, _codes().get(plain, plain)})


def _plain(words: str) -> str:
    """The words in comparable form; "D.C." is written "DC" too."""
    return normalise(words.replace(".", ""))


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """Names by codes and codes by names, in comparable form."""
    codes = read_data("states.toml")["codes"]
    forward = {normalise(code): normalise(name) for code, name in codes.items()}
    return forward | {name: code for code, name in forward.items()}


ROADS = "roads"
MAX_GAP_M = 100.0
"""Two streets that come no nearer to each other have no corner."""
SAME_ROAD = 0.9
"""A name less like the words is not the street that was meant."""

_NUMBERED = re.compile(r"(?P<class>[a-z][a-z ]*?) ?(?P<number>\d+[a-z]?)(?P<rest>(?: .*)?)")


def road_spellings(name: str) -> Iterator[str]:
    """The name, and for a numbered road its other spellings ("US-17": "us highway 17", ...)."""
    yield name
    match = _NUMBERED.fullmatch(canonical(name))
    if match is None:
        return
    for group in _designations():
        if match["class"] in group:
            others = (words for words in group if words != match["class"])
            yield from (f"{words} {match['number']}{match['rest']}" for words in others)


@lru_cache(maxsize=1)
def _designations() -> tuple[Sequence[str], ...]:
    """Words of each class of roads, in the form of `canonical`."""
    groups = read_data("roads.toml")["designations"].values()
    return tuple(tuple(dict.fromkeys(map(canonical, group))) for group in groups)


@dataclass(frozen=True, slots=True)
class Corner:
    """Where two streets meet; `gap_m` is how far apart they come nearest, 0 if they touch."""

    at: LatLng
    gap_m: float


def corner_of(engine: MemoryEngine, first: str, second: str) -> Corner:
    """Where two streets cross; else the middle of the closest pair of their points.

    Raises:
        PlaceNotFoundError: There is no such street, they do not meet, or they meet in places far from each
            other.
    """
    import shapely

    a, b = (shapely.union_all(_street(engine, name)) for name in (first, second))
    crossing = shapely.intersection(a, b)
    line = shapely.shortest_line(a, b)
    (lng1, lat1), (lng2, lat2) = line.coords
    gap_m = distance_m(LatLng(lat=lat1, lng=lng1), LatLng(lat=lat2, lng=lng2))
    if crossing.is_empty and gap_m > MAX_GAP_M:
        raise PlaceNotFoundError(
            f"'{first}' and '{second}' come no nearer to each other than {gap_m:.0f} m.",
            "Name two streets that meet.",
        )
    if not crossing.is_empty and _diagonal_m(crossing.bounds) > MAX_GAP_M:
        raise PlaceNotFoundError(
            f"'{first}' and '{second}' meet in places up to {_diagonal_m(crossing.bounds):.0f} m apart.",
            "Name something near the corner that is meant.",
        )
    point = shapely.centroid(crossing) if not crossing.is_empty else shapely.centroid(line)
    return Corner(LatLng(lat=point.y, lng=point.x), gap_m)


def _street(engine: MemoryEngine, name: str) -> Any:
    """All pieces of a street.

    Raises:
        PlaceNotFoundError: There is no such street.
    """
    written = (engine.find_name(spelling, fuzzy=False) for spelling in road_spellings(name))
    hits = [hit.ref for hits in written for hit in hits if hit.ref.table == ROADS]
    if not hits and canonical(name):
        found = [hit for hit in engine.find_name(name) if hit.ref.table == ROADS]
        hits = [hit.ref for hit in found if hit.score >= SAME_ROAD]
    shapes = engine.tables[ROADS].shapes if ROADS in engine.tables else None
    if not hits or shapes is None:
        raise PlaceNotFoundError(f"There is no street '{name}' here.", "Check the spelling.")
    return shapes.geometries(np.array([ref.row for ref in hits]))


def _diagonal_m(bounds: tuple[float, float, float, float]) -> float:
    """The diagonal of a box given as west, south, east, north."""
    west, south, east, north = bounds
    return distance_m(LatLng(lat=south, lng=west), LatLng(lat=north, lng=east))
