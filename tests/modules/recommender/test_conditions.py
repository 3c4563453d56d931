"""Hard conditions: what fulfils them, what they cost, and which a map cannot judge."""

from datetime import datetime

from modules.view import View

from map_tools.compute.hours import from_osm
from map_tools.types import Place
from mapagent.question import Question
from modules.offline.intents import Filters
from modules.recommender.conditions import Loosened, answerable, judge, loosened
from modules.recommender.wish import Geometry, SpatialFunction, Wish

AT = datetime(2026, 3, 6, 12)  # noqa: DTZ001 - local time of the places, a Friday
VIEW = View((), Question(text="Somewhere cosy?", at=AT), closed=True)
WISH = Wish(
    geometry=Geometry.POINT,
    anchors=("X",),
    function=SpatialFunction.WITHIN_DISTANCE,
    what="restaurant",
    categories=("restaurant",),
)


def eatery(name: str, cuisine: str = "", hours: str = "", **attributes: str) -> Place:
    stated = {**attributes, **({"cuisine": cuisine} if cuisine else {})}
    return Place(id=name, name=name, hours=from_osm(hours) if hours else None, attributes=stated)


def kept(wish: Wish, *places: Place) -> list[str]:
    return [places[index].name for index in judge(wish, VIEW, places).kept]


def test_one_of_several_cuisines_is_enough() -> None:
    wish = WISH.model_copy(update={"cuisines": ("american", "italian")})
    places = (eatery("A", "italian;pizza"), eatery("B", "thai"), eatery("C"), eatery("D", "american"))
    assert kept(wish, *places) == ["A", "D"]


def test_a_brand_and_many_branches_are_chains() -> None:
    wish = WISH.model_copy(update={"no_chain": True})
    branches = [eatery("Many").model_copy(update={"id": str(number)}) for number in range(3)]
    places = (eatery("Own"), eatery("Branded", brand="Group"), *branches, eatery("Twin"), eatery("Twin"))
    assert kept(wish, *places) == ["Own", "Twin", "Twin"]


def test_a_meal_rules_out_what_is_known_to_be_closed() -> None:
    wish = WISH.model_copy(update={"meal": "dinner"})
    places = (eatery("Evening", hours="17:00-23:00"), eatery("Day", hours="08:00-16:00"), eatery("Silent"))
    assert kept(wish, *places) == ["Evening", "Silent"]


def test_a_late_meal_needs_hours_that_say_so() -> None:
    wish = WISH.model_copy(update={"meal": "late"})
    places = (eatery("Late", hours="17:00-23:00"), eatery("Early", hours="17:00-21:00"), eatery("Silent"))
    assert kept(wish, *places) == ["Late"]


def test_what_each_condition_costs() -> None:
    wish = WISH.model_copy(update={"cuisines": ("thai",), "no_chain": True})
    places = (eatery("A", "italian"), eatery("B", "thai", brand="G"), eatery("C", "greek"))
    sifted = judge(wish, VIEW, places)
    assert not sifted.kept
    assert loosened(sifted, 3) == (Loosened("cuisine thai", 2), Loosened("not a chain", 1))


def test_prices_are_a_taste_where_no_map_states_them() -> None:
    cheap = WISH.model_copy(update={"filters": Filters(price_levels=frozenset({1}), min_rating=4.5)})
    loose, notes = answerable(cheap, frozenset({"hours"}))
    assert (loose.filters.price_levels, loose.filters.min_rating) == (frozenset(), 4.5)
    assert len(notes) == 1
    assert answerable(cheap, frozenset({"price_level"})) == (cheap, ())
