"""The answers of generated questions against the extract itself: pyosmium, PROJ, opening_hours, Valhalla."""

import re
from datetime import datetime, timedelta
from itertools import pairwise, permutations

import pytest

from tests.e2e.truth import Thing
from tests.evals.generate.oracle import Bench, Case, bench, clock, metres, minutes

MONDAY = datetime(2026, 11, 23)  # noqa: DTZ001  (opening hours are the place's local time)
WINDS = ("North", "Northeast", "East", "Southeast", "South", "Southwest", "West", "Northwest")
HALF_STEP_M = {"m": 5.0, "km": 50.0}
"""Half of the last digit of a printed distance."""


@pytest.fixture(scope="module")
def made() -> Bench:
    return bench()


def _is_closest(case: Case, truth: float, values: list[float]) -> bool:
    offs = [abs(value - truth) for value in values]
    return offs.index(min(offs)) == case.correct


def test_distances(made: Bench) -> None:
    for case in made.of("distance"):
        truth = made.raw.metres(*case.things)
        assert abs(metres(case.right) - truth) <= HALF_STEP_M[case.right.split()[1]] + 0.1
        assert all(abs(metres(text) - truth) > 0.1 * truth for text in case.wrong)


def test_directions(made: Bench) -> None:
    for case in made.of("direction"):
        bearing = made.raw.bearing(*case.things)
        octant = round(bearing / 45) % 8
        assert case.right == WINDS[octant]
        neighbours = {WINDS[(octant - 1) % 8], WINDS[(octant + 1) % 8]}
        assert neighbours.isdisjoint(case.wrong)


def test_addresses_and_telephone_numbers(made: Bench) -> None:
    for case in made.of("address"):
        tags = case.things[0].tags
        assert case.right == f"{tags['addr:street']} {tags['addr:housenumber']}"
    for case in made.of("phone"):
        tags = case.things[0].tags
        assert case.right == tags.get("phone", tags.get("contact:phone"))


def test_opening_hours(made: Bench) -> None:
    for case in made.of("open_at"):
        when = MONDAY + timedelta(days=case.day, minutes=clock(case.text))
        assert case.right == ("Yes" if case.things[0].open_at(when) else "No")


def test_closing_times(made: Bench) -> None:
    for case in made.of("closes_at"):
        closing = MONDAY + timedelta(days=case.day, minutes=clock(case.right))
        place = case.things[0]
        assert place.open_at(closing - timedelta(minutes=1))
        assert not place.open_at(closing)
        later = [closing + timedelta(minutes=step) for step in range(0, 24 * 60 - closing.hour * 60, 10)]
        assert not any(place.open_at(moment) for moment in later if moment.date() == closing.date())


def test_extremes_of_direction(made: Bench) -> None:
    for case in made.of("northernmost"):
        named = {thing.name: thing for thing in case.things}
        assert named.keys() == set(case.options)
        word = re.search(r"(north|south|east|west)", case.text)
        assert word is not None
        key = {
            "north": lambda thing: -thing.lat,
            "south": lambda thing: thing.lat,
            "east": lambda thing: -thing.lng,
            "west": lambda thing: thing.lng,
        }[word[1]]
        assert min(named.values(), key=key).name == case.right


def test_the_nearest(made: Bench) -> None:
    for case in made.of("nearest"):
        nearest = made.raw.nearest(
            case.things[0], [one for one in made.all_of(case) if one != case.things[0]]
        )
        assert nearest.name == case.right


def test_counts(made: Bench) -> None:
    for case in made.of("count"):
        inside = made.raw.within(case.things[0], made.all_of(case), case.radius_m)
        assert case.right == str(len(inside))


def test_what_lies_within(made: Bench) -> None:
    for case in made.of("within"):
        names = {
            thing.name
            for thing in made.named(case)
            if made.raw.span(case.things[0], thing)[0] < case.radius_m
        }
        assert case.right in names
        assert names.isdisjoint(case.wrong)


def test_the_nearest_open(made: Bench) -> None:
    for case in made.of("nearest_open"):
        when = MONDAY + timedelta(days=case.day, minutes=clock(case.text))
        is_open = [thing for thing in made.named(case) if thing.open_at(when)]
        assert made.raw.ranked(case.things[0], is_open)[0][2].name == case.right


def test_durations_and_lengths(made: Bench) -> None:
    for case in made.of("duration"):
        assert minutes(case.right) == round(made.raw.minutes(case.costing, *case.things))
    for case in made.of("length"):
        truth = made.raw.road_metres(case.costing, *case.things)
        assert abs(metres(case.right) - truth) <= HALF_STEP_M[case.right.split()[1]] + 1
        assert _is_closest(case, truth, [metres(text) for text in case.options])


def test_the_quickest_to_reach(made: Bench) -> None:
    for case in made.of("quickest"):
        start, *places = case.things
        quickest = min(places, key=lambda place: made.raw.minutes(case.costing, start, place))
        assert quickest.name == case.right
        assert {place.name for place in places} == set(case.options)


def test_round_trips(made: Bench) -> None:
    for case in made.of("trip_time"):
        truth = _travel(made, case, (*case.things, case.things[0]))
        assert abs(minutes(case.right) - truth) <= 0.51
        assert _is_closest(case, truth, [minutes(text) for text in case.options])


def test_ends_of_trips(made: Bench) -> None:
    for case in made.of("trip_end"):
        stays = sum(int(number) for number in re.findall(r"(\d+) minutes", case.text))
        stays += 60 * len(re.findall(r"1 hour", case.text)) + 90 * len(
            re.findall("an hour and a half", case.text)
        )
        end = clock(case.text) + stays + _travel(made, case, case.things)
        assert abs(clock(case.right) - end % 1440) <= 1


def test_latest_departures(made: Bench) -> None:
    for case in made.of("latest_start"):
        assert abs(clock(case.text) - _travel(made, case, case.things) - clock(case.right)) <= 0.51


def test_best_orders(made: Bench) -> None:
    for case in made.of("best_order"):
        start, *stops = case.things
        best = min(permutations(stops), key=lambda order: _travel(made, case, (start, *order)))
        assert case.right == ", ".join(stop.name for stop in best)
        assert all(sorted(text.split(", ")) == sorted(stop.name for stop in stops) for text in case.wrong)


def _travel(made: Bench, case: Case, stops: tuple[Thing, ...]) -> float:
    return sum(made.raw.minutes(case.costing, a, b) for a, b in pairwise(stops))


def test_what_has_no_answer(made: Bench) -> None:
    names = {thing.name.casefold() for thing in made.raw.all(name=True)}
    for case in made.of("nowhere"):
        invented = re.findall(r"\b[A-Z][a-z]+ (?:House|Gallery|Market|Tower|Gardens|Arcade)\b", case.text)
        assert any(not any(one.casefold() in name for name in names) for one in invented)
    for case in made.of("no_phone"):
        assert not any("phone" in key for key in case.things[0].tags)
    for case in made.of("unknown_fact"):
        assert not {"stars", "rating", "reviews"} & case.things[0].tags.keys()
