"""The closed set of intents: what a map question can ask, with its slots.

Both reasoners (the embedded one and a language model) write these; solvers carry them out. A place is named
in the question's own words; the word "here" stands for the user's own position.
"""

from typing import Annotated, Literal

from pydantic import Field

from map_tools.types import Frozen, TravelMode
from modules.offline.intent_parts import HERE, UNSAID, Attribute, Compare, Filters, What, When
from modules.offline.travel_intents import BACK, RouteIntent, TripIntent, Visit

__all__ = [
    "BACK",
    "HERE",
    "HOURS_RANKS",
    "UNSAID",
    "Attribute",
    "BearingIntent",
    "BetweenIntent",
    "CloserIntent",
    "Compare",
    "ComparePlacesIntent",
    "DirectionPickIntent",
    "DistanceIntent",
    "Filters",
    "HoursMeasure",
    "Intent",
    "NearbyIntent",
    "OpenIntent",
    "PairIntent",
    "PlaceFactIntent",
    "RouteIntent",
    "TripIntent",
    "Visit",
    "What",
    "When",
    "WithinIntent",
]


class PlaceFactIntent(Frozen):
    """A fact about one place. `statement` is set for yes/no questions ("Is X's rating over 4?")."""

    kind: Literal["place_fact"] = "place_fact"
    place: str
    attribute: Attribute
    service: str | None = None
    at_least: float | None = None
    """For yes/no: the value must be at least this (rating, reviews)."""
    is_value: str | None = None
    """For yes/no: the value must be this ("is X's phone number 123?")."""


type HoursMeasure = Literal["duration", "opens", "closes"]
"""What days and places are compared by: how long it is open, when it first opens, when it last closes."""
HOURS_RANKS = frozenset({"opens", "closes", "open_for"})
"""Orders of a search that look at opening hours."""


class OpenIntent(Frozen):
    """Opening hours of one place.

    "until_open" and "until_close" ask how long it is from the moment `when` to the next opening or closing;
    `count` asks for the number of the open or closed days instead of their names. With `by`, "open_days" are
    only those of the greatest or least measure (`pick`).
    """

    kind: Literal["open"] = "open"
    place: str
    ask: Literal[
        "is_open",
        "is_closed",
        "opens_at",
        "closes_at",
        "hours_on_day",
        "open_days",
        "closed_days",
        "open_duration",
        "until_open",
        "until_close",
    ]
    when: When = When()
    count: bool = False
    by: HoursMeasure | None = None
    pick: Compare = Compare.MAX


class ComparePlacesIntent(Frozen):
    """Which of several places has most or least of something, or fulfils a condition.

    `places` empty: the options of the question are the places.
    """

    kind: Literal["compare_places"] = "compare_places"
    places: tuple[str, ...] = ()
    attribute: Attribute | None = None
    """None: only `filters` decide."""
    pick: Compare = Compare.MAX
    filters: Filters = Filters()
    when: When | None = None
    """For attribute HOURS: who opens first / closes last on this day."""
    direction: str | None = None
    """One of the eight winds: who lies furthest in this direction ("further north")."""
    claim: str | None = None
    """For a yes/no question: the place said to be the one ("does A have a higher rating than B?": A)."""
    by: HoursMeasure | None = None
    """For attribute HOURS: what is compared; None: the first opening (MIN) or the last closing (MAX)."""
    k: int = 1
    """The k-th of the order ("the second highest rating" is 2)."""
    ask: Literal["one", "difference", "order"] = "one"
    """The k-th place, how far two are apart, or all places in order (those of `pick` first)."""


class NearbyIntent(Frozen):
    """Places of a kind around an anchor or inside an area.

    Attributes:
        anchors: Usually one; several mean "near both".
        inside: The anchor is an area and the search is confined to it ("in Kluuvi", "in Vaduz").
        rank_by: "distance" (nearest first), "rating", "rating_count", "price_level", "duration" (by `mode`),
            "opens" or "closes" (time of day on the day `when`), "open_for" (how long it is open on that day),
            or "any" where every fulfilling place is right.
        pick: MIN of distance is nearest, MAX farthest; for ratings MAX is best.
        k: The k-th of the ranking ("second nearest" is 2).
        ask: What is wanted: the name of one place, all names, how many, whether there is one, how far the
            one is, how long the way there takes ("duration") or how long it is ("way"), by `mode`, a fact
            about the one (`attribute`), or of which kind or where there are most ("more").
        n: How many names are wanted, if the question says ("three closest").
        also: What the question wants to know of the place besides its name ("... and how far is it?").
    """

    kind: Literal["nearby"] = "nearby"
    what: What
    anchors: tuple[str, ...]
    radius_m: float | None = None
    inside: bool = False
    filters: Filters = Filters()
    rank_by: Literal[
        "distance", "rating", "rating_count", "price_level", "duration", "opens", "closes", "open_for", "any"
    ] = "distance"
    pick: Compare = Compare.MIN
    k: int = 1
    n: int | None = None
    ask: Literal[
        "name", "names", "count", "exists", "distance", "duration", "way", "fact", "direction", "more"
    ] = "name"
    attribute: Attribute | None = None
    service: str | None = None
    """For `attribute` SERVICE or OTHER: which one, as in `PlaceFactIntent`."""
    mode: TravelMode | None = None
    max_duration_s: float | None = None
    """Longest travel from the anchor by `mode` ("within a ten-minute walk")."""
    when: When | None = None
    """The day for `rank_by` "opens", "closes" and "open_for"."""
    also: tuple[Literal["distance", "duration", "way", "address", "phone", "website", "hours"], ...] = ()
    min_count: int | None = None
    max_count: int | None = None
    """For `ask` "exists": so many places there must be ("more than three cafes", "fewer than 5 museums")."""
    kinds: tuple[What, ...] = ()
    """For `ask` "more": the kinds compared ("more cafes or more bars"); empty: the `anchors` are compared.

    By `pick`: of which there are most, or fewest.
    """
    claims: bool = False
    """For `ask` "more": whether there are more of the first is asked as yes or no ("more A than B?")."""


class DistanceIntent(Frozen):
    """The straight-line distance between two places.

    `at_most_m` and `at_least_m` make it a yes/no question ("within 2 km of", "more than 2 km from").
    """

    kind: Literal["distance"] = "distance"
    a: str
    b: str
    at_most_m: float | None = None
    at_least_m: float | None = None


class BearingIntent(Frozen):
    """In which direction `target` lies as seen from `origin`.

    `is_direction` makes it a yes/no question ("is A north of B?"); `among` names the directions to choose
    from ("is A north or south of B?"). `far`: the distance is asked for as well ("how far is A from B, and in
    which direction?").
    """

    kind: Literal["bearing"] = "bearing"
    origin: str
    target: str
    is_direction: str | None = None
    among: tuple[str, ...] = ()
    far: bool = False


class DirectionPickIntent(Frozen):
    """Which candidate lies in this direction of the anchor.

    `candidates` empty: the options, or `what` near it.
    """

    kind: Literal["direction_pick"] = "direction_pick"
    anchor: str
    direction: str
    candidates: tuple[str, ...] = ()
    what: What | None = None


class BetweenIntent(Frozen):
    """Which candidate lies between two places. `candidates` empty: the options, or `what` around them."""

    kind: Literal["between"] = "between"
    a: str
    b: str
    candidates: tuple[str, ...] = ()
    what: What | None = None


class CloserIntent(Frozen):
    """Which of the candidates (empty: the options) is nearest to or farthest from the anchor."""

    kind: Literal["closer"] = "closer"
    anchor: str
    candidates: tuple[str, ...] = ()
    pick: Compare = Compare.MIN
    measure: Literal["straight", "distance", "duration"] = "straight"
    mode: TravelMode | None = None
    k: int = 1
    claim: str | None = None
    """For a yes/no question: the candidate said to be the one ("is A closer to X than B?": A)."""


class WithinIntent(Frozen):
    """Which of the places (empty: the options) lie within a limit of the anchor, or `beyond` it.

    Either `limit_m` is set, a straight line or by `mode` the way there, or `limit_s`, the time of the way.
    """

    kind: Literal["within"] = "within"
    anchor: str
    candidates: tuple[str, ...] = ()
    limit_m: float | None = None
    limit_s: float | None = None
    beyond: bool = False
    mode: TravelMode | None = None
    ask: Literal["names", "count"] = "names"


class PairIntent(Frozen):
    """Which pair of places is closest or farthest. `places` empty: the options name the pairs.

    With a `measure` of travel the way from the first to the second of each pair counts, by `mode`.
    """

    kind: Literal["pair"] = "pair"
    places: tuple[str, ...] = ()
    pick: Compare = Compare.MIN
    measure: Literal["straight", "distance", "duration"] = "straight"
    mode: TravelMode | None = None


Intent = Annotated[
    PlaceFactIntent
    | OpenIntent
    | ComparePlacesIntent
    | NearbyIntent
    | DistanceIntent
    | BearingIntent
    | DirectionPickIntent
    | BetweenIntent
    | CloserIntent
    | WithinIntent
    | PairIntent
    | RouteIntent
    | TripIntent,
    Field(discriminator="kind"),
]
