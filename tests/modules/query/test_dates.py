"""Days of a year and months in programs, against a search through the calendar day by day."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modules.query.values.moment import Moment, is_month, is_time, parse_moment

MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()  # noqa: SIM905 (easier to read)
SOME_DAY = st.datetimes(datetime(2024, 1, 1), datetime(2032, 12, 31))  # noqa: DTZ001 (local time of a map)


def days_from(now: datetime) -> list[date]:
    return [now.date() + timedelta(days=number) for number in range(9 * 366)]


@given(SOME_DAY, st.integers(1, 12), st.integers(1, 31))
def test_a_date_is_its_next_day(now: datetime, month: int, day: int) -> None:
    fits = [one for one in days_from(now) if (one.month, one.day) == (month, day)]
    found = parse_moment(f"{MONTHS[month - 1]} {day} 16:00", now)
    assert (found and found.at) == (
        datetime.combine(fits[0], datetime.min.time()).replace(hour=16) if fits else None
    )


@given(SOME_DAY, st.integers(1, 12))
def test_a_month_is_judged_by_a_wednesday_in_it(now: datetime, month: int) -> None:
    found = parse_moment(MONTHS[month - 1], now)
    assert found is not None
    assert found.whole_day
    assert (found.day.month, found.day.strftime("%a")) == (month, "Wed")
    assert now.date() <= found.day < now.date() + timedelta(days=380)
    if month != now.month:
        assert 8 <= found.day.day <= 14, "a holiday at its beginning or end is not meant"


@pytest.mark.parametrize("text", ["Feb 30", "Aug 32", "Aug 0", "Mayor", "Ma", "Aug 18:75"])
def test_what_is_no_date_is_no_time(text: str) -> None:
    assert not is_time(text)


def test_months_are_told_from_days() -> None:
    assert is_month("Aug")
    assert is_month("Aug Sun 10:00")
    assert not is_month("Aug 15")
    now, meant = datetime.fromisoformat("2026-11-18"), datetime.fromisoformat("2027-08-08T10:00")
    assert parse_moment("Aug Sun 10:00", now) == Moment(meant)
