"""Values in words and as the values of answers: each as a reader would write it."""

import math
from datetime import datetime

import pytest

from map_tools.types import LatLng, Place, Route, TravelMode
from mapagent.core import answer as typed
from modules.query.interpreter import showing
from modules.query.values.amount import ANGLE, DURATION, LENGTH, MONEY, SIZE, Amount
from modules.query.values.moment import Moment
from modules.query.values.things import Bearing, Choice, Group, Items, Opening, Plan, Stop, Thing, Way
from modules.query.values.unknown import Unknown, Why

at = datetime.fromisoformat
DAY = at("2026-11-24T10:00")
LOST = Unknown(Why.NOT_STATED, "its price is not stated")


def thing(name: str, *, kind: str = "", address: str | None = None, lat: float | None = None) -> Thing:
    return Thing(
        Place(
            id=f"osm:{name}{address}{lat}",
            name=name,
            categories=(kind,) if kind else (),
            address=address,
            location=None if lat is None else LatLng(lat=lat, lng=1),
        )
    )


ZOO, OPERA = thing("Zoo"), thing("Opera")


def way(*, summary: str = "", warnings: tuple[str, ...] = ()) -> Way:
    route = Route(summary=summary, distance_m=1500, duration_s=600, warnings=warnings)
    return Way(ZOO, OPERA, TravelMode.WALKING, route=route)


def moment(text: str, **how: object) -> Moment:
    return Moment(at(text), **how)  # type: ignore[arg-type]


def plan(*, feasible: bool = True, back: bool = False, timed: bool = True) -> Plan:
    times = [moment(f"2026-11-24T{clock}") if timed else None for clock in ("10:20", "10:30", "11:00")]
    return Plan(
        legs=(),
        stops=(Stop(OPERA, *times, stay_s=1800, wait_s=600),),
        origin=ZOO,
        destination=ZOO if back else OPERA,
        depart=moment("2026-11-24T10:00"),
        arrive=moment("2026-11-24T11:20"),
        travel_s=2400,
        stay_s=1800,
        wait_s=600,
        distance_m=None,
        feasible=feasible,
        problems=() if feasible else ("Opera is closed", "too late"),
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "yes"),
        (False, "no"),
        (LOST, "its price is not stated"),
        (Choice(1, "B"), "B"),
        ("words", "words"),
        (ZOO, "Zoo"),
        (Bearing(50), "north-east"),
        (Amount.of(3), "3"),
        (Amount.of(2.345), "2.35"),
        (Amount.of(-3), "-3"),
        (Amount.of(0), "0"),
        (Amount.of(350, LENGTH), "350 m"),
        (Amount.of(-350, LENGTH), "-350 m"),
        (Amount.of(5400, DURATION), "1 h 30 min"),
        (Amount.of(9_999, SIZE), "9999 m²"),
        (Amount.of(10_000, SIZE), "1.0 ha"),
        (Amount.of(999_000, SIZE), "99.9 ha"),
        (Amount.of(1_000_000, SIZE), "1.00 km²"),
        (Amount.of(44.6, ANGLE), "45°"),
        (Amount.of(5, MONEY, "EUR"), "5.00 EUR"),
        (Amount(3, math.inf), "at least 3"),
        (Amount(2, 5), "2 to 5"),
        (Amount(100, 200, LENGTH), "100 m to 200 m"),
        (moment("2026-11-24T10:00:29"), "10:00"),
        (moment("2026-11-24T10:00:30"), "10:01"),
        (moment("2026-11-24T10:00", whole_day=True), "Tue 24 Nov 2026"),
        (moment("2026-11-25T01:00", base=DAY), "01:00 (+1 d)"),
        (moment("2026-11-24T11:00", base=DAY), "11:00"),
        (moment("2026-11-26T11:00", base=DAY), "Thu 11:00"),
        (moment("2026-11-26T11:00", base=DAY, any_day=True), "11:00"),
        (Opening(moment("2026-11-24T09:00"), moment("2026-11-24T17:00")), "09:00–17:00"),
        (Way(ZOO, OPERA, TravelMode.WALKING), "Zoo → Opera"),
        (way(), "Zoo → Opera: 10 min, 1.5 km"),
        (way(summary="Long Street"), "via Long Street, 10 min, 1.5 km"),
        (way(warnings=("It uses a ferry.",)), "Zoo → Opera: uses a ferry, 10 min, 1.5 km"),
        (plan(), "Opera 10:30–11:00"),
        (plan(back=True), "Opera 10:30–11:00; back at 11:20"),
        (plan(timed=False), "Opera"),
        (plan(feasible=False), "not possible: Opera is closed; too late"),
        (Items(()), "none"),
        (Items((), around="the nearest: Inn, 700 m"), "none. the nearest: Inn, 700 m"),
        (Items((), unstated=(1, 2)), "none that is stated to fulfil it (not stated of 2)"),
        (Items((ZOO, OPERA)), "Zoo, Opera"),
        (Items((ZOO,), complete=False, unstated=(1,)), "Zoo (the list is cut at 1, 1 not stated)"),
        (Items((ZOO, OPERA), away={ZOO.id: 120.0}), "Zoo, 120 m; Opera"),
        (Items((ZOO, OPERA), away={ZOO.id: 120.0}, part=True), "Zoo, Opera"),
        (Items((Items((1, 2)), Items((3,)))), "1, 2; 3"),
        (Items(tuple(range(20))), ", ".join(map(str, range(20)))),
        (Items(tuple(range(22))), ", ".join(map(str, range(20))) + " (2 more)"),
        (Group("Old Town", Items((ZOO,))), "Old Town: Zoo"),
        (Group(LOST, Items((ZOO,))), "not stated: Zoo"),
    ],
)
def test_in_words(value: object, words: str) -> None:
    assert showing.shown(value) == words


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (thing("Zoo"), "Zoo"),
        (thing("Zoo", kind="cafe"), "Zoo (cafe)"),
        (thing("Zoo", kind="cafe", address="Side Street 5"), "Zoo (cafe, Side Street 5)"),
        (thing("Zoo", address="Side Street 5", lat=2), "Zoo (Side Street 5)"),
    ],
)
def test_a_place_with_what_tells_it_from_others(place: Thing, words: str) -> None:
    assert showing.place_text(place.place) == words


def test_places_of_one_name_are_told_apart() -> None:
    streets = [thing("Inn", address="Long Street 1"), thing("Inn", address="Side Street 2"), ZOO]
    assert showing.names_apart(streets) == ["Inn (Long Street)", "Inn (Side Street)", "Zoo"]
    kinds = [thing("Inn", kind="cafe"), thing("Inn", kind="museum")]
    assert showing.names_apart(kinds) == ["Inn (cafe)", "Inn (museum)"]
    alike = [thing("Inn"), thing("Inn")]
    assert showing.names_apart(alike) == ["Inn", "Inn"]


SCHEDULE = typed.Schedule(stops=(typed.ScheduleStop(name="Opera", arrive_min=630, depart_min=660),))


@pytest.mark.parametrize(
    ("value", "made"),
    [
        (None, None),
        (LOST, None),
        (True, typed.YesNo(value=True)),
        (Choice(1, "B"), typed.OptionPick(index=1, text="B")),
        (ZOO, typed.Named(name="Zoo", place=ZOO.place)),
        (Amount.of(3), typed.Quantity(value=3, unit="count")),
        (Amount.of(3, LENGTH), typed.Quantity(value=3, unit="m")),
        (Amount.of(3, DURATION), typed.Quantity(value=3, unit="s")),
        (Amount.of(3, SIZE), typed.Quantity(value=3, unit="m2")),
        (Amount.of(3, ANGLE), typed.Quantity(value=3, unit="deg")),
        (Amount.of(3, MONEY, "EUR"), typed.Text(text="3.00 EUR")),
        (Amount(3, 5), typed.Quantity(value=3, unit="count")),
        (Amount(3, math.inf), typed.Text(text="at least 3")),
        (Amount(3, 5, LENGTH), typed.Text(text="3 m to 5 m")),
        (moment("2026-11-24T10:00:40"), typed.ClockTime(at=at("2026-11-24T10:01").time(), day_offset=0)),
        (
            moment("2026-11-25T10:00", base=DAY),
            typed.ClockTime(at=at("2026-11-24T10:00").time(), day_offset=1),
        ),
        (plan(), SCHEDULE),
        (plan(timed=False), typed.Sequence(names=("Opera",))),
        (Items((ZOO,)), typed.Named(name="Zoo", place=ZOO.place)),
        (Items((ZOO,), complete=False), typed.NameSet(names=("Zoo",))),
        (Items((ZOO, OPERA)), typed.NameSet(names=("Zoo", "Opera"))),
        (Items(("Mon", "Tue")), typed.NameSet(names=("Monday", "Tuesday"))),
        (Items(()), typed.NameSet(names=())),
    ],
)
def test_as_the_value_of_an_answer(value: object, made: typed.Value | None) -> None:
    assert showing.typed_value(value) == made


@pytest.mark.parametrize(
    ("value", "none"),
    [
        (Items(()), True),
        (Items((), complete=False), False),
        (Items((), unstated=(1,)), False),
        (Items((1,)), False),
        (Unknown(Why.NONE, "There is none."), True),
        (LOST, False),
        (0, False),
    ],
)
def test_that_there_is_none(value: object, none: bool) -> None:
    assert showing.is_none(value) is none


def test_what_else_says_the_same() -> None:
    def texts(value: object) -> list[object]:
        return [getattr(one, "text", None) or getattr(one, "names", None) for one in showing.readings(value)]

    assert texts(Bearing(10)) == ["north", "north-east", "north-west"]
    assert texts(Items((ZOO, OPERA))) == [("Zoo", "Opera")]
    assert texts(Items((Bearing(90),)))[0] == "east"
    assert texts(plan()) == [("Opera",)]
    assert texts(ZOO) == []
    ends, mode, duration, length = showing.readings(way())
    assert ends == typed.Sequence(names=("Zoo", "Opera"))
    assert mode == typed.Text(text="walk", topic="mode")
    assert (duration, length) == (
        typed.Quantity(value=600, unit="s"),
        typed.Quantity(value=1500, unit="m"),
    )


def test_and_back() -> None:
    assert showing.value_of(typed.Quantity(value=3, unit="m")) == Amount.of(3, LENGTH)
    assert showing.value_of(typed.Quantity(value=3, unit="count")) == Amount.of(3)
    assert showing.value_of(typed.YesNo(value=False)) is False
    assert showing.value_of(typed.Named(name="Zoo", place=ZOO.place)) == ZOO
    assert showing.value_of(typed.Named(name="Zoo")) == "Zoo"
    assert showing.value_of(typed.NameSet(names=("a", "b"))) == Items(("a", "b"))
    assert showing.value_of(SCHEDULE) == Items(("Opera",))
    clock = showing.value_of(typed.ClockTime(at=at("2026-11-24T10:01").time()))
    assert (clock.at.hour, clock.at.minute, clock.any_day) == (10, 1, True)
