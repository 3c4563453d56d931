"""English for reading programs back: plurals, verbs, times, superlatives, and what fields are called."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from map_tools.compute.clocks import parse_clock
from map_tools.kinds import concepts
from modules.query.values.moment import MONTHS, is_month, parse_moment

IT, ITS, OUTER = "\ue000", "\ue001", "\ue002"
"""Placeholders, until their wording is known: a lambda's parameter, "of it" in front of a noun, and the parameter
of a lambda around it."""
LABELS = {
    "duration": "duration", "distance": "length", "travel": "travel time", "arrive": "arrival time",
    "depart": "departure time", "leave": "end", "location": "position", "reviews": "number of reviews",
    "stars": "number of stars", "price": "price level", "lat": "latitude", "lng": "longitude",
    "phone": "phone number", "email": "e-mail address", "website": "website", "housenumber": "house number",
    "mode": "means of travel", "transfers": "number of changes", "items": "members", "stay": "time spent",
    "wait": "waiting time", "ele": "elevation",
}  # fmt: skip
"""Words for fields, if they differ from their names."""
PREDICATES = {
    "wifi": "has wifi", "wheelchair": "is accessible by wheelchair", "outdoor_seating": "has seats outside",
    "takeaway": "has takeaway", "delivery": "delivers", "vegan": "has vegan food", "smoking": "allows smoking",
    "vegetarian": "has vegetarian food", "dog": "takes dogs", "elevator": "has a lift", "feasible": "works out",
    "toll": "has tolls", "ferry": "takes a ferry", "complete": "is complete", "toilets": "has toilets",
    "parking": "has parking", "covered": "is covered", "lit": "is lit", "indoor": "is indoors",
    "fee": "charges a fee", "reservation": "takes reservations",
}  # fmt: skip
"""Fields that are yes or no."""
SUPERLATIVES = {
    "lat": ("southernmost", "northernmost"), "lng": ("westernmost", "easternmost"),
    "size": ("smallest", "largest"), "height": ("lowest", "tallest"), "length": ("shortest", "longest"),
    "distance": ("shortest", "longest"), "rating": ("worst rated", "best rated"),
    "price": ("cheapest", "most expensive"), "reviews": ("with the fewest reviews", "with the most reviews"),
    "stars": ("with the fewest stars", "with the most stars"),
    "duration": ("with the shortest duration", "with the longest duration"),
}  # fmt: skip
"""Superlatives of a field: least and most."""
UNITS = {
    "m": "metres", "km": "kilometres", "mi": "miles", "ft": "feet", "s": "seconds", "min": "minutes",
    "h": "hours", "m2": "square metres", "km2": "square kilometres", "ha": "hectares", "deg": "degrees",
}  # fmt: skip
MEMBERS = {
    "steps": "step", "turns": "turn", "streets": "street", "visits": "visit", "legs": "leg", "order": "stop",
    "stops": "stop", "marks": "mark", "routes": "route", "problems": "problem", "items": "member",
}  # fmt: skip
"""What one of a list in a field is called."""
_MASS = frozenset(
    {"drinking water", "tourist information", "information", "fast food", "parking", "ice cream"}
)
_PEOPLES = frozenset(
    {
        "arab",
        "czech",
        "french",
        "georgian",
        "german",
        "greek",
        "israeli",
        "pakistani",
        "swiss",
        "thai",
        "filipino",
    }
)
_NO_PEOPLES = frozenset({"vegetarian", "fish"})
"""Kinds of food with the endings of peoples."""
_M_PER_KM = 1000.0
_JOINTS = (" with ", " for ", " of ", " in ", " on ", " without ")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_BASES = {"is": "are", "has": "have", "does": "do", "goes": "go"}


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement that may be true or false: "Kiasma", "is open now"."""

    subject: str
    predicate: str

    def __str__(self) -> str:
        return f"{self.subject} {self.predicate}"

    def negated(self) -> "Clause":
        """The opposite."""
        verb, _, rest = self.predicate.partition(" ")
        if verb in {"is", "are"}:
            opposite = rest.removeprefix("not ") if rest.startswith("not ") else f"not {rest}"
            return Clause(self.subject, f"{verb} {opposite}")
        return Clause(self.subject, f"does not {_base(verb, 'have')} {rest}".rstrip())

    def relative(self, *, many: bool) -> str:
        """As it qualifies a noun: "that has wifi", "whose rating is 4"; empty where it is of something else."""
        if self.subject == IT:
            verb, _, rest = self.predicate.partition(" ")
            return (
                f"that {_base(verb, _BASES.get(verb, ''))} {rest}".rstrip()
                if many
                else f"that {self.predicate}"
            )
        return f"whose {self.subject[1:]} {self.predicate}" if self.subject.startswith(ITS) else ""


def _base(verb: str, known: str) -> str:
    """A verb as it stands in the plural, or behind "does not"."""
    if verb in _BASES:
        return known
    return verb[:-2] if verb.endswith(("ches", "shes", "sses")) else verb[:-1] if verb.endswith("s") else verb


def resolved(text: str, it: str = "it", its: str = "its") -> str:
    """Words with the placeholders of a lambda's parameter replaced by "it" and "its"."""
    return text.replace(IT, it).replace(ITS, f"{its} ").replace(OUTER, "that one")


def joined(words: Sequence[str], by: str = "and") -> str:
    """A list: "A, B and C"."""
    return f" {by} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def label(name: str) -> str:
    """The words for a field."""
    return LABELS.get(name) or name.removeprefix("addr:").replace("housenumber", "house number").replace(
        "_", " "
    ).replace(":", " ")


def predicate(name: str) -> str:
    """The predicate of a yes/no field; empty for others."""
    return PREDICATES.get(name) or (name.replace("_", " ") if name.startswith("serves_") else "")


def length(text: str) -> str:
    """A length as a program has it; many metres in kilometres."""
    number, _, unit = text.partition(" ")
    far = unit == "m" and number.replace(".", "", 1).isdecimal() and float(number) >= _M_PER_KM
    return f"{round(float(number) / _M_PER_KM, 2):g} km" if far else text


def ordinal(at: int) -> str:
    """The ordinal of a member of a list, by its index; negative ones count from the end."""
    if at < 0:
        return "last" if at == -1 else f"{_numbered(-at)} from last"
    return _numbered(at + 1)


def _numbered(number: int) -> str:
    names = ("first", "second", "third", "fourth", "fifth")
    if number <= len(names):
        return names[number - 1]
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def one(words: str) -> str:
    """One thing of a kind."""
    if "=" in words:
        return f"place tagged {words}"
    if (
        words in _MASS
        or words.endswith(" parking")
        or (concepts.lookup(words) is None and concepts.is_cuisine(words))
    ):
        return f"place for {words}"
    return cased(words)


def cased(words: str) -> str:
    """A kind with the name of a people in capitals: "Italian restaurant"."""
    first = words.partition(" ")[0]
    people = first.endswith(("ian", "ese", "ish", "can", "ean")) or first in _PEOPLES
    capital = people and first not in _NO_PEOPLES and concepts.is_cuisine(first)
    return words.capitalize() if capital and words.islower() else words


def many(words: str) -> str:
    """Things of a kind; words that are no kind are a name."""
    words = one(words)
    if words.startswith(("place for ", "place tagged ")):
        return words.replace("place", "places", 1)
    head, joint, rest = next(
        ((*words.partition(joint),) for joint in _JOINTS if joint in words), (words, "", "")
    )
    last = head.rpartition(" ")[2]
    if (
        words[:1].islower()
        or cased(words.lower()) == words
        or (last[:1].islower() and concepts.lookup(last) is not None)
    ):
        return f"{plural(head)}{joint}{rest}"
    return f"places called {words}"


def plural(word: str) -> str:
    """The plural of a noun."""
    if word.endswith(("s", "x", "ch", "sh")):
        return word if word.endswith("s") and not word.endswith("ss") else f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def when(text: str, now: datetime | None) -> str:
    """A time as a program has it, as an adverbial: "on Friday 31 July at 20:00", "tomorrow", "at 9:00 today".

    Args:
        text: The time, or words for one that is computed.
        now: The present moment, by which weekdays become dates; None where none is known.
    """
    first, _, rest = text.partition(" ")
    found = parse_moment(text, now)
    if text == "now" or found is None:
        return text if text == "now" else f"at {text}"
    if parse_clock(text) is not None:
        return f"at {text}" if now is None else f"at {text} today"
    at = "" if found.whole_day else f" at {found.at:%H:%M}".replace(" 0", " ")
    if first.casefold().rstrip(",") in {"today", "tonight", "tomorrow"}:
        return (
            f"at {found.at:%H:%M} today".replace(" 0", " ") if at and first[:3] == "tod" else f"{first}{at}"
        )
    day = f"{found.at.day} {MONTHS[found.at.month - 1].capitalize()}"
    weekday = _DAYS[found.at.weekday()]
    if is_month(text):
        month = day.partition(" ")[2]
        return f"on a {weekday} in {month}" if rest else f"in {month}"
    if not first[:1].isdigit() and first[:3].capitalize() == weekday[:3]:
        return f"on {weekday}{f' {day}' if now is not None else ''}{at}"
    return f"on {day}{f' {found.at.year}' if first[:1].isdigit() else ''}{at}"


def time_of(text: str) -> str:
    """A time as a noun: "Friday 20:00"."""
    first, space, rest = text.partition(" ")
    full = next((day for day in _DAYS if day[:3] == first), first)
    return f"{full}{space}{rest}"
