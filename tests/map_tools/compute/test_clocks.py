"""Times of day, and time zones of positions."""

from datetime import UTC, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.clock import local_time, local_zone
from map_tools.compute.clocks import find_clocks, format_clock, parse_clock
from map_tools.types import LatLng


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("9:15 AM", "09:15"),
        ("9:15\u202fPM", "21:15"),
        ("9 pm", "21:00"),
        ("9 a.m.", "09:00"),
        ("11 p.m.", "23:00"),
        ("12 AM", "00:00"),
        ("12:30 pm", "12:30"),
        ("21:30", "21:30"),
        ("24:00", "00:00"),
        ("9.30", "09:30"),
        ("9.30 pm", "21:30"),
        ("17h30", "17:30"),
        ("17h", "17:00"),
        ("1800 hours", "18:00"),
        ("noon", "12:00"),
        ("12 noon", "12:00"),
        ("Midnight", "00:00"),
        ("half past nine", "09:30"),
        ("half nine", "09:30"),
        ("a quarter to 10", "09:45"),
        ("quarter past 8 pm", "20:15"),
        ("a quarter to 12 pm", "11:45"),
        ("a quarter to 1 pm", "12:45"),
        ("twenty past six pm", "18:20"),
        ("10 past 5", "05:10"),
        ("ten to five", "04:50"),
        ("5 minutes to 10 am", "09:55"),
        ("nine thirty", "09:30"),
        ("nine-thirty pm", "21:30"),
        ("nine in the evening", "21:00"),
        ("9 o'clock", "09:00"),
        ("10 at night", "22:00"),
        ("1 at night", "01:00"),
        ("around 5 pm", "17:00"),
        ("59 minutes to 5", "04:01"),
        ("quarter of six", "05:45"),
    ],
)
def test_times(text: str, shown: str) -> None:
    assert parse_clock(text) == time.fromisoformat(shown)


@pytest.mark.parametrize(
    "text", ["9", "nine", "25:00", "9.75", "half to six", "4.5", "10 minutes", "24:30", "60 minutes to 5", ""]
)
def test_what_is_no_time(text: str) -> None:
    assert parse_clock(text) is None


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("11:30 AM – 2:30 PM, 5:00 – 10:00 PM", ["11:30", "14:30", "17:00", "22:00"]),
        ("1:00\u2009–\u20092:30\u202fPM", ["13:00", "14:30"]),
        ("from 9 to 5 pm", ["09:00", "17:00"]),
        ("between 8 and 10 pm", ["20:00", "22:00"]),
        ("from 9 AM to 5, then home", ["09:00", "17:00"]),
        ("6 – 12 AM", ["18:00", "00:00"]),
        ("6pm – 2:00", ["18:00", "02:00"]),
        ("leave at 9, back by 6.", ["09:00", "06:00"]),
        ("before 8 on Sunday", ["08:00"]),
        ("9:00 PM: leave A; 9:20 PM: reach B", ["21:00", "21:20"]),
        ("at 9 Main Street, after 9 km, at 5 star hotels", []),
        ("rated 4.30, at 4.30 it closes", ["04:30"]),
        ("20 minutes to one of the parks", []),
        ("it takes from five to six minutes", []),
        ("from ten to six", []),
        ("between ten to six", []),
        ("at 4 stars", []),
        ("at ten to six", ["05:50"]),
        ("for 1:30 h, by 21:30 h", ["21:30"]),
        ("a ratio of 16:9 or 1:25000", []),
        ("can I come at half past six on a Thursday evening", ["18:30"]),
        ("a seat at 7 on Friday evening", ["19:00"]),
        ("on Friday evening at 7", ["19:00"]),
        ("on Saturday night at 1", ["01:00"]),
        ("at 8 on a Sunday morning", ["08:00"]),
        ("a table for 4 on Friday evening", []),
    ],
)
def test_running_text(text: str, times: list[str]) -> None:
    assert [span.value for span in find_clocks(text)] == [time.fromisoformat(one) for one in times]


@given(st.times(), st.booleans())
def test_a_written_time_is_read_back(value: time, hours_24: bool) -> None:
    minute = value.replace(second=0, microsecond=0)
    assert parse_clock(format_clock(value, hours_24=hours_24)) == minute
    (span,) = find_clocks(f"Come at {format_clock(value, hours_24=hours_24)}, please")
    assert span.value == minute


@given(st.text(max_size=60))
def test_scanning_never_fails(text: str) -> None:
    for span in find_clocks(text):
        assert text[span.start : span.end] == span.text


@pytest.mark.parametrize(
    ("lat", "lng", "zone"),
    [
        (60.17, 24.94, "Europe/Helsinki"),
        (-36.85, 174.76, "Pacific/Auckland"),
        (39.96, -83.0, "America/New_York"),
    ],
)
def test_zones_of_cities(lat: float, lng: float, zone: str) -> None:
    assert local_zone(LatLng(lat=lat, lng=lng)) == zone


def test_local_time_knows_summer_time() -> None:
    noon = datetime(2024, 7, 15, 12, tzinfo=UTC)
    assert local_time(noon, "Europe/Helsinki").hour == 15
    assert local_time(noon.replace(month=1), "Europe/Helsinki").hour == 14
    with pytest.raises(ValueError, match="zone-aware"):
        local_time(datetime(2024, 7, 15), "Europe/Helsinki")  # noqa: DTZ001
