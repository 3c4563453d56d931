"""Durations, distances and numbers as they are read and written; geodesy against pyproj and known angles."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyproj import Geod

from map_tools.compute.geodesy import (
    WINDS,
    angle_between,
    bearing_deg,
    destination,
    distance_m,
    wind,
    wind_name,
    wind_words,
)
from map_tools.compute.measures import (
    find_areas_m2,
    find_distances,
    find_durations,
    format_distance,
    format_duration,
    parse_area_m2,
    parse_distance_m,
    parse_duration_s,
)
from map_tools.compute.scanning import find_numbers, find_ordinals, lowered, parse_number, parse_ordinal
from map_tools.types import LatLng

MILE_M = 1609.344


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1 hour 5 mins", 3900),
        ("1 h 5 min", 3900),
        ("1\u202fh\u202f5\u202fmin", 3900),
        ("1 hr. 5 min.", 3900),
        ("1 hour, 5 minutes and 20 seconds", 3920),
        ("1.5 hours", 5400),
        ("1,5 hours", 5400),
        ("1½ hours", 5400),
        ("1 1/2 hours", 5400),
        ("90 minutes", 5400),
        ("90min", 5400),
        ("1hr30min", 5400),
        ("1h30", 5400),
        ("1h 30m", 5400),
        ("1:30 h", 5400),
        ("01:30:00", 5400),
        ("two and a half hours", 9000),
        ("2 hours and a half", 9000),
        ("an hour and a half", 5400),
        ("hour and a quarter", 4500),
        ("half an hour", 1800),
        ("half-hour", 1800),
        ("a quarter of an hour", 900),
        ("three quarters of an hour", 2700),
        ("a couple of hours", 7200),
        ("an hour", 3600),
        ("one hour and five minutes", 3900),
        ("twenty-five minutes", 1500),
        ("1 day 2 hours", 93600),
        ("45 secs", 45),
        ("about 20 mins.", 1200),
        ("~5 min", 300),
        ("5-minute", 300),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration_s(text) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5 m",
        "hour",
        "5",
        "1:30",
        "a second",
        "5 km",
        "1 hour 5 hours",
        "soon",
    ],
)
def test_what_is_no_duration(text: str) -> None:
    assert parse_duration_s(text) is None


@pytest.mark.parametrize(
    "text", ["the following couples of sights", "three quarters of the town", "the halves"]
)
def test_no_duration_in_a_text(text: str) -> None:
    assert find_durations(text) == []


@pytest.mark.parametrize(
    ("text", "metres"),
    [
        ("1.2 km", 1200),
        ("1.2km.", 1200),
        ("1,2 km", 1200),
        ("350 m", 350),
        ("1,200 metres", 1200),
        ("12\u202f500 m", 12500),
        ("2 km 300 m", 2300),
        ("3 miles", 3 * MILE_M),
        ("0.5 mi", MILE_M / 2),
        ("half a mile", MILE_M / 2),
        ("a quarter of a mile", MILE_M / 4),
        ("a mile and a half", 1.5 * MILE_M),
        ("one and a half miles", 1.5 * MILE_M),
        ("500 feet", 152.4),
        ("100 yards", 91.44),
        ("2 nautical miles", 3704),
        ("approximately five kilometres", 5000),
    ],
)
def test_distances(text: str, metres: float) -> None:
    assert parse_distance_m(text) == pytest.approx(metres)


@pytest.mark.parametrize("text", ["3 blocks", "60 km/h", "1 km²", "5 min", "on foot", "10 km per hour", ""])
def test_what_is_no_distance(text: str) -> None:
    assert parse_distance_m(text) is None


@pytest.mark.parametrize(
    ("text", "durations", "distances"),
    [
        ("Walk 10–15 minutes or between 5 and 10 km", [600, 900], [5000, 10000]),
        ("1 h 30 m, then 300 m in 5 min", [5400, 300], [300]),
        ("for one hour at A, two hours at B", [3600, 7200], []),
        ("open 24 hours a day, seven days a week", [86400, 604800], []),
        ("the second hotel within 2 km, a second one 40 seconds on", [40], [2000]),
        ("60 km an hour for an hour", [3600], [60000]),
        ("40 mins | 39.7 km", [2400], [39700]),
        ("a 5-minute walk (0.3 mi)", [300], [0.3 * MILE_M]),
        ("leave by 17h30 for 2h30", [9000], []),
        ("take exit 22 to go 5 km", [], [5000]),
        ("in 20min/1.5km", [1200], [1500]),
    ],
)
def test_running_text(text: str, durations: list[float], distances: list[float]) -> None:
    assert [span.value for span in find_durations(text)] == durations
    assert [span.value for span in find_distances(text)] == pytest.approx(distances)


def test_spans_quote_the_text() -> None:
    text = "It takes 1\u202fhour and 5 minutes."
    (span,) = find_durations(text)
    assert (span.text, text[span.start : span.end]) == ("1\u202fhour and 5 minutes",) * 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,200", 1200),
        ("-3", -3),
        ("2.5", 2.5),
        ("twenty-one", 21),
        ("one hundred and five", 105),
        ("two thousand three hundred", 2300),
        ("a dozen", 12),
        ("half a dozen", 6),
        ("two and a half", 2.5),
        ("zero", 0),
        ("2k", 2000),
        ("½", 0.5),
        ("a", None),
        ("none", None),
        ("twenty one two", None),
        ("", None),
    ],
)
def test_numbers(text: str, value: float | None) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("third", 3),
        ("2nd", 2),
        ("21st", 21),
        ("twenty-first", 21),
        ("Twelfth", 12),
        ("three", None),
        ("2", None),
    ],
)
def test_ordinals(text: str, value: int | None) -> None:
    assert parse_ordinal(text) == value


def test_numbers_in_running_text() -> None:
    assert [span.value for span in find_numbers("at least 4.5 stars and two thousand reviews")] == [4.5, 2000]
    assert [span.value for span in find_ordinals("the 2nd exit, then the third")] == [2, 3]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (40, "40 s"),
        (59.6, "1 min"),
        (840, "14 min"),
        (3900, "1 h 5 min"),
        (7200, "2 h"),
        (-90, "-2 min"),
    ],
)
def test_written_durations(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("metres", "text"),
    [
        (0, "0 m"),
        (349.6, "350 m"),
        (999.7, "1 km"),
        (1234, "1.23 km"),
        (8400, "8.4 km"),
        (123456, "123 km"),
        (1e5, "100 km"),
    ],
)
def test_written_distances(metres: float, text: str) -> None:
    assert format_distance(metres) == text


@given(st.integers(1, 200_000))
def test_a_written_duration_is_read_back(seconds: int) -> None:
    read = parse_duration_s(format_duration(seconds))
    assert read is not None
    assert abs(read - seconds) <= (0.5 if seconds < 60 else 30)


@given(st.floats(1, 5e6))
def test_a_written_distance_is_read_back(metres: float) -> None:
    assert parse_distance_m(format_distance(metres)) == pytest.approx(metres, rel=0.005, abs=0.51)


@given(
    st.integers(0, 23),
    st.integers(1, 59),
    st.sampled_from(["{h} hours {m} minutes", "{h}h{m:02d}", "{h} hr {m} min"]),
)
def test_forms_of_a_duration_agree(hours: int, minutes: int, form: str) -> None:
    assert parse_duration_s(form.format(h=hours, m=minutes)) == hours * 3600 + minutes * 60


@given(st.text(max_size=60))
def test_folding_moves_nothing_and_scanning_never_fails(text: str) -> None:
    assert len(lowered(text)) == len(text)
    for span in (*find_durations(text), *find_distances(text), *find_numbers(text)):
        assert text[span.start : span.end] == span.text


def test_folding_writes_letters_small_and_signs_plain() -> None:
    assert lowered("Ten\tMINUTES at O`Neill") == "ten minutes at o'neill"
    assert lowered("Ten\u00a0MINUTES – at Àmour") == "ten minutes - at àmour"


@pytest.mark.parametrize(
    ("text", "square_m"),
    [
        ("450 square metres", 450),
        ("1,200 m²", 1_200),
        ("3.5 km2", 3.5e6),
        ("2 hectares", 20_000),
        ("1 acre", 4_046.8564224),
        ("1 square mile", 2_589_988.110336),
        ("4 million sq m", 4e6),
    ],
)
def test_a_whole_text(text: str, square_m: float) -> None:
    assert parse_area_m2(text) == pytest.approx(square_m)
    assert find_areas_m2(f"It covers {text} in all.") == pytest.approx((square_m,))


def test_several_in_their_order() -> None:
    assert find_areas_m2("from 2 ha to 0.5 km²") == (20_000, 500_000)


@pytest.mark.parametrize("text", ["5 Acre Park", "3 km", "12", "", "about 3 ha"])
def test_what_is_no_area_as_a_whole(text: str) -> None:
    assert parse_area_m2(text) is None


GEOD = Geod(ellps="WGS84")
positions = st.builds(LatLng, lat=st.floats(-89, 89), lng=st.floats(-180, 180))


@given(positions, positions)
def test_distance_and_bearing_agree_with_pyproj(a: LatLng, b: LatLng) -> None:
    azimuth, _, length_m = GEOD.inv(a.lng, a.lat, b.lng, b.lat)
    assume(1 < length_m < 19_900_000)  # the azimuth of nearly antipodal points is not well defined
    assert distance_m(a, b) == pytest.approx(length_m, abs=1e-3)
    assert angle_between(bearing_deg(a, b), azimuth) < 1e-4
    assert 0 <= bearing_deg(a, b) < 360


def test_the_antimeridian_is_no_barrier() -> None:
    west, east = LatLng(lat=-16.5, lng=179.9), LatLng(lat=-16.5, lng=-179.9)
    assert distance_m(west, east) == pytest.approx(GEOD.inv(179.9, -16.5, -179.9, -16.5)[2])
    assert wind(bearing_deg(west, east)) == "E"
    assert destination(west, 90, distance_m(west, east)).lng == pytest.approx(east.lng, abs=1e-3)


def test_one_minute_of_the_meridian() -> None:
    # A minute of latitude at 45° is 1852.2 m long on WGS84 (111,131.8 m a degree).
    assert distance_m(LatLng(lat=45 - 1 / 120, lng=7), LatLng(lat=45 + 1 / 120, lng=7)) == pytest.approx(
        1852.2, abs=0.1
    )


@given(positions, st.floats(0, 359.99), st.floats(1, 1e6))
def test_destination_lies_at_the_distance(a: LatLng, bearing: float, length_m: float) -> None:
    assert distance_m(a, destination(a, bearing, length_m)) == pytest.approx(length_m, abs=1e-3)


@pytest.mark.parametrize(
    ("bearing", "name"),
    [
        (0, "N"),
        (22.4, "N"),
        (22.5, "NE"),
        (45, "NE"),
        (90, "E"),
        (180, "S"),
        (247.4, "SW"),
        (337.4, "NW"),
        (337.5, "N"),
        (360, "N"),
    ],
)
def test_winds(bearing: float, name: str) -> None:
    assert wind(bearing) == name


@pytest.mark.parametrize("name", WINDS)
def test_words_of_winds(name: str) -> None:
    words = wind_name(name)
    for written in (
        words,
        words.replace("-", ""),
        words.replace("-", " ").title(),
        name,
        f"to the {words} of",
        f"{words}ern",
    ):
        assert wind_words(written) == name


def test_other_words_are_no_wind() -> None:
    assert wind_words("left") is None
    assert wind_words("") is None


@pytest.mark.parametrize(
    ("first", "second", "angle"), [(350, 10, 20), (10, 350, 20), (0, 180, 180), (90, 450, 0), (-10, 10, 20)]
)
def test_angles(first: float, second: float, angle: float) -> None:
    assert angle_between(first, second) == pytest.approx(angle)
