"""Days of several stops, with clocks; before them the router, against shortest paths over the raw map."""

# Clocks are those of the place; programs stand as they are written.
# ruff: noqa: DTZ001, E501

import asyncio
from datetime import date, datetime, timedelta
from itertools import pairwise, permutations

import networkx as nx
import osmium
import pytest
import shapely
from pyproj import Geod

from map_tools.types import TravelMode
from tests.e2e.truth import NotClearError, Thing
from tests.modules.query.compositional.asking import Clock, Metres, World, on

SPHEROID = Geod(ellps="WGS84")
WALKED_M_S = 5.1 / 3.6
"""Valhalla's pace on foot
(https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/#pedestrian-costing-options)."""
NO_WALKING = frozenset(
    {"motorway", "motorway_link", "trunk", "trunk_link", "construction", "proposed", "elevator"}
)
"""Values of highway= that nobody walks on (https://wiki.openstreetmap.org/wiki/Key:highway)."""


def _streets(world: World) -> nx.Graph:
    """All that one may walk on: nodes with positions, edges with metres."""
    graph = nx.Graph()
    for way in osmium.FileProcessor(str(world.raw.path)).with_locations():
        if (
            not way.is_way()
            or way.tags.get("highway", "construction") in NO_WALKING
            or way.tags.get("foot") == "no"
        ):
            continue
        if way.tags.get("access") in {"no", "private"} and way.tags.get("foot") not in {"yes", "designated"}:
            continue
        known = [(node.ref, node.lon, node.lat) for node in way.nodes if node.location.valid()]
        for ref, lng, lat in known:
            graph.add_node(ref, at=(lng, lat))
        for (a, *start), (b, *end) in pairwise(known):
            graph.add_edge(a, b, metres=SPHEROID.inv(*start, *end)[2])
    largest = max(nx.connected_components(graph), key=len)
    return graph.subgraph(largest).copy()


def _nearest(graph: nx.Graph, thing: Thing) -> tuple[int, float]:
    """The node of the streets that is nearest to a thing, and how far it is."""
    off = {ref: SPHEROID.inv(thing.lng, thing.lat, *at)[2] for ref, at in graph.nodes(data="at")}
    ref = min(off, key=lambda one: off[one])
    return ref, off[ref]


@on(
    helsinki=("Amos Rex", "Kino Engel", "Hotel Arthur", "Lilla Teatern", "Hilton Helsinki Strand"),
    porto=("Cinema da Trindade", "Farmácia Vitália", "LeYa na Latina", "Museu dos Clérigos"),
)
def test_walks_are_about_the_shortest(world: World, start: tuple[str, ...]) -> None:
    """A router may prefer pleasant ways, and leaves a street between its corners: neither makes a third."""
    graph = _streets(world)
    places = [world.raw.one(name) for name in start]
    ends = {one.name: _nearest(graph, one) for one in places}
    for a, b in pairwise(places):
        (first, before), (last, behind) = ends[a.name], ends[b.name]
        shortest = nx.shortest_path_length(graph, first, last, weight="metres")
        assert world.way_m("walk", a, b) == pytest.approx(shortest, rel=0.3, abs=before + behind + 30), (
            a.name,
            b.name,
        )
        pace = world.way_m("walk", a, b) / world.travel("walk", a, b).total_seconds()
        assert 1.0 < pace < 1.6, (a.name, b.name)  # metres a second


@on(helsinki="Kino Engel", porto="Cinema da Trindade")
def test_what_is_reached_on_foot(world: World, start: str) -> None:
    """Corners of the raw map's streets: those clearly nearer than seven minutes' walk are in the area, others not.

    An area does not tell a tunnel from the street above it, so corners at a street that is reached do not count.
    """
    graph = _streets(world)
    origin, _ = _nearest(graph, world.raw.one(start))
    away_m = nx.single_source_dijkstra_path_length(graph, origin, weight="metres")
    spot = world.place(world.raw.one(start))
    area = asyncio.run(world.provider.reach(spot, within_s=420.0, mode=TravelMode.WALKING))
    inside = shapely.from_wkt(area.wkt)
    limit_m = 420.0 * WALKED_M_S
    near = [graph.nodes[ref]["at"] for ref, metres in away_m.items() if metres < 0.7 * limit_m]
    streets = shapely.MultiPoint(
        [graph.nodes[ref]["at"] for ref, metres in away_m.items() if metres < 1.2 * limit_m]
    )
    above = shapely.buffer(streets, 5e-4)  # about 50 m
    shapely.prepare(above)
    far = [
        at
        for at in (
            graph.nodes[ref]["at"] for ref, metres in away_m.items() if 1.35 * limit_m < metres < 2 * limit_m
        )
        if not above.contains(shapely.Point(at))
    ]
    reached, beyond = (shapely.contains_xy(inside, *zip(*corners, strict=True)) for corners in (near, far))
    assert min(len(near), len(far)) > 100
    assert reached.mean() > 0.95
    assert beyond.mean() < 0.1


MINUTE = timedelta(minutes=1)
STOPS = {
    "helsinki": ("Amos Rex", "Kino Engel", "Hotel Arthur", "Lilla Teatern"),
    "porto": ("Cinema da Trindade", "Farmácia Vitália", "LeYa na Latina", "Museu dos Clérigos"),
}
MONDAY = date(2020, 5, 4)


def _clock(moment: datetime) -> Clock:
    return Clock(moment.time(), tolerance=MINUTE)


@on(helsinki="walk", porto="bike")
def test_done_after_two_stays(world: World, start: str) -> None:
    names = STOPS[world.name][:3]
    stops = [world.raw.one(name) for name in names]
    way = world.travel(start, *stops)
    world.check(
        f"I leave {names[0]} at 10:00, stay 45 min at {names[1]} and 30 min at {names[2]} ({start}). When am I done?",
        f"""
        day = trip([visit("{names[1]}", stay="45 min"), visit("{names[2]}", stay="30 min")], start="{names[0]}",
                   depart="10:00", mode="{start}", hours=False)
        answer(day.arrive, stay=day.stay, travel=day.travel, length=day.distance)
        """,
        _clock(datetime(2020, 5, 4, 11, 15) + way),
        parts={"stay": timedelta(minutes=75), "travel": way, "length": Metres.of(world.way_m(start, *stops))},
    )


@on(helsinki="17:05", porto="09:40")
def test_latest_departure(world: World, start: str) -> None:
    names = STOPS[world.name][:3]
    way = world.travel("walk", *(world.raw.one(name) for name in names))
    train = datetime.combine(MONDAY, datetime.strptime(start, "%H:%M").time())  # noqa: DTZ007
    world.check(
        f"My train leaves {names[2]} at {start}; I want to be there 15 min early and stay 10 min at {names[1]}. "
        f"When must I leave {names[0]} on foot?",
        f"""
        day = trip([visit("{names[1]}", stay="10 min")], start="{names[0]}", end="{names[2]}", arrive="{start}" - "15 min",
                   mode="walk", hours=False)
        answer(day.depart, walking=day.travel)
        """,
        _clock(train - timedelta(minutes=25) - way),
        parts={"walking": way},
    )


@on(helsinki="bike", porto="drive")
def test_round_trip_in_the_best_order(world: World, start: str) -> None:
    home, *others = STOPS[world.name]
    raw = world.raw

    def length(order: tuple[str, ...]) -> float:
        return sum(
            world.travel(start, raw.one(a), raw.one(b)).total_seconds()
            for a, b in pairwise((home, *order, home))
        )

    ranked = sorted(permutations(others), key=length)
    if length(ranked[1]) - length(ranked[0]) < 2:
        raise NotClearError("two orders take about as long")
    world.check(
        f"What is the best order for {', '.join(others)} from {home} and back ({start})?",
        f"""
        day = trip({others}, start="{home}", end="{home}", mode="{start}", order="free")
        answer(day.order, travel=day.travel)
        """.replace("'", '"'),
        list(ranked[0]),
        parts={"travel": timedelta(seconds=length(ranked[0]))},
    )


def test_waiting_for_opening(helsinki: World) -> None:
    raw = helsinki.raw
    start, museum = raw.one("Kino Engel"), raw.one("Amos Rex")
    arrival = datetime(2020, 5, 4, 10) + helsinki.travel("walk", start, museum)
    opens = raw.opens(museum, MONDAY)
    assert arrival < opens
    helsinki.check(
        "I leave Kino Engel at 10:00 on foot for an hour at Amos Rex. When am I out again, and how long do I wait?",
        """
        day = trip([visit("Amos Rex", stay="1 h")], start="Kino Engel", depart="10:00", mode="walk")
        answer(day.visits[0].leave, wait=day.wait, feasible=day.feasible)
        """,
        _clock(opens + timedelta(hours=1)),
        parts={"wait": opens - arrival, "feasible": True},
    )


def test_too_late_for_a_stay(helsinki: World) -> None:
    raw = helsinki.raw
    start, museum = raw.one("Kino Engel"), raw.one("Amos Rex")
    done = datetime(2020, 5, 4, 17) + helsinki.travel("walk", start, museum) + timedelta(hours=2)
    assert done > raw.closes(museum, MONDAY)
    helsinki.check(
        "Can I leave Kino Engel at 17:00 on foot and stay two hours at Amos Rex?",
        """
        day = trip([visit("Amos Rex", stay="2 h")], start="Kino Engel", depart="17:00", mode="walk")
        answer(day.feasible)
        """,
        False,
    )


@on(helsinki="12:00", porto="15:00")
def test_table_in_a_window(world: World, start: str) -> None:
    names = STOPS[world.name]
    raw = world.raw
    begin = datetime.combine(MONDAY, datetime.strptime(start, "%H:%M").time())  # noqa: DTZ007
    leave = begin - timedelta(hours=3)
    there = leave + world.travel("walk", raw.one(names[0]), raw.one(names[3])) + timedelta(minutes=90)
    at_table = max(begin, there + world.travel("walk", raw.one(names[3]), raw.one(names[2])))
    world.check(
        f"I leave {names[0]} at {leave:%H:%M}, spend 90 min at {names[3]}, and want to be at {names[2]} between {start} and "
        "two hours later. Does that work, and when do I sit down?",
        f"""
        day = trip([visit("{names[3]}", stay="90 min"), visit("{names[2]}", stay="1 h", window=["{start}", "{begin + timedelta(hours=2):%H:%M}"])],
                   start="{names[0]}", depart="{leave:%H:%M}", mode="walk", hours=False)
        answer(day.feasible, at_table=day.visits[1].begin)
        """,
        True,
        parts={"at_table": _clock(at_table)},
    )


@on(helsinki="walk", porto="walk")
def test_how_many_fit(world: World, start: str) -> None:
    home, *others = STOPS[world.name]
    raw = world.raw
    fits, at, here = 0, datetime(2020, 5, 4, 10), raw.one(home)
    for name in others:
        at += world.travel(start, here, raw.one(name)) + timedelta(minutes=40)
        here = raw.one(name)
        slack = abs((at - datetime(2020, 5, 4, 11, 45)).total_seconds())
        if slack < 60:
            raise NotClearError("just so")
        fits += at <= datetime(2020, 5, 4, 11, 45)
    world.check(
        f"I leave {home} at 10:00 on foot and have till 11:45: how many of {', '.join(others)}, in this order, with 40 min "
        "each?",
        f"""
        stays = [visit(n, stay="40 min") for n in {others}]
        day = trip(stays, start="{home}", depart="10:00", arrive="11:45", mode="walk", skip=True, hours=False)
        answer(count(day.order))
        """.replace("'", '"'),
        fits,
    )


@on(helsinki=None, porto=None)
def test_detour(world: World, start: None) -> None:
    a, b, c, _ = (world.raw.one(name) for name in STOPS[world.name])
    direct, over = world.travel("walk", a, c), world.travel("walk", a, b, c)
    world.check(
        f"How much longer is the walk from {a.name} to {c.name} by way of {b.name}, and how many times as long?",
        f"""
        direct = travel("{a.name}", "{c.name}", "walk").duration
        over = travel("{a.name}", "{b.name}", "walk").duration + travel("{b.name}", "{c.name}", "walk").duration
        answer(over - direct, times=over / direct)
        """,
        over - direct,
        parts={"times": over / direct},
    )


@on(helsinki=None, porto=None)
def test_speed(world: World, start: None) -> None:
    a, _, c, _ = (world.raw.one(name) for name in STOPS[world.name])
    hours = world.travel("bike", a, c).total_seconds() / 3600
    world.check(
        f"How many km/h do I ride on average from {a.name} to {c.name}?",
        f"""
        way = travel("{a.name}", "{c.name}", "bike")
        answer(way.distance.km / way.duration.h)
        """,
        world.way_m("bike", a, c) / 1000 / hours,
    )


@on(helsinki=("Amos Rex", "18:00"), porto=("Farmácia Vitália", "21:00"))
def test_in_time_before_closing(world: World, start: tuple[str, str]) -> None:
    raw = world.raw
    name, told = start
    home = raw.one(STOPS[world.name][2])
    closes = raw.closes(raw.one(name), MONDAY)
    assert f"{closes:%H:%M}" == told
    arrival = closes - timedelta(minutes=30) + world.travel("walk", home, raw.one(name))
    left = closes - arrival
    world.check(
        f"If I leave {home.name} on foot half an hour before {name} closes, do I get there in time, and how long before "
        "closing?",
        f"""
        closing = closes("{name}", "Mon")
        way = travel("{home.name}", "{name}", "walk", depart=closing - "30 min")
        answer(way.arrive < closing, left=closing - way.arrive)
        """,
        left > timedelta(),
        parts={"left": left},
    )
