"""What intents are made of: moments, kinds of places, conditions on places."""

from datetime import date, time
from enum import StrEnum

from map_tools.types import Frozen

HERE = "here"
UNSAID = ""
"""The end of a way that a question leaves out."""


class When(Frozen):
    """A moment or a day, as far as the question fixes it. All None means "now".

    `weekday` is 0 for Monday, `day` a calendar date, `at` a time of day. `relative_days`: 0 for today, 1 for
    tomorrow.
    """

    weekday: int | None = None
    day: date | None = None
    at: time | None = None
    relative_days: int | None = None
    until: time | None = None
    """End of a span ("open from 9 to 11")."""
    days: tuple[int, ...] = ()
    """Several weekdays: (5, 6) for "on weekends", 0 to 4 for "on weekdays"; `weekday` is the first."""

    @property
    def is_now(self) -> bool:
        """True if the question fixes nothing: the present moment is meant."""
        return self == When()


class What(Frozen):
    """A kind of place: the words, the category ids they mean, and what remains ("vegan", a brand)."""

    text: str
    categories: tuple[str, ...] = ()
    keyword: str | None = None


class Compare(StrEnum):
    """Which end of an ordering is asked for."""

    MIN = "min"
    MAX = "max"


class Attribute(StrEnum):
    """Facts about one place."""

    ADDRESS = "address"
    PHONE = "phone"
    WEBSITE = "website"
    EMAIL = "email"
    RATING = "rating"
    RATING_COUNT = "rating_count"
    PRICE_LEVEL = "price_level"
    HOURS = "hours"
    CATEGORY = "category"
    LOCATION = "location"
    SERVICE = "service"
    OTHER = "other"
    """A tag of the map; `service` holds its key ("cuisine", "operator", "height")."""


class Filters(Frozen):
    """What a place must fulfil. All given conditions hold together."""

    min_rating: float | None = None
    max_rating: float | None = None
    min_rating_count: int | None = None
    max_rating_count: int | None = None
    price_levels: frozenset[int] = frozenset()
    open_at: When | None = None
    open_presumed: When | None = None
    """The present moment as the question tells it: places known to be closed then are left out."""
    closed_at: When | None = None
    """The place must be known to be closed then ("closed on Sunday")."""
    services: tuple[str, ...] = ()
    without_services: tuple[str, ...] = ()
    cuisine: str | None = None
    without_cuisine: str | None = None
    """A cuisine the place must not have ("restaurants that are not Italian")."""
    name_contains: str | None = None
    address_contains: str | None = None
    """Words of the address ("on Baker Street", "on level 2")."""
    same_street_as: str | None = None
    """A place on whose street it must lie ("on the same road as X")."""
    direction: str | None = None
    """One of the eight winds ("N", "NE", ...) as seen from the anchor."""
    exclude: tuple[str, ...] = ()
    """Names that must not be given ("other than X")."""
