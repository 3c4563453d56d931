"""What kind of line a line of text on a map picture is: a name, a detail beneath one, or furniture."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from map_tools.text import normalise
from map_tools.vision.boxes import Box

LEAST_LETTERS = 2
ORNAMENT = re.compile(r"^[^\w(\"'“«]+|[^\w)\"'.!?”»]+$")
"""Icons beside a name are read as signs before or after it."""


@dataclass(frozen=True)
class Furniture:
    """The vocabulary of `furniture.toml`."""

    phrases: frozenset[str]
    chips: frozenset[str]
    chip_band_share: float
    patterns: tuple[re.Pattern[str], ...]
    details: dict[str, re.Pattern[str]]
    shield: re.Pattern[str]
    street: re.Pattern[str]


@lru_cache(maxsize=1)
def furniture() -> Furniture:
    """The vocabulary, read once."""
    values = tomllib.loads((files("map_tools.vision") / "furniture.toml").read_text("utf-8"))
    return Furniture(
        phrases=frozenset(values["phrases"]),
        chips=frozenset(values["chips"]),
        chip_band_share=float(values["chip_band_share"]),
        patterns=tuple(re.compile(pattern, re.IGNORECASE) for pattern in values["patterns"]),
        details={kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in values["details"].items()},
        shield=re.compile(values["shield"]),
        street=re.compile(values["street"], re.IGNORECASE),
    )


def kind_of(box: Box, height_px: int) -> str:
    """One of "name", "shield", "furniture", or a detail: "rating", "price", "note", "travel_time".

    Args:
        box: The line.
        height_px: Of the whole picture: buttons stand at its top.
    """
    words, plain = furniture(), normalise(box.text)
    if plain in words.phrases or (plain in words.chips and box.center[1] < words.chip_band_share * height_px):
        return "furniture"
    for kind, pattern in words.details.items():
        if pattern.fullmatch(box.text):
            return kind
    if any(pattern.fullmatch(box.text) for pattern in words.patterns):
        return "furniture"
    if words.shield.fullmatch(box.text):
        return "shield"
    return "name" if sum(map(str.isalpha, box.text)) >= LEAST_LETTERS else "furniture"


def is_street(text: str) -> bool:
    """True for a name that says that it is a street's ("Mill Rd", "Road No. 5")."""
    return furniture().street.fullmatch(text) is not None


def cleaned(text: str) -> str:
    """A name without the signs that icons beside it were read as."""
    return ORNAMENT.sub("", text).strip()


def rating_of(text: str) -> tuple[float | None, int | None]:
    """Rating and number of ratings of a line such as "4.4 ★ (1.2K)"."""
    found = furniture().details["rating"].fullmatch(text)
    if found is None:
        return None, None
    value = float(found["value"].replace(",", "."))
    raw = found["count"]
    if not raw:
        return value, None
    if found["thousand"]:
        return value, round(1000 * float(raw.replace(",", ".").strip()))
    return value, int(re.sub(r"\D", "", raw))
