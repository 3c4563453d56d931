"""Lists: filtered, ordered, grouped, paired, taken apart."""

# Clocks are those of the place.
# ruff: noqa: DTZ001

from collections import Counter
from datetime import timedelta
from itertools import combinations

import osmium

from tests.e2e.truth import MARGIN_M, NotClearError, Thing
from tests.modules.query.compositional.asking import Metres, World, on


def _pair(world: World, things: list[Thing]) -> tuple[tuple[float, float], Thing, Thing]:
    ranked = sorted(
        ((world.raw.span(a, b), a, b) for a, b in combinations(things, 2)), key=lambda one: one[0]
    )
    if ranked[1][0][0] - ranked[0][0][1] < MARGIN_M:
        raise NotClearError("two pairs are as close")
    return ranked[0]


@on(helsinki="Amos Rex", porto="Descobertas")
def test_closest_pair(world: World, start: str) -> None:
    raw = world.raw
    span, one, other = _pair(world, raw.near(raw.one(start), 700, amenity="theatre"))
    world.check(
        f"Which two theatres within 700 m of {start} are closest to each other, and how close?",
        f"""
        two = min(pairs(places("theatre", near="{start}", within="700 m")), key=lambda p: distance(p[0], p[1]))
        answer(two, apart=distance(two[0], two[1]))
        """,
        {one.name, other.name},
        parts={"apart": Metres(*span)},
    )


@on(helsinki=None)
def test_street_with_most_hotels(world: World, start: None) -> None:
    raw = world.raw
    streets = Counter(
        one.tags["addr:street"] for one in raw.once(raw.all(tourism="hotel")) if "addr:street" in one.tags
    )
    (street, most), (_, second) = streets.most_common(2)
    if most == second:
        raise NotClearError("two streets have as many")
    world.check(
        "In which street are the most hotels, and how many?",
        """
        hotels = group(places("hotel", where=lambda h: known(h.street)), by=lambda h: h.street)
        first = sort(hotels, key=lambda g: count(g.items), reverse=True)[0]
        answer(first.key, many=count(first.items), streets=count(hotels))
        """,
        street,
        parts={"many": most, "streets": len(streets)},
    )


@on(helsinki="Amos Rex", porto="Cinema da Trindade")
def test_more_ways_than_a_router_is_asked_for_at_once(world: World, start: str) -> None:
    """A list of more than fifty is judged by the ways to all of its members."""
    raw = world.raw
    begin, limit = raw.one(start), timedelta(minutes=5)
    found = raw.all(amenity="restaurant")
    assert len(found) > 50
    took = [world.travel("walk", begin, one) for one in found if raw.span(begin, one)[0] < 500]
    assert all(abs(one - limit) > timedelta(seconds=1) for one in took)
    world.check(
        f"How many restaurants does one reach from {start} in less than 5 minutes on foot, and how long at least?",
        f"""
        ways = [travel("{start}", p, "walk").duration for p in places("restaurant")]
        answer(count([one for one in ways if one < "5 min"]), least=min(ways))
        """,
        sum(one < limit for one in took),
        parts={"least": min(took)},
    )


@on(helsinki="Amos Rex", porto="Farmácia Couto")
def test_farthest_first(world: World, start: str) -> None:
    raw = world.raw
    found = [one for one in raw.near(raw.one(start), 600, amenity="pharmacy") if one.name]
    ordered = raw.nearest_few(start, found, len(found))[::-1]
    world.check(
        f"Name the pharmacies within 600 m of {start}, the farthest first.",
        f"""
        found = places("pharmacy", near="{start}", within="600 m")
        answer(sort(found, key=lambda p: distance(p, "{start}"), reverse=True))
        """,
        ordered,
    )


@on(helsinki="Amos Rex", porto="AL Batalha")
def test_tags_are_kinds(world: World, start: str) -> None:
    raw = world.raw
    tagged = raw.near(raw.one(start), 500, cuisine="italian", amenity=True)
    able = raw.near(raw.one(start), 275, wheelchair="yes", amenity="restaurant")
    world.check(
        f"What within 500 m of {start} is tagged cuisine=italian?",
        f"""
        able = places("wheelchair=yes", near="{start}", within="275 m", where=lambda p: "restaurant" in p.amenity)
        answer(count(places("cuisine=italian", near="{start}", within="500 m")), able=count(able))
        """,
        len(tagged),
        parts={"able": len(able)},
    )


def test_unknown_tags_are_no_empty_lists(helsinki: World) -> None:
    hints = {"amenity=benc": "`amenity=bench`", "foo=bar": "`amenity=bar`", "foo=qux": "foo=qux"}
    for tag, hint in hints.items():
        answer = helsinki.ask("How many?", f'answer(count(places("{tag}")))')
        assert answer.unanswerable
        assert hint in answer.reason
    program = 'answer(count(places("cuisine=ethiopian", near="Amos Rex", within="20 m")))'
    assert helsinki.ask("How many?", program).text == "0"


def test_trees_that_a_map_leaves_out_are_not_counted(helsinki: World) -> None:
    for kind in ("natural=tree", "tree", "barrier=gate"):
        answer = helsinki.ask("How many?", f'answer(count(places("{kind}")))')
        assert answer.unanswerable or any("only a few" in one for one in answer.warnings)


def test_none_without_a_condition_fulfils_nothing(helsinki: World) -> None:
    program = 'answer(nearest("library", to="Kiasma", within="60 m"{}))'
    plain = helsinki.ask("Which?", program.format("")).text
    assert "fulfils" not in plain
    assert plain.count("The nearest is") == 1
    assert "fulfils this" in helsinki.ask("Which?", program.format(', where=lambda p: p.name == "X"')).text


@on(helsinki="Rikhardinkadun kirjasto", porto="AL Batalha")
def test_cuisine(world: World, start: str) -> None:
    raw = world.raw
    found = raw.near(raw.one(start), 500, amenity="restaurant", cuisine="italian")
    world.check(
        f"Which restaurants within 500 m of {start} have an Italian cuisine?",
        f"""
        found = places("restaurant", near="{start}", within="500 m", where=lambda p: "italian" in p.cuisine)
        answer(found, some=count(found) >= 1)
        """,
        raw.in_order(raw.one(start), found),
        parts={"some": True},
        warnings=["not stated"],
    )


@on(helsinki="Hotel Arthur", porto="Farmácia Moreno")
def test_all_and_any(world: World, start: str) -> None:
    raw = world.raw
    cinemas = raw.once(raw.all(amenity="cinema"))
    close = raw.within(start, cinemas, 500)
    world.check(
        f"Are all cinemas of the map within 500 m of {start}? Is any of them?",
        f"""
        near = [distance(c, "{start}") <= "500 m" for c in places("cinema")]
        answer(all(near), any=any(near), of=count(near))
        """,
        len(close) == len(cinemas),
        parts={"any": bool(close), "of": len(cinemas)},
    )


@on(helsinki="Lönnrotinpuistikko", porto="Parque Municipal das Virtudes")
def test_inside_a_park_and_by_it(world: World, start: str) -> None:
    raw = world.raw
    park = raw.one(start, leisure="park")
    inside = raw.inside(
        park, [one for one in raw.all(tourism="artwork") + raw.all(amenity="cafe") if one.shape is None]
    )
    close = raw.within(park, raw.once(raw.all(amenity="restaurant")), 100)
    world.check(
        f"How many artworks and cafes are in {start}, and how many restaurants within 100 m of it?",
        f"""
        park = area("{start}")
        inside = count(places("artwork", inside=park)) + count(places("cafe", inside=park))
        answer(inside, restaurants=count(places("restaurant", near=park, within="100 m")), size=park.size)
        """,
        len(inside),
        parts={"restaurants": len(close)},
    )


@on(helsinki=("Akateeminen Kirjakauppa", "Rivoli (Jardin)"), porto=("Nations Porto", "Ibis Porto Centro"))
def test_corridor(world: World, start: tuple[str, str]) -> None:
    raw = world.raw
    a, b = (raw.one(name) for name in start)
    found = raw.between(a, b, raw.once(raw.all(amenity="restaurant")))
    world.check(
        f"How many restaurants lie between {start[0]} and {start[1]}?",
        f"""answer(count(places("restaurant", inside=between("{start[0]}", "{start[1]}"))))""",
        len(found),
    )


def test_along_a_street(helsinki: World) -> None:
    raw = helsinki.raw
    street = raw.street("Bulevardi")
    found = raw.within(street, raw.once(raw.all(amenity="cafe")), 60)
    helsinki.check(
        "How many cafes are there within 60 m of Bulevardi, and how long is the street?",
        """
        street = line("Bulevardi")
        answer(count(places("cafe", along=street, within="60 m")), long=street.length > "500 m")
        """,
        len(found),
        parts={"long": raw.length_m(street) > 500},
    )


def test_what_is_drawn_as_a_line_is_as_long_as_it_is_drawn(porto: World) -> None:
    length_m = porto.raw.length_m(porto.raw.street("Teleférico de Gaia", "aerialway"))
    porto.check(
        "How long is the cable car of Gaia?",
        """answer(place("Teleférico de Gaia").length)""",
        Metres(0.99 * length_m, 1.01 * length_m),
    )


@on(helsinki="Apteekki Bulevardia", porto="Cathedral Deisgn Apartments")
def test_open_at_an_hour(world: World, start: str) -> None:
    from datetime import datetime

    raw = world.raw
    cafes = raw.near(raw.one(start), 500, amenity="cafe")
    stated = [one for one in cafes if "opening_hours" in one.tags]
    open_ = [one for one in stated if one.open_at(datetime(2020, 5, 9, 9, 30))]
    world.check(
        f"Which cafes within 500 m of {start} are open on Saturday at 9:30, and of how many is it not stated?",
        f"""
        cafes = places("cafe", near="{start}", within="500 m")
        open = [c for c in cafes if is_open(c, "Sat 9:30")]
        answer(open, unstated=count(open.unstated), of=count(cafes))
        """,
        raw.in_order(raw.one(start), open_),
        parts={"unstated": len(cafes) - len(stated), "of": len(cafes)},
    )


@on(helsinki="Hotel Finn", porto="Farmácia Central de Gaia")
def test_same_street(world: World, start: str) -> None:
    raw = world.raw
    street = raw.next_to(raw.one(start), tourism="hotel").tags.get("addr:street")
    if street is None:
        raise NotClearError("its street is not stated")
    found = [
        one
        for one in raw.near(raw.one(start), 500, amenity="restaurant")
        if one.tags.get("addr:street") == street and one.name
    ]
    world.check(
        f"Which restaurants within 500 m of {start} are in the street of the hotel nearest to it?",
        f"""
        street = nearest("hotel", to="{start}").street
        found = places("restaurant", near="{start}", within="500 m")
        answer([r for r in found if known(r.street) and r.street == street], street=street)
        """,
        raw.in_order(raw.one(start), found),
        parts={"street": street},
    )


def test_park_against_square(helsinki: World) -> None:
    raw = helsinki.raw
    parks = {one.name: raw.size_m2(one) for one in raw.all(leisure="park") if one.name}
    largest, smallest = max(parks, key=lambda name: parks[name]), min(parks, key=lambda name: parks[name])
    helsinki.check(
        "Which named park is the largest, which the smallest, and how many times as large is the first?",
        """
        parks = [p for p in places("park") if known(p.name)]
        large = max(parks, key=lambda p: p.size)
        small = min(parks, key=lambda p: p.size)
        answer(large.name, small=small.name, times=large.size / small.size)
        """,
        largest,
        parts={"small": smallest, "times": parks[largest] / parks[smallest]},
    )


@on(helsinki="Kalevankatu", porto="Avenida da República")
def test_in_a_street_is_on_it(world: World, start: str) -> None:
    raw = world.raw
    found = raw.once(raw.near(raw.street(start), 30, amenity="cafe"))
    names = {one.name for one in found}
    world.check(f"Which cafes are in {start}?", f'answer(places("cafe", inside="{start}"))', names)


def test_the_address_at_a_position(helsinki: World) -> None:
    """The nearest house that is known for nothing but its address; its name is the address."""
    raw = helsinki.raw
    here = Thing("point", 0, {}, 60.16437, 24.93660)
    houses = [
        Thing("node", node.id, dict(node.tags), node.lat, node.lon)
        for node in osmium.FileProcessor(str(raw.path))
        if node.is_node()
        and "addr:housenumber" in node.tags
        and all(tag.k.startswith("addr:") for tag in node.tags)
    ]
    house = raw.nearest(here, houses)
    street, number, postcode, city = (
        house.tags[f"addr:{part}"] for part in ("street", "housenumber", "postcode", "city")
    )
    helsinki.check(
        "What is the address at 60.16437, 24.93660?",
        'answer(nearest("address", to="60.16437, 24.93660"))',
        f"{street} {number}, {postcode} {city}",
    )
