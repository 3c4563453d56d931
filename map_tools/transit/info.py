"""What a map's description says of its timetable; it is read without the timetable itself."""

from map_tools.types import Frozen

TIMETABLE_FILE = "timetable.npz"


class TimetableInfo(Frozen):
    """What a map's description (`maps.info.MapInfo`) says of its timetable.

    Attributes:
        source_file: Name of the feed it was made from.
        source_sha256: Hash of the feed.
        publishers: The agencies whose timetable it is.
        first_day, last_day: The days on which anything runs, as ISO dates; of a very long calendar
            those that are kept.
        counts: "stops", "stops_on_map", "lines", "trips", "services".
    """

    source_file: str
    source_sha256: str
    publishers: tuple[str, ...]
    first_day: str
    last_day: str
    counts: dict[str, int]
