"""What is found for a name: how surely it is meant, each place once, rivals for the name, and areas among it.

Services list a hotel anew by its other entrance; the maps of our own are free of such entries when they are built
(`map_tools.maps.making.twins`).
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from map_tools.compute.geodesy import distance_m
from map_tools.errors import LimitError, PlaceNotFoundError, ToolError
from map_tools.kinds import concepts
from map_tools.kinds.concepts import ADDRESSED, AREA_KINDS, LINEAR, is_street
from map_tools.maps.search.names import canonical
from map_tools.one_place import Entry, are_apart, kinship, own_kinds, phones_of, reach_m
from map_tools.providers.base import CutList, Provider
from map_tools.text import normalise
from map_tools.types import Candidate, NearbyPlace, Place

FAINT = 0.75
"""The score of a place that may well be another one than the text names."""

_BETWEEN = re.compile(r"\s[-–—]\s|[–—]")
EQUAL_SCORE = 0.001
"""Scores that differ by less say the same."""

_HOUSES = frozenset(
    {"shop", "food", "lodging", "school", "kindergarten", "pharmacy", "bank", "library", "office"}
    | {"bus_stop", "tram_stop", "stop_position", "platform"}
)
"""Kinds that are often called after the quarter they stand in."""

_SHOPPING_CENTRES = frozenset({"mall", "marketplace"})
_NAMED = 5
_NUMBER = re.compile(r"\b\d{1,5}[a-z]?\b", re.IGNORECASE)
SHOWN = 20
"""How many places of one name are told apart."""

STREET_WITHIN_M = 150.0
"""A street farther away is none to find a place by."""

DISTRICT_WITHIN_M = 3_000.0
_DISTRICTS = ("suburb", "neighbourhood", "village", "town", "hamlet")
SAME_SPOT_M = 150
"""Two entries of one kind and name this close together are parts of one place (platforms, entrances, an
outline and its point)."""


def sureness(text: str, place: Place, score: float) -> float:
    """The score, but little where a name says more than the text, and the place, or its name, is of another kind.

    "Bank of England" is hardly the pub "The Old Bank of England", "Vancouver Airport" no "Vancouver Heliport" and
    "London Bridge station" no "London Blackfriars".
    """
    head = text.partition(",")[0]
    kinds = [(head[span.start : span.end], span.value.ids) for span in concepts.find_in(head, beside=True)]
    names = [{*canonical(name).split()} for name in (place.name, *place.aliases)]
    if not kinds or any(name <= {*canonical(text).split()} for name in names):
        return score
    unsaid = [ids for words, ids in kinds if not any({*canonical(words).split()} <= name for name in names)]
    said = tuple(category for span in concepts.find_in(place.name) for category in span.value.ids)
    fits = any(_is_one_kind(ids, place.categories) for _, ids in kinds) and all(
        _is_one_kind(ids, place.categories) and (not said or _is_one_kind(ids, said)) for ids in unsaid
    )
    return score if fits else min(score, FAINT)


def is_end_of(text: str, place: Place) -> bool:
    """Whether a line is called after its ends ("Feldkirch – Buchs"), and a text names but one of them."""
    ends = [*map(normalise, _BETWEEN.split(place.name))]
    words = {*normalise(text).split()}
    return (
        len(ends) > 1
        and not LINEAR.isdisjoint(place.categories)
        and any(words.isdisjoint(end.split()) for end in ends)
    )


def _is_one_kind(kinds: tuple[str, ...], categories: tuple[str, ...]) -> bool:
    return any(kinship((kind, *concepts.umbrellas_of(kind)), categories) for kind in kinds)


def found_once(found: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Candidates with each place once, where its best entry stands."""
    united = _united([item.place for item in found])
    return tuple(
        item.model_copy(update={"place": united[number]}) if number in united else item
        for number, item in enumerate(found)
        if united.get(number, item.place) is not None
    )


def listed_once(found: tuple[NearbyPlace, ...]) -> tuple[NearbyPlace, ...]:
    """A nearby list with each place once, where its nearest entry stands; a cut list stays one."""
    united = _united([item.place for item in found])
    if not united:
        return found
    items = [
        item.model_copy(update={"place": united[number]}) if number in united else item
        for number, item in enumerate(found)
        if united.get(number, item.place) is not None
    ]
    return CutList(items) if isinstance(found, CutList) else tuple(items)


def _united(places: Sequence[Place]) -> dict[int, Place | None]:
    """By its number in the list: the place an entry stands for with others, None for those left out."""
    by_name: dict[str, list[int]] = {}
    for number, place in enumerate(places):
        if place.name:
            by_name.setdefault(normalise(place.name), []).append(number)
    united: dict[int, Place | None] = {}
    for numbers in by_name.values():
        for group in _groups(numbers, places) if len(numbers) > 1 else ():
            first, *others = group
            united[first] = _unite([places[number] for number in group])
            united.update(dict.fromkeys(others))
    return united


def _groups(numbers: Sequence[int], places: Sequence[Place]) -> Iterator[list[int]]:
    group_of = {number: [number] for number in numbers}
    for one, other in combinations(numbers, 2):
        ours, theirs = group_of[one], group_of[other]
        if ours is theirs or not _is_one(places[one], places[other]):
            continue
        if any(are_apart(_entry(places[a]), _entry(places[b])) for a in ours for b in theirs):
            continue
        ours.extend(theirs)
        group_of.update(dict.fromkeys(theirs, ours))
    distinct = {id(group): group for group in group_of.values() if len(group) > 1}
    yield from (sorted(group) for group in distinct.values())


def _is_one(one: Place, other: Place) -> bool:
    if one.id == other.id:
        return True

    reach = reach_m(_entry(one), _entry(other))
    if reach is None:
        return False
    if one.location is None or other.location is None:
        return bool(one.address) and normalise(one.address or "") == normalise(other.address or "")
    return distance_m(one.location, other.location) <= reach


def _entry(place: Place) -> "Entry":
    """House numbers are looked for before the first comma, where most addresses have them."""
    return Entry(
        kinds=own_kinds(place.categories),
        numbers=frozenset(_NUMBER.findall((place.address or "").split(",")[0].casefold())),
        phones=phones_of(place.phone or ""),
        floors=frozenset(filter(None, place.attributes.get("level", "").split(";"))),
        operator=normalise(place.attributes.get("operator", "")),
    )


def _unite(places: Sequence[Place]) -> Place:
    """The place that says most, with what only the others say."""
    first, *others = sorted(places, key=lambda place: -_said(place))
    more: dict[str, object] = {}
    for other in others:
        for field, value in dict(other).items():
            if value and not more.get(field) and not getattr(first, field):
                more[field] = value
    ids = (other.id for other in others if other.id != first.id)
    merged = dict.fromkeys((*first.merged_from, *ids, *(each for one in others for each in one.merged_from)))
    categories = dict.fromkeys(category for place in (first, *others) for category in place.categories)
    return first.model_copy(update={**more, "merged_from": tuple(merged), "categories": tuple(categories)})


def _said(place: Place) -> int:
    return sum(bool(value) for value in dict(place).values()) + len(place.attributes) + len(place.services)


def is_called(text: str, place: Place) -> bool:
    """True if the text is one of the place's names."""
    return normalise(text) in map(normalise, (place.name, *place.aliases))


def bears(text: str, place: Place) -> bool:
    """True if one of the place's names is the text, or begins with its words."""
    wanted = normalise(text)
    return any(f"{normalise(name)} ".startswith(f"{wanted} ") for name in (place.name, *place.aliases))


def are_rivals(text: str, a: Place, b: Place) -> bool:
    """True if nothing but their order tells which is meant: places of a kind, or names the text begins."""
    return _same_kind(a, b) or (_begins(text, a) and _begins(text, b))


def lie_apart(a: Place, b: Place) -> bool:
    """True if the two are certainly different places."""
    if a.id == b.id or LINEAR & {*a.categories, *b.categories}:
        return False
    if a.location is not None and b.location is not None:
        return distance_m(a.location, b.location) > SAME_SPOT_M
    return a.address is not None and b.address is not None and normalise(a.address) != normalise(b.address)


def _same_kind(a: Place, b: Place) -> bool:
    if not a.categories or not b.categories:
        return a.categories == b.categories
    return a.categories[0] == b.categories[0]


def _begins(text: str, place: Place) -> bool:
    """True if the place's names say more than the text, and one of them begins with it."""
    return not is_called(text, place) and bears(text, place)


async def told_apart(places: Sequence[Place], provider: Provider) -> tuple[str, ...]:
    """A description of each of the first places, with no more than it takes to tell them apart.

    Where a map costs nothing to ask, the street or the part of town that an address lacks is looked up.
    """
    shown = places[:SHOWN]
    kinds = [concepts.label_of(place.categories[0]) if place.categories else "" for place in shown]
    streets = [_street(place) for place in shown]
    if provider.capabilities.cheap_names and not _tells(kinds) and not all(streets):
        streets = await _looked_up(shown, streets, provider, ADDRESSED, STREET_WITHIN_M)
    districts = ["" for _ in shown]
    if provider.capabilities.cheap_names and not _tells(kinds) and not _tells(streets):
        districts = await _looked_up(shown, districts, provider, _DISTRICTS, DISTRICT_WITHIN_M)
    told = [
        _described(place, [kind if len(set(kinds)) > 1 else "", street, district])
        for place, kind, street, district in zip(shown, kinds, streets, districts, strict=True)
    ]
    return tuple(
        text
        if told.count(text) == 1 or place.location is None
        else f"{text}, {place.location.lat:.5f}, {place.location.lng:.5f}"
        for text, place in zip(told, shown, strict=True)
    )


def _street(place: Place) -> str:
    """The address as far as the first comma behind a street: "Main Street 5"."""
    return (place.address or "").split(",")[0].strip()


def _tells(texts: Sequence[str]) -> bool:
    """True if each place has a text of its own."""
    return all(texts) and len(set(texts)) == len(texts)


async def _looked_up(
    places: Sequence[Place], known: Sequence[str], provider: Provider, kind: tuple[str, ...], within_m: float
) -> list[str]:
    """What is known, and for those without the name of the nearest place of a kind."""
    found = await asyncio.gather(
        *(
            _nearest(place, provider, kind, within_m) if not text else _as_it_is(text)
            for place, text in zip(places, known, strict=True)
        )
    )
    return list(found)


async def _nearest(place: Place, provider: Provider, kind: tuple[str, ...], within_m: float) -> str:
    if place.location is None or not provider.capabilities.nearby:
        return ""
    try:
        found = await provider.nearby(place.location, radius_m=within_m, categories=kind, limit=1)
    except (ToolError, LimitError):
        return ""
    return found[0].place.name if found else ""


async def _as_it_is(text: str) -> str:
    return text


def _described(place: Place, parts: Sequence[str]) -> str:
    return ", ".join(part for part in (place.name or place.id, *parts) if part)


def areas_meant(text: str, found: Sequence[Candidate], close: Sequence[Candidate]) -> Sequence[Candidate]:
    """Those with an outline; all that can be an area if there are none.

    Where the name is that of a district or town, a building of the same name is not meant.

    Args:
        text: The name.
        found: All that fits it, best first.
        close: Those of them that fit about as well as the best.

    Raises:
        PlaceNotFoundError: Only shops, hotels, schools and the like bear the name, or buildings whose names have
            its words among others.
    """
    districts = [one for one in close if not AREA_KINDS.isdisjoint(one.place.categories)]
    if not districts:
        close = [one for one in close if not _is_house(text, one.place)]
        if not any(is_called(text, one.place) and concepts.is_ground(one.place.categories) for one in close):
            districts = [one for one in found if _is_settlement_of(text, one.place)]
        if not (districts or close):
            raise _none_called(text, found)
    outlined = [one for one in districts or close if one.outlined]
    streets = [one for one in close if is_street(one.place.categories)]
    if streets and not districts and all(streets[0].score - one.score > EQUAL_SCORE for one in outlined):
        return streets  # "Rosary Street" is rather the street than the car park of this name
    return outlined or districts or close


def _is_house(text: str, place: Place) -> bool:
    """Whether a place is a shop, hotel, stop or the like whose kind the text does not name, and so no area it means.

    So is a street or building whose name has further words: "Aston" is no "Aston Chapel", but may be "Aston Park", or
    an outline of no kind, such as the "boundary of Aston" of a supplied text.
    """
    kinds = {*place.categories}
    if not kinds and place.extent is not None and place.extent.kind == "area":
        return False
    named = {category for span in concepts.find_in(text) for category in span.value.ids}
    if kinds & (named | _SHOPPING_CENTRES | AREA_KINDS):
        return False
    is_open = concepts.is_ground(kinds) and not kinds & LINEAR
    return bool(kinds & _HOUSES) or (not is_open and not is_called(text, place) and _holds(text, place))


def _is_settlement_of(text: str, place: Place) -> bool:
    """Whether a place is a settlement or quarter whose name has the words of the text among others."""
    return not AREA_KINDS.isdisjoint(place.categories) and _holds(text, place)


def _holds(text: str, place: Place) -> bool:
    """Whether one of a place's names has all words of a text."""
    words = {*normalise(text).split()}
    return any(words.issubset(normalise(name).split()) for name in (place.name, *place.aliases))


def _none_called(text: str, found: Sequence[Candidate]) -> PlaceNotFoundError:
    others = ", ".join(dict.fromkeys(_with_kind(one.place) for one in found[:_NAMED] if one.place.name))
    return PlaceNotFoundError(
        f"No area called '{text}' is on the map; of this name there are: {others}.",
        "Name the area otherwise, or search near a place.",
    )


def _with_kind(place: Place) -> str:
    return f"{place.name} ({concepts.label_of(place.categories[0])})" if place.categories else place.name
