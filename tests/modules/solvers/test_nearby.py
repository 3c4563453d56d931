"""Places of a kind around an anchor."""

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod

from map_tools.types import TravelMode
from mapagent.answer import Named, NameSet, Quantity, Status, Text, YesNo
from modules.offline.intents import Attribute, Compare, Filters, NearbyIntent, What, When
from modules.solvers import solve
from tests.support.evidence import evidence, nearby_fact, place, place_fact, travel_fact, view_of

GEOD = Geod(ellps="WGS84")
CAFE = What(text="cafe", categories=("cafe",))
HUB = place("Hub", 52.0, 5.0)


def around(name, azimuth, metres, **fields):
    """A place at an azimuth and distance from the hub (by PROJ), with that distance."""
    lng, lat, _ = GEOD.fwd(5.0, 52.0, azimuth, metres)
    return place(name, lat, lng, **fields), metres


ITEMS = (
    around(
        "Amber", 10, 120, rating=4.1, rating_count=50, hours="Mo-Sa 08:00-18:00; Su off", phone="111 2222"
    ),
    around("Basil", 80, 250, rating=4.6, rating_count=900, hours="Mo-Su 10:00-23:00", price_level=2),
    around("Clove", 185, 400, rating=4.6, rating_count=40, price_level=1, services={"wifi": True}),
    around("Dill", 350, 800, rating=3.2, hours="Mo-Su 07:00-12:00", services={"wifi": False}),
    around("Elder", 268, 1500, attributes={"cuisine": "italian;pizza"}),
)


def cafes(items=ITEMS, **fields):
    fields.setdefault("anchor_place", HUB)
    fields.setdefault("categories", ("cafe",))
    return nearby_fact("Hub", "cafe", items, radius_m=20_000, **fields)


def ask(*facts, options=(), tool="Nearby", **slots):
    intent = NearbyIntent(what=slots.pop("what", CAFE), anchors=slots.pop("anchors", ("Hub",)), **slots)
    return solve(intent, view_of(*(facts or (cafes(),)), options=options, tool=tool))


def names(solution):
    return [solution.value.name, *(value.name for value in solution.ranking)]


@pytest.mark.parametrize(
    ("slots", "first"),
    [
        ({}, "Amber"),
        ({"k": 2}, "Basil"),
        ({"pick": Compare.MAX}, "Elder"),
        ({"rank_by": "rating", "pick": Compare.MAX}, "Basil"),
        ({"rank_by": "rating", "pick": Compare.MIN}, "Dill"),
        ({"rank_by": "rating_count", "pick": Compare.MIN}, "Clove"),
        ({"rank_by": "price_level"}, "Clove"),
        ({"filters": Filters(min_rating=4.5)}, "Basil"),
        ({"filters": Filters(min_rating=4.5, max_rating_count=100)}, "Clove"),
        ({"filters": Filters(open_at=When(weekday=6, at=time(22)))}, "Basil"),
        ({"filters": Filters(closed_at=When(weekday=6))}, "Amber"),
        ({"filters": Filters(price_levels=frozenset({1}))}, "Clove"),
        ({"filters": Filters(services=("wifi",))}, "Clove"),
        ({"filters": Filters(without_services=("wifi",))}, "Dill"),
        ({"filters": Filters(cuisine="Italian")}, "Elder"),
        ({"filters": Filters(direction="S")}, "Clove"),
        ({"filters": Filters(direction="west")}, "Elder"),
        ({"filters": Filters(exclude=("Amber",))}, "Basil"),
        ({"filters": Filters(name_contains="der")}, "Elder"),
    ],
)
def test_the_one_that_is_asked_for(slots, first):
    solution = ask(**slots)
    assert solution.status is Status.ANSWERED
    assert solution.value.name == first
    assert solution.evidence_ids == ("e1",)


def test_runners_up_follow_in_falling_order():
    assert names(ask()) == ["Amber", "Basil", "Clove", "Dill", "Elder"]
    best = ask(rank_by="rating", pick=Compare.MAX)
    assert names(best) == ["Basil", "Clove", "Amber", "Dill"]


@pytest.mark.parametrize(
    ("slots", "value"),
    [
        ({"ask": "count", "radius_m": 500}, Quantity(value=3, unit="count")),
        ({"ask": "count", "filters": Filters(min_rating=4)}, Quantity(value=3, unit="count")),
        ({"ask": "exists", "filters": Filters(min_rating=4.9)}, YesNo(value=False)),
        ({"ask": "exists", "radius_m": 130}, YesNo(value=True)),
        ({"ask": "exists", "radius_m": 100}, YesNo(value=False)),
        ({"ask": "distance"}, Quantity(value=120, unit="m")),
        ({"ask": "names", "n": 2}, NameSet(names=("Amber", "Basil"))),
        ({"ask": "names", "radius_m": 300}, NameSet(names=("Amber", "Basil"))),
        ({"ask": "fact", "attribute": Attribute.PHONE}, Text(text="111 2222", topic="phone")),
        ({"ask": "direction", "k": 2}, Text(text="east", topic="direction")),
    ],
)
def test_other_questions_about_the_list(slots, value):
    assert ask(**slots).value == value


def test_a_fact_that_no_place_states_is_unanswerable():
    bare = cafes([around("Fern", 0, 10), around("Gorse", 0, 20)])
    for slots in ({"filters": Filters(min_rating=4)}, {"rank_by": "rating", "pick": Compare.MAX}):
        solution = ask(bare, **slots)
        assert solution.status is Status.UNANSWERABLE
        assert "rating" in solution.reason
    assert ask(bare, ask="count", filters=Filters(min_rating=4)).status is Status.UNANSWERABLE


def test_nothing_of_the_kind():
    assert ask(cafes([])).status is Status.UNANSWERABLE
    assert ask(cafes([]), ask="count").value == Quantity(value=0, unit="count")
    assert ask(cafes([]), ask="exists").value == YesNo(value=False)


def test_a_cut_list_cannot_be_counted():
    assert ask(cafes(complete=False), ask="count").status is Status.UNANSWERABLE


def test_the_full_list_is_asked_for_only_where_the_short_one_does_not_hold_the_answer():
    def asking(**slots):
        view = view_of(cafes(complete=False), tool="Nearby", closed=False)
        return solve(NearbyIntent(what=CAFE, anchors=("Hub",), **slots), view), view.needs

    assert asking(filters=Filters(min_rating=4.5))[1] == []
    solution, needs = asking(filters=Filters(min_rating=4.5), k=3)
    assert solution is None
    assert needs[0].everything


def test_the_fact_about_the_one_is_looked_up_by_its_id():
    intent = NearbyIntent(what=CAFE, anchors=("Hub",), ask="fact", attribute=Attribute.WEBSITE)
    asking = view_of(cafes(), tool="Nearby", closed=False)
    assert solve(intent, asking) is None
    assert [need.text for need in asking.needs] == ["id:test:amber"]
    full = place("Amber", id="test:amber", website="https://amber.example")
    known = view_of(cafes(), place_fact(full, "id:test:amber"), tool="Nearby")
    assert solve(intent, known).value == Text(text="https://amber.example", topic="website")


def test_a_place_at_this_rank_that_is_no_option_gives_way_to_the_options():
    solution = ask(options=("Dill", "Clove - Mill Lane 3", "Elder"))
    assert solution.value.name == "Clove"
    assert "not among the options" in solution.warnings[0]
    second = ask(options=("Dill", "Basil", "Elder"), k=2)
    assert second.value.name == "Basil"
    assert not second.warnings


def test_a_direction_is_widened_only_for_the_options():
    east = Filters(direction="NE")
    assert ask(filters=east).status is Status.UNANSWERABLE
    # Basil, at 80°, is 35° off north-east.
    assert ask(filters=east, options=("Basil", "Elder")).value.name == "Basil"


def test_near_two_anchors_counts_the_sum_of_distances():
    far = place("Far End", *reversed(GEOD.fwd(5.0, 52.0, 90, 1000)[:2]))
    lists = [cafes(), nearby_fact("Far End", "cafe", [], categories=("cafe",), anchor_place=far)]
    solution = ask(*lists, anchors=("Hub", "Far End"))
    sums = {}
    for item, metres in ITEMS:
        rest = GEOD.inv(item.location.lng, item.location.lat, far.location.lng, far.location.lat)[2]
        sums[item.name] = metres + rest
    assert names(solution) == sorted(sums, key=sums.__getitem__)
    assert solution.claims[-1].arguments["values"] == pytest.approx(sums, abs=0.1)


def test_a_limit_on_the_walk_asks_for_all_times_in_one_round():
    intent = NearbyIntent(
        what=CAFE, anchors=("Hub",), ask="count", mode=TravelMode.WALKING, max_duration_s=600
    )
    asking = view_of(cafes(), tool="Nearby", closed=False)
    assert solve(intent, asking) is None
    # Elder, 1500 m away, is out of reach of ten minutes on foot whatever the way.
    reachable = ["amber", "basil", "clove", "dill"]
    assert [need.destination for need in asking.needs] == [f"id:test:{name}" for name in reachable]
    minutes = dict(zip(reachable, (2, 4, 12, 10), strict=True))
    walks = [
        travel_fact("Hub", f"id:test:{name}", taken, mode=TravelMode.WALKING)
        for name, taken in minutes.items()
    ]
    assert solve(intent, view_of(cafes(), *walks, tool="Nearby")).value == Quantity(value=3, unit="count")


def test_the_quickest_to_reach():
    legs = [travel_fact("Hub", f"id:test:{name}", taken) for name, taken in (("amber", 9), ("basil", 3))]
    solution = ask(cafes(ITEMS[:2]), *legs, rank_by="duration", mode=TravelMode.DRIVING)
    assert solution.value.name == "Basil"


def context(*titles, **fields):
    return nearby_fact(
        "Old Hub", "cafes", [place(title, id=f"context:{title}") for title in titles], **fields
    )


def test_the_order_of_a_supplied_list_is_trusted_only_if_it_is_by_distance():
    facts = context("First", "Second", "Third")
    solution = ask(facts, anchors=("the old hub",), what=What(text="cafe"), tool="context", k=2)
    assert solution.value == Named(name="Second", place=facts.items[1].place)
    unsorted = context("First", "Second", sorted_by_distance=False)
    solution = ask(unsorted, anchors=("Old Hub",), what=What(text="cafe"), tool="context")
    assert solution.status is Status.UNANSWERABLE


def test_a_supplied_list_around_another_place_says_nothing_about_this_one():
    solution = ask(context("First"), anchors=("Central Station",), what=What(text="cafe"), tool="context")
    assert solution.status is Status.UNANSWERABLE


def test_facts_in_separate_blocks_of_a_supplied_text_are_merged():
    rated = [
        place_fact(place(name, id=f"context:{name}-block", rating=rating))
        for name, rating in (("First", 3.9), ("Second", 4.8))
    ]
    solution = ask(
        *rated,
        context("First", "Second", "Third"),
        anchors=("Old Hub",),
        what=What(text="cafe"),
        tool="context",
        rank_by="rating",
        pick=Compare.MAX,
    )
    assert solution.value.name == "Second"
    assert set(solution.evidence_ids) == {"e1", "e2", "e3"}


def test_without_a_list_the_places_of_the_options_are_judged():
    blocks = [place_fact(place(name, rating_count=count)) for name, count in (("Oak", 90), ("Pine", 2100))]
    solution = ask(
        *blocks,
        tool="context",
        options=("Oak", "Pine", "Fir"),
        filters=Filters(min_rating_count=2000),
        rank_by="any",
    )
    assert solution.value.name == "Pine"
    assert "No list" in solution.warnings[0]


def test_the_places_a_text_describes_one_by_one_are_judged_by_their_kind():
    blocks = [HUB, *(around(name, 0, metres)[0] for name, metres in (("Fern Cafe", 90), ("Moss Cafe", 700)))]
    facts = [place_fact(one) for one in (*blocks, around("Bell Tower", 0, 50)[0])]
    counted = ask(*facts, tool="context", ask="count", radius_m=500)
    assert counted.value == Quantity(value=1, unit="count")
    assert ask(*facts, tool="context").value.name == "Fern Cafe"


def test_an_anchor_without_a_position_is_at_its_own_address():
    address = "12 Quay Street, 1018 Portville"
    bare = place_fact(place("Grand Hall", address=address))
    tenant = around("Hall Cafe", 0, 0, address=address)[0]
    listed = nearby_fact("Grand Hall", "cafe", [ITEMS[1][0], ITEMS[0][0], tenant], sorted_by_distance=False)
    solution = ask(
        bare, listed, anchors=("Grand Hall",), tool="context", filters=Filters(exclude=("Hall Cafe",))
    )
    assert solution.value.name == "Amber"
    assert "same address" in solution.warnings[0]


def test_a_nameless_place_is_no_answer_to_which_but_counts():
    items = [(place("", 52.0001, 5.0, id="osm:n9", categories=("cafe",)), 11.0), ITEMS[0]]
    assert ask(cafes(items)).value.name == "Amber"
    assert ask(cafes(items), ask="count").value == Quantity(value=2, unit="count")
    assert ask(cafes(items), ask="distance").value == Quantity(value=11, unit="m")
    assert "unnamed cafe" in ask(cafes(items[:1])).value.name


def test_the_anchor_is_not_its_own_neighbour():
    assert names(ask(cafes([(HUB, 0.0), *ITEMS[:1]]))) == ["Amber"]


def test_here_without_a_position_says_what_to_give():
    assert "--near" in ask(anchors=()).reason


spots = st.lists(st.tuples(st.floats(51.9, 52.1), st.floats(4.9, 5.1)), min_size=1, max_size=12, unique=True)


@given(spots=spots, k=st.integers(1, 12), farthest=st.booleans())
def test_the_kth_is_that_of_a_sorted_brute_force(spots, k, farthest):
    places = [place(f"Spot {number}", lat, lng) for number, (lat, lng) in enumerate(spots)]
    pick = Compare.MAX if farthest else Compare.MIN
    # Items without distances and in any order: the solver has to measure them itself.
    solution = ask(cafes(places, sorted_by_distance=False), k=k, pick=pick)
    metres = {item.name: GEOD.inv(5.0, 52.0, item.location.lng, item.location.lat)[2] for item in places}
    if k > len(places):
        assert solution.status is Status.UNANSWERABLE
        return
    expected = sorted(metres.values(), reverse=farthest)[k - 1]
    assert metres[solution.value.name] == pytest.approx(expected, abs=1e-3)


def test_the_claims_hold_in_independent_verification():
    from modules.answer_generator.verify.facts import Facts
    from modules.answer_generator.verify.rules import check_claim

    view = view_of(cafes(), tool="Nearby")
    slots = {"filters": Filters(min_rating=4.0, direction="N"), "ask": "direction"}
    solution = solve(NearbyIntent(what=CAFE, anchors=("Hub",), **slots), view)
    facts = Facts(evidence(cafes(), tool="Nearby"), view.question)
    assert [claim.rule for claim in solution.claims] == ["filter", "filter", "min", "bearing"]
    assert [problem for claim in solution.claims for problem in check_claim(claim, facts)] == []
