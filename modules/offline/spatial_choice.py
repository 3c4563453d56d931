"""Whether a question goes to the spatial database, and how it is read then."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from map_tools.providers.base import HasKinds
from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.sources import HasEngine, is_database
from mapagent.ports import NameHints
from mapagent.question import Question
from modules.names import same_name
from modules.offline.intents import Intent, NearbyIntent
from modules.offline.spatial_gate import (
    BY_DATABASE,
    FAR_M,
    MEASURED,
    SUMS,
    asks_for_name,
    is_settled,
    same_reach,
)
from modules.offline.spatial_intent import SpatialIntent
from modules.offline.spatial_words import Known, words_of

if TYPE_CHECKING:
    from modules.offline.spatial_grammar import SpatialReading

THRESHOLD = 0.6
"""A reading below this is not acted on."""


class SpatialChoice:
    """Reads questions over spatial databases; what is known of a database's kinds is kept."""

    def __init__(self) -> None:
        self._kinds: dict[int, tuple[object, KindReader]] = {}
        self._plain = KindReader()

    def reading(
        self, question: Question, names: NameHints | None, other: Intent | None
    ) -> "SpatialReading | None":
        """The reading of a question over a spatial database; None if it is none.

        Args:
            question: As it came in; what brings its own facts or options needs no database.
            names: The provider, as far as its names cost nothing.
            other: How the question reads without a database; None if it does not.
        """
        if (
            names is None
            or not is_database(names)
            or question.context
            or question.image
            or question.live_options()
        ):
            return None
        kinds = self._kinds_of(names)
        if not isinstance(names, HasEngine) and other is not None:
            words = words_of(question.text, Known(names, kinds))
            if is_settled(words, other):
                return None
        from modules.offline.spatial_grammar import read_spatial  # most questions are settled without it

        reading = read_spatial(question.text, names, kinds)
        if reading is None or reading.score < THRESHOLD:
            return None
        if not isinstance(names, HasEngine) and not (
            reading.known
            and (
                needs_database(question.text, reading.intent, other)
                or (kinds.is_value(reading.intent.what) and misses_kind(reading.intent, other))
            )
        ):
            return None
        return reading

    def _kinds_of(self, names: NameHints) -> KindReader:
        """The kinds that the provider's data or map has, if it can tell them; else the vocabulary's."""
        if isinstance(names, HasEngine):
            return self._kept(names.engine, lambda: KindReader(names.engine))
        if isinstance(names, HasKinds):
            return self._kept(names.kinds, lambda: KindReader(ids=names.kinds))
        return self._plain

    def _kept(self, data: object, make: Callable[[], KindReader]) -> KindReader:
        """The reader of some data; the data is kept too, so that its id names nothing else."""
        kept = self._kinds.get(id(data))
        if kept is None:
            kept = self._kinds[id(data)] = (data, make())
        return kept[1]


def needs_database(text: str, intent: SpatialIntent, other: Intent | None) -> bool:
    """True if the map tools cannot tell what is asked, or their reading leaves something out."""
    if other is None:
        return True
    if intent.toward is not None or intent.corner is not None or intent.pick in BY_DATABASE:
        return True
    if not isinstance(other, NearbyIntent):
        return intent.ask in SUMS
    if intent.direction is not None and other.filters.direction is None:
        return True
    if intent.ask in MEASURED and intent.ask != other.ask and intent.ask not in other.also:
        return True
    if asks_for_name(text, other):
        return True
    far = (intent.within_m or 0.0) > FAR_M
    return far or not _heeds(other, intent)


def misses_kind(intent: SpatialIntent, other: Intent | None) -> bool:
    """True if the map tools would look for the kind among names, or for a wider one ("public buildings")."""
    if not isinstance(other, NearbyIntent):
        return False
    return not other.what.categories or (
        other.what.text != intent.what and intent.what.endswith(other.what.text)
    )


def _heeds(other: NearbyIntent, intent: SpatialIntent) -> bool:
    """True if the reading for the map tools has the same place, distance and order."""
    place = intent.anchor or intent.region
    same_place = place is None or any(same_name(place, anchor) for anchor in other.anchors)
    return same_place and same_reach(intent.within_m, other)
