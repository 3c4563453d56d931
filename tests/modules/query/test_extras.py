"""What is said beside answers: a ferry on the way, there and back; and the walk where a straight line says little."""

import asyncio
from pathlib import Path

import pytest
from pyproj import Geod

from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Quantity, Status, YesNo
from tests.support.banks import CROSSING_S, NORTH, PIERS, SOUTH, banks_map
from tests.support.maps import demo_map, extract_map

GEOD = Geod(ellps="WGS84")
WALKED_M_S = 5.1 / 3.6
"""Valhalla's pace on foot
(https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/#pedestrian-costing-options)."""
BOARDING_S = 300.0
"""What Valhalla takes for going on board (its costing option `ferry_cost`)."""
THERE, BACK = (f'travel("{a}", "{b}", "walk")' for a, b in ((SOUTH, NORTH), (NORTH, SOUTH)))


def asked(program: str, folder: Path) -> Answer:
    async def ask() -> Answer:
        async with MapAgent(provider=OsmProvider.open(folder)) as agent:
            return await agent.query(program)

    answer = asyncio.run(ask())
    assert answer.status is Status.ANSWERED, answer.reason
    return answer


def metres(a: LatLng, b: LatLng) -> float:
    return float(GEOD.inv(a.lng, a.lat, b.lng, b.lat)[2])


def number(answer: Answer) -> float:
    assert isinstance(answer.value, Quantity)
    return answer.value.value


def test_a_way_says_first_that_it_takes_a_ferry() -> None:
    assert asked(f"answer({THERE})", banks_map()).text.startswith("uses a ferry, via ")
    assert asked(f"answer([{THERE}, {BACK}])", banks_map()).text.count("uses a ferry") == 2


@pytest.mark.parametrize("way", [THERE, BACK])
def test_measures_of_a_way_by_ferry_say_so(way: str) -> None:
    """It is faster than anybody walks, and possible all the same."""
    walked_m = metres(SOUTH, PIERS[0]) + metres(PIERS[1], NORTH)
    took = asked(f"answer({way}.duration)", banks_map())
    expected_s = walked_m / WALKED_M_S + BOARDING_S + CROSSING_S
    assert number(took) == pytest.approx(expected_s, rel=0.02)
    length = asked(f"answer({way}.distance)", banks_map())
    assert number(length) == pytest.approx(walked_m + metres(*PIERS), rel=0.02)
    assert number(length) > 2 * number(took) * WALKED_M_S
    for told in (took, length, asked(f'answer({way}.duration < "1 h")', banks_map())):
        assert any("ferry" in warning for warning in told.warnings), told.warnings


def test_a_trip_by_ferry_says_so() -> None:
    trip = asked(f't = trip(["{NORTH}"], start="{SOUTH}", mode="walk")\nanswer(t.travel)', banks_map())
    assert any("ferry" in warning for warning in trip.warnings)


def test_ways_that_are_only_compared_need_no_word() -> None:
    """The café across the river may stand in a list by its walk; the nearest one is on this side."""
    program = f'answer(min(places("cafe"), key=lambda p: travel("{SOUTH}", p, "walk").duration))'
    nearest = asked(program, banks_map())
    assert (nearest.text, nearest.warnings) == ("South Café", ())


def test_a_way_on_one_bank_takes_no_ferry() -> None:
    assert asked(f'answer(travel("{SOUTH}", "{PIERS[0]}", "walk").duration)', banks_map()).warnings == ()


def test_a_mountain_path_is_told_with_its_grade() -> None:
    """The path to the second hut, OpenStreetMap's way 381185053, is `sac_scale=alpine_hiking`."""
    andorra, huts = extract_map("andorra-2021-10-28"), '"Refugi de Juclar", "Refugi del Siscaró"'
    grade = "mountain path of grade T4 (alpine hiking)"
    for told in (f'travel({huts}, "walk").duration', f'travel({huts}, "walk")', f"distance({huts})"):
        warnings = asked(f"answer({told})", andorra).warnings
        assert sum(grade in warning for warning in warnings) == 1, warnings
    in_town = asked('answer(travel("Museu Postal", "Ordino", "walk").duration)', andorra)
    assert not any("mountain path" in warning for warning in in_town.warnings)


def test_a_much_longer_walk_is_told_with_the_straight_line() -> None:
    walk_m = number(asked('answer(travel("Kiasma", "Ateneum", "walk").distance)', demo_map()))
    line = asked('answer(distance("Kiasma", "Ateneum"))', demo_map())
    assert walk_m > 1.3 * number(line)
    (note,) = line.warnings
    assert f"{walk_m:.0f} m from Kiasma to Ateneum" in note


def test_the_walk_is_not_told_twice_nor_where_it_is_about_as_long() -> None:
    both = 'answer(distance("Kiasma", "Ateneum"), walk=travel("Kiasma", "Ateneum", "walk").distance)'
    assert asked(both, demo_map()).warnings == ()
    quay = f'"{SOUTH}", "{PIERS[0]}"'
    straight = asked(f"answer(distance({quay}))", banks_map())
    walk = asked(f'answer(travel({quay}, "walk").distance)', banks_map())
    assert number(walk) == pytest.approx(number(straight), rel=0.01)
    assert straight.warnings == ()


CINEMAS = 'places("cinema", near="Kiasma", within="1 km")'


@pytest.mark.parametrize(
    "program",
    [
        f"answer(count({CINEMAS}) > 0)",
        f"found = {CINEMAS}\nanswer(1 <= count(found))",
        f"found = {CINEMAS}\nsome = count(found) >= 1\nanswer(some)",
    ],
)
def test_there_is_some_says_which(program: str) -> None:
    listed, told = asked(f"answer({CINEMAS})", demo_map()), asked(program, demo_map())
    assert len(listed.places) > 1
    assert told.text == f"Yes ({listed.text})"
    assert told.places == listed.places
    assert told.value == YesNo(value=True)


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (f"answer(count({CINEMAS}) > 500)", "No"),
        (f"found = {CINEMAS}\nanswer(count(found) > 0, which=found)", "Yes"),
        (f'answer(count({CINEMAS}) > count(places("theatre", near="Kiasma", within="10 m")))', "Yes"),
        ("answer(1 < 2)", "Yes"),
    ],
)
def test_what_counts_nothing_or_lists_it_anyway_says_no_more(program: str, text: str) -> None:
    assert asked(program, demo_map()).text == text
