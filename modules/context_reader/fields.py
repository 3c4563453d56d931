"""What is said of a place by a label or in a statement, put into its draft.

Labelled values: "Rating: 4.7 (31)", "Location: A St(48.1, 2.3)". Statements of services: "Serves Dinner", "Does not
serve lunch", "Takeout: Yes", "dine-in, no delivery".
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from map_tools.compute.shape_text import parse_position
from map_tools.errors import PlaceNotFoundError
from map_tools.kinds.concepts import find_in, lookup
from map_tools.text import normalise
from map_tools.types import OPEN_NOW, LatLng, Place
from modules.context_reader.drafts import PlaceDraft
from modules.context_reader.lines import cut_coordinates, measures_in
from modules.context_reader.vocabulary import forms, words

_BARE_NUMBER = re.compile(r"\d[\d.,]*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_COUNT = re.compile(
    r"\(\s*(?:n ?= ?)?(\d[\d.,  ]*)([kK]?)\b[^()]*\)|(\d[\d.,]*)([kK]?)\+?\s*(?:[a-z]+ )?"
    r"(?:ratings?|reviews?|rvws|reviewers?|votes?|opinions|users?|people|guests|visitors)\b",
    re.IGNORECASE,
)
_DEGREES = re.compile(r"\d[.,]\d|[°º′']")
_MONEY = re.compile(r"^[$€£¥₹৳]{1,4}(?:\s*[-–]\s*[$€£¥₹৳]{1,4})?$")
_CHARGE = re.compile(
    r"(?P<before>[^\W\d_]+|[€$£¥₹₺])?\.? ?(?P<number>\d[\d.,]*)(?:[.,]?[-–])? ?(?P<behind>[^\W\d_]+|[€$£¥₹₺])?"
)
_PRICE_LEVELS = 4
_MAX_RATING = 5.0

type Setter = Callable[[PlaceDraft, str], None]

_MOST_WORDS = 9
"""A longer piece of a sentence is about more than one service."""
_PARTS = re.compile(r"[,;/•|·]|\band\b")


def field_of(label: str) -> str | None:
    """The field a label stands for ("Opening Hours" → "hours"); None if the label is not known."""
    return words().labels.get(normalise(label))


def is_unknown(value: str) -> bool:
    """True for "N/A", "Unknown" and the like."""
    return normalise(value) in words().unknown or not value.strip(" -–—/.?")


def put_field(draft: PlaceDraft, name: str, value: str) -> None:
    """Notes a value in the draft; "N/A" and the like leave it as it is.

    Args:
        draft: The place.
        name: A field of `[labels]` in `words.toml`.
        value: What stands after the label.
    """
    value = value.strip(" .;,")
    if is_unknown(value):
        return
    if name in _SETTERS:
        _SETTERS[name](draft, value)
    elif name in Place.model_fields:
        draft.put(name, value)
    else:
        draft.attributes.setdefault(name, value)
    _join_coordinates(draft)


def with_unit(label: str, value: str) -> str:
    """A bare number with the unit that stands in its label: "Time (min)", "12" → "12 min"."""
    if not _BARE_NUMBER.fullmatch(value):
        return value
    units = forms().unit.findall(forms().mode.sub(" ", label))
    return f"{value} {units[-1]}" if units else value


def put_rating(draft: PlaceDraft, value: str) -> None:
    """Reads "4.7. (317575 ratings)", "4.5/5", "4.6 out of 5 based on 1,234 reviews".

    A rating of 0 means that nobody has rated the place.
    """
    count = _COUNT.search(value)
    number = _NUMBER.search(value if count is None else value[: count.start()])
    rating = float(number.group().replace(",", ".")) if number else None
    if rating is not None and 0 < rating <= _MAX_RATING:
        draft.put("rating", rating)
    if count is not None:
        _put_count(draft, count[1] or count[3], thousands=bool(count[2] or count[4]))


def put_stars(draft: PlaceDraft, value: str) -> None:
    """The class of a hotel ("4 stars", "4S"); stars with decimals ("4.6") are what its guests gave."""
    if re.match(r"\d[.,]\d", value):
        put_rating(draft, value)
    else:
        draft.attributes.setdefault("stars", value)


def put_types(draft: PlaceDraft, value: str) -> None:
    """Reads "lodging, point_of_interest"; what says nothing ("establishment") is left out."""
    kinds = [kind.strip().replace("_", " ") for kind in re.split(r"[,;|]", value)]
    kinds = [kind for kind in kinds if kind and normalise(kind) not in words().vague_types]
    whole = [concept for concept in map(lookup, kinds) if concept is not None]
    found = [concept.id for concept in whole or [span.value for kind in kinds for span in find_in(kind)]]
    draft.put("categories", tuple(dict.fromkeys(found)) or None)
    if kinds:
        draft.attributes.setdefault("types", ", ".join(kinds))


def _put_address(draft: PlaceDraft, value: str) -> None:
    address, location = cut_coordinates(value)
    if location is None and not any(map(str.isalpha, value)):
        _put_coordinates(draft, value)
        return
    draft.put("address", address.strip(" .,"))
    draft.put("location", location)


def _put_coordinates(draft: PlaceDraft, value: str) -> None:
    if not _DEGREES.search(value):  # "300 W, 1200 S" are metres
        draft.attributes.setdefault("coordinates", value)
        return
    _, location = cut_coordinates(value if value.endswith(")") else f"({value})")
    try:
        draft.put("location", location or parse_position(value))
    except PlaceNotFoundError:
        draft.attributes.setdefault("coordinates", value)


def _join_coordinates(draft: PlaceDraft) -> None:
    """Makes the position of latitude and longitude once both are told."""
    try:
        lat, lng = float(draft.attributes["latitude"]), float(draft.attributes["longitude"])
    except (KeyError, ValueError):
        return
    if abs(lat) <= 90 and abs(lng) <= 180:
        del draft.attributes["latitude"], draft.attributes["longitude"]
        draft.put("location", LatLng(lat=lat, lng=lng))


def _put_rating_count(draft: PlaceDraft, value: str) -> None:
    number = re.match(r"(\d[\d.,]*)([kK]?)", value)
    if number is not None:
        _put_count(draft, number[1], thousands=bool(number[2]))


def _put_count(draft: PlaceDraft, digits: str, *, thousands: bool) -> None:
    if thousands:
        draft.put("rating_count", round(float(digits.replace(",", ".").strip()) * 1000))
    else:
        draft.put("rating_count", int(re.sub(r"\D", "", digits)))


def _put_price(draft: PlaceDraft, value: str) -> None:
    level = price_level(value)
    if level is not None:
        draft.put("price_level", level)
    else:
        draft.attributes.setdefault("price", value)


def _put_charge(draft: PlaceDraft, value: str) -> None:
    """Keeps an amount of money in one form: "7 euros" and "€7,00" are "7 €" and "7.00 €"."""
    told = _CHARGE.fullmatch(value)
    currency = told and words().currencies.get((told["before"] or told["behind"] or "").lower())
    if not told or not currency:
        draft.attributes.setdefault("charge", value)
        return
    number = re.sub(r",(?=\d{1,2}$)", ".", told["number"].rstrip(".,")).replace(",", "")
    draft.attributes.setdefault("charge", f"{number} {currency}")


def price_level(value: str) -> int | None:
    """0 (free) to 4: from words ("Moderate"), signs ("$$", of a span the dearer end) or a level ("2")."""
    phrase = normalise(value)
    if phrase in words().prices:
        return words().prices[phrase]
    if _MONEY.match(value):
        return max(map(len, re.findall(r"[^\s–-]+", value)))
    number = re.fullmatch(r"([0-4])(?: ?(?:/|out of|of) ?4)?", value.strip())
    return int(number[1]) if number and int(number[1]) <= _PRICE_LEVELS else None


def _put_hours(draft: PlaceDraft, value: str) -> None:
    """Keeps "Open: Yes" apart: it says that the place is open now, not when it opens."""
    if normalise(value) in words().truth:
        _put_open_now(draft, value)
    else:
        draft.hours.append(value)


def _put_open_now(draft: PlaceDraft, value: str) -> None:
    told = words().truth.get(normalise(value))
    draft.attributes.setdefault(OPEN_NOW, value if told is None else ("yes" if told else "no"))


def _put_closed(draft: PlaceDraft, value: str) -> None:
    """The days on which a place is closed; "never" adds nothing."""
    if set(normalise(value).split()) & words().days:
        draft.attributes.setdefault("closed", value)


def _put_services(draft: PlaceDraft, value: str) -> None:
    found = False
    for key, offered in services_in(value):
        draft.services.setdefault(key, offered)
        found = True
    if not found:
        draft.attributes.setdefault("services", value)


def _put_review(draft: PlaceDraft, value: str) -> None:
    """A number after "Reviews:" is how many there are."""
    if re.fullmatch(r"\d[\d.,]*[kK]?\+?(?: reviews?)?", value):
        _put_rating_count(draft, value)
    else:
        draft.reviews.append(value.strip('"“”'))


def _put_distance(draft: PlaceDraft, value: str) -> None:
    draft.distance_m = measures_in(value).distance_m if draft.distance_m is None else draft.distance_m


_SETTERS: Mapping[str, Setter] = {
    "address": _put_address,
    "coordinates": _put_coordinates,
    "rating": put_rating,
    "stars": put_stars,
    "rating_count": _put_rating_count,
    "price": _put_price,
    "charge": _put_charge,
    "hours": _put_hours,
    "open_now": _put_open_now,
    "closed": _put_closed,
    "types": put_types,
    "services": _put_services,
    "reviews": _put_review,
    "distance": _put_distance,
}


def service_in(text: str) -> tuple[str, bool] | None:
    """The service a statement is about and whether it is offered; None if it is no such statement."""
    phrase = normalise(text)
    if len(phrase) > 60:
        return None
    offered = True
    while phrase:
        key = words().services.get(phrase)
        if key is not None:
            return key, offered
        shorter, negated = _shorten(phrase)
        if shorter == phrase:
            return None
        phrase, offered = shorter, offered and not negated
    return None


def labelled_service(label: str, value: str) -> tuple[str, bool] | None:
    """Reads "Takeout: Yes"; None if the label is no service or the value no answer."""
    found = service_in(label)
    offered = words().truth.get(normalise(value) or value.strip())
    if found is None or offered is None:
        return None
    return found[0], offered if found[1] else not offered


def services_in(text: str) -> Iterator[tuple[str, bool]]:
    """All services of a list such as "dine-in, takeout, no delivery"."""
    whole = service_in(text)
    if whole is not None:
        yield whole
        return
    for part in _PARTS.split(text):
        found = service_in(part)
        if found is not None:
            yield found


def _shorten(phrase: str) -> tuple[str, bool]:
    """Takes one filling or negating phrase off an end; says whether it was a negating one."""
    parts = phrase.split()
    for size in (3, 2, 1):
        if size > len(parts):
            continue
        head, tail = " ".join(parts[:size]), " ".join(parts[-size:])
        if head in words().negative:
            return " ".join(parts[size:]), True
        if tail in words().negative:
            return " ".join(parts[:-size]), True
        if head in words().filler:
            return " ".join(parts[size:]), False
        if tail in words().filler:
            return " ".join(parts[:-size]), False
    return phrase, False


def loose_service_in(text: str) -> tuple[str, bool] | None:
    """As `service_in`, with a word that says no anywhere, and words that praise: "dogs are not allowed"."""
    phrase = f" {normalise(text)} "
    if len(phrase.split()) > _MOST_WORDS:
        return None
    negated = next(
        (f" {word} " for word in sorted(words().negative, key=len, reverse=True) if f" {word} " in phrase),
        None,
    )
    bare = phrase.replace(negated, " ", 1) if negated else phrase
    key = next((key for told, key in _telling().items() if f" {told} " in f" {bare.strip()} "), None)
    return None if key is None else (key, negated is None)


@lru_cache(maxsize=1)
def _telling() -> dict[str, str]:
    """Phrases that tell of a service in any short piece, the longest first; a bare "lunch" does not."""
    telling = {
        phrase: key
        for phrase, key in words().services.items()
        if " " in phrase or not key.startswith(("serves_", "reserv"))
    }
    return dict(sorted(telling.items(), key=lambda item: -len(item[0])))
