"""What is within a travel time, where to meet, and what a stop on the way costs."""

# Programs stand as they are written.
# ruff: noqa: E501

from datetime import timedelta

import pytest
import shapely

from map_tools.errors import ProgramError
from map_tools.facts import ReachFact
from mapagent.core.answer import Answer, NameSet, Quantity, Status
from tests.e2e.truth import NotClearError, Thing
from tests.modules.query.compositional.asking import World, on
from tests.modules.query.verify.town import Town
from tests.modules.query.verify.worked import work

STARTS = {"helsinki": "Kino Engel", "porto": "Cinema da Trindade"}
BAND = 0.3
"""What is this much before or beyond the limit lies clearly on one side of the edge."""
AGREEING = 0.9
"""So many of the places do: the own way to one over a tunnel may lead through the tunnel."""


def _area(answer: Answer) -> shapely.Geometry:
    """The area that an answer rests on."""
    (fact,) = (item.value for item in answer.evidence if isinstance(item.value, ReachFact))
    return shapely.from_wkt(fact.shape.wkt)


@on(helsinki=("walk", 8), porto=("walk", 8))
def test_places_in_reach_are_those_with_a_short_way(world: World, start: tuple[str, int]) -> None:
    """The router is asked for the way to each restaurant of the raw map by itself."""
    mode, minutes = start
    origin = world.raw.one(STARTS[world.name])
    answer = world.ask(
        f"Which restaurants are within {minutes} minutes of {origin.name} ({mode})?",
        f"""answer(places("restaurant", inside=reachable("{origin.name}", "{minutes} min", "{mode}")))""",
    )
    assert answer.status is Status.ANSWERED, answer.reason
    assert isinstance(answer.value, NameSet)
    listed = {(place.id) for place in answer.places}
    limit = timedelta(minutes=minutes)
    right = wrong = inside = 0
    for thing in world.raw.once(world.raw.all(amenity="restaurant"))[::3]:
        place = world.place(thing)
        takes = world.travel(mode, origin, thing)
        if limit * (1 - BAND) < takes < limit * (1 + BAND):
            continue
        inside += takes <= limit
        agrees = (place.id in listed) is (takes <= limit)
        right, wrong = right + agrees, wrong + (not agrees)
    assert inside > 3
    assert right - inside > 3
    assert right >= AGREEING * (right + wrong)


@on(helsinki=None, porto=None)
def test_size_membership_and_count(world: World, start: None) -> None:
    origin = world.raw.one(STARTS[world.name])
    answer = world.ask(
        f"How large is what one reaches from {origin.name} in 6 minutes on foot, and how many cafes are there?",
        f"""
        near = reachable("{origin.name}", "6 min", "walk")
        cafes = places("cafe", inside=near)
        answer(near.size, many=count(cafes), each=all([c in near for c in cafes]), itself="{origin.name}" in near)
        """,
    )
    area = _area(answer)
    plain = shapely.transform(area, world.raw._project)
    assert isinstance(answer.value, Quantity)
    assert answer.value.value == pytest.approx(plain.area, rel=0.005)
    cafes = [one for one in world.raw.once(world.raw.all(amenity="cafe")) if one.name]
    told = answer.parts["many"].value
    assert isinstance(told, Quantity)
    assert told.value >= sum(area.contains(shapely.Point(one.lng, one.lat)) for one in cafes) * 0.9 > 0
    assert answer.parts["each"].text == answer.parts["itself"].text == "Yes"
    assert "6 min" in answer.understood
    assert "on foot" in answer.understood
    assert any("edge" in warning for warning in answer.warnings)


def test_a_mode_that_is_not_said_is_assumed(helsinki: World) -> None:
    answer = helsinki.ask("?", """answer("Amos Rex" in reachable("Kino Engel", "30 min"))""")
    assert "walking is assumed" in answer.understood


def test_the_end_of_the_map_is_told(helsinki: World) -> None:
    answer = helsinki.ask("?", """answer(reachable("Kino Engel", "1 h", "bike").size)""")
    assert any("there may be more beyond" in warning for warning in answer.warnings)
    near = helsinki.ask("?", """answer(reachable("Kinopalatsi", "2 min", "walk").size)""")
    assert not any("there may be more beyond" in warning for warning in near.warnings)


@pytest.mark.parametrize(
    ("within", "mode", "words"),
    [
        ("0 min", "walk", "1 min at least"),
        ("-5 min", "walk", "must be above 0"),
        ("10 s", "walk", "1 min at least"),
        ("15", "walk", "unit"),
        ("15 m", "walk", "duration"),
        ("15 min", "fly", "mode"),
    ],
)
def test_what_makes_no_sense_is_told_with_its_line(
    helsinki: World, within: str, mode: str, words: str
) -> None:
    with pytest.raises(ProgramError, match=words) as caught:
        helsinki.ask("?", f"""answer(reachable("Kiasma", "{within}", "{mode}").size)""")
    assert str(caught.value).startswith("Line 1")


@pytest.mark.parametrize(
    ("start", "within", "mode", "words"),
    [
        ("Kiasma", "10 h", "walk", "at most 120 min"),
        ("Kiasma", "15 min", "transit", "transit"),
        ("Nowhere Inn at Sea", "15 min", "walk", "Nowhere"),
        ("61.5, 23.8", "15 min", "walk", "route"),
    ],
)
def test_what_cannot_be_told_is_not_known(
    helsinki: World, start: str, within: str, mode: str, words: str
) -> None:
    answer = helsinki.ask(
        "?", f"""answer(count(places("cafe", inside=reachable("{start}", "{within}", "{mode}"))))"""
    )
    assert answer.status is (Status.LIMIT if within == "10 h" else Status.UNANSWERABLE)
    assert words in answer.reason


def test_a_source_that_tells_no_areas_of_reach() -> None:
    worked = work("""answer(reachable("Town Hall", "10 min", "walk").size)""", Town())
    assert worked.rejections == []
    answer = worked.answer()
    assert answer.status is Status.UNANSWERABLE
    assert "does not tell what can be reached" in answer.reason


@on(
    helsinki=("Hotel Arthur", "Lilla Teatern", "Kino Engel"),
    porto=("Farmácia Vitália", "LeYa na Latina", "Museu dos Clérigos"),
)
def test_where_to_meet(world: World, start: tuple[str, ...]) -> None:
    """The library whose longest way for any of the friends is the shortest."""
    raw = world.raw
    friends = [raw.one(name) for name in start]
    among = [one for one in raw.once(raw.all(tourism="museum")) if one.name]
    longest = {one.name: max(world.travel("walk", friend, one) for friend in friends) for one in among}
    assert len(longest) == len(among) > 2
    ranked = sorted(among, key=lambda one: longest[one.name])
    if longest[ranked[1].name] - longest[ranked[0].name] < timedelta(seconds=2):
        raise NotClearError("two museums are as good")
    names = ", ".join(f'"{name}"' for name in start)
    listed = ", ".join(f'"{one.name}"' for one in among)
    world.check(
        f"At which museum should we meet, coming on foot from {names}, so that nobody walks far?",
        f"""
        friends = [{names}]
        meet = min([{listed}], key=lambda m: max([travel(f, m, "walk").duration for f in friends]))
        answer(meet, longest=max([travel(f, meet, "walk").duration for f in friends]))
        """,
        ranked[0].name,
        parts={"longest": longest[ranked[0].name]},
    )


@on(helsinki=("Hotel Arthur", "Lilla Teatern"), porto=("Farmácia Vitália", "LeYa na Latina"))
def test_stops_that_cost_little(world: World, start: tuple[str, str]) -> None:
    """Pharmacies on the way: by the routes over them, and by the times of a matrix."""
    raw = world.raw
    a, b = (raw.one(name) for name in start)
    direct = world.travel("walk", a, b)
    limit = timedelta(minutes=4)
    costs: list[tuple[timedelta, Thing]] = [
        (world.travel("walk", a, one, b) - direct, one)
        for one in raw.once(raw.all(amenity="pharmacy"))
        if one.name and one.name not in start
    ]
    costs.sort(key=lambda pair: pair[0])
    # The router's times are whole seconds, and a route over a stop may leave it on the other side of the street.
    if any(abs(cost - limit) < timedelta(seconds=10) for cost, _ in costs):
        raise NotClearError("a pharmacy costs just so much")
    answer = world.ask(
        f"Which pharmacies cost at most 4 minutes more on the walk from {a.name} to {b.name}?",
        f"""
        direct = travel("{a.name}", "{b.name}", "walk").duration
        found = places("pharmacy", where=lambda p: travel("{a.name}", "{b.name}", "walk", via=p).duration - direct <= "4 min")
        least = min(places("pharmacy"), key=lambda p: travel("{a.name}", p, "walk").duration + travel(p, "{b.name}", "walk").duration)
        answer([p for p in found if p.name != "{a.name}"], cost=travel("{a.name}", least, "walk").duration + travel(least, "{b.name}", "walk").duration - direct)
        """,
    )
    assert answer.status is Status.ANSWERED, answer.reason
    wanted = {world.place(one).id for cost, one in costs if cost <= limit}
    assert wanted
    assert {place.id for place in answer.places} == wanted
