"""What a map's description says of its places of Overture Maps."""

from collections.abc import Mapping

from map_tools.types import Frozen

OVERTURE_FILE = "overture.parquet"
"""The file of places of a map that can be updated; the others were made from a file that is not kept."""
DEFAULT_CONFIDENCE = 0.5
"""Overture's own confidence, 0 to 1, that a place exists; what is below is left out."""

OSM_AND_OVERTURE = "© OpenStreetMap contributors, Overture Maps Foundation"
"""The credit of a map that has places or facts of Overture. Its places are under CDLA Permissive 2.0, which asks
for none (https://docs.overturemaps.org/attribution/); where a fact is from should be said all the same."""


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
