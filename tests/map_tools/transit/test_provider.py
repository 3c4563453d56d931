"""Journeys over the demo map: walks are those of its roads, rides those of a feed written by hand."""

import asyncio
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from map_tools.clock import FrozenClock
from map_tools.errors import NoRouteError, UnsupportedError
from map_tools.maps.routing import Router
from map_tools.maps.store import MapStore
from map_tools.providers.osm import OsmProvider
from map_tools.types import Avoid, LatLng, Place, Route, TravelMode
from tests.map_tools.providers.contract import ProviderContract, Sample, run
from tests.support.maps import demo_map, transit_map

HERE = LatLng(lat=60.169443, lng=24.935919)
"""Kampin kappeli, beside the stop Glass Palace."""
THERE = LatLng(lat=60.167636, lng=24.952274)
"""The Market Square, beside its stop."""
STOPS = {
    "Glass Palace": LatLng(lat=60.1697, lng=24.9372),
    "Theatre": LatLng(lat=60.1673, lng=24.9437),
    "Market Square": LatLng(lat=60.1679, lng=24.9520),
}
ZONE = ZoneInfo("Europe/Helsinki")
TRANSIT = TravelMode.TRANSIT


def opened() -> Iterator[OsmProvider]:
    """The provider on a Monday morning."""
    store = MapStore.open(transit_map())
    morning = FrozenClock(datetime(2026, 11, 23, 6, 10, tzinfo=UTC))  # 08:10 in Helsinki
    assert store.tiles is not None
    made = OsmProvider(store, Router(store.tiles), morning)
    yield made
    run(made.close())


@pytest.fixture(scope="module")
def provider() -> Iterator[OsmProvider]:
    yield from opened()


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


def way(provider: OsmProvider, start: LatLng, end: LatLng, **when: datetime) -> Route:
    (found,) = run(provider.directions(start, end, mode=TRANSIT, **when))
    return found  # type: ignore[no-any-return]


def walk_s(provider: OsmProvider, start: LatLng, end: LatLng) -> int:
    rows = run(provider.matrix((start,), (end,), mode=TravelMode.WALKING)).rows
    return math.ceil(rows[0][0].duration_s)


def before(seconds: int) -> int:
    """So long before a ride one leaves, in whole minutes: never too late."""
    return -math.ceil(seconds / 60) * 60


def after(seconds: int) -> int:
    """So long after a ride one is there for sure."""
    return math.ceil(seconds / 60) * 60


def clock(moment: datetime | None, text: str) -> float:
    """Seconds after a time of day."""
    assert moment is not None
    return (moment - at(f"{moment:%Y-%m-%d}T{text}")).total_seconds()


def test_the_first_tram_after_a_departure(provider: OsmProvider) -> None:
    found = way(provider, HERE, THERE, depart_at=at("2026-11-23T07:50"))
    assert clock(found.depart_at, "08:00") == before(walk_s(provider, HERE, STOPS["Glass Palace"]))
    assert clock(found.arrive_at, "08:05") == after(walk_s(provider, STOPS["Market Square"], THERE))
    assert found.depart_at is not None
    assert found.arrive_at is not None
    assert found.duration_s == (found.arrive_at - found.depart_at).total_seconds()
    first, tram, last = found.steps
    assert (first.instruction, first.maneuver) == ("Walk to Glass Palace", "walk")
    assert tram.instruction == "Tram 4 towards Market Square"
    assert tram.notes == ("Board at Glass Palace at 08:00", "Get off at Market Square at 08:05", "2 stops")
    assert tram.ride is not None
    assert (tram.ride.line, tram.ride.headsign, tram.ride.stops) == ("4", "Market Square", 2)
    assert last.maneuver == "walk"
    assert (found.summary, found.distance_m) == ("Tram 4", None)


def test_a_departure_without_a_zone_is_local_and_one_with_a_zone_is_not(provider: OsmProvider) -> None:
    local = way(provider, HERE, THERE, depart_at=datetime(2026, 11, 23, 8, 10))  # noqa: DTZ001
    assert clock(local.arrive_at, "08:20") > 0
    assert way(provider, HERE, THERE, depart_at=datetime(2026, 11, 23, 6, 10, tzinfo=UTC)) == local


def test_without_a_time_one_leaves_now(provider: OsmProvider) -> None:
    assert way(provider, HERE, THERE) == way(provider, HERE, THERE, depart_at=at("2026-11-23T08:10"))


def test_when_to_leave_to_be_there_by_a_time(provider: OsmProvider) -> None:
    found = way(provider, THERE, HERE, arrive_by=at("2026-11-23T09:00"))
    assert clock(found.depart_at, "08:52") == before(walk_s(provider, THERE, STOPS["Market Square"]))
    assert clock(found.arrive_at, "08:56") == after(walk_s(provider, STOPS["Glass Palace"], HERE))
    late_s = walk_s(provider, STOPS["Glass Palace"], HERE) - 1
    earlier = way(
        provider,
        THERE,
        HERE,
        arrive_by=datetime.fromtimestamp(at("2026-11-23T08:56").timestamp() + late_s, UTC),
    )
    assert clock(earlier.depart_at, "08:22") < 0  # the ride of 08:52 would be there a second late


def test_the_last_connection_of_the_day_is_after_midnight(provider: OsmProvider) -> None:
    found = way(provider, THERE, HERE, arrive_by=at("2026-11-24T04:00"))
    assert found.summary == "Bus N1"
    assert found.depart_at is not None
    assert found.depart_at.date().isoformat() == "2026-11-24"
    assert clock(found.depart_at, "00:30") == before(walk_s(provider, THERE, STOPS["Market Square"]))


def test_on_sundays_and_on_christmas_day(provider: OsmProvider) -> None:
    for day in ("2026-11-29", "2026-12-25"):
        found = way(provider, HERE, THERE, depart_at=at(f"{day}T07:50"))
        assert clock(found.arrive_at, "10:05") > 0


def test_nothing_goes_on_a_saturday_and_no_walk_is_told_instead(provider: OsmProvider) -> None:
    with pytest.raises(NoRouteError, match="Nothing goes"):
        way(provider, THERE, HERE, depart_at=at("2026-11-28T01:00"))
    rows = run(provider.matrix((THERE,), (HERE,), mode=TRANSIT, depart_at=at("2026-11-28T01:00"))).rows
    assert (rows[0][0].duration_s, rows[0][0].distance_m) == (None, None)


def test_a_day_that_is_not_in_the_timetable(provider: OsmProvider) -> None:
    with pytest.raises(UnsupportedError, match="from 2026-11-01 to 2026-12-31, not on 2027-01-04"):
        way(provider, HERE, THERE, depart_at=at("2027-01-04T08:00"))


def test_the_night_after_the_last_day_is_of_that_day(provider: OsmProvider) -> None:
    found = way(provider, THERE, HERE, arrive_by=at("2027-01-01T04:00"))
    assert clock(found.depart_at, "00:30") < 0


def test_what_is_around_the_corner_is_walked_to_and_that_is_said(provider: OsmProvider) -> None:
    near = LatLng(lat=60.1702, lng=24.9375)
    found = way(provider, HERE, near, depart_at=at("2026-11-23T07:50"))
    assert [step.maneuver for step in found.steps] == ["walk"]
    assert found.duration_s == walk_s(provider, HERE, near)
    assert any("this is the walk" in one for one in found.warnings)
    assert found.depart_at == at("2026-11-23T07:50")


def test_a_walk_that_is_as_quick_is_told_beside_the_ride(provider: OsmProvider) -> None:
    slow = way(provider, HERE, THERE, depart_at=at("2026-11-23T07:45"))
    assert slow.summary == "Tram 4"
    assert any(one.startswith("Walking all the way takes 13 min") for one in slow.warnings)


def test_the_matrix_has_the_same_ways(provider: OsmProvider) -> None:
    when = at("2026-11-23T08:10")
    cells = run(provider.matrix((HERE, THERE), (THERE, HERE), mode=TRANSIT, depart_at=when)).rows
    for start, row in zip((HERE, THERE), cells, strict=True):
        for end, cell in zip((THERE, HERE), row, strict=True):
            found = way(provider, start, end, depart_at=when)
            assert (cell.duration_s, cell.depart_at, cell.arrive_at) == (
                found.duration_s, found.depart_at, found.arrive_at,
            )  # fmt: skip


def test_what_it_can_do_is_declared_and_the_publisher_named(provider: OsmProvider) -> None:
    assert provider.capabilities.timetables
    assert TRANSIT in provider.capabilities.modes
    assert provider.terms.attribution == "© OpenStreetMap contributors; timetable: Demo Transport"


def test_what_a_timetable_cannot_do_is_refused(provider: OsmProvider) -> None:
    with pytest.raises(UnsupportedError, match="no stops on the way"):
        run(provider.directions(HERE, THERE, mode=TRANSIT, waypoints=(STOPS["Theatre"],)))
    with pytest.raises(UnsupportedError, match="nothing to avoid"):
        run(provider.directions(HERE, THERE, mode=TRANSIT, avoid=(Avoid.FERRIES,)))
    with pytest.raises(UnsupportedError, match="within a time is not worked out"):
        run(provider.reach(HERE, within_s=600, mode=TRANSIT))


def test_departures_from_a_stop_of_the_map(provider: OsmProvider) -> None:
    rides, whole = run(provider.departures(THERE, at=at("2026-11-23T08:00")))
    assert [(f"{ride.depart_at:%H:%M}", ride.line or ride.vehicle) for ride in rides] == [
        ("08:20", "Ferry"), ("08:22", "16"), ("08:52", "16"), ("00:30", "N1"),
    ]  # fmt: skip
    assert whole
    assert {ride.board for ride in rides} == {"Market Square"}


def test_a_stop_is_meant_by_its_name_before_others_that_are_nearer(provider: OsmProvider) -> None:
    called = Place(
        id="x", name="theatre", location=STOPS["Market Square"]
    )  # 466 m from the stop of this name
    rides, _ = run(provider.departures(called, at=at("2026-11-23T08:00")))
    assert {ride.board for ride in rides} == {"Theatre"}


def test_no_stop_is_no_departures(provider: OsmProvider) -> None:
    with pytest.raises(UnsupportedError, match="No stop of the timetable is within 150 m"):
        run(provider.departures(LatLng(lat=60.1765, lng=24.9400)))


def test_without_a_feed_there_is_no_timetable() -> None:
    bare = OsmProvider.open(demo_map())
    try:
        assert not bare.capabilities.timetables
        with pytest.raises(UnsupportedError, match="no transit timetable"):
            asyncio.run(bare.directions(HERE, THERE, mode=TRANSIT))
        with pytest.raises(UnsupportedError, match="has no timetable"):
            asyncio.run(bare.departures(THERE))
    finally:
        run(bare.close())


class TestContract(ProviderContract):
    """A provider with a timetable keeps to what is asked of all."""

    @pytest.fixture
    def provider(self) -> Iterator[OsmProvider]:
        yield from opened()

    @pytest.fixture
    def sample(self) -> Sample:
        return Sample(
            name="Ateneum",
            position=LatLng(lat=60.1701, lng=24.9440),
            category="cafe",
            origin="Kampin kappeli",
            destination="Kauppatori",
            mode=TRANSIT,
            tolerance_m=60,
            radius_m=500,
        )
