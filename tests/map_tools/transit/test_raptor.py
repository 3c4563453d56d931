"""The search against an oracle over random towns, and journeys that can be followed from stop to stop."""

import random
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from map_tools.transit.feed import read_feed
from map_tools.transit.journeys import MOST_DEPARTURES, departures
from map_tools.transit.raptor import Journey, earliest, latest
from map_tools.transit.timetable import Day
from tests.map_tools.transit.towns import BOX, CHANGE_S, MONDAY, Town, draw
from tests.support.gtfs import write_feed

SEEDS = range(80)


def opened(town: Town, day: date, tmp_path: Path) -> Day:
    feed = read_feed(write_feed(tmp_path / "feed.zip", town.tables()), box=BOX, zone="Europe/Berlin")
    return Day(feed.timetable, day.toordinal())


def check(town: Town, day: Day, journey: Journey, start: Mapping[int, int], end: Mapping[int, int]) -> None:
    """A journey keeps to the rides and to the times for changing."""
    came, at = None, None
    for leg in journey.legs:
        pattern = day.forwards.patterns[leg.pattern]
        board, leave = pattern.stops[leg.board], pattern.stops[leg.leave]
        leaves = int(pattern.departures[leg.board, leg.ride])
        assert leg.board < leg.leave
        assert pattern.boards[leg.board]
        assert pattern.leaves[leg.leave]
        if at is None or came is None:
            assert leaves == journey.depart + start[board]
        else:
            change_s = town.walks.get((at, board), CHANGE_S if at == board else None)
            assert change_s is not None
            assert leaves >= came + change_s
        at, came = leave, int(pattern.arrivals[leg.leave, leg.ride])
    assert at is not None
    assert came is not None
    assert journey.arrive == came + end[at]


@pytest.mark.parametrize("seed", SEEDS)
def test_earliest_arrivals_and_latest_departures_are_those_of_the_oracle(seed: int, tmp_path: Path) -> None:
    town, dice = draw(seed), random.Random(seed + 1_000)
    day = MONDAY + timedelta(days=dice.randrange(7))
    network = opened(town, day, tmp_path)
    for _ in range(8):
        stops = dice.sample(range(town.stops), 2)
        start, end = {stops[0]: dice.randrange(0, 900)}, {stops[1]: dice.randrange(0, 900)}
        if dice.random() < 0.3:
            start[dice.randrange(town.stops)] = dice.randrange(0, 1_800)
        at = dice.randrange(0, 24 * 3600)
        found = earliest(network, start, end, at)
        assert (found[-1].arrive if found else None) == town.earliest(day, start, end, at)
        back = latest(network, start, end, at)
        assert (back[-1].depart if back else None) == town.latest(day, start, end, at)
        for journey in (*found, *back):
            check(town, network, journey, start, end)
        if found:
            best = found[-1]
            assert best.depart == town.latest(day, start, end, best.arrive, len(best.legs))
            assert best.depart >= at
        counts = [len(one.legs) for one in found]
        assert counts == sorted(set(counts))


@pytest.mark.parametrize("seed", range(0, 80, 4))
def test_departures_are_all_that_was_drawn(seed: int, tmp_path: Path) -> None:
    town, dice = draw(seed), random.Random(seed)
    day = MONDAY + timedelta(days=dice.randrange(7))
    feed = read_feed(write_feed(tmp_path / "feed.zip", town.tables()), box=BOX, zone="Europe/Berlin")
    made = Day(feed.timetable, day.toordinal())
    at, zone = dice.randrange(0, 24 * 3600), ZoneInfo("Europe/Berlin")
    for stop in range(town.stops):
        drawn = sorted(
            call.depart
            for calls in town.rides(day)
            for place, call in enumerate(calls)
            if call.stop == stop
            and call.board
            and at <= call.depart < at + 86_400
            and any(other.leave for other in calls[place + 1 :])
        )
        rides, whole = departures(feed.timetable, made, [stop], at, zone)
        assert [int(ride.depart_at.timestamp()) - made.zero for ride in rides] == drawn[:MOST_DEPARTURES]
        assert whole == (len(drawn) <= MOST_DEPARTURES)
        assert all(ride.board == f"Stop {stop}" for ride in rides)


def test_the_towns_have_journeys_with_changes(tmp_path: Path) -> None:
    """The test above would say nothing of towns in which nobody ever changes."""
    most = 0
    for seed in SEEDS:
        town = draw(seed)
        network = opened(town, MONDAY, tmp_path)
        for stop in range(1, town.stops):
            found = earliest(network, {0: 0}, {stop: 0}, 6 * 3600)
            most = max(most, len(found[-1].legs) if found else 0)
    assert most >= 3
