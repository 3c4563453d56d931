"""Feeds are read as they are meant, and what is wrong with one is said in a sentence."""

import zipfile
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest

from map_tools.errors import InputFileError, MapStoreError
from map_tools.transit import archive, feed
from map_tools.transit.feed import Feed, read_feed, seconds_of, vehicle_of
from map_tools.transit.info import TIMETABLE_FILE
from map_tools.transit.timetable import Timetable
from map_tools.types import Box
from tests.support.gtfs import HELSINKI, WEEKDAYS, write_feed

BOX = Box(south=60.164, west=24.935, north=60.180, east=24.954)
"""What the demo map covers."""


def read(tmp_path: Path, tables: Mapping[str, str]) -> Feed:
    return read_feed(write_feed(tmp_path / "feed.zip", tables), box=BOX, zone="Europe/Helsinki")


def trips_on(timetable: Timetable, day: date) -> int:
    return int(timetable.active[timetable.trip_service, day.toordinal() - timetable.first_day].sum())


def test_a_feed_with_its_counts_days_and_publishers(tmp_path: Path) -> None:
    feed = read(tmp_path, HELSINKI)
    assert feed.info.publishers == ("Demo Transport",)
    assert (feed.info.first_day, feed.info.last_day) == ("2026-11-01", "2026-12-31")
    assert feed.info.counts == {"stops": 4, "stops_on_map": 3, "lines": 4, "trips": 7, "services": 2}
    assert feed.timetable.vehicles == ("Tram", "Bus", "Bus", "Ferry")


def test_days_of_the_week_and_exceptions(tmp_path: Path) -> None:
    timetable = read(tmp_path, HELSINKI).timetable
    assert trips_on(timetable, date(2026, 11, 23)) == 6  # a Monday
    assert trips_on(timetable, date(2026, 11, 28)) == 0  # a Saturday
    assert trips_on(timetable, date(2026, 11, 29)) == 1  # a Sunday
    assert trips_on(timetable, date(2026, 12, 25)) == 1  # a Friday that goes as a Sunday


def test_a_feed_of_single_days_alone(tmp_path: Path) -> None:
    dates = "service_id,date,exception_type\nweek,20261124,1\nsunday,20261129,1"
    without = {name: text for name, text in HELSINKI.items() if name != "calendar"}
    timetable = read(tmp_path, {**without, "calendar_dates": dates}).timetable
    assert timetable.days() == (date(2026, 11, 24), date(2026, 11, 29))
    assert [trips_on(timetable, date(2026, 11, day)) for day in range(24, 30)] == [6, 0, 0, 0, 0, 1]


class Noon:
    """A clock that stands still on 2026-11-27."""

    def now(self) -> datetime:
        return datetime(2026, 11, 27, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("weeks", "first", "last"),
    [
        (("19000101,29991231",), date(2025, 10, 23), date(2036, 10, 4)),
        (("19000101,19001231", "20261101,20261231"), date(2026, 11, 1), date(2026, 12, 31)),
        (
            ("19000105,19000105", "20261101,20261231", "29990101,29990101"),
            date(2026, 11, 1),
            date(2026, 12, 31),
        ),
        (("19000101,20191231",), date(2009, 1, 18), date(2019, 12, 31)),
        (("20270101,29991231",), date(2027, 1, 1), date(2037, 12, 13)),
    ],
    ids=["without end", "one service of 1900", "stray days", "expired", "not begun"],
)
def test_of_a_long_calendar_the_days_around_today_are_kept(
    tmp_path: Path, weeks: tuple[str, ...], first: date, last: date
) -> None:
    header = f"service_id,{WEEKDAYS},start_date,end_date"
    tables = {
        **HELSINKI,
        "calendar": "\n".join([header, *(f"week,1,1,1,1,1,1,1,{span}" for span in weeks)]),
        "calendar_dates": "service_id,date,exception_type\nweek,20261225,2",
    }
    path = write_feed(tmp_path / "feed.zip", tables)
    made = read_feed(path, box=BOX, zone="Europe/Helsinki", clock=Noon())
    assert made.timetable.days() == (first, last)
    assert (made.info.first_day, made.info.last_day) == (first.isoformat(), last.isoformat())
    assert trips_on(made.timetable, last) == 6
    if first < date(2026, 12, 25) < last:
        assert trips_on(made.timetable, date(2026, 12, 25)) == 0


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    made = read(tmp_path, HELSINKI).timetable
    made.save(tmp_path)
    kept = Timetable.load(tmp_path)
    assert (kept.stop_names, kept.zone, kept.lines) == (made.stop_names, made.zone, made.lines)
    assert np.array_equal(kept.departures, made.departures)
    assert np.array_equal(kept.active, made.active)
    (tmp_path / TIMETABLE_FILE).write_bytes((tmp_path / TIMETABLE_FILE).read_bytes()[:500])
    with pytest.raises(MapStoreError, match="cannot be read"):
        Timetable.load(tmp_path)


def test_headways_become_rides(tmp_path: Path) -> None:
    often = "trip_id,start_time,end_time,headway_secs\nt4-0800,09:00:00,10:00:00,600\nt4-0800,25:00:00,25:20:00,1200"
    timetable = read(tmp_path, {**HELSINKI, "frequencies": often}).timetable
    firsts = timetable.departures[timetable.trip_times]
    glass = sorted(int(one) for one in firsts[timetable.trip_line == 0])
    assert glass == [8 * 3600 + 900, *range(9 * 3600, 10 * 3600, 600), 10 * 3600, 25 * 3600]


def test_stops_without_times_lie_evenly_between(tmp_path: Path) -> None:
    times = HELSINKI["stop_times"].replace("t4-0800,theatre,2,08:02:00,08:02:30", "t4-0800,theatre,2,,")
    timetable = read(tmp_path, {**HELSINKI, "stop_times": times}).timetable
    first = int(timetable.trip_times[0])
    assert timetable.arrivals[first : first + 3].tolist() == [28_800, 28_950, 29_100]


def test_changes_that_the_feed_gives_or_forbids(tmp_path: Path) -> None:
    given = """\
        from_stop_id,to_stop_id,transfer_type,min_transfer_time
        glass,theatre,2,420
        theatre,glass,3,
        market,market,2,0
        market,glass,0,
        """
    timetable = read(tmp_path, {**HELSINKI, "transfers": given}).timetable
    changes = [
        dict(zip(timetable.foot_to[a:b].tolist(), timetable.foot_s[a:b].tolist(), strict=True))
        for a, b in zip(timetable.foot_first[:-1], timetable.foot_first[1:], strict=True)
    ]
    assert changes[0] == {0: 60, 1: 420}
    assert 0 not in changes[1]
    assert changes[2][2] == 0
    assert 420 <= changes[1][2] <= 520  # 466 m in a straight line: at a walk, a bit round about


def test_a_byte_order_mark_and_spaces_in_the_header_do_no_harm(tmp_path: Path) -> None:
    stops = "\ufeff" + "stop_id, stop_name ,stop_lat,stop_lon\n" + "\n".join(
        line.strip() for line in HELSINKI["stops"].strip().splitlines()[1:]
    )  # fmt: skip
    assert read(tmp_path, {**HELSINKI, "stops": stops}).timetable.stop_names[0] == "Glass Palace"


@pytest.mark.parametrize("table", ["agency", "stops", "routes", "trips", "stop_times"])
def test_a_missing_file_is_named(tmp_path: Path, table: str) -> None:
    with pytest.raises(InputFileError, match=rf"it has no {table}\.txt"):
        read(tmp_path, {name: text for name, text in HELSINKI.items() if name != table})


@pytest.mark.parametrize(
    ("table", "before", "after", "said"),
    [
        ("stops", "stop_lat,", "", "stops.txt has no column 'stop_lat'"),
        ("stops", "60.1697", "north", "line 2 of stops.txt has no valid position"),
        ("stops", "theatre,Theatre", "glass,Theatre", "the stop 'glass' stands twice"),
        ("routes", "b16,a,16", "t4,a,16", "the route 't4' stands twice in routes.txt"),
        ("trips", "t4,week,t4-0815", "t4,week,t4-0800", "the trip 't4-0800' stands twice in trips.txt"),
        ("trips", "t4,week,t4-0800", "t5,week,t4-0800", "line 2 of trips.txt names a route"),
        ("stop_times", "t4-0800,glass,1,08:00:00", "t4-0800,glass,1,8 am", "stop_times.txt '8 am' is no time"),
        ("stop_times", "08:00:00,08:00:00", "08:00:00,07:59:00", "line 2 of stop_times.txt a trip leaves before"),
        ("stop_times", "08:05:00,08:05:00", "08:01:00,08:01:00", "trip 't4-0800' go backwards"),
        ("stop_times", "t4-0800,glass,1,08:00:00,08:00:00", "t4-0800,glass,1,,", "no time at its first or last stop"),
        ("stop_times", "08:05:00,08:05:00", "99:05:00,99:05:00", "'99:05:00' is no time"),
        ("stop_times", "t4-0800,theatre", "t4-0800,nowhere", "line 3 of stop_times.txt has an unknown stop"),
        ("stop_times", "glass,1,", "glass,first,", "line 2 of stop_times.txt has an unknown place"),
        ("calendar", "20261101", "20261301", "line 2 of calendar.txt '20261301' is no date"),
        ("calendar", "20261101,20261231", "20261101,20251231", "line 2 of calendar.txt a service ends before"),
        ("calendar_dates", "20261225,2", "20261225,3", "line 2 of calendar_dates.txt the exception '3'"),
        ("agency", "Europe/Helsinki", "Helsinki Time", "'Helsinki Time' is no time zone"),
    ],
)  # fmt: skip
def test_what_is_broken_is_said_with_its_line(
    tmp_path: Path, table: str, before: str, after: str, said: str
) -> None:
    assert before in HELSINKI[table]
    with pytest.raises(InputFileError) as told:
        read(tmp_path, {**HELSINKI, table: HELSINKI[table].replace(before, after, 1)})
    assert said in told.value.message
    assert "feed.zip" in told.value.message
    assert told.value.remedy


def test_no_calendar_and_a_calendar_on_which_nothing_runs(tmp_path: Path) -> None:
    bare = {name: text for name, text in HELSINKI.items() if not name.startswith("calendar")}
    with pytest.raises(InputFileError, match="it has no calendar"):
        read(tmp_path, bare)
    never = f"service_id,{WEEKDAYS},start_date,end_date\nweek,0,0,0,0,0,0,0,20260101,20261231"
    with pytest.raises(InputFileError, match="nothing runs on any day"):
        read(tmp_path, {**bare, "calendar": never})


def test_a_long_calendar_on_which_nothing_runs_near_today(tmp_path: Path) -> None:
    bare = {name: text for name, text in HELSINKI.items() if not name.startswith("calendar")}
    dates = "service_id,date,exception_type\nweek,19000105,1\nweek,29990101,1"
    path = write_feed(tmp_path / "feed.zip", {**bare, "calendar_dates": dates})
    with pytest.raises(InputFileError, match="nothing runs on any day from 2025-10-23 to 2036-10-04"):
        read_feed(path, box=BOX, zone="Europe/Helsinki", clock=Noon())


def test_a_feed_of_another_town(tmp_path: Path) -> None:
    path = write_feed(tmp_path / "feed.zip", HELSINKI)
    with pytest.raises(InputFileError, match="none of its 4 stops lies on the map"):
        read_feed(path, box=Box(south=41, west=-9, north=42, east=-8), zone="Europe/Lisbon")


def test_what_is_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "feed.zip"
    with pytest.raises(InputFileError, match="There is no feed"):
        read_feed(path, box=BOX, zone="Europe/Helsinki")
    path.write_bytes(b"stop_id,stop_name\n")
    with pytest.raises(InputFileError, match="no zip archive"):
        read_feed(path, box=BOX, zone="Europe/Helsinki")
    whole = write_feed(path, HELSINKI).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputFileError, match="no zip archive, or it is cut short"):
        read_feed(path, box=BOX, zone="Europe/Helsinki")


def test_damaged_texts(tmp_path: Path) -> None:
    path = write_feed(
        tmp_path / "feed.zip", {name: text for name, text in HELSINKI.items() if name != "stops"}
    )
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr(
            "stops.txt", "stop_id,stop_name,stop_lat,stop_lon\na,Ky\xe4,60,25\n".encode("latin-1")
        )
    with pytest.raises(InputFileError, match=r"stops\.txt is not in UTF-8"):
        read_feed(path, box=BOX, zone="Europe/Helsinki")
    whole = bytearray(write_feed(path, HELSINKI).read_bytes())
    whole[70:90] = bytes(20)  # within the first table
    path.write_bytes(whole)
    with pytest.raises(InputFileError, match=r"agency\.txt is damaged"):
        read_feed(path, box=BOX, zone="Europe/Helsinki")


def test_hostile_archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 10_000)
    bomb = HELSINKI["stops"].strip() + "".join(f"\ns{number},S,60.17,24.94" for number in range(1_000))
    with pytest.raises(InputFileError, match=r"stops\.txt is larger than"):
        read(tmp_path, {**HELSINKI, "stops": bomb})
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for number in range(archive.MOST_ENTRIES + 1):
            packed.writestr(f"{number}.txt", "")
    with pytest.raises(InputFileError, match="more than 500 files"):
        read_feed(path, box=BOX, zone="Europe/Helsinki")


def test_feeds_that_grow_when_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    often = "trip_id,start_time,end_time,headway_secs\n" + "t4-0800,00:00:00,72:00:00,1\n" * 20
    with pytest.raises(InputFileError, match="its headways make too many trips"):
        read(tmp_path, {**HELSINKI, "frequencies": often})
    monkeypatch.setattr(feed, "MOST_CHANGES", 3)
    station = (
        HELSINKI["stops"].replace("stop_lon", "stop_lon,parent_station").replace("24.9372", "24.9372,all")
    )
    station = station.replace("24.9437", "24.9437,all")
    changes = "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nall,all,2,60"
    with pytest.raises(InputFileError, match="more than 3 changes"):
        read(tmp_path, {**HELSINKI, "stops": station, "transfers": changes})
    monkeypatch.setattr(archive, "MOST_CELLS", 30)
    with pytest.raises(InputFileError, match=r"too many services \(2\) for so many days"):
        read(tmp_path, HELSINKI)
    monkeypatch.setattr(feed, "MOST_STOPS", 3)
    with pytest.raises(InputFileError, match="more than 3 stops"):
        read(tmp_path, HELSINKI)


def test_a_field_without_end(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="no table of comma-separated values"):
        read(tmp_path, {**HELSINKI, "stops": HELSINKI["stops"].strip() + '\nx,"' + "a" * 200_000})


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("8:05:09", 29_109),
        (" 25:00:00 ", 90_000),
        ("", -1),
        ("08:60:00", None),
        ("8:05", None),
        ("-1:00:00", None),
    ],
)
def test_times(text: str, seconds: int | None) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize(
    ("number", "vehicle"), [("0", "Tram"), ("109", "Train"), ("704", "Bus"), ("1700", ""), ("bus", "")]
)
def test_vehicles(number: str, vehicle: str) -> None:
    assert vehicle_of(number) == vehicle
