"""Programs over a timetable: what they come to, by hand; and that nothing wrong about them leaves."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from map_tools.facts import TravelFact
from map_tools.providers.osm import OsmProvider
from mapagent.core.question import Question
from modules.query.values.moment import Moment
from modules.query.values.things import Items, Plan
from modules.query.values.unknown import Unknown, Why
from tests.modules.query.tampering.ways import end_tampered, node_tampered
from tests.modules.query.verify.worked import Worked, work
from tests.support.maps import demo_map, transit_map

MORNING = Question(text="?", at=datetime(2026, 11, 23, 5, 50, tzinfo=UTC))
"""07:50 in Helsinki, a Monday."""
FROM, TO = '"Kampin kappeli"', '"Kauppatori"'
"""Two squares with a stop each, less than two minutes and less than one away; ways are told in whole minutes."""


@pytest.fixture(scope="module")
def provider() -> Iterator[OsmProvider]:
    opened = OsmProvider.open(transit_map())
    yield opened
    asyncio.run(opened.close())


def sound(text: str, provider: OsmProvider, question: Question = MORNING) -> Worked:
    """A program that is run, against whose outcome nothing speaks."""
    worked = work(text, provider, question=question)
    assert worked.objections() == ()
    return worked


def parts(worked: Worked) -> dict[str, Any]:
    return {"": worked.outcome.finished.value, **dict(worked.outcome.finished.parts)}


def clock(moment: Any) -> str:
    assert isinstance(moment, Moment), moment
    return f"{moment.at:%a %H:%M}"


def test_the_way_with_its_line_times_and_changes(provider: OsmProvider) -> None:
    found = parts(
        sound(
            f"""
            way = travel({FROM}, {TO}, "transit", depart="7:55")
            ride = [s for s in way.steps if s.mode == "transit"][0]
            answer(way.arrive, leave=way.depart, took=way.duration, changes=way.transfers, line=ride.line,
                headsign=ride.headsign, boards=ride.depart, leaves=ride.arrive, stops=ride.stops,
                modes=[s.mode for s in way.steps], name=way.summary)
            """,
            provider,
        )
    )
    assert (clock(found["boards"]), clock(found["leaves"])) == ("Mon 08:00", "Mon 08:05")
    assert (clock(found[""]), clock(found["leave"])) == ("Mon 08:06", "Mon 07:58")
    assert (found["changes"].value, found["line"], found["headsign"]) == (0, "4", "Market Square")
    assert found["stops"].value == 2
    assert list(found["modes"]) == ["walk", "transit", "walk"]
    assert found["name"] == "Tram 4"
    assert found["took"].value == (found[""].at - found["leave"].at).total_seconds()


def test_leave_when_to_be_there_by_nine(provider: OsmProvider) -> None:
    found = parts(
        sound(
            f'way = travel({TO}, {FROM}, "transit", arrive="9:00")\nanswer(way.depart, there=way.arrive)',
            provider,
        )
    )
    assert (clock(found[""]), clock(found["there"])) == ("Mon 08:51", "Mon 08:58")


def test_the_last_connection(provider: OsmProvider) -> None:
    worked = sound(f'answer(travel({TO}, {FROM}, "transit", arrive="tomorrow 4:00").depart)', provider)
    assert clock(worked.outcome.finished.value) == "Tue 00:29"


def test_without_a_time_one_leaves_now_and_that_is_said(provider: OsmProvider) -> None:
    worked = sound(f'answer(travel({FROM}, {TO}, "transit").arrive)', provider)
    assert clock(worked.outcome.finished.value) == "Mon 08:06"
    assert "no time of departure is said; now is assumed" in worked.outcome.assumptions


def test_the_same_places_at_two_times_are_two_ways(provider: OsmProvider) -> None:
    worked = sound(
        f'answer([travel({FROM}, {TO}, "transit", depart=t).arrive for t in ["7:55", "8:05", "Sun 9:00"]])',
        provider,
    )
    value = worked.outcome.finished.value
    assert isinstance(value, Items)
    assert [clock(one) for one in value] == ["Mon 08:06", "Mon 08:21", "Sun 10:06"]


def test_the_quicker_mode_is_found(provider: OsmProvider) -> None:
    worked = sound(
        f'answer(min(["walk", "transit"], key=lambda m: travel({FROM}, {TO}, m, depart="7:58").duration))',
        provider,
    )
    assert worked.outcome.finished.value == "transit"


def test_a_trip_with_a_stay_takes_each_ride_at_its_time(provider: OsmProvider) -> None:
    found = parts(
        sound(
            f"""
            day = trip([visit({TO}, stay="10 min"), visit({FROM})], mode="transit", start={FROM}, depart="7:50")
            answer(day.arrive, legs=[leg.summary for leg in day.legs], wait=day.wait, stay=day.stay, way=day.travel)
            """,
            provider,
        )
    )
    assert clock(found[""]) == "Mon 08:28"
    assert list(found["legs"]) == ["Tram 4", "Bus 16"]
    took = found["wait"].value + found["stay"].value + found["way"].value
    assert found[""].at == datetime(2026, 11, 23, 7, 50) + timedelta(seconds=took)  # noqa: DTZ001


def test_a_trip_planned_backwards_leaves_as_late_as_it_can(provider: OsmProvider) -> None:
    text = f"""
        day = trip([visit({TO}, stay="10 min"), visit({FROM})], mode="transit", start={FROM}, arrive="9:00")
        answer(day.depart, there=day.arrive)
        """
    found = parts(sound(text, provider))
    assert (clock(found[""]), clock(found["there"])) == ("Mon 08:13", "Mon 08:58")


def test_a_trip_too_long_for_its_deadline(provider: OsmProvider) -> None:
    text = f"""
        day = trip([visit({TO}, stay="10 min"), visit({FROM})], start={FROM}, mode="transit", depart="7:50",
            arrive="8:20")
        answer(day.feasible, why=day.problems)
        """
    found = parts(sound(text, provider))
    assert found[""] is False
    assert list(found["why"]) == ["it ends too late"]


def test_walks_and_rides_in_one_trip(provider: OsmProvider) -> None:
    text = f"""
        day = trip([visit({TO}, stay="1 min"), visit({FROM}, mode="walk")], mode="transit", start={FROM}, depart="7:50")
        answer(day.arrive, walk=travel({TO}, {FROM}, "walk").duration)
        """
    found = parts(sound(text, provider))
    lasts_s = (found[""].at - datetime(2026, 11, 23, 8, 7)).total_seconds()  # noqa: DTZ001
    assert lasts_s == found["walk"].value


def test_the_best_order_by_timetable_is_not_claimed(provider: OsmProvider) -> None:
    worked = sound(
        f'answer(trip([{TO}, "Ateneum"], mode="transit", start={FROM}, depart="7:50", order="free").arrive)',
        provider,
    )
    value = worked.outcome.finished.value
    assert isinstance(value, Unknown)
    assert value.why is Why.UNSUPPORTED


def test_a_day_outside_the_timetable_and_a_night_without_rides(provider: OsmProvider) -> None:
    after = sound(f'answer(travel({FROM}, {TO}, "transit", depart="2027-01-04 8:00").duration)', provider)
    assert after.outcome.finished.value.why is Why.UNSUPPORTED
    night = sound(f'answer(travel({TO}, {FROM}, "transit", depart="2026-11-28 1:00").duration)', provider)
    assert night.outcome.finished.value.why is Why.NO_ROUTE


def test_without_a_feed_no_other_modes_times_are_told() -> None:
    bare = OsmProvider.open(demo_map())
    try:
        worked = sound(f'answer(travel({FROM}, {TO}, "transit", depart="8:00").duration)', bare)
        assert worked.outcome.finished.value.why is Why.UNSUPPORTED
        trip = sound(f'answer(trip([{TO}], mode="transit", start={FROM}, depart="8:00").arrive)', bare)
        assert isinstance(trip.outcome.finished.value, Unknown)
    finally:
        asyncio.run(bare.close())


def test_departures_from_a_stop(provider: OsmProvider) -> None:
    found = parts(
        sound(
            f"""
            next = departures({TO}, at="8:00")
            soon = departures({TO}, at="8:00")[0]
            answer([d.depart for d in next], lines=[d.line for d in next], many=count(next), first=soon.text)
            """,
            provider,
        )
    )
    assert [clock(one) for one in found[""]] == ["Mon 08:20", "Mon 08:22", "Mon 08:52", "Tue 00:30"]
    assert list(found["lines"])[1:] == ["16", "16", "N1"]
    assert found["many"].value == 4
    assert found["first"].startswith("Ferry (Board at Market Square at 08:20")


def test_departures_without_a_time_or_a_stop(provider: OsmProvider) -> None:
    now = sound(f"answer(departures({FROM})[0].depart)", provider)
    assert clock(now.outcome.finished.value) == "Mon 08:00"
    assert "no time is said; now is assumed" in now.outcome.assumptions
    nowhere = sound('answer(departures("60.1765,24.9400"))', provider)
    assert nowhere.outcome.finished.value.why is Why.UNSUPPORTED


PROGRAMS = {
    "way": f"""
        way = travel({FROM}, {TO}, "transit", depart="7:55")
        answer(way.arrive, leave=way.depart, took=way.duration, changes=way.transfers,
            steps=[s.text for s in way.steps])
        """,
    "back": f'answer(travel({TO}, {FROM}, "transit", arrive="9:00").depart)',
    "trip": f"""
        day = trip([visit({TO}, stay="10 min"), visit({FROM})], mode="transit", start={FROM}, depart="7:50")
        answer(day.arrive, legs=[leg.summary for leg in day.legs])
        """,
    "departures": f'answer(departures({TO}, at="8:00"))',
    "backwards": f"""
        day = trip([visit({TO}, stay="10 min"), visit({FROM})], mode="transit", start={FROM}, arrive="9:00")
        answer(day.depart)
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_that_was_tampered_with_leaves(provider: OsmProvider, name: str) -> None:
    worked = sound(PROGRAMS[name], provider)
    missed = []
    for tampered in (node_tampered, end_tampered):
        for what, outcome in tampered(worked.outcome):
            if not any(one.reject for one in worked.objections(outcome)):
                missed.append(what)
    assert missed == []


@pytest.mark.parametrize("name", ["back", "trip", "backwards"])
def test_a_ride_of_another_time_is_no_evidence(provider: OsmProvider, name: str) -> None:
    worked = sound(PROGRAMS[name], provider)
    later = timedelta(hours=1)
    told = tuple(
        item.model_copy(
            update={
                "value": item.value.model_copy(
                    update={
                        "depart_at": item.value.depart_at + later,
                        "arrive_at": item.value.arrive_at + later,
                    }
                )
            }
        )
        if isinstance(item.value, TravelFact) and item.value.depart_at and item.value.arrive_at
        else item
        for item in worked.evidence
    )
    assert told != worked.evidence
    assert any(one.reject for one in worked.objections(evidence=told))


def test_a_trip_that_could_leave_later_is_not_the_latest(provider: OsmProvider) -> None:
    worked = sound(PROGRAMS["backwards"], provider)

    def earlier(value: Any) -> Any:
        if not isinstance(value, Plan) or value.depart is None:
            return value
        return replace(
            value,
            depart=replace(value.depart, at=value.depart.at - timedelta(minutes=5)),
            wait_s=value.wait_s + 300,
        )

    derivation = tuple(replace(one, result=earlier(one.result)) for one in worked.outcome.derivation)
    values = {name: earlier(value) for name, value in worked.outcome.values.items()}
    wrong = replace(worked.outcome, derivation=derivation, values=values)
    assert any(one.reject for one in worked.objections(wrong))
