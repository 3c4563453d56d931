"""What a map tells of what it has from Overture: its places' ids and tags, and the map's description."""

import re
from collections.abc import Mapping
from hashlib import blake2b

from map_tools.types import Frozen

KIND = "o"
"""The kind of a feature of Overture, beside OpenStreetMap's "n", "w" and "r"."""
SCHEME = "overture"
ID_TAG, FACTS_TAG, SOURCES_TAG = "overture:id", "overture:facts", "overture:sources"
"""The id of the place at Overture, the facts that only Overture tells, and whom Overture has the place from."""
FACT_SEPARATOR = ";"
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_DIGEST_BYTES = 8

OVERTURE_FILE = "overture.parquet"
"""The file of places of a map that can be updated; the others were made from a file that is not kept."""
DEFAULT_CONFIDENCE = 0.5
"""Overture's own confidence, 0 to 1, that a place exists; what is below is left out."""
OSM_AND_OVERTURE = "© OpenStreetMap contributors, Overture Maps Foundation"
"""The credit of a map that has places or facts of Overture. Its places are under CDLA Permissive 2.0, which asks
for none (https://docs.overturemaps.org/attribution/); where a fact is from should be said all the same."""


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


class OvertureInfo(Frozen):
    """What a map's description (`maps.info.MapInfo`) says of its places of Overture Maps.

    Attributes:
        source_file: Name of the file of places.
        source_sha256: Its hash.
        confidence: What Overture was less sure of was left out.
        counts: "united" and "added"; left out: "outside" the map, "unsure", "closed", "kindless" (of a kind
            that the map has no category for), "repeated" and "unreadable" (without id, name or position).
    """

    source_file: str
    source_sha256: str
    confidence: float
    counts: Mapping[str, int]

    @property
    def held(self) -> int:
        """How many places of Overture the map holds, by themselves or in one of OpenStreetMap."""
        return self.counts["united"] + self.counts["added"]
