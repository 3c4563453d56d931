"""Opening hours: days, times, stays past midnight, and hours that do not tell."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest

from mapagent.answer import ClockTime, NameSet, Quantity, Status, Text, YesNo
from modules.offline.intents import Compare, OpenIntent, When
from modules.solvers import solve
from tests.support.evidence import place, place_fact, view_of

BAR = "Mo-Th 11:00-23:00; Fr-Sa 16:00-02:00; Su off"
MONDAY, FRIDAY, SATURDAY, SUNDAY = 0, 4, 5, 6


def ask(question, when=None, spec=BAR, *, count=False, by=None, pick=Compare.MAX, **view):
    bar = place("Anchor", 60.17, 24.94, hours=spec, timezone="Europe/Helsinki")
    intent = OpenIntent(place="Anchor", ask=question, when=when or When(), count=count, by=by, pick=pick)
    return solve(intent, view_of(place_fact(bar), **view))


@pytest.mark.parametrize(
    ("when", "is_open"),
    [
        (When(weekday=MONDAY, at=time(12)), True),
        (When(weekday=MONDAY, at=time(10, 59)), False),
        (When(weekday=SATURDAY, at=time(1, 30)), True),
        (When(weekday=SUNDAY, at=time(1, 30)), True),
        (When(weekday=SUNDAY, at=time(2, 30)), False),
        (When(weekday=SUNDAY), False),
        (When(weekday=FRIDAY), True),
        (When(weekday=FRIDAY, at=time(22), until=time(1)), True),
        (When(weekday=FRIDAY, at=time(22), until=time(3)), False),
        (When(at=time(4)), False),
    ],
)
def test_open_then(when, is_open):
    assert ask("is_open", when).value == YesNo(value=is_open)


@pytest.mark.parametrize(
    ("when", "reasons"),
    [
        (When(weekday=FRIDAY, at=time(13)), [ClockTime(at=time(16)), "4:00 PM – 2:00 AM"]),
        (
            When(weekday=MONDAY, at=time(13)),
            [ClockTime(at=time(23)), ClockTime(at=time(11)), "11:00 AM – 11:00 PM"],
        ),
        (
            When(weekday=FRIDAY, at=time(17)),
            [ClockTime(at=time(2), day_offset=1), ClockTime(at=time(16)), "4:00 PM – 2:00 AM"],
        ),
        (When(weekday=SUNDAY, at=time(13)), ["closed"]),
        (When(weekday=FRIDAY), ["4:00 PM – 2:00 AM"]),
    ],
)
def test_a_verdict_comes_with_the_changes_beside_it_and_the_hours(when, reasons):
    told = [Text(text=one, topic="hours") if isinstance(one, str) else one for one in reasons]
    assert list(ask("is_open", when, options=("Yes", "No")).ranking) == told
    assert ask("is_open", when).ranking == ()


def test_a_time_whose_answer_depends_on_the_day_is_not_guessed():
    assert ask("is_open", When(at=time(12))).status is Status.UNANSWERABLE


def test_now_is_the_places_own_time():
    # 20:30 UTC on Friday 7 March 2025 is 22:30 in Helsinki (UTC+2 in winter).
    now = datetime(2025, 3, 7, 20, 30, tzinfo=ZoneInfo("UTC"))
    assert ask("is_open", now=now).value == YesNo(value=True)
    assert ask("is_open", now=datetime(2025, 3, 8, 0, 30, tzinfo=ZoneInfo("UTC"))).value == YesNo(value=False)


def test_now_without_a_moment_asks_for_one():
    assert "--at" in ask("is_open").reason


def test_the_moment_of_the_question_wins_over_the_clock():
    at = datetime.fromisoformat("2025-03-09T12:00")
    now = datetime(2025, 3, 7, 20, 30, tzinfo=ZoneInfo("UTC"))
    assert ask("is_open", at=at, now=now).value == YesNo(value=False)


@pytest.mark.parametrize("spec", ['"by appointment"', "ask at the desk!!"])
def test_unknown_hours_never_answer_yes(spec):
    solution = ask("is_open", When(weekday=MONDAY, at=time(12)), spec=spec)
    assert solution.status is Status.UNANSWERABLE
    assert solution.value is None


@pytest.mark.parametrize(
    ("question", "when", "value"),
    [
        ("opens_at", When(weekday=FRIDAY), ClockTime(at=time(16))),
        ("closes_at", When(weekday=MONDAY), ClockTime(at=time(23))),
        ("closes_at", When(weekday=FRIDAY), ClockTime(at=time(2), day_offset=1)),
        ("opens_at", When(weekday=SUNDAY), Text(text="closed", topic="hours")),
        ("open_duration", When(weekday=SATURDAY), Quantity(value=10 * 3600, unit="s")),
        ("closed_days", None, NameSet(names=("Sunday",))),
        ("until_open", When(weekday=MONDAY, at=time(10)), Quantity(value=3600, unit="s")),
        ("until_close", When(weekday=FRIDAY, at=time(23)), Quantity(value=3 * 3600, unit="s")),
        (
            "open_days",
            None,
            NameSet(names=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")),
        ),
    ],
)
def test_times_and_days(question, when, value):
    assert ask(question, when).value == value


def test_days_are_counted():
    assert ask("closed_days", count=True).value == Quantity(value=1, unit="count")
    assert ask("closed_days", spec="24/7", count=True).value == Quantity(value=0, unit="count")


def test_there_is_no_waiting_for_what_is_so_already():
    assert "is open" in ask("until_open", When(weekday=MONDAY, at=time(12))).reason
    assert "is closed" in ask("until_close", When(weekday=SUNDAY, at=time(12))).reason


def test_a_closing_time_that_differs_between_days_needs_the_day():
    assert ask("closes_at").status is Status.AMBIGUOUS
    friday = ask("closes_at", now=datetime(2025, 3, 7, 12, tzinfo=ZoneInfo("UTC")))
    assert friday.value == ClockTime(at=time(2), day_offset=1)
    assert "Friday" in friday.warnings[0]


def test_a_closing_time_that_is_the_same_every_day_needs_none():
    assert ask("closes_at", spec="Mo-Su 09:00-17:00").value == ClockTime(at=time(17))


def test_open_all_day():
    assert ask("closes_at", spec="24/7").value == Text(text="open 24 hours", topic="hours")
    assert ask("is_open", When(weekday=SUNDAY), spec="24/7").value == YesNo(value=True)


WEEKEND = When(weekday=5, days=(5, 6))


@pytest.mark.parametrize(
    ("spec", "is_open", "warned"),
    [
        ("Mo-Su 10:00-18:00", True, False),
        ("Mo-Fr 10:00-18:00", False, False),
        ("Mo-Sa 10:00-18:00", True, True),
    ],
)
def test_open_on_weekends_is_open_on_one_of_its_days(spec, is_open, warned):
    solution = ask("is_open", WEEKEND, spec=spec)
    assert solution.value == YesNo(value=is_open)
    assert any("Sunday" in warning for warning in solution.warnings) is warned


def test_several_days_that_differ_are_told_apart():
    solution = ask("closes_at", WEEKEND, spec="Sa 10:00-19:00; Su 10:00-17:00")
    assert solution.value == ClockTime(at=time(19))
    assert any("differs on Sunday" in warning for warning in solution.warnings)


def test_a_time_of_all_working_days_needs_no_day():
    solution = ask("opens_at", When(at=time(13)), spec="Mo-Fr 09:00-12:30,13:30-16:00; Sa,Su off")
    assert solution.value == ClockTime(at=time(13, 30))
    assert solution.warnings == ("It is closed on Saturday and Sunday.",)


@pytest.mark.parametrize(
    ("by", "pick", "days"),
    [
        ("duration", Compare.MAX, ("Monday", "Tuesday", "Wednesday", "Thursday")),  # 12 hours
        ("duration", Compare.MIN, ("Friday", "Saturday")),  # 10 hours
        ("closes", Compare.MAX, ("Friday", "Saturday")),
        ("opens", Compare.MIN, ("Monday", "Tuesday", "Wednesday", "Thursday")),
    ],
)
def test_days_are_compared(by, pick, days):
    assert ask("open_days", by=by, pick=pick).value == NameSet(names=days)


def test_no_day_is_longest_where_all_are_days_of_rest():
    assert "never open" in ask("open_days", by="duration", spec="off").reason
