"""Searching a recorded world: which place a spot stands for, what its lists say, what its positions give.

Names and addresses are looked up tolerantly (`NameIndex`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from rapidfuzz import fuzz, process

from map_tools.compute.geodesy import distance_m
from map_tools.compute.shapes import contains
from map_tools.compute.shapes import distance_m as from_shape_m
from map_tools.kinds import concepts
from map_tools.kinds.tag_categories import has_tag
from map_tools.providers.base import Spot, position_of
from map_tools.providers.world import KnownList, World
from map_tools.text import normalise, same_words, similarity
from map_tools.types import LatLng, NearbyPlace, Place, Shape

SAME_SPOT_M = 50
"""A bare position this close to a recorded place stands for it."""

MIN_SCORE = 0.8
"""Below this a wording does not mean the place: one slip in four letters still passes."""
ADDRESS_SCORE = 0.97
"""Score of a name whose further words all stand in the place's address ("X, Main Street"); under an exact
name."""
PART_SCORE, PART_GAIN = 0.8, 0.1
"""A name that is only a part of the words asked for scores from the first to their sum, by its share."""
CONSIDERED = 64
"""Names compared in detail, after a coarse comparison of all."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What is searched for: category ids (none: any) and a keyword."""

    categories: tuple[str, ...] = ()
    keyword: str | None = None

    def is_of(self, known: KnownList) -> bool:
        """True if a recorded list is about this kind."""
        if self.categories:
            return bool(set(self.categories) & set(known.categories))
        if self.keyword:
            return set(normalise(self.keyword).split()) <= set(normalise(known.what).split())
        return not known.categories

    def fits(self, place: Place, what: str = "") -> bool:
        """True if all words of the keyword stand in what is known of the place, or in its list's title."""
        if not self.keyword:
            return True
        services = [key for key, offered in place.services.items() if offered]
        names = (place.name, what, *place.aliases, *place.categories)
        text = " ".join([*names, *services, *place.attributes.values()])
        return set(normalise(self.keyword).split()) <= set(normalise(text).split())


class WorldSearch:
    """Spatial questions to a recorded world."""

    def __init__(self, world: World) -> None:
        self._world = world

    def id_of(self, spot: Spot) -> str | None:
        """The recorded place a spot stands for: the place itself, or the nearest one on the spot."""
        if isinstance(spot, Place):
            if spot.id in self._world.places:
                return spot.id
            if spot.location is None:
                return None
        position = position_of(spot)
        near = [
            (away, place.id)
            for place in self._world.places.values()
            if (away := distance_between(position, place)) is not None and away <= SAME_SPOT_M
        ]
        return min(near)[1] if near else None

    def listed(self, center: Spot, radius_m: float, kind: Kind) -> list[NearbyPlace] | None:
        """What the recorded list of this kind around the centre says; None if there is no such list."""
        known = self._list_for(center, kind, inside=False)
        if known is None:
            return None
        anchor = self._world.places[known.anchor_id].location
        items: list[NearbyPlace] = []
        for place_id, printed_m in known.items:
            place = self._world.places[place_id]
            away = printed_m if printed_m is not None else distance_between(anchor, place)
            # Without a distance only the list's own circle tells that the place is near enough.
            near = (known.radius_m or 0.0) <= radius_m if away is None else away <= radius_m
            if near and kind.fits(place, known.what):
                rank = len(items) + 1 if known.ordered and printed_m is None else None
                items.append(NearbyPlace(place=place, distance_m=away, rank=rank))
        printed = all(distance is not None for _, distance in known.items)
        if all(item.distance_m is not None for item in items) and (printed or not known.ordered):
            items.sort(key=lambda item: or_last(item.distance_m))
        return items

    def inside(self, area: Place, kind: Kind) -> tuple[Place, ...] | None:
        """What the recorded list of this kind inside the area says, else what its recorded outline does.

        None if there is neither.
        """
        known = self._list_for(area, kind, inside=True)
        if known is None:
            return self._within(area, kind)
        places = (self._world.places[place_id] for place_id, _ in known.items)
        return tuple(place for place in places if kind.fits(place, known.what))

    def around(self, center: Spot, radius_m: float, kind: Kind) -> list[NearbyPlace]:
        """The places of the kind whose recorded position is near enough, nearest first."""
        away_from = self._measure(center)
        found = []
        for place in self.everywhere(kind):
            away = away_from(place)
            if away is not None and away <= radius_m:
                found.append(NearbyPlace(place=place, distance_m=away))
        return sorted(found, key=lambda item: or_last(item.distance_m))

    def everywhere(self, kind: Kind) -> list[Place]:
        """All places of the kind."""
        wanted = set(kind.categories)
        return [
            place
            for place in self._world.places.values()
            if (not wanted or is_of_kind(place, wanted)) and kind.fits(place)
        ]

    def _measure(self, center: Spot) -> Callable[[Place], float | None]:
        """What tells how far a place is: from the shape of what one is in or along, else from a position."""
        ground = None if isinstance(center, LatLng) else self._world.shapes.get(center.id)
        if isinstance(center, LatLng) or ground is None or not _stands_for(ground, center):
            return partial(distance_between, position_of(center))

        return lambda place: None if place.location is None else from_shape_m(ground, place.location)

    def _within(self, area: Place, kind: Kind) -> tuple[Place, ...] | None:
        outline = self._world.shapes.get(area.id)
        if outline is None or outline.kind != "area":
            return None

        return tuple(
            place
            for place in self.everywhere(kind)
            if place.id != area.id and place.location is not None and contains(outline, place.location)
        )

    def _list_for(self, center: Spot, kind: Kind, *, inside: bool) -> KnownList | None:
        """The recorded list of this kind for this centre; of several the widest."""
        anchor = self.id_of(center)
        fitting = [
            each
            for each in self._world.lists
            if each.anchor_id == anchor and each.inside == inside and kind.is_of(each)
        ]
        return max(fitting, key=lambda each: or_last(each.radius_m), default=None)


def _stands_for(shape: Shape, place: Place) -> bool:
    """True if distances from the place are those from its shape."""
    return shape.kind == "line" or concepts.is_ground(place.categories)


def is_of_kind(place: Place, wanted: Iterable[str]) -> bool:
    """True if a place has one of some categories, or of some tags ("amenity=bench")."""
    return any(kind in place.categories or has_tag(place.attributes, kind) for kind in wanted)


def distance_between(point: LatLng | None, place: Place) -> float | None:
    """Geodesic metres; None if either position is unknown."""
    if point is None or place.location is None:
        return None
    return distance_m(point, place.location)


def or_last(value: float | None) -> float:
    """A sort key that puts what is unknown behind everything."""
    return float("inf") if value is None else value


class NameIndex:
    """Finds places by name, alias or address.

    Args:
        places: What to search; names are compared as `map_tools.text.similarity` does.
    """

    def __init__(self, places: Iterable[Place]) -> None:
        self._places: list[Place] = []
        self._names: list[str] = []
        self._exact: set[str] = set()
        self._owner: list[int] = []
        self._by_word: dict[str, set[int]] = {}
        for place in places:
            self._add(place)

    def find(self, text: str, *, strict: bool = False) -> list[tuple[Place, float]]:
        """The places these words fit, best first, each with its score (0 to 1).

        Unless `strict`, words that fit no name are looked for once more in other languages' spelling.
        """
        wanted = normalise(text)
        best: dict[int, float] = {}
        for index in self._considered(wanted):
            owner = self._owner[index]
            score = _score(wanted, self._names[index], self._places[owner])
            if score >= MIN_SCORE and score > best.get(owner, 0.0):
                best[owner] = score
        if not best and not strict:
            best = self._in_other_words(text)
        ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
        return [(self._places[owner], score) for owner, score in ranked]

    def _in_other_words(self, text: str) -> dict[int, float]:
        """Places that go by the same words in another language, and lie where the text says, if it does."""
        head, _, area = text.partition(",")
        where = set(normalise(area).split())
        return {
            owner: MIN_SCORE
            for name, owner in zip(self._names, self._owner, strict=True)
            if same_words(head, name)
            and (not where or where & set(normalise(self._places[owner].address or "").split()))
        }

    def has(self, text: str) -> bool:
        """Whether a place has exactly this name, alias or address, as `map_tools.text.normalise` sees it."""
        return normalise(text) in self._exact

    def _add(self, place: Place) -> None:
        owner = len(self._places)
        self._places.append(place)
        for name in (place.name, *place.aliases, place.address or ""):
            plain = normalise(name)
            if not plain:
                continue
            index = len(self._names)
            self._names.append(plain)
            self._exact.add(plain)
            self._owner.append(owner)
            for word in plain.split():
                self._by_word.setdefault(word, set()).add(index)

    def _considered(self, wanted: str) -> set[int]:
        """Names worth a closer look: alike as a whole, or sharing the rarest word they can share."""
        coarse = process.extract(
            wanted, self._names, scorer=fuzz.token_sort_ratio, score_cutoff=60, limit=CONSIDERED
        )
        found = {index for _, _, index in coarse}
        shared = sorted((self._by_word.get(word, set()) for word in set(wanted.split())), key=len)
        for indices in shared:
            if indices and len(found) + len(indices) <= 4 * CONSIDERED:
                found |= indices
        return found


def _score(wanted: str, name: str, place: Place) -> float:
    score = similarity(wanted, name)
    words, own = set(wanted.split()), set(name.split())
    left = words - own
    if own < words and left.issubset(normalise(place.address or "").split()):
        return max(score, ADDRESS_SCORE)
    if own < words:  # words that are neither in the name nor in the address mean some other place
        return min(score, PART_SCORE + PART_GAIN * len(own) / len(words))
    return score
