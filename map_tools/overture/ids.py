"""How a map knows Overture's places apart: their ids, and the tags that say what comes from Overture."""

import re
from collections.abc import Mapping
from hashlib import blake2b

KIND = "o"
"""The kind of a feature of Overture, beside OpenStreetMap's "n", "w" and "r"."""
SCHEME = "overture"
ID_TAG, FACTS_TAG, SOURCES_TAG = "overture:id", "overture:facts", "overture:sources"
"""The id of the place at Overture, the facts that only Overture tells, and whom Overture has the place from."""
FACT_SEPARATOR = ";"

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_DIGEST_BYTES = 8


def is_id(text: str) -> bool:
    """True for what can be an id of Overture: letters and digits of a UUID, also of the older forms."""
    return _ID.fullmatch(text) is not None


def number_of(overture_id: str) -> int:
    """A number of 63 bits for an id, the same in every map; ids have 128 bits, numbers of features 64."""
    return int.from_bytes(blake2b(overture_id.encode(), digest_size=_DIGEST_BYTES).digest()) >> 1


def place_id(overture_id: str) -> str:
    """The place id of a place of Overture: "overture:08f1…"."""
    return f"{SCHEME}:{overture_id}"


def thing_of(place: str) -> tuple[str, int] | None:
    """Kind and number of the feature that a place id such as "overture:08f1…" names; None if it names none."""
    scheme, _, key = place.partition(":")
    return (KIND, number_of(key)) if scheme == SCHEME and is_id(key) else None


def facts_from_overture(tags: Mapping[str, str]) -> tuple[str, ...]:
    """The tags of a feature of OpenStreetMap that Overture alone tells."""
    return tuple(part for part in tags.get(FACTS_TAG, "").split(FACT_SEPARATOR) if part)


def from_overture(place: str, tags: Mapping[str, str]) -> list[str]:
    """What an answer's evidence says of a place that rests on Overture: the whole of it, or single facts.

    Args:
        place: Its place id.
        tags: Its tags.
    """
    facts = facts_from_overture(tags)
    if place.startswith(f"{SCHEME}:"):
        return ["from Overture Maps"]
    return (
        [f"{' and '.join(fact.removeprefix('addr:') for fact in facts)} from Overture Maps"] if facts else []
    )
