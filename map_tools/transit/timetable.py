"""A timetable as arrays: what is kept of a feed, in one file of a map's folder."""

import json
import zipfile
from dataclasses import dataclass, fields
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from map_tools.errors import MapStoreError
from map_tools.transit.info import TIMETABLE_FILE
from map_tools.types import LatLng

type Ints = npt.NDArray[np.int32]
type Floats = npt.NDArray[np.float64]
type Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Timetable:
    """Stops, and trips over them.

    A *pattern* is a sequence of stops that trips of one line have in common. The trips of pattern p are
    `pattern_trips[p]` to `pattern_trips[p + 1]`; its stops lie likewise in `pattern_stops`. The times of
    trip t at the n-th stop of its pattern are at `trip_times[t] + n`, in seconds after "noon minus 12 hours"
    of its service day; they may be more than a day.

    Attributes:
        zone: IANA zone of the times.
        first_day: Ordinal of the first service day (`date.toordinal`).
        stop_names, stop_ids: By stop.
        lines, vehicles: What the lines are called ("7"), and what goes there ("Tram"), by line.
        headsigns: By headsign.
        stop_lats, stop_lngs: Positions in degrees.
        boards, leaves: Parallel to `pattern_stops`: whether one may get on and off there.
        trip_line, trip_headsign, trip_service: By trip.
        arrivals, departures: All times.
        active: Services (rows) by day from `first_day` on.
        foot_first, foot_to, foot_s: From stop s one can change to `foot_to[foot_first[s]:foot_first[s + 1]]` on foot
            within `foot_s` seconds; to itself too.
    """

    zone: str
    first_day: int
    stop_names: tuple[str, ...]
    stop_ids: tuple[str, ...]
    lines: tuple[str, ...]
    vehicles: tuple[str, ...]
    headsigns: tuple[str, ...]
    stop_lats: Floats
    stop_lngs: Floats
    pattern_first: Ints
    pattern_stops: Ints
    boards: Flags
    leaves: Flags
    pattern_trips: Ints
    trip_line: Ints
    trip_headsign: Ints
    trip_service: Ints
    trip_times: npt.NDArray[np.int64]
    arrivals: Ints
    departures: Ints
    active: Flags
    foot_first: Ints
    foot_to: Ints
    foot_s: Ints

    @property
    def last_day(self) -> int:
        """Ordinal of the last service day."""
        return self.first_day + int(self.active.shape[1]) - 1

    @cached_property
    def days_back(self) -> int:
        """How many days before may still be on the road."""
        latest = int(self.arrivals.max(initial=0))
        return -(-latest // 86_400)

    @property
    def time_zone(self) -> ZoneInfo:
        """The zone of the times."""
        return ZoneInfo(self.zone)

    def position(self, stop: int) -> LatLng:
        """Where a stop is."""
        return LatLng(lat=float(self.stop_lats[stop]), lng=float(self.stop_lngs[stop]))

    def days(self) -> tuple[date, date]:
        """The first and the last service day."""
        return date.fromordinal(self.first_day), date.fromordinal(self.last_day)

    def save(self, folder: Path) -> None:
        """Writes it into a map's folder."""
        texts: dict[str, Any] = {}
        arrays: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            (arrays if isinstance(value, np.ndarray) else texts)[field.name] = value
        words = np.frombuffer(json.dumps(texts, ensure_ascii=False).encode("utf-8"), dtype=np.uint8)
        np.savez_compressed(folder / TIMETABLE_FILE, words=words, **arrays)

    @classmethod
    def load(cls, folder: Path) -> "Timetable":
        """Reads that of a map's folder.

        Raises:
            MapStoreError: The file is missing or damaged.
        """
        try:
            with (folder / TIMETABLE_FILE).open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            texts = json.loads(arrays.pop("words").tobytes())
            names = ("stop_names", "stop_ids", "lines", "vehicles", "headsigns")
            return cls(**{**texts, **{name: tuple(texts[name]) for name in names}}, **arrays)
        except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
            raise MapStoreError(
                f"The timetable at {folder / TIMETABLE_FILE} cannot be read.",
                "Build the map again with `mapagent map add FILE.osm.pbf --gtfs FEED.zip`.",
            ) from error
