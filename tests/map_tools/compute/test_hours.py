"""Opening hours: texts that are understood, and what they mean on days and at moments."""

import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.compute.hours import (
    OpenState,
    closes_after,
    closes_at,
    day_spec_text,
    from_osm,
    from_weekly_text,
    intervals_on,
    next_opening,
    open_state,
    open_through,
    open_verdict,
    opens_at,
)
from map_tools.types import Hours
from tests.support.data import demo_extract, shared

MONDAY = date(2024, 7, 15)


def on(day: int, hour: int, minute: int = 0) -> datetime:
    """A moment of the week of Monday, 15 July 2024; `day` 0 is Monday."""
    return datetime(2024, 7, 15, tzinfo=UTC) + timedelta(days=day, hours=hour, minutes=minute)


def spans(hours: Hours, day: int) -> list[tuple[float, float]]:
    """The intervals of a day in hours after its midnight."""
    start = MONDAY + timedelta(days=day)
    midnight = datetime(start.year, start.month, start.day)  # noqa: DTZ001 - local times have no zone
    found = intervals_on(hours, start)
    return [
        ((one.opens - midnight) / timedelta(hours=1), (one.closes - midnight) / timedelta(hours=1))
        for one in found
    ]


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("Monday: 8:00\u202fAM\u2009–\u200912:00\u202fAM, Tuesday: Closed", "Mo 08:00-24:00; Tu-Su off"),
        ("Monday: Open 24 hours", "Mo 00:00-24:00; Tu-Su off"),
        ("Monday: 11:30 AM – 2:30 PM, 5:00 – 10:00 PM", "Mo 11:30-14:30,17:00-22:00; Tu-Su off"),
        ("Monday: 1:00\u2009–\u20092:30\u202fPM", "Mo 13:00-14:30; Tu-Su off"),
        ("Friday: 6:00 PM – 2:00 AM", "Mo-Th off; Fr 18:00-02:00; Sa-Su off"),
        ("Mon-Fri 9-17", "Mo-Fr 09:00-17:00; Sa-Su off"),
        ("Mon-Fri 9-5, closed Sunday", "Mo-Fr 09:00-17:00; Sa-Su off"),
        ("9 AM to 5 PM Monday to Friday, 10-4 Saturday", "Mo-Fr 09:00-17:00; Sa 10:00-16:00; Su off"),
        ("Closed on Mondays, Tue-Sun 10 am–6 pm", "Mo off; Tu-Su 10:00-18:00"),
        ("9am-5pm", "Mo-Su 09:00-17:00"),
        ("Daily 10:00-22:00", "Mo-Su 10:00-22:00"),
        ("24/7", "Mo-Su 00:00-24:00"),
        ("Sat & Sun: noon - midnight", "Mo-Fr off; Sa-Su 12:00-24:00"),
        ("Weekdays 9 a.m. - 6 p.m.; weekends closed", "Mo-Fr 09:00-18:00; Sa-Su off"),
        ("['Monday: 9:00 AM – 5:00 PM', 'Tuesday: 9:00 AM – 5:00 PM']", "Mo-Tu 09:00-17:00; We-Su off"),
        (
            "- Monday: 9.00-17.00\n- Friday (holiday): 9 – 12",
            "Mo 09:00-17:00; Tu-Th off; Fr 09:00-12:00; Sa-Su off",
        ),
        ("Mo-Fr 08:00-18:00; PH off", "Mo-Fr 08:00-18:00; Sa-Su off; PH off"),
        ("Apr-Oct Mo-Su 10:00-18:00", "Apr-Oct Mo-Su 10:00-18:00"),
        ("by appointment", 'unknown "by appointment"'),
        ("Open ⋅ Closes 10 PM", None),
        ("ask the neighbours", None),
        ("", None),
    ],
)
def test_weekly_texts(text: str, spec: str | None) -> None:
    hours = from_weekly_text(text)
    assert (hours.spec, hours.text) == (spec, text)


def test_osm_tags() -> None:
    assert from_osm("Mo-Fr 09:00-17:00; PH off").spec == "Mo-Fr 09:00-17:00; PH off"
    assert from_osm("9am-5pm").spec == "Mo-Su 09:00-17:00"
    assert from_osm("when the owner is in").spec is None


def test_open_and_closed() -> None:
    hours = from_osm("Mo-Fr 09:00-12:00,13:00-17:00")
    states = [open_state(hours, on(0, *at)) for at in ((8, 59), (9, 0), (12, 0), (13, 0), (16, 59), (17, 0))]
    assert [state is OpenState.OPEN for state in states] == [False, True, False, True, True, False]
    assert open_state(hours, on(6, 10)) is OpenState.CLOSED


@pytest.mark.parametrize(
    "spec",
    [
        '"by appointment"',
        'Mo-Fr 09:00-17:00 "by appointment"',
        "sunrise-sunset",
        'Mo-Fr 11:00-12:00 || "call us"',
    ],
)
def test_what_depends_is_unknown(spec: str) -> None:
    hours = from_osm(spec)
    assert open_state(hours, on(2, 10)) is OpenState.UNKNOWN
    assert not open_through(hours, on(2, 10), on(2, 10, 30))


def test_reasons() -> None:
    assert open_verdict(Hours(spec=None, text="?"), on(0, 10)).reason == "not stated"
    assert open_verdict(from_osm('"by appointment"'), on(0, 10)).reason == "by appointment"
    verdict = open_verdict(from_osm('Mo-Fr 09:00-17:00 "kitchen until 15:00"'), on(0, 10))
    assert (verdict.state, verdict.reason) == (OpenState.OPEN, "kitchen until 15:00")


@pytest.mark.parametrize(
    "spec",
    [
        "Mo-Th 18:00-01:00; Fr-Sa 18:00-03:00; Su off",
        "Mo-Sa 18:00-01:00; Fr,Sa 18:00-03:00",
        "Mo-Th 18:00-25:00; Fr-Sa 18:00-27:00; Su off",
    ],
)
def test_a_night_lasts_past_midnight_whatever_the_next_day_says(spec: str) -> None:
    hours = from_osm(spec)
    assert spans(hours, 3) == [(18, 25)]
    assert spans(hours, 5) == [(18, 27)]
    assert spans(hours, 6) == []
    assert open_state(hours, on(6, 2, 59)) is OpenState.OPEN
    assert open_state(hours, on(6, 3)) is OpenState.CLOSED
    assert open_through(hours, on(5, 23), on(6, 2))
    assert not open_through(hours, on(5, 23), on(6, 4))


def test_times_alone_add_up_and_a_note_behind_changes_nothing() -> None:
    tuesday = on(1, 12, 30)
    twice = from_osm("11:00-13:00;14:00-18:00")
    assert open_state(twice, tuesday) is OpenState.OPEN
    assert open_state(twice, tuesday + timedelta(hours=1)) is OpenState.CLOSED
    assert open_state(twice, tuesday + timedelta(hours=2)) is OpenState.OPEN
    garden = from_osm('Mo-Sa 09:00-22:00; "Sundays too in fine weather"')
    assert open_state(garden, tuesday) is OpenState.OPEN
    assert open_state(garden, tuesday - timedelta(days=2)) is OpenState.CLOSED


def test_days_of_long_stretches() -> None:
    assert spans(from_osm("24/7"), 2) == [(0, 24)]
    assert spans(from_osm("Mo 09:00-24:00; Tu 00:00-24:00; We 00:00-12:00"), 1) == [(0, 24)]
    assert spans(from_osm("Mo-Su 08:00-24:00"), 2) == [(8, 24)]


def test_opening_and_closing() -> None:
    hours = from_osm("Mo-Fr 09:00-12:00,13:00-01:00")
    opening, closing = opens_at(hours, MONDAY), closes_at(hours, MONDAY)
    assert opening == datetime(2024, 7, 15, 9)  # noqa: DTZ001
    assert closing == datetime(2024, 7, 16, 1)  # noqa: DTZ001
    assert opens_at(hours, MONDAY + timedelta(days=6)) is None
    assert next_opening(hours, on(4, 14)) == datetime(2024, 7, 22, 9)  # noqa: DTZ001
    assert next_opening(from_osm("24/7"), on(0, 0)) is None
    assert next_opening(from_osm("off"), on(0, 0)) is None


@pytest.mark.parametrize(
    ("spec", "day", "hour"),
    [
        ("Mo-Fr 09:00-12:00,13:00-01:00", 0, 12),  # from 10:00 on the Monday
        ("Mo-Su 08:00-02:00", 1, 2),
        ("Mo-Sa 00:00-24:00; Su 00:00-20:00", 6, 20),  # six days on end
        ("Mo-Fr 11:00-15:00", None, None),  # not open yet
        ("24/7", None, None),  # it never closes, least of all a day later
        ("sunrise-sunset", None, None),
    ],
)
def test_the_end_of_being_open(spec: str, day: int | None, hour: int | None) -> None:
    ends = None if day is None or hour is None else on(day, hour).replace(tzinfo=None)
    assert closes_after(from_osm(spec), on(0, 10)) == ends


def test_texts_of_a_day() -> None:
    assert (
        day_spec_text(from_osm("Mo 08:00-12:00,13:00-17:30"), MONDAY)
        == "8:00 AM – 12:00 PM, 1:00 PM – 5:30 PM"
    )
    assert day_spec_text(from_osm("Tu 08:00-12:00"), MONDAY) == "closed"
    assert day_spec_text(from_osm("24/7"), MONDAY) == "open 24 hours"
    assert day_spec_text(from_osm('"by appointment"'), MONDAY) == "by appointment"
    assert day_spec_text(Hours(spec=None, text="?"), MONDAY) == "not stated"


@given(st.text(alphabet='MoTuFrPH 0123459:-,;|+"off/7apm.', max_size=40))
def test_no_text_breaks_the_evaluation(text: str) -> None:
    for hours in (from_osm(text), from_weekly_text(text), Hours(spec=text, text=text)):
        state = open_state(hours, on(0, 10))
        assert state in OpenState
        assert open_through(hours, on(0, 10), on(0, 10)) is (state is OpenState.OPEN)
        assert all(span.opens < span.closes for span in intervals_on(hours, MONDAY))
        assert day_spec_text(hours, MONDAY)


DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def clock_words(minutes: int) -> str:
    """Minutes after midnight as "9:05 AM", without the code under test."""
    hour, minute = divmod(minutes % 1440, 60)
    return f"{(hour + 11) % 12 + 1}:{minute:02d} {'AM' if hour < 12 else 'PM'}"


week = st.lists(
    st.one_of(st.none(), st.tuples(st.integers(6 * 60, 12 * 60), st.integers(13 * 60, 29 * 60))),
    min_size=7,
    max_size=7,
)


@given(week)
def test_a_week_in_words_is_the_week_evaluated(days: list[tuple[int, int] | None]) -> None:
    lines = [
        f"{name}: {f'{clock_words(span[0])} – {clock_words(span[1])}' if span else 'Closed'}"
        for name, span in zip(DAY_NAMES, days, strict=True)
    ]
    hours = from_weekly_text(", ".join(lines))
    for index, span in enumerate(days):
        expected = [(span[0] / 60, span[1] / 60)] if span else []
        assert spans(hours, index) == expected


def test_real_tags_are_understood() -> None:
    import osmium

    tags = {
        str(feature.tags["opening_hours"])
        for feature in osmium.FileProcessor(str(demo_extract()))
        if "opening_hours" in feature.tags
    }
    read = [from_osm(tag) for tag in tags]
    assert len(read) > 300
    assert sum(hours.spec is not None for hours in read) / len(read) > 0.98


def test_weekly_lines_of_contexts_are_understood() -> None:
    records = json.loads(shared("mapeval_textual/dev.json").read_text(encoding="utf-8"))
    lines = {
        match[1] for record in records for match in re.finditer(r"- Open: (Monday:.*)", record["context"])
    }
    assert lines
    assert [line for line in lines if from_weekly_text(line).spec is None] == []
