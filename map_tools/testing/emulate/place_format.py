"""A place as Google tells it: its id, types, parts of its address and opening hours.

Types and our categories are translated both ways by the shared table `data/google_types.toml`.

Place ids are opaque text without a fixed length
(https://developers.google.com/maps/documentation/places/web-service/place-id). Ours hold the id that the
provider has, so they stay the same from run to run and need no table.

Opening hours are written as both generations of the Places API do: days are numbered from Sunday (0) to
Saturday (6), lists of texts begin with Monday, a place that never closes has one period without an end
(https://developers.google.com/maps/documentation/places/web-service/legacy/details#PlaceOpeningHoursPeriod,
https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#OpeningHours).
"""

import base64
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.compute.hours import Interval, OpenState, day_spec_text, intervals_on, open_state
from map_tools.kinds import concepts
from map_tools.types import ADDRESS, Hours, Place

_PREFIX = "ChIJ"
"""How most of Google's ids begin."""


def google_id(place_id: str) -> str:
    """The id a client is given for a provider's place."""
    return _PREFIX + base64.urlsafe_b64encode(place_id.encode()).decode().rstrip("=")


def own_id(given: str) -> str | None:
    """The provider's id behind one of ours; None for an id that this emulator never gave."""
    if not given.startswith(_PREFIX):
        return None
    body = given.removeprefix(_PREFIX)
    try:
        decoded = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        return decoded.decode()
    except ValueError:  # no base64, or no text in it
        return None


_ESTABLISHMENT = ("point_of_interest", "establishment")
_AREAS = frozenset(
    {"country", "state", "county", "admin", "city", "town", "village", "suburb", "neighbourhood"}
)
"""Categories of areas people live in: "political" instead of an establishment
(https://developers.google.com/maps/documentation/places/web-service/place-types#table-b)."""
_NO_ESTABLISHMENT = {ADDRESS: ("street_address",), "street": ("route",)}


@dataclass(frozen=True, slots=True)
class Kind:
    """What a type searches for: one of these categories and, if the type says one, a cuisine."""

    categories: tuple[str, ...]
    cuisine: str | None = None

    def fits(self, place: Place) -> bool:
        """True for a place of this kind."""
        known = not set(self.categories).isdisjoint(place.categories)
        return known and (self.cuisine is None or self.cuisine in _cuisines(place))


def kind_of(google_type: str) -> Kind | None:
    """What a type searches for; None for a type that no table lists."""
    category = _tables().category.get(google_type)
    if category is None:
        return None
    found = concepts.concept(category)
    return Kind(found.ids if found else (category,), _tables().cuisine.get(google_type))


def categories_for(kinds: Iterable[Kind]) -> tuple[str, ...]:
    """The categories of several kinds together."""
    return tuple(dict.fromkeys(category for kind in kinds for category in kind.categories))


def types_of(place: Place) -> tuple[str, ...]:
    """A place's types: its cuisine, what it is, and the general ones every establishment ends in."""
    for category in place.categories:
        if category in _NO_ESTABLISHMENT:
            return _NO_ESTABLISHMENT[category]
    tables = _tables()
    names = [tables.name[category] for category in place.categories if category in tables.name]
    cuisines = _cuisines(place)
    served = [
        name
        for name, cuisine in tables.cuisine.items()
        if cuisine in cuisines and tables.category[name] in place.categories
    ]
    general = ("political",) if not _AREAS.isdisjoint(place.categories) else _ESTABLISHMENT
    return tuple(dict.fromkeys((*served, *names, *general)))


def primary_type_of(place: Place) -> str | None:
    """The type that tells most of a place; None where only the general ones fit."""
    first = types_of(place)[0]
    return None if first in _ESTABLISHMENT else first


def _cuisines(place: Place) -> frozenset[str]:
    return frozenset(part.strip() for part in place.attributes.get("cuisine", "").split(";") if part.strip())


@dataclass(frozen=True, slots=True)
class _Tables:
    """Types to categories and cuisines, and for a category the type it is called by."""

    category: Mapping[str, str]
    cuisine: Mapping[str, str]
    name: Mapping[str, str]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    data = tomllib.loads((files("map_tools.data") / "google_types.toml").read_text("utf-8"))
    category: dict[str, str] = {**data["legacy"]["words"], **data["results"], **data["types"]}
    cuisine: dict[str, str] = data["cuisines"]
    older = frozenset(data["legacy"]["search"].split())

    def rank(name: str) -> tuple[bool, bool, bool]:
        """Of several types of a category: the one that says just that, then the one in use for longest."""
        return name != category[name], name in cuisine, name not in older

    name: dict[str, str] = {}
    for each in sorted(category, key=rank):
        name.setdefault(category[each], each)
    return _Tables(category, cuisine, name)


_POSTCODE = re.compile(r"\b(\d{4,6}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)\b")
_NUMBER_LAST = re.compile(r"(?P<street>.+?)\s+(?P<number>\d+\s?[a-zA-Z]?(?:[-/]\d+\w?)?)")
_NUMBER_FIRST = re.compile(r"(?P<number>\d+[a-zA-Z]?(?:[-/]\d+\w?)?)\s+(?P<street>.+)")


@dataclass(frozen=True, slots=True)
class Component:
    """One part of an address with Google's word for it ("route", "postal_code")."""

    text: str
    kind: str


def components_of(place: Place) -> list[Component]:
    """Street number, street, town and postcode of a place's address; what is not there is left out."""
    if not place.address:
        return []
    street, _, rest = place.address.partition(",")
    parts = _street_parts(street.strip())
    code = _POSTCODE.search(rest)
    town = _POSTCODE.sub("", rest).split(",")[0].strip()
    if town:
        parts.append(Component(town, "locality"))
    if code:
        parts.append(Component(code.group(), "postal_code"))
    return parts


def title_of(place: Place) -> str:
    """The name shown for a place: its own, or for a mere address the street with its number."""
    return place.name or (place.address or "").partition(",")[0]


def _street_parts(street: str) -> list[Component]:
    match = _NUMBER_LAST.fullmatch(street) or _NUMBER_FIRST.fullmatch(street)
    if match is None:
        return [Component(street, "route")] if street else []
    return [Component(match["number"], "street_number"), Component(match["street"], "route")]


_WEEK = 7
_DAY = timedelta(days=1)
_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CLOSED = "closed"
_NARROW, _THIN = "\u202f", "\u2009"
"""The spaces Google sets before AM and PM and around the dash."""


@dataclass(frozen=True, slots=True)
class OpenWeek:
    """The hours of seven days in a row, in the place's local time.

    `days` begins with `first`; `always`: it never closes.
    """

    first: date
    days: tuple[tuple[Interval, ...], ...]
    open_now: bool
    always: bool

    def texts(self) -> list[str]:
        """A line for each day, Monday first."""
        by_weekday = {(self.first + index * _DAY).weekday(): spans for index, spans in enumerate(self.days)}
        return [f"{name}: {self._text(by_weekday[index])}" for index, name in enumerate(_NAMES)]

    def periods(self) -> list[Interval]:
        """All spans in order of time."""
        return [interval for spans in self.days for interval in spans]

    def _text(self, spans: Sequence[Interval]) -> str:
        if not spans:
            return "Closed"
        if self.always or any(span.closes - span.opens >= _DAY for span in spans):
            return "Open 24 hours"
        return ", ".join(map(_span_text, spans))


def regular_week(hours: Hours, now_local: datetime) -> OpenWeek | None:
    """The week from Sunday on that holds the present day; see `week_from`."""
    today = now_local.date()
    return week_from(hours, now_local, today - (today.weekday() + 1) % _WEEK * _DAY)


def week_from(hours: Hours, now_local: datetime, first: date) -> OpenWeek | None:
    """Seven days of a place's hours.

    Returns:
        None if what is known does not make a week of spans ("by appointment", daylight, not understood):
        the format cannot say "unknown", and a missing span would say "closed".
    """
    days = [first + index * _DAY for index in range(_WEEK)]
    spans = tuple(intervals_on(hours, day) for day in days)
    if any(
        not found and day_spec_text(hours, day) != _CLOSED for found, day in zip(spans, days, strict=True)
    ):
        return None
    always = all(found and found[0].closes - found[0].opens >= _DAY for found in spans)
    return OpenWeek(first, spans, open_state(hours, now_local) is OpenState.OPEN, always)


def both_weeks(hours: Hours | None, now_local: datetime) -> tuple[OpenWeek, OpenWeek] | None:
    """The regular week, and the seven days from today on; None where the hours do not make weeks of spans."""
    if hours is None:
        return None
    usual, current = regular_week(hours, now_local), week_from(hours, now_local, now_local.date())
    return None if usual is None or current is None else (usual, current)


def legacy_hours(week: OpenWeek, *, dated: bool = False) -> dict[str, Any]:
    """`opening_hours` of a legacy place; `dated`: `current_opening_hours`, whose ends have dates."""

    def end(moment: datetime) -> dict[str, Any]:
        dates = {"date": moment.date().isoformat()} if dated else {}
        return dates | {"day": _day(moment), "time": f"{moment:%H%M}"}

    if week.always:
        start = datetime.combine(week.first, time())
        periods = [{"open": {**end(start), "day": 0, "time": "0000"}}]
    else:
        periods = [{"close": end(span.closes), "open": end(span.opens)} for span in week.periods()]
    return {"open_now": week.open_now, "periods": periods, "weekday_text": week.texts()}


def new_hours(week: OpenWeek, *, dated: bool = False) -> dict[str, Any]:
    """`regularOpeningHours` of a new place; `dated`: `currentOpeningHours`, whose ends have dates."""

    def end(moment: datetime) -> dict[str, Any]:
        day = moment.date()
        dates = {"date": {"year": day.year, "month": day.month, "day": day.day}} if dated else {}
        return {"day": _day(moment), "hour": moment.hour, "minute": moment.minute} | dates

    if week.always:
        periods = [{"open": {"day": 0, "hour": 0, "minute": 0}}]
    else:
        periods = [{"open": end(span.opens), "close": end(span.closes)} for span in week.periods()]
    return {"openNow": week.open_now, "periods": periods, "weekdayDescriptions": week.texts()}


def _day(moment: datetime) -> int:
    """Sunday is 0."""
    return (moment.weekday() + 1) % _WEEK


def _span_text(span: Interval) -> str:
    """As in "9:00 AM – 5:00 PM"; the first half of the day is left out where both are the same."""
    opens, closes = _clock(span.opens), _clock(span.closes)
    if span.opens.date() == span.closes.date() and f"{span.opens:%p}" == f"{span.closes:%p}":
        opens = opens.partition(_NARROW)[0]
    return f"{opens}{_THIN}–{_THIN}{closes}"


def _clock(moment: datetime) -> str:
    return f"{moment.hour % 12 or 12}:{moment:%M}{_NARROW}{moment:%p}"


type _Tree = dict[str, _Tree]
"""The wanted fields below each wanted field; empty: all of it."""


@dataclass(frozen=True, slots=True)
class FieldMask:
    """A set of paths. Nothing below a path that is given as a whole is left out.

    `everything`: the mask is "*".
    """

    tree: Mapping[str, _Tree]
    everything: bool = False

    @classmethod
    def of(cls, paths: Iterable[str], separator: str = ".") -> "FieldMask":
        """The mask of these paths ("places.displayName.text")."""
        tree: _Tree = {}
        everything = False
        for path in paths:
            if path == "*":
                everything = True
                continue
            _add(tree, path.split(separator))
        return cls(tree, everything)

    @property
    def top(self) -> frozenset[str]:
        """The first parts of all paths."""
        return frozenset(self.tree)

    def below(self, field: str) -> frozenset[str]:
        """The second parts of the paths that begin with a field; empty if the whole field is wanted."""
        return frozenset(self.tree.get(field, {}))

    def applied(self, value: Any) -> Any:
        """The value with the wanted fields alone; of lists, each element is treated alike."""
        return value if self.everything else _pruned(value, self.tree)


def _add(tree: _Tree, parts: list[str]) -> None:
    for index, part in enumerate(parts):
        known = tree.get(part)
        if known is not None and not known:  # the whole of it is wanted already
            return
        if index == len(parts) - 1:
            tree[part] = {}
            return
        tree = tree.setdefault(part, {})


def _pruned(value: Any, tree: Mapping[str, _Tree]) -> Any:
    if not tree:
        return value
    if isinstance(value, list):
        return [_pruned(item, tree) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: _pruned(item, tree[name]) for name, item in value.items() if name in tree}
