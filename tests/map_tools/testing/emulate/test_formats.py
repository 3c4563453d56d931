"""The small formats on their own: polylines, amounts, ids, hours, masks, page tokens."""

from datetime import UTC, date, datetime, timedelta

import pytest

from map_tools.compute.hours import from_osm
from map_tools.testing.emulate.place_format import (
    FieldMask,
    google_id,
    legacy_hours,
    new_hours,
    own_id,
    regular_week,
    week_from,
)
from map_tools.testing.emulate.route_format import distance_text, duration_text, encode
from map_tools.testing.emulate.search import PageToken, read_token
from map_tools.types import LatLng

WEDNESDAY = datetime(2026, 5, 6, 12, 0)  # noqa: DTZ001 (local time)


def test_polyline_of_the_documentation() -> None:
    """The example of Google's description of the format."""
    points = [LatLng(lat=38.5, lng=-120.2), LatLng(lat=40.7, lng=-120.95), LatLng(lat=43.252, lng=-126.453)]
    assert encode(points) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@"


def test_polyline_of_one_coordinate() -> None:
    """The worked example of the same page: -179.9832104 becomes `~oia@."""
    assert encode([LatLng(lat=0, lng=-179.9832104)]) == "?`~oia@"


@pytest.mark.parametrize(
    ("distance_m", "imperial", "text"),
    [
        (0, False, "1 m"),
        (87.4, False, "87 m"),
        (141, False, "0.1 km"),
        (1234, False, "1.2 km"),
        (136_900, False, "137 km"),
        (1_234_000, False, "1,234 km"),
        (100, True, "328 ft"),
        (1609.344 * 12.3, True, "12.3 mi"),
    ],
)
def test_distances_in_words(distance_m: float, imperial: bool, text: str) -> None:
    assert distance_text(distance_m, imperial=imperial) == text


@pytest.mark.parametrize(
    ("duration_s", "text"),
    [
        (0, "1 min"),
        (29, "1 min"),
        (840, "14 mins"),
        (3600, "1 hour"),
        (3900, "1 hour 5 mins"),
        (7260, "2 hours 1 min"),
        (90_000, "1 day 1 hour"),
    ],
)
def test_durations_in_words(duration_s: float, text: str) -> None:
    assert duration_text(duration_s) == text


@pytest.mark.parametrize("place_id", ["osm:n123", "café/№ 7?&=", "a" * 300])
def test_ids_come_back(place_id: str) -> None:
    given = google_id(place_id)
    assert given.startswith("ChIJ")
    assert given.replace("-", "").replace("_", "").isalnum()
    assert own_id(given) == place_id


@pytest.mark.parametrize("foreign", ["", "osm:n123", "ChIJ!!", "ChIJ_____w", "ChIJa", "ChIJé"])
def test_foreign_ids_are_none_of_ours(foreign: str) -> None:
    assert own_id(foreign) is None


def test_hours_of_an_ordinary_week() -> None:
    week = regular_week(from_osm("Mo-Fr 09:00-21:00; Sa 09:00-19:00; Su 11:00-18:00"), WEDNESDAY)
    assert week is not None
    assert legacy_hours(week) == {
        "open_now": True,
        "periods": [
            {"open": {"day": 0, "time": "1100"}, "close": {"day": 0, "time": "1800"}},
            *(
                {"open": {"day": day, "time": "0900"}, "close": {"day": day, "time": "2100"}}
                for day in range(1, 6)
            ),
            {"open": {"day": 6, "time": "0900"}, "close": {"day": 6, "time": "1900"}},
        ],
        "weekday_text": [
            *(
                f"{day}: 9:00\u202fAM\u2009–\u20099:00\u202fPM"
                for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
            ),
            "Saturday: 9:00\u202fAM\u2009–\u20097:00\u202fPM",
            "Sunday: 11:00\u202fAM\u2009–\u20096:00\u202fPM",
        ],
    }


def test_a_night_closes_on_the_next_day_and_closed_days_have_no_period() -> None:
    week = regular_week(from_osm("Fr-Sa 22:00-04:00"), WEDNESDAY)
    assert week is not None
    assert new_hours(week)["periods"] == [
        {"open": {"day": 5, "hour": 22, "minute": 0}, "close": {"day": 6, "hour": 4, "minute": 0}},
        {"open": {"day": 6, "hour": 22, "minute": 0}, "close": {"day": 0, "hour": 4, "minute": 0}},
    ]
    assert new_hours(week)["openNow"] is False
    assert new_hours(week)["weekdayDescriptions"][0] == "Monday: Closed"
    assert new_hours(week)["weekdayDescriptions"][4] == "Friday: 10:00\u202fPM\u2009–\u20094:00\u202fAM"


def test_the_half_of_the_day_is_said_once_where_it_is_the_same() -> None:
    week = regular_week(from_osm("Mo 08:00-11:30,13:00-17:00; Tu 09:00-24:00"), WEDNESDAY)
    assert week is not None
    assert week.texts()[:2] == [
        "Monday: 8:00\u2009–\u200911:30\u202fAM, 1:00\u2009–\u20095:00\u202fPM",
        "Tuesday: 9:00\u202fAM\u2009–\u200912:00\u202fAM",
    ]


def test_what_never_closes_is_one_period_without_an_end() -> None:
    week = regular_week(from_osm("24/7"), WEDNESDAY)
    assert week is not None
    assert legacy_hours(week)["periods"] == [{"open": {"day": 0, "time": "0000"}}]
    assert new_hours(week)["periods"] == [{"open": {"day": 0, "hour": 0, "minute": 0}}]
    assert week.texts()[6] == "Sunday: Open 24 hours"


def test_the_coming_week_has_dates() -> None:
    week = week_from(from_osm("We 10:00-18:00"), WEDNESDAY, WEDNESDAY.date())
    assert week is not None
    assert new_hours(week, dated=True)["periods"] == [
        {
            "open": {"day": 3, "hour": 10, "minute": 0, "date": {"year": 2026, "month": 5, "day": 6}},
            "close": {"day": 3, "hour": 18, "minute": 0, "date": {"year": 2026, "month": 5, "day": 6}},
        }
    ]
    assert legacy_hours(week, dated=True)["periods"][0]["open"]["date"] == "2026-05-06"
    assert week.first == date(2026, 5, 6)


@pytest.mark.parametrize("text", ['"by appointment"', "sunrise-sunset", "whenever we like"])
def test_hours_that_are_no_week_of_spans_are_not_told(text: str) -> None:
    week = regular_week(from_osm(text), WEDNESDAY)
    assert week is None


def test_mask_keeps_what_is_asked_for() -> None:
    whole = {
        "places": [{"id": "a", "displayName": {"text": "A", "languageCode": "en"}}],
        "nextPageToken": "t",
    }
    mask = FieldMask.of(["places.displayName.text"])
    assert mask.applied(whole) == {"places": [{"displayName": {"text": "A"}}]}
    assert FieldMask.of(["places.displayName.text", "places"]).applied(whole) == {"places": whole["places"]}
    assert FieldMask.of(["places", "places.id"]).applied(whole) == {"places": whole["places"]}
    assert FieldMask.of(["*"]).applied(whole) == whole


def test_tokens_come_back_and_ripen() -> None:
    issued = datetime(2026, 5, 6, tzinfo=UTC)
    token = read_token(PageToken({"query": "café"}, 20, issued).text())
    assert token == PageToken({"query": "café"}, 20, issued)
    assert not token.is_ready(issued + timedelta(seconds=1), 2.0)
    assert token.is_ready(issued + timedelta(seconds=2), 2.0)


@pytest.mark.parametrize("text", ["", "x", "abcd", "....", "é", "A" * 5000])
def test_foreign_tokens_are_none_of_ours(text: str) -> None:
    assert read_token(text) is None
