"""Periods of Google → opening hours; what they mean is asked of the evaluator, which ignores zones."""

from datetime import UTC, date, datetime

import pytest

from map_tools.compute.hours import OpenState, day_spec_text, open_state
from map_tools.providers.google_common.places import (
    Period,
    SpecialDay,
    by_date,
    closed_for_good,
    hours_of,
    week_minute,
)
from map_tools.types import Hours

SUN, MON, TUE, WED, THU, FRI, SAT = range(7)
"""Google's day numbers (https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/\
places#Point)."""


def period(day: int, opens: int, end_day: int, closes: int) -> Period:
    return Period(
        week_minute(day, opens // 100, opens % 100), week_minute(end_day, closes // 100, closes % 100)
    )


def hours(*periods: Period, special: tuple[SpecialDay, ...] = ()) -> Hours:
    found = hours_of(periods, (), special)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("periods", "spec"),
    [
        ((period(SUN, 800, SUN, 1230),), "Mo-Sa off; Su 08:00-12:30"),
        ((period(FRI, 1800, SAT, 200),), "Mo-Th off; Fr 18:00-02:00; Sa-Su off"),
        ((period(SAT, 2000, SUN, 300),), "Mo-Fr off; Sa 20:00-03:00; Su off"),
        ((period(MON, 0, TUE, 0),), "Mo 00:00-24:00; Tu-Su off"),
        (
            (period(MON, 900, MON, 1200), period(MON, 1300, MON, 1700)),
            "Mo 09:00-12:00,13:00-17:00; Tu-Su off",
        ),
        ((period(FRI, 600, SUN, 200),), "Mo-Th off; Fr 06:00-24:00; Sa 00:00-24:00; Su 00:00-02:00"),
        ((Period(0, None),), "24/7"),
    ],
)
def test_periods_as_a_specification(periods: tuple[Period, ...], spec: str) -> None:
    assert hours(*periods).spec == spec


@pytest.mark.parametrize(
    ("moment", "state"),
    [
        (datetime(2026, 11, 27, 23, 0, tzinfo=UTC), OpenState.OPEN),  # a Friday
        (datetime(2026, 11, 28, 1, 59, tzinfo=UTC), OpenState.OPEN),
        (datetime(2026, 11, 28, 2, 1, tzinfo=UTC), OpenState.CLOSED),
        (datetime(2026, 11, 28, 23, 0, tzinfo=UTC), OpenState.CLOSED),
    ],
)
def test_a_night_belongs_to_the_day_it_begins_on(moment: datetime, state: OpenState) -> None:
    assert open_state(hours(period(FRI, 1800, SAT, 200)), moment) is state


def test_never_closed() -> None:
    assert open_state(hours(Period(0, None)), datetime(2026, 12, 25, 3, 0, tzinfo=UTC)) is OpenState.OPEN


def test_special_days_replace_the_usual_hours() -> None:
    weekdays = tuple(period(day, 900, day, 1700) for day in (MON, TUE, WED, THU, FRI))
    special = by_date(
        {date(2026, 12, 24): [period(THU, 1000, THU, 1330)]}, (date(2026, 12, 24), date(2026, 12, 25))
    )
    found = hours(*weekdays, special=special)
    assert day_spec_text(found, date(2026, 12, 23)) == "9:00 AM – 5:00 PM"
    assert day_spec_text(found, date(2026, 12, 24)) == "10:00 AM – 1:30 PM"
    assert day_spec_text(found, date(2026, 12, 25)) == "closed"
    assert day_spec_text(found, date(2026, 12, 28)) == "9:00 AM – 5:00 PM"


def test_special_days_beside_nights() -> None:
    nights = tuple(period(day, 1800, (day + 1) % 7, 200) for day in range(7))
    found = hours(*nights, special=(SpecialDay(date(2026, 12, 25), ()),))
    assert open_state(found, datetime(2026, 12, 24, 23, 0, tzinfo=UTC)) is OpenState.OPEN
    assert open_state(found, datetime(2026, 12, 25, 20, 0, tzinfo=UTC)) is OpenState.CLOSED
    assert open_state(found, datetime(2026, 12, 27, 1, 0, tzinfo=UTC)) is OpenState.OPEN


def test_lines_are_read_where_there_are_no_periods() -> None:
    found = hours_of((), ("Monday: 9:00 AM – 5:00 PM", "Tuesday: Closed"))
    assert found is not None
    assert day_spec_text(found, date(2026, 11, 23)) == "9:00 AM – 5:00 PM"
    assert hours_of((), ()) is None


@pytest.mark.parametrize("status", ["CLOSED_PERMANENTLY", "CLOSED_TEMPORARILY", "FUTURE_OPENING"])
def test_a_business_out_of_operation_is_never_open(status: str) -> None:
    usual = hours(Period(0, None))
    found = closed_for_good(status, usual)
    assert found is not None
    assert open_state(found, datetime(2026, 11, 27, 12, 0, tzinfo=UTC)) is OpenState.CLOSED
    assert closed_for_good("OPERATIONAL", usual) is usual
