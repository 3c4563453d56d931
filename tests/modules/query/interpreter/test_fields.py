"""Fields of values and names of several places, over the town: what each is follows from how the town is drawn."""

from itertools import pairwise
from typing import Any

import pytest

from mapagent.core.answer import Answer, Status
from modules.query.values.amount import Amount
from modules.query.values.things import Items, Thing
from modules.query.values.unknown import Unknown
from tests.modules.query.language.running import run, town
from tests.modules.query.verify.town import GEOD, length, named, seconds
from tests.modules.query.verify.worked import work

WALK = 'travel("Zoo", "Opera", "walk")'
WALK_M = length(named("Zoo"), named("Opera"), "walking")
WALK_S = seconds(named("Zoo"), named("Opera"), "walking")
TRIP = 'trip([visit("Opera", stay="30 min")], start="Zoo", depart="Wed 12:00", mode="walk")'


def value(expression: str) -> Any:
    """What a program comes to, in plain values."""
    return _plain(run(f"answer({expression})").outcome.finished.value)


def _plain(found: Any) -> Any:
    match found:
        case Unknown():
            return None
        case Amount():
            return pytest.approx(found.low)
        case Thing():
            return found.name
        case Items():
            return [_plain(one) for one in found]
    return found


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (f"{WALK}.duration", WALK_S),
        (f"{WALK}.distance", WALK_M),
        (f"{WALK}.length", WALK_M),
        (f"{WALK}.mode", "walk"),
        (f"{WALK}.origin", "Zoo"),
        (f"{WALK}.destination", "Opera"),
        (f"{WALK}.fare", None),
        (f"{WALK}.depart", None),
        (f"{WALK}.summary", "Long Street"),
        (f"{WALK}.streets", ["First Lane", "Long Street", "Ring Road", "Last Lane"]),
        (f"count({WALK}.steps)", 5),
        (f"[s.turn for s in {WALK}.turns]", ["left", "roundabout", "right"]),
        (f"[s.street for s in {WALK}.turns]", ["Long Street", "Ring Road", "Last Lane"]),
        (f"{WALK}.steps[0].streets", ["First Lane"]),
        (f"{WALK}.steps[0].turn", None),
        (f"{WALK}.steps[0].text", "Head north on First Lane"),
        (f"{WALK}.steps[0].maneuver", "depart"),
        (f"{WALK}.steps[0].mode", "walk"),
        (f"{WALK}.steps[0].exit", None),
        (f"{WALK}.steps[0].side", None),
        (f"{WALK}.steps[3].exit", 2),
        (f"{WALK}.steps[1].distance", WALK_M / 2),
        (f"{WALK}.steps[1].duration", WALK_S / 2),
        (f"{WALK}.toll", False),
        (f"{WALK}.ferry", False),
        (f"{WALK}.warnings", []),
        (f"{TRIP}.duration", WALK_S + 1800),
        (f"{TRIP}.travel", WALK_S),
        (f"{TRIP}.stay", 1800),
        (f"{TRIP}.wait", 0),
        (f"{TRIP}.distance", WALK_M),
        (f"{TRIP}.order", ["Opera"]),
        (f"{TRIP}.origin", "Zoo"),
        (f"{TRIP}.feasible", True),
        (f"{TRIP}.problems", []),
        (f"{TRIP}.visits[0].stay", 1800),
        (f"{TRIP}.visits[0].place", "Opera"),
        (f"{TRIP}.visits[0].kind", "theatre"),
        (f"{TRIP}.legs[0].distance", WALK_M),
        ('visit("Opera", stay="30 min").stay', 1800),
        ('hours("Osteria Uno", "Fri")[1].duration', 5 * 3600),
        ('hours("Osteria Uno", "Fri")[1].start.clock', "6:00 PM"),
        ('hours("Osteria Uno", "Fri")[1].start.day', "Fri"),
        ('hours("Osteria Uno", "Fri")[1].end.clock', "11:00 PM"),
        (f"{WALK}.distance.km", WALK_M / 1000),
        (f"{WALK}.duration.min", WALK_S / 60),
        ('direction("Town Hall", to="Station").name', "south"),
        ('places("museum", near="Town Hall", within="1 km").complete', True),
        ('places("hotel", where=lambda h: h.price > 0).unstated', []),
        ('place("Town Hall").height', 42),
        ('place("Town Hall").phone', "+43 1 100"),
        ('place("Castle").stars', 4),
        ('place("Castle").phone', None),
        ('place("Cafe Alba").wifi', True),
        ('place("Cafe Alba").district', "Mitte"),
        ('place("Opera").website', "https://opera.example"),
        ('place("Opera").kind', "theatre"),
        ('"Opera".kind', "theatre"),
        ('place("Inn").rating', 3.2),
        ('area("City Park").length', None),
        ('line("River").size', None),
    ],
)
def test_fields(expression: str, expected: object) -> None:
    assert value(expression) == expected


def test_sizes_are_those_of_the_outline() -> None:
    """The new town is drawn with corners 1,140 m and 1,040 m apart, as Long Street is in three pieces."""
    assert value('area("New Town").size') == pytest.approx(1140 * 1040, rel=1e-3)
    assert value('area("New Town").perimeter') == pytest.approx(2 * (1140 + 1040), rel=1e-3)
    corners = ((-500, -160), (0, -140), (420, -110), (800, -120))
    pieces = [((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 for a, b in pairwise(corners)]
    assert value('line("Long Street").length') == pytest.approx(sum(pieces), rel=1e-3)


def test_positions_and_directions() -> None:
    town_hall, opera = named("Town Hall").location, named("Opera").location
    assert value('place("Opera").lat') == opera.lat
    assert value('place("Opera").lng') == opera.lng
    azimuth = GEOD.inv(town_hall.lng, town_hall.lat, opera.lng, opera.lat)[0]
    assert value('direction("Town Hall", to="Opera").degrees') == pytest.approx(azimuth, abs=0.01)


@pytest.mark.parametrize(
    ("expression", "clock"),
    [
        ('travel("Zoo", "Opera", "walk", depart="Wed 12:00").depart', 0.0),
        ('travel("Zoo", "Opera", "walk", depart="Wed 12:00").arrive', WALK_S),
        ('travel("Zoo", "Opera", "walk", arrive="Wed 12:00").depart', -WALK_S),
        ('travel("Zoo", "Opera", "walk", arrive="Wed 12:00").arrive', 0.0),
        (f"{TRIP}.depart", 0.0),
        (f"{TRIP}.arrive", WALK_S + 1800),
        (f"{TRIP}.visits[0].arrive", WALK_S),
        (f"{TRIP}.visits[0].begin", WALK_S),
        (f"{TRIP}.visits[0].leave", WALK_S + 1800),
    ],
)
def test_times(expression: str, clock: float) -> None:
    """In seconds after noon."""
    found = run(f"answer({expression})").outcome.finished.value.at
    assert (found.hour - 12) * 3600 + found.minute * 60 + found.second == pytest.approx(clock, abs=1)


def _answer(program: str) -> Answer:
    """The answer to who is nowhere in particular: else the nearest place of a name is taken."""
    return work(program, town()).answer()


def test_what_holds_for_each_place_of_a_name_is_the_answer() -> None:
    """There is a Market 700 m east of the middle and one 2,600 m west of it."""
    answer = _answer('answer(place("Market").kind)')
    assert (answer.status, answer.text) == (Status.ANSWERED, "marketplace")
    assert any("any of 2 places, and this holds for each" in one for one in answer.warnings)


def test_a_place_with_nothing_about_it_is_not_meant() -> None:
    """Near the western Market there is no museum: the City Museum is 575 m from the eastern, the Glass Museum 617 m."""
    answer = _answer('answer(places("museum", near="Market", within="900 m"))')
    assert answer.value.names == ("City Museum", "Glass Museum")
    assert any("this holds for 1 of them" in one for one in answer.warnings)


def test_what_lies_at_any_place_of_a_name() -> None:
    """The Tram Museum is less than 2 km from both, so it comes first; the others are near to the eastern alone."""
    answer = _answer('answer(places("museum", near="Market", within="2 km"))')
    assert answer.value.names == ("Tram Museum", "City Museum", "Glass Museum")
    assert any("2 places called 'Market' have some" in one for one in answer.warnings)


def test_what_depends_on_the_place_that_is_meant_is_asked_back() -> None:
    for program in (
        'answer(distance("Market", "Town Hall"))',
        'answer(count(places("cafe", near="Market", within="1 km")))',
    ):
        answer = _answer(program)
        assert answer.status is Status.AMBIGUOUS
        assert len(answer.candidates) == 2


def test_a_part_that_depends_on_it_is_left_open() -> None:
    answer = _answer('m = place("Market")\nanswer(m.kind, far=distance(m, "Town Hall"), near=m.kind)')
    assert answer.text == "marketplace"
    assert answer.parts["near"].text == "marketplace"
    assert answer.parts["far"].value is None
