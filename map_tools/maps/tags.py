"""What OpenStreetMap tags say of a feature: names, address, words to search it by, and means of travel at a stop."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from map_tools.kinds.phrases import fold, singular

_OTHER_NAMES = frozenset(
    {"alt_name", "old_name", "short_name", "official_name", "loc_name", "int_name", "brand"}
)
_NAME_PREFIXES = ("name:", "alt_name:", "old_name:", "official_name:", "short_name:")
_NOT_LANGUAGES = ("pronunciation", "etymology", "prefix", "suffix", "source")
_KEYWORD_KEYS = frozenset(
    {
        "name",
        "name:en",
        "brand",
        "operator",
        "network",
        "cuisine",
        "sport",
        "religion",
        "denomination",
    }
)
_KEYWORD_FLAGS = ("diet:",)
_WORD = re.compile(r"[^\W_]+")
_NO_APOSTROPHES = str.maketrans(dict.fromkeys("'’‘`´ʼʻʹʾʿ"))
_PARTS = re.compile(r"[;,]")
_RANGE = re.compile(r"^(\d+\w?)\s*[-–/]\s*(\d+\w?)$")

HOUSE_NUMBER, STREET, CITY, POSTCODE = "addr:housenumber", "addr:street", "addr:city", "addr:postcode"


def main_name(tags: Mapping[str, str]) -> str:
    """The name shown on the map, empty if there is none; a street without a name has its number."""
    return tags.get("name") or (tags.get("ref", "") if "highway" in tags else "") or tags.get("brand", "")


def other_names(tags: Mapping[str, str]) -> tuple[str, ...]:
    """All further names: in other languages, old, short and official ones, the brand."""
    names: dict[str, None] = {}
    for key, value in tags.items():
        if _is_other_name(key):
            names.update((part.strip(), None) for part in value.split(";") if part.strip())
    names.pop(main_name(tags), None)
    return tuple(names)


@lru_cache(maxsize=1 << 12)
def _is_other_name(key: str) -> bool:
    return key in _OTHER_NAMES or (key.startswith(_NAME_PREFIXES) and not key.endswith(_NOT_LANGUAGES))


def address_line(tags: Mapping[str, str]) -> str | None:
    """The address in one line, "Street 5, 00100 City"; None without street or place."""
    street = tags.get(STREET) or tags.get("addr:place")
    if not street:
        return tags.get("addr:full")
    number = tags.get(HOUSE_NUMBER, "")
    town = " ".join(part for part in (tags.get(POSTCODE, ""), tags.get(CITY, "")) if part)
    return ", ".join(part for part in (f"{street} {number}".strip(), town) if part)


def has_address(tags: Mapping[str, str]) -> bool:
    """True if the tags hold a street (or place) and a house number."""
    return HOUSE_NUMBER in tags and (STREET in tags or "addr:place" in tags)


def house_numbers(raw: str) -> Iterator[str]:
    """The single numbers of a tag value: "12-14" gives itself, "12" and "14"; "3;5" gives "3" and "5"."""
    for part in _PARTS.split(raw):
        number = house_number(part)
        if number:
            yield number
        ends = _RANGE.match(part.strip())
        if ends:
            yield from (house_number(end) for end in ends.groups())


def house_number(text: str) -> str:
    """A house number in one form: "5 A" and "5a" are equal."""
    return "".join(text.split()).casefold()


def keywords(tags: Mapping[str, str]) -> set[str]:
    """The words of name, brand, operator, cuisine, diet and the like, in the form of `keyword_words`."""
    words: set[str] = set()
    for key, value in tags.items():
        if key in _KEYWORD_KEYS:
            words.update(keyword_words(value))
        elif key.startswith(_KEYWORD_FLAGS) and value in {"yes", "only"}:
            words.update(keyword_words(key.split(":", 1)[1]))
    return words


def keyword_words(text: str) -> list[str]:
    """The words of a text: case, accents and the plural folded."""
    plain = text.replace("'", "").replace("`", "") if text.isascii() else text.translate(_NO_APOSTROPHES)
    return [singular(word) for word in _WORD.findall(fold(plain))]


_MEANS = (
    "bus",
    "trolleybus",
    "coach",
    "tram",
    "train",
    "subway",
    "light_rail",
    "monorail",
    "ferry",
    "funicular",
)
"""Keys with the value yes, https://wiki.openstreetmap.org/wiki/Tag:public_transport%3Dplatform."""
_IMPLIED = {
    ("highway", "bus_stop"): "bus",
    ("highway", "platform"): "bus",
    ("amenity", "bus_station"): "bus",
    ("amenity", "ferry_terminal"): "ferry",
    ("railway", "tram_stop"): "tram",
    ("railway", "halt"): "train",
    ("station", "subway"): "subway",
    ("station", "light_rail"): "light_rail",
    ("station", "monorail"): "monorail",
    ("station", "funicular"): "funicular",
}


def means_of(tags: Mapping[str, str]) -> frozenset[str]:
    """The means of travel that the tags of a stop, or of a part of one, tell; empty if none."""
    found = {key for key in _MEANS if tags.get(key) == "yes"}
    found |= {means for (key, value), means in _IMPLIED.items() if tags.get(key) == value}
    if tags.get("railway") == "station" and "station" not in tags and not found:
        found.add("train")
    return frozenset(found)
