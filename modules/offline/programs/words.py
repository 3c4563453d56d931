"""Pieces of programs: names, times, kinds, amounts, conditions."""

from collections.abc import Callable, Iterable, Sequence
from datetime import time

from map_tools import concepts
from map_tools.compute.geodesy import WINDS, wind_name, wind_words
from map_tools.types import TravelMode
from modules.offline.intents import HERE, Attribute, Filters, What, When
from modules.query.interpreter.kinds import meaning
from modules.query.language.keys import known_keys
from modules.query.language.parser import MAX_STRING
from modules.query.values.moment import WEEKDAYS

MODES = {
    TravelMode.DRIVING: "drive",
    TravelMode.WALKING: "walk",
    TravelMode.BICYCLING: "bike",
    TravelMode.TRANSIT: "transit",
}
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WEEK = "[" + ", ".join(f'"{day}"' for day in DAYS) + "]"
_FIELDS = {
    Attribute.ADDRESS: "address",
    Attribute.PHONE: "phone",
    Attribute.WEBSITE: "website",
    Attribute.EMAIL: "email",
    Attribute.RATING: "rating",
    Attribute.RATING_COUNT: "reviews",
    Attribute.PRICE_LEVEL: "price",
    Attribute.HOURS: "opening_hours",
    Attribute.CATEGORY: "kind",
    Attribute.LOCATION: "location",
}


def quoted(text: str) -> str:
    """A text in quotation marks, cut to what a program may hold."""
    plain = " ".join(text.replace("\\", " ").split())[:MAX_STRING]
    while len(plain) + plain.count('"') > MAX_STRING:
        plain = plain[:-1]
    return '"' + plain.replace('"', '\\"') + '"'


def place(name: str) -> str:
    """A place by its name."""
    return "here" if name == HERE else f"place({quoted(name)})"


def listed(names: Iterable[str]) -> str:
    """A list of places; the options where no names are given."""
    items = [place(name) for name in names]
    return f"[{', '.join(items)}]" if items else "options"


def clock(moment: time) -> str:
    """A time of day."""
    return f"{moment:%H:%M}"


def metres(value: float) -> str:
    """A length."""
    return f'"{value:.10g} m"'


def seconds(value: float) -> str:
    """A duration."""
    return f'"{value / 60:.10g} min"' if value % 60 == 0 else f'"{value:.10g} s"'


def day_of(when: When) -> str:
    """The day of a moment; empty where the question fixes none."""
    if when.day is not None:
        return when.day.isoformat()
    if when.weekday is not None:
        return WEEKDAYS[when.weekday]
    return {0: "today", 1: "tomorrow"}.get(when.relative_days if when.relative_days is not None else -1, "")


def moment(when: When | None) -> str:
    """A moment, a day, or "now"."""
    if when is None or when.is_now:
        return "now"
    parts = [part for part in (day_of(when), clock(when.at) if when.at is not None else "") if part]
    return f'"{" ".join(parts)}"' if parts else "now"


def open_test(subject: str, when: When) -> str:
    """Whether a place is open then."""
    if len(when.days) > 1:
        days = [When(weekday=day, at=when.at, until=when.until) for day in when.days]
        tests = ", ".join(open_test(subject, one) for one in days)
        return f"all([{tests}])"
    if when.until is not None:
        day = day_of(when)
        until = f"{day} {clock(when.until)}".strip()
        return f'is_open({subject}, {moment(when)}, until="{until}")'
    return f"is_open({subject}, {moment(when)})"


def kind(what: What) -> str:
    """The words for a kind of place, such that they mean the categories that were read."""
    words = what.keyword and what.categories and f"{what.keyword} {concepts.label_of(what.categories[0])}"
    for candidate in (what.text, words or "", *(concepts.label_of(one) for one in what.categories[:1])):
        if not candidate:
            continue
        categories, keyword = meaning(candidate)
        if set(categories) == set(what.categories) and bool(keyword) == bool(what.keyword):
            return quoted(candidate)
    if what.categories and not what.keyword:
        return quoted(concepts.label_of(what.categories[0]))
    return quoted(words or what.text)


def side(direction: str) -> str:
    """A direction as programs write it."""
    name = direction.upper() if direction.upper() in WINDS else wind_words(direction) or direction
    return quoted(wind_name(name) if name in WINDS else direction)


def field(subject: str, attribute: Attribute, service: str | None = None) -> str:
    """A fact about a place."""
    if attribute in {Attribute.SERVICE, Attribute.OTHER}:
        key = (service or "").strip()
        if key.isidentifier() and (key in known_keys() or attribute is Attribute.SERVICE):
            return f"fact({subject}, {quoted(key)})"
        return f"fact({subject}, {quoted(key.replace(' ', '_') if attribute is Attribute.OTHER else key)})"
    return f"{subject}.{_FIELDS[attribute]}"


def conditions(filters: Filters, subject: str = "p") -> list[str]:
    """The conditions on a place, without that on its direction."""
    made: list[str] = []
    made += _bounds(f"{subject}.rating", filters.min_rating, filters.max_rating)
    made += _bounds(f"{subject}.reviews", filters.min_rating_count, filters.max_rating_count)
    if filters.price_levels:
        levels = ", ".join(str(level) for level in sorted(filters.price_levels))
        made.append(f"{subject}.price in [{levels}]")
    if filters.open_at is not None:
        made.append(open_test(subject, filters.open_at))
    if filters.closed_at is not None:
        made.append(f"not {open_test(subject, filters.closed_at)}")
    made += [f"fact({subject}, {quoted(service)})" for service in filters.services]
    made += [f"not fact({subject}, {quoted(service)})" for service in filters.without_services]
    if filters.cuisine is not None:
        made.append(serves(subject, filters.cuisine))
    if filters.without_cuisine is not None:
        made.append(f"not {serves(subject, filters.without_cuisine)}")
    if filters.name_contains is not None:
        made.append(f"{quoted(filters.name_contains)} in {subject}.name")
    if filters.address_contains is not None:
        made.append(f"{quoted(filters.address_contains)} in {subject}.address")
    if filters.same_street_as is not None:
        made.append(f"{subject}.street == {place(filters.same_street_as)}.street")
    made += [f"{subject}.name != {quoted(name)}" for name in filters.exclude]
    return made


def serves(subject: str, cuisine: str) -> str:
    """Whether a place serves a kind of food: its cuisine, its name or its kind says so."""
    words = quoted(cuisine.replace("_", " "))
    return f"({' or '.join(f'{words} in {subject}.{name}' for name in ('cuisine', 'name', 'kind'))})"


def _bounds(subject: str, least: float | None, most: float | None) -> list[str]:
    made = [] if least is None else [f"{subject} >= {least:g}"]
    return made if most is None else [*made, f"{subject} <= {most:g}"]


def joined(tests: Sequence[str]) -> str:
    """Conditions that must all hold."""
    return " and ".join(tests)


def where(tests: Sequence[str], parameter: str = "p") -> str:
    """The argument where=, with a comma before; empty without conditions."""
    return f", where=lambda {parameter}: {joined(tests)}" if tests else ""


def program(*lines: str) -> str:
    """A program of these lines."""
    return "\n".join(line for line in lines if line) + "\n"


def chosen(items: str, key: str, *, greatest: bool, k: int = 1, parameter: str = "p") -> str:
    """The k-th of a list by a key."""
    if k == 1:
        return f"{'max' if greatest else 'min'}({items}, key=lambda {parameter}: {key})"
    falling = ", reverse=True" if greatest else ""
    return f"sort({items}, key=lambda {parameter}: {key}{falling})[{k - 1 if k > 0 else k}]"


def limits(subject: str, at_most: str | None, at_least: str | None) -> str:
    """A comparison with one or two limits; the subject itself without any."""
    tests = [f"{subject} <= {at_most}"] if at_most else []
    tests += [f"{subject} >= {at_least}"] if at_least else []
    return joined(tests) or subject


type Writer[I] = Callable[[I], str]
