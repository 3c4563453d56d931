"""Searches around a position, kinds and opening hours of places: what the two generations have in common.

Place types are turned into category ids by data, `map_tools/data/google_types.toml`.

Opening periods become opening hours in the OpenStreetMap grammar. Both generations say when a place opens and
closes as days of the week (0 is Sunday) with times; a place that never closes has one period without an end. See
`regularOpeningHours` in
https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#OpeningHours and
https://developers.google.com/maps/documentation/places/web-service/details#PlaceOpeningHours.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from importlib.resources import files

from map_tools.clock import local_zone
from map_tools.compute.geodesy import distance_m
from map_tools.compute.hours import from_weekly_text
from map_tools.compute.opening_spec import DAY_MIN, DAYS, Minutes, Week, format_week, repaired, spans_text
from map_tools.kinds import concepts
from map_tools.providers.base import CutList
from map_tools.types import Hours, LatLng, NearbyPlace, Place, RankBy

MAX_RADIUS_M = 50_000
"""The largest circle of a search, in both generations
(https://developers.google.com/maps/documentation/places/web-service/nearby-search and .../search-nearby)."""
MAX_PAGES = 3
MAX_RESULTS = 60
"""Where a search ends, in pages of 20, without a token even where there is more (`nextPageToken` in
https://developers.google.com/maps/documentation/places/web-service/text-search and
https://developers.google.com/maps/documentation/places/web-service/search-nearby#PlaceSearchPaging)."""
BIAS_RADIUS_M = 20_000
"""The circle around the user within which a name is preferred; results outside it are found as well."""

WEEK_MIN = 7 * DAY_MIN
ALWAYS = "24/7"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
GONE = "CLOSED_PERMANENTLY"
CLOSED_WORDS = {
    GONE: "permanently closed",
    "CLOSED_TEMPORARILY": "temporarily closed",
    "FUTURE_OPENING": "not opened yet",
}
"""Business statuses of places that are open at no time
(https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#BusinessStatus)."""

MAX_SEARCH_TYPES = 50
"""Types one nearby search may name
(https://developers.google.com/maps/documentation/places/web-service/nearby-search, `includedTypes`)."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched for around a position.

    Attributes:
        at: The centre.
        radius_m: Metres; may be more than Google searches at once.
        categories: Category ids; none: anything.
        keyword: A property or a name; None for none.
        rank: What comes first.
        limit: How many are wanted; None for all.
    """

    at: LatLng
    radius_m: float
    categories: tuple[str, ...]
    keyword: str | None
    rank: RankBy
    limit: int | None

    @property
    def circle_m(self) -> float:
        """The radius of the circle that Google is asked to search."""
        return min(self.radius_m, MAX_RADIUS_M)

    def within(self, places: Iterable[Place]) -> list[NearbyPlace]:
        """Those within the radius with their distances, each place once, in their order."""
        unique = {place.id: place for place in places if place.location is not None}
        away = (NearbyPlace(place=place, distance_m=self._away(place)) for place in unique.values())
        return [item for item in away if (item.distance_m or 0.0) <= self.radius_m]

    def is_full(self, places: list[Place]) -> bool:
        """True if no further page is needed: enough places are within the circle, or the last lies beyond it.

        Only where places come nearest first.
        """
        if self.rank is not RankBy.DISTANCE or not places:
            return False
        enough = self.limit is not None and len(self.within(places)) >= self.limit
        return enough or self.is_beyond(places[-1])

    def covers_half(self, places: list[Place]) -> bool:
        """True if places, nearest first, reach beyond half the radius: then all within it are among them."""
        nearest_first = self.rank is RankBy.DISTANCE
        return nearest_first and any(self._away(place) > self.circle_m / 2 for place in places)

    def moved(self, at: LatLng, radius_m: float) -> "Wanted":
        """The same search elsewhere."""
        return replace(self, at=at, radius_m=radius_m)

    def is_beyond(self, place: Place) -> bool:
        """True if the place lies outside the circle."""
        return self._away(place) > self.radius_m

    def _away(self, place: Place) -> float:
        return 0.0 if place.location is None else distance_m(self.at, place.location)


def listed(places: Iterable[Place], wanted: Wanted, *, cut: bool) -> tuple[NearbyPlace, ...]:
    """The list that was asked for; a `CutList` if it is shorter than wanted because the source cut it.

    Args:
        places: What Google gave, in its order.
        wanted: What was asked for.
        cut: Google may have more.
    """
    places = tuple(places)
    cut = cut or any(place.location is None for place in places)  # whether it lies within is not known
    found = wanted.within(places)
    if wanted.rank is RankBy.DISTANCE:
        found.sort(key=lambda item: item.distance_m or 0.0)
    if wanted.limit is not None and len(found) >= wanted.limit:
        return tuple(found[: wanted.limit])
    return CutList(found) if cut or wanted.radius_m > MAX_RADIUS_M else tuple(found)


def categories_of(types: Iterable[str]) -> tuple[str, ...]:
    """The category ids of a place with these types: its own in their order, umbrellas last.

    Args:
        types: Google's types, the primary one first.
    """
    known = _tables().category
    specific = dict.fromkeys(known[name] for name in types if name in known)
    umbrellas = dict.fromkeys(up for category in specific for up in concepts.umbrellas_of(category))
    covered = [category for category in specific if category not in umbrellas]
    return (*covered, *(up for up in umbrellas if up not in covered))


def cuisines_of(types: Iterable[str]) -> tuple[str, ...]:
    """The cuisines the types tell of ("italian_restaurant" → "italian")."""
    known = _tables().cuisine
    return tuple(dict.fromkeys(known[name] for name in types if name in known))


def search_types(categories: Iterable[str]) -> tuple[str, ...]:
    """The types of the Places API (New) that together cover the categories; empty if none of them has one."""
    return _types_of(categories, _tables().searched)[:MAX_SEARCH_TYPES]


def legacy_search_types(categories: Iterable[str]) -> tuple[str, ...]:
    """As `search_types`, for the older Places API."""
    return _types_of(categories, _tables().legacy)


def _types_of(categories: Iterable[str], table: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for category in categories for name in table.get(category, ())))


@dataclass(frozen=True, slots=True)
class _Tables:
    """The tables as loaded; `searched` and `legacy` say for a category which types to search by."""

    category: Mapping[str, str]
    cuisine: Mapping[str, str]
    searched: Mapping[str, tuple[str, ...]]
    legacy: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    data = tomllib.loads((files("map_tools.data") / "google_types.toml").read_text("utf-8"))
    types: dict[str, str] = data["types"]
    cuisines: dict[str, str] = data["cuisines"]
    plain = [name for name in types if name not in cuisines]
    older = frozenset(data["legacy"]["search"].split())
    return _Tables(
        category={**data["legacy"]["words"], **data["results"], **types},
        cuisine=cuisines,
        searched=_inverted(types, plain),
        legacy=_inverted(types, [name for name in plain if name in older]),
    )


def _inverted(types: Mapping[str, str], names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The types of each category. `names` are without cuisines: such places have the plain type as well."""
    found: dict[str, tuple[str, ...]] = {}
    for name in names:
        found[types[name]] = (*found.get(types[name], ()), name)
    return found


def zone_at(position: LatLng | None) -> str | None:
    """The IANA zone at a position, None without one: Google tells an offset at best."""
    if position is None:
        return None

    return local_zone(position)


@dataclass(frozen=True, slots=True)
class Period:
    """A span of being open, in minutes after Sunday 00:00; `closes` None: it never closes."""

    opens: int
    closes: int | None


@dataclass(frozen=True, slots=True)
class SpecialDay:
    """What holds on one date instead of the usual hours; no spans: closed all day."""

    day: date
    spans: tuple[Minutes, ...]


def week_minute(day: int, hour: int, minute: int) -> int:
    """Minutes after Sunday 00:00 for Google's day number (0 = Sunday)."""
    return day * DAY_MIN + hour * 60 + minute


def hours_of(
    periods: Sequence[Period], texts: Sequence[str], special: Iterable[SpecialDay] = ()
) -> Hours | None:
    """The hours of a place.

    Args:
        periods: Its usual periods; none with texts: the texts are read instead.
        texts: Lines for people, one a day.
        special: Days of other hours.

    Returns:
        None if nothing is said.
    """
    text = ", ".join(texts)
    if not periods:
        return _from_text(text) if text else None
    spec = ALWAYS if any(period.closes is None for period in periods) else format_week(_week(periods))
    rules = [_special_rule(each) for each in special]
    if rules:
        spec = "; ".join([repaired(spec), *rules])
    return Hours(spec=spec, text=text or spec)


def closed_for_good(status: str | None, usual: Hours | None) -> Hours | None:
    """The usual hours, or "closed" with the reason for a business that is not in operation now."""
    words = CLOSED_WORDS.get(status or "")
    if words is None:
        return usual
    return Hours(spec=f'off "{words}"', text=words)


def by_date(periods: Mapping[date, Sequence[Period]], days: Iterable[date]) -> tuple[SpecialDay, ...]:
    """The special days with the spans that the dated periods of the coming week give them."""
    return tuple(SpecialDay(day, tuple(sorted(map(_span_of, periods.get(day, ()))))) for day in days)


def _week(periods: Iterable[Period]) -> Week:
    table: dict[str, list[Minutes]] = {day: [] for day in DAYS}
    for period in periods:
        if period.closes is not None:
            for day, span in _daily(period.opens, period.closes):
                table[DAYS[(day - 1) % 7]].append(span)
    return Week({day: tuple(sorted(spans)) for day, spans in table.items()})


def _daily(opens: int, closes: int) -> Iterable[tuple[int, Minutes]]:
    """A period as spans of days (0 = Sunday): a night is one span, a longer one is cut at midnights."""
    length = (closes - opens) % WEEK_MIN or WEEK_MIN
    day, start = divmod(opens, DAY_MIN)
    if length <= DAY_MIN:
        yield day % 7, (start, start + length)
        return
    while length > 0:
        end = min(start + length, DAY_MIN)
        yield day % 7, (start, end)
        length -= end - start
        day, start = day + 1, 0


def _special_rule(special: SpecialDay) -> str:
    """A rule for one date, in the grammar's form: "2026 Dec 24 09:00-14:00"."""
    day = special.day
    return f"{day.year} {MONTHS[day.month - 1]} {day.day:02d} {spans_text(special.spans)}"


def _from_text(text: str) -> Hours:
    return from_weekly_text(text)


def _span_of(period: Period) -> Minutes:
    """A period as minutes after midnight of the day it begins on."""
    start = period.opens % DAY_MIN
    closes = period.opens + DAY_MIN if period.closes is None else period.closes
    return start, start + (closes - period.opens) % WEEK_MIN
