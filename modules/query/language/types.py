"""Static types of programs, and the fields that values of each type have."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class Type:
    """A type.

    Attributes:
        name: "Place", "Length", "List", ...
        of: Of a list: the type of its members.
        unbounded: Of a list found by a search: it holds the nearest few only, so counting it means little.
        lenient: Of a list: one member may stand for it.
    """

    name: str
    of: "Type | None" = None
    unbounded: bool = False
    lenient: bool = False

    def __str__(self) -> str:
        return f"List of {self.of}" if self.of is not None else self.name


ANY = Type("Any")
PLACE = Type("Place")
AREA = Type("Area")
LINE = Type("Line")
MARK = Type("Mark")
OPTION = Type("Option")
TEXT = Type("Text")
NUMBER = Type("Number")
YES_NO = Type("YesNo")
LENGTH = Type("Length")
SIZE = Type("Size")
DURATION = Type("Duration")
ANGLE = Type("Angle")
MONEY = Type("Money")
QUANTITY = Type("Quantity")
TIME = Type("Time")
DIRECTION = Type("Direction")
ROUTE = Type("Route")
STEP = Type("Step")
TRIP = Type("Trip")
VISIT = Type("Visit")
STOP = Type("Stop")
SPAN = Type("Span")
GROUP = Type("Group")
PICTURE = Type("Picture")
FACT = Type("Fact")
WHAT = Type("What")
MODE = Type("Mode")
ORDER = Type("Order")
TEST = Type("Test")
KEY = Type("Key")
ITEM = Type("Item")
"""A member of the list that is the first argument."""
SAME = Type("Same")
"""The type of the first argument."""
ANSWER = Type("Answer")
LIST = Type("List", ANY)
ONE_OR_MORE = Type("List", ANY, lenient=True)

PLACE_LIKE = frozenset({"Place", "Area", "Line", "Mark", "Route", "Stop"})
"""Types that stand where a place is wanted, besides words and options."""
MEASURES = frozenset({"Length", "Size", "Duration", "Angle", "Money", "Quantity"})
SCALARS = frozenset({"Text", "Number", "YesNo", "Time", "Direction", "Fact", "Option", *MEASURES})
MODES: Mapping[str, str] = {
    "walk": "walking",
    "walking": "walking",
    "foot": "walking",
    "on foot": "walking",
    "bike": "bicycling",
    "bicycle": "bicycling",
    "bicycling": "bicycling",
    "cycling": "bicycling",
    "drive": "driving",
    "driving": "driving",
    "car": "driving",
    "transit": "transit",
    "public transport": "transit",
}
"""The spellings of the four modes of travel in programs."""
MODE_NAMES = {"walking": "walk", "bicycling": "bike", "driving": "drive", "transit": "transit"}


def list_of(member: Type, *, unbounded: bool = False) -> Type:
    """The type of a list."""
    return Type("List", member, unbounded)


_PLACE_FIELDS: Mapping[str, Type] = {
    **dict.fromkeys(("name", "kind", "address", "street", "city", "district", "postcode", "phone"), TEXT),
    **dict.fromkeys(("housenumber", "website", "email", "cuisine", "opening_hours"), TEXT),
    **dict.fromkeys(("rating", "reviews", "price", "lat", "lng", "stars", "capacity"), NUMBER),
    **dict.fromkeys(("wifi", "wheelchair", "outdoor_seating", "takeaway", "vegan", "vegetarian"), YES_NO),
    **dict.fromkeys(("dog", "elevator", "delivery", "smoking", "toilets", "parking"), YES_NO),
    "charge": MONEY,
    "location": PLACE,
    "size": SIZE,
    "perimeter": LENGTH,
    "length": LENGTH,
    "height": LENGTH,
    "stops": list_of(PLACE),
}
_ROUTE_FIELDS: Mapping[str, Type] = {
    **dict.fromkeys(("origin", "destination"), PLACE),
    **dict.fromkeys(("mode", "color", "summary", "name"), TEXT),
    "duration": DURATION,
    **dict.fromkeys(("distance", "length"), LENGTH),
    **dict.fromkeys(("depart", "arrive"), TIME),
    **dict.fromkeys(("steps", "turns"), list_of(STEP)),
    "streets": list_of(TEXT),
    **dict.fromkeys(("toll", "ferry"), YES_NO),
    "transfers": NUMBER,
    "fare": MONEY,
    "warnings": list_of(TEXT),
}
_MARK_FIELDS: Mapping[str, Type] = {
    **dict.fromkeys(("label", "side", "color"), TEXT),
    **dict.fromkeys(("x", "y"), NUMBER),
    "place": PLACE,
    "notes": list_of(TEXT),
}
_UNIT_FIELDS: Mapping[str, Type] = dict.fromkeys(
    ("m", "km", "mi", "ft", "s", "min", "h", "m2", "km2", "ha", "deg"), NUMBER
)
FIELDS: Mapping[str, Mapping[str, Type]] = {
    "Place": _PLACE_FIELDS,
    "Area": _PLACE_FIELDS,
    "Line": _PLACE_FIELDS,
    "Mark": {**_PLACE_FIELDS, **_MARK_FIELDS},
    "Option": {"text": TEXT, "letter": TEXT},
    "Route": _ROUTE_FIELDS,
    "Step": {
        **dict.fromkeys(("text", "street", "turn", "mode", "line", "headsign", "maneuver"), TEXT),
        **dict.fromkeys(("depart", "arrive"), TIME),
        "streets": list_of(TEXT),
        "distance": LENGTH,
        "duration": DURATION,
        **dict.fromkeys(("exit", "stops"), NUMBER),
        "stop": PLACE,
        "landmarks": list_of(TEXT),
        "side": TEXT,
    },
    "Trip": {
        **dict.fromkeys(("origin", "destination"), PLACE),
        **dict.fromkeys(("depart", "arrive"), TIME),
        **dict.fromkeys(("duration", "travel", "stay", "wait"), DURATION),
        "distance": LENGTH,
        "order": list_of(PLACE),
        "visits": list_of(STOP),
        "legs": list_of(ROUTE),
        "feasible": YES_NO,
        "problems": list_of(TEXT),
    },
    "Visit": {"place": PLACE, "stay": DURATION},
    "Stop": {
        "place": PLACE,
        **dict.fromkeys(("arrive", "begin", "leave"), TIME),
        **dict.fromkeys(("stay", "wait"), DURATION),
    },
    "Span": {**dict.fromkeys(("start", "end"), TIME), "duration": DURATION},
    "Group": {"key": FACT, "items": LIST},
    "Time": dict.fromkeys(("date", "day", "clock"), TEXT),
    "Direction": {"name": TEXT, "degrees": NUMBER},
    "Picture": {
        "marks": list_of(MARK),
        "routes": list_of(ROUTE),
        "place": AREA,
        "text": TEXT,
        "scale": LENGTH,
    },
    "List": {"complete": YES_NO, "unstated": LIST},
    **dict.fromkeys(MEASURES, _UNIT_FIELDS),
}
"""The fields of each type. Places have a field for each key of the map besides."""

OPEN_ENDED = frozenset({"Place", "Area", "Line", "Mark", "Option"})
"""Types with a field for each key of OpenStreetMap."""


@lru_cache(maxsize=1)
def known_keys() -> frozenset[str]:
    """The keys of `keys.txt`, those that are plain names."""
    text = resources.files(__package__).joinpath("keys.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())
