"""What the verifier takes words for as times, when it holds places open, and which trips it walks: each by hand.

24 November 2026 is a Tuesday.
"""

from datetime import date, datetime, timedelta

import pytest

from map_tools.types import Hours
from modules.query.values.moment import Moment
from modules.query.values.unknown import Unknown
from modules.query.verify import timing
from modules.query.verify.timing import Journey, Stay

at = datetime.fromisoformat
NOW = at("2026-11-24T15:00")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("18:00", Moment(at("2026-11-24T18:00"))),
        ("today", Moment(at("2026-11-24"), whole_day=True)),
        ("tomorrow", Moment(at("2026-11-25"), whole_day=True)),
        ("tomorrow 9:30", Moment(at("2026-11-25T09:30"))),
        ("tonight 20:00", Moment(at("2026-11-24T20:00"))),
        ("Tue", Moment(at("2026-11-24"), whole_day=True)),
        ("Mon", Moment(at("2026-11-30"), whole_day=True)),
        ("Monday, 10:00", Moment(at("2026-11-30T10:00"))),
        ("Sun at 20:00", Moment(at("2026-11-29T20:00"))),
        ("2026-12-25", Moment(at("2026-12-25"), whole_day=True)),
        ("2026-12-25 18:00", Moment(at("2026-12-25T18:00"))),
        ("Dec 24", Moment(at("2026-12-24"), whole_day=True)),
        ("Nov 24", Moment(at("2026-11-24"), whole_day=True)),
        ("Nov 23 10:00", Moment(at("2027-11-23T10:00"))),
        ("Feb 29", Moment(at("2028-02-29"), whole_day=True)),
        ("soon", None),
        ("Tue at noonish", None),
    ],
)
def test_words_as_times(text: str, moment: Moment | None) -> None:
    assert timing.read_moment(text, NOW) == moment


def test_without_a_present_day_only_the_time_of_day_is_known() -> None:
    clock = timing.read_moment("18:00", None)
    assert clock is not None
    assert (clock.at.time(), clock.any_day) == (at("2026-11-24T18:00").time(), True)
    day = timing.read_moment("today", None)
    assert day is not None
    assert day.any_day
    named = timing.read_moment("Fri 10:00", None)
    assert named is not None
    assert (named.at.weekday(), named.any_day) == (4, False)


def test_a_bare_time_beside_another() -> None:
    evening = Moment(at("2026-11-24T23:30"), base=at("2026-11-24T22:00"))
    assert timing.read_beside("22:30", evening, NOW) == Moment(at("2026-11-24T22:30"), base=evening.base)
    assert timing.read_beside("1:00", evening, NOW) == Moment(at("2026-11-25T01:00"), base=evening.base)
    assert timing.read_beside("22:00", evening, NOW) == Moment(at("2026-11-24T22:00"), base=evening.base)
    assert timing.read_beside("2026-12-25 18:00", evening, NOW) == Moment(at("2026-12-25T18:00"))
    assert timing.read_beside("noon", evening, NOW) == Moment(at("2026-11-24T12:00"))
    plain = Moment(at("2026-11-24T23:30"))
    assert timing.read_beside("1:00", plain, NOW) == Moment(at("2026-11-24T01:00"), base=at("2026-11-24"))


def test_so_much_later() -> None:
    noon = Moment(at("2026-11-24T12:00"))
    assert timing.later(noon, 60) == Moment(at("2026-11-24T12:01"), base=noon.at)
    assert timing.later(noon, 0) == Moment(noon.at, base=noon.at)
    assert timing.later(noon, -60) == Moment(at("2026-11-24T11:59"))
    assert timing.clock_s(Moment(at("2026-11-24T01:02:03"))) == 3723
    week = timing.on_days(Moment(noon.at, any_day=True))
    assert [one.at - noon.at for one in week] == [timedelta(days=number) for number in range(7)]
    assert timing.on_days(noon) == [noon]


BREAK = Hours(spec="Mo-Fr 09:00-12:00,13:00-17:00; Sa 10:00-14:00; Su off", text="")
BAR = Hours(spec="Fr-Sa 20:00-03:00", text="")
ALWAYS = Hours(spec="24/7", text="")
ASK = Hours(spec='Mo-Fr 09:00-17:00; Sa unknown "by appointment"', text="")
UNTOLD = Hours(spec=None, text="")


@pytest.mark.parametrize(
    ("hours", "moment", "state"),
    [
        (BREAK, "2026-11-24T09:00", True),
        (BREAK, "2026-11-24T08:59", False),
        (BREAK, "2026-11-24T12:00", False),
        (BREAK, "2026-11-24T16:59", True),
        (BREAK, "2026-11-24T17:00", False),
        (BREAK, "2026-11-29T12:00", False),
        (BAR, "2026-11-28T02:59", True),
        (BAR, "2026-11-28T03:00", False),
        (BAR, "2026-11-29T01:00", True),
        (BAR, "2026-11-27T01:00", False),
        (ALWAYS, "2026-11-29T00:00", True),
        (ASK, "2026-11-28T12:00", None),
        (ASK, "2026-11-27T20:00", False),
        (UNTOLD, "2026-11-27T20:00", None),
    ],
)
def test_open_at_a_moment(hours: Hours, moment: str, state: bool | None) -> None:
    found = timing.is_open(hours, Moment(at(moment)), None)
    assert (None if isinstance(found, Unknown) else found) is state


@pytest.mark.parametrize(
    ("hours", "day", "state"),
    [
        (BREAK, "2026-11-24", True),
        (BREAK, "2026-11-29", False),
        (ASK, "2026-11-28", None),
        (BAR, "2026-11-29", False),
    ],
)
def test_open_on_a_day(hours: Hours, day: str, state: bool | None) -> None:
    found = timing.is_open(hours, Moment(at(day), whole_day=True), None)
    assert (None if isinstance(found, Unknown) else found) is state


@pytest.mark.parametrize(
    ("hours", "begin", "end", "state"),
    [
        (BREAK, "2026-11-24T09:00", "2026-11-24T12:00", True),
        (BREAK, "2026-11-24T09:00", "2026-11-24T12:01", False),
        (BREAK, "2026-11-24T11:00", "2026-11-24T14:00", False),
        (BREAK, "2026-11-24T08:00", "2026-11-24T10:00", False),
        (BAR, "2026-11-27T21:00", "2026-11-28T03:00", True),
        (BAR, "2026-11-27T21:00", "2026-11-28T03:01", False),
        (ALWAYS, "2026-11-24T09:00", "2026-12-24T12:00", True),
    ],
)
def test_open_all_the_time(hours: Hours, begin: str, end: str, state: bool) -> None:
    assert timing.is_open(hours, Moment(at(begin)), Moment(at(end))) is state


def test_opening_and_closing() -> None:
    tuesday, sunday = Moment(at("2026-11-24"), whole_day=True), Moment(at("2026-11-29"), whole_day=True)
    assert timing.opening(BREAK, tuesday) == at("2026-11-24T09:00")
    assert timing.closing(BREAK, tuesday) == at("2026-11-24T17:00")
    assert timing.opening(BREAK, sunday) is None
    assert timing.closing(BREAK, sunday) is None
    assert timing.opening(BREAK, Moment(at("2026-11-24T10:00"))) == at("2026-11-24T13:00")
    assert timing.opening(BREAK, Moment(at("2026-11-24T13:00"))) == at("2026-11-24T13:00")
    assert timing.opening(BREAK, Moment(at("2026-11-28T14:00"))) == at("2026-11-30T09:00")
    assert timing.closing(BREAK, Moment(at("2026-11-24T10:00"))) == at("2026-11-24T12:00")
    assert timing.closing(BREAK, Moment(at("2026-11-24T12:30"))) is None
    assert timing.closing(BAR, Moment(at("2026-11-28T01:00"))) == at("2026-11-28T03:00")
    assert timing.closing(ALWAYS, Moment(at("2026-11-28T01:00"))) is None
    assert timing.opening(UNTOLD, tuesday) is None
    weekend = Hours(spec="Fr 12:00-24:00; Sa 00:00-24:00; Su 00:00-18:00", text="")
    assert timing.closing(weekend, Moment(at("2026-11-27T13:00"))) == at("2026-11-29T18:00")


def test_the_spans_of_a_day() -> None:
    def spans(hours: Hours, day: str) -> list[str]:
        return [
            f"{opens:%d %H:%M}-{closes:%d %H:%M}"
            for opens, closes in timing.on_day(hours, date.fromisoformat(day))
        ]

    assert spans(BREAK, "2026-11-24") == ["24 09:00-24 12:00", "24 13:00-24 17:00"]
    assert spans(BAR, "2026-11-28") == ["28 20:00-29 03:00"]
    assert spans(BAR, "2026-11-29") == []
    assert spans(ALWAYS, "2026-11-24") == ["24 00:00-25 00:00"]


def test_the_windows_of_a_day() -> None:
    def windows(hours: Hours, day: str, *, any_day: bool = False) -> list[tuple[float, float]]:
        return [(a / 3600, b / 3600) for a, b in timing.windows_of(hours, at(day), any_day=any_day)]

    assert windows(BREAK, "2026-11-24") == [(9, 12), (13, 17)]
    assert windows(BAR, "2026-11-28") == [(0, 3), (20, 27)]
    assert windows(BREAK, "2026-11-29") == []
    assert windows(BREAK, "2026-11-24", any_day=True) == [(10, 12), (13, 14)]
    assert windows(UNTOLD, "2026-11-24", any_day=True) == []


@pytest.mark.parametrize(
    ("stay", "arrive_s", "begins_s"),
    [
        (Stay(60, None), 100, 100),
        (Stay(60, None, early_s=200), 100, 200),
        (Stay(60, None, late_s=100), 100, 100),
        (Stay(60, None, late_s=99), 100, None),
        (Stay(60, ((0, 160),)), 100, 100),
        (Stay(60, ((0, 159),)), 100, None),
        (Stay(60, ((0, 120), (300, 360))), 100, 300),
        (Stay(60, ((300, 400), (200, 260))), 100, 200),
        (Stay(60, ()), 100, None),
    ],
)
def test_when_a_stay_begins(stay: Stay, arrive_s: float, begins_s: float | None) -> None:
    assert stay.begins(arrive_s) == begins_s


LEGS = {(-1, 0): 10, (-1, 1): 50, (0, 1): 20, (1, 0): 20, (0, -2): 30, (1, -2): 15}
"""From the start it is near to the first; from the second it is near to the end."""


def journey(*, ends: tuple[bool, bool] = (True, True), deadline_s: float = 1000, **how: bool) -> Journey:
    stays = (Stay(100, None), Stay(200, None))
    return Journey(stays, lambda a, b: LEGS.get((a, b)), ends, deadline_s, **how)


def test_a_trip_is_walked() -> None:
    assert journey().walked((0, 1), 0) == ([(10, 10), (130, 130)], 345)
    assert journey().walked((1, 0), 0) == ([(50, 50), (270, 270)], 400)
    assert journey(ends=(False, False)).walked((0, 1), 5) == ([(5, 5), (125, 125)], 325)
    assert journey(ends=(True, False)).walked((0, 1), 0) == ([(10, 10), (130, 130)], 330)
    assert journey(deadline_s=345).walked((0, 1), 0) is not None
    assert journey(deadline_s=344).walked((0, 1), 0) is None
    assert journey(deadline_s=329).walked((0, 1), 0) is None
    assert Journey((Stay(1, None),), lambda _a, _b: None, (True, False)).walked((0,), 0) is None


def test_the_best_trip() -> None:
    """In the given order 345; with the second first it takes 400; the first alone 140, the second alone 265."""
    assert journey().best(0)[2] == 345
    assert journey(free=True).best(0) == {1: 140, 2: 345}
    assert journey(skip=True).best(0)[1] == 140
    assert journey(free=True, deadline_s=344).best(0).get(2) is None
    assert journey(deadline_s=264, free=True).best(0)[1] == 140
