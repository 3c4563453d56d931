"""Administrative areas and settlements: their kinds, and the words that go with their names."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files

from map_tools.kinds.phrases import fold

AREA_KINDS = frozenset(
    {"admin", "country", "state", "county", "city", "town", "village", "hamlet", "suburb", "neighbourhood"}
    | {"locality", "island", "islet", "postal_area"}
)
"""Category ids of places one lies in: administrative areas and settlements."""

LINEAR = frozenset({"street", "path", "river", "stream", "canal", "railway"})
"""Categories of long things that maps cut into pieces."""
STREETS = frozenset({"street", "path"})
ADDRESSED = ("street", "square")
"""Categories of what places are told to stand on or at."""
REACH_M: Mapping[str, float] = {
    "neighbourhood": 500.0, "hamlet": 500.0, "locality": 500.0,
    "suburb": 1_000.0, "village": 1_000.0, "town": 2_000.0, "city": 5_000.0,
}  # fmt: skip
"""How far a settlement or district whose outline a map lacks is taken to reach from its middle: a round figure of
our own, said wherever it is used."""


def reach_m(categories: Iterable[str]) -> float | None:
    """How far a place of these kinds reaches; None for other kinds, and where a border is what makes it."""
    kinds = frozenset(categories)
    return None if "admin" in kinds else next((REACH_M[kind] for kind in REACH_M if kind in kinds), None)


def is_street(categories: Iterable[str]) -> bool:
    """Whether a place of these kinds is a street or path."""
    return not STREETS.isdisjoint(categories)


def plain_area(name: str) -> str | None:
    """A name without the word for the kind of area that stands before or behind it.

    "Bezirksteil Kreuzviertel" becomes "kreuzviertel", "the district of Kluuvi" and "Kluuvi district" become
    "kluuvi" (case and accents are folded on the way).

    Returns:
        None if the name has no such word, or is nothing else.
    """
    return _without_kind(name, _patterns())


def own_plain_area(name: str) -> str | None:
    """As `plain_area`, for the name an area has on a map.

    There a word behind the name is a part of what people call the area ("Kansas City").
    """
    return _without_kind(name, _patterns()[:-1])


def _without_kind(name: str, patterns: tuple[re.Pattern[str], ...]) -> str | None:
    folded = fold(name).strip()
    matches = (pattern.fullmatch(folded) for pattern in patterns)
    return next((match["name"] for match in matches if match), None)


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], ...]:
    data = tomllib.loads((files("map_tools.data") / "names.toml").read_text("utf-8"))["areas"]
    before, before_of, links, behind = (
        _alternatives(data[key]) for key in ("before", "before_of", "links", "behind")
    )
    gap = r"(?:\s+|(?<=['’]))"
    name = r"(?P<name>\w.*)"
    return (
        re.compile(rf"(?:{before})\s+(?:(?:{links}){gap})?{name}"),
        re.compile(rf"(?:the\s+)?(?:{before_of})\s+of\s+(?:the\s+)?{name}"),
        re.compile(rf"(?:the\s+)?(?P<name>\w.*?)\s+(?:{behind})"),
    )


def _alternatives(listed: str) -> str:
    """The phrases of a list as one pattern, the longest first; either form of apostrophe is understood."""
    phrases = sorted((fold(" ".join(part.split())) for part in listed.split(",")), key=len, reverse=True)
    return "|".join(re.escape(phrase).replace("'", "['’]").replace(r"\ ", r"\s+") for phrase in phrases)
