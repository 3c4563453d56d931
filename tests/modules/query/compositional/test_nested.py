"""A place that is named by another place, which is named by another."""

import pytest

from tests.e2e.truth import MARGIN_M, NotClearError
from tests.modules.query.compositional.asking import Metres, World, on

GROCERS = ("supermarket", "grocery")
"""A shop=grocery is one by another tag (https://wiki.openstreetmap.org/wiki/Tag:shop=grocery)."""
WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def test_restaurant_by_the_museum_by_kiasma(helsinki: World) -> None:
    raw = helsinki.raw
    museum = raw.next_to(raw.one("Kiasma", tourism="museum"), tourism="museum")
    food = raw.next_to(museum, amenity="restaurant")
    helsinki.check(
        "Which restaurant is nearest to the museum nearest to Kiasma, and how long is the walk between the two?",
        """
        museum = nearest("museum", to=place("Kiasma"))
        food = nearest("restaurant", to=museum)
        answer(food, museum=museum, walk=travel(museum, food, "walk").duration)
        """,
        food,
        parts={"museum": museum, "walk": helsinki.travel("walk", museum, food)},
    )


@on(helsinki="Kino Engel")
def test_cafe_by_the_theatre(world: World, start: str) -> None:
    raw = world.raw
    theatre = raw.next_to(raw.one(start), amenity="theatre")
    cafe = raw.next_to(theatre, amenity="cafe")
    world.check(
        f"Which cafe is nearest to the theatre nearest to {start}?",
        f"""answer(nearest("cafe", to=nearest("theatre", to="{start}")))""",
        cafe,
    )


@on(helsinki="Akateeminen Kirjakauppa", porto="Breyner House")
def test_second_museum_from_the_library(world: World, start: str) -> None:
    raw = world.raw
    library = raw.next_to(raw.one(start), amenity="library")
    world.check(
        f"Take the library nearest to {start}. Which museum is the second nearest to it?",
        f"""
        library = nearest("library", to="{start}")
        answer(places("museum", near=library)[1], library=library)
        """,
        raw.nearest(library, raw.others(library, tourism="museum"), 2),
        parts={"library": library},
    )


def test_fast_food_by_the_only_five_star_hotel(helsinki: World) -> None:
    raw = helsinki.raw
    hotels = [one for one in raw.all(tourism="hotel") if one.tags.get("stars") == "5"]
    assert len(hotels) == 1
    library = raw.next_to(hotels[0], amenity="library")
    helsinki.check(
        "Which library is nearest to the five-star hotel, and in which street is the hotel?",
        """
        hotel = places("hotel", inside=area("helsinki"), where=lambda p: p.stars == 5)[0]
        answer(nearest("library", to=hotel), street=hotel.street, hotel=hotel)
        """,
        library,
        parts={"street": hotels[0].tags["addr:street"], "hotel": hotels[0]},
    )


@on(helsinki="Bio Rex", porto="Trindade")
def test_supermarket_by_the_hostel_and_its_way_back(world: World, start: str) -> None:
    raw = world.raw
    anchor = raw.one(start, railway="station") if start == "Trindade" else raw.one(start)
    kind = ', kind="station"' if start == "Trindade" else ""
    hostel = raw.next_to(anchor, tourism="hostel")
    shop = raw.next_to(hostel, shop=GROCERS)
    world.check(
        f"How far from {start} is the supermarket nearest to the hostel nearest to it?",
        f"""
        start = place("{start}"{kind})
        hostel = nearest("hostel", to=start)
        shop = nearest("supermarket", to=hostel)
        answer(distance(shop, start), shop=shop, hostel=hostel)
        """,
        Metres(*raw.span(shop, anchor)),
        parts={"shop": shop, "hostel": hostel},
    )


@on(helsinki="Vanha kirkkopuisto")
def test_bookshop_by_the_cinema_by_a_park(world: World, start: str) -> None:
    raw = world.raw
    cinema = raw.next_to(raw.one(start, leisure="park"), amenity="cinema")
    shop = raw.next_to(cinema, shop="books")
    world.check(
        f"Which bookshop is closest to the cinema that is closest to {start}?",
        f"""
        cinema = nearest("cinema", to=area("{start}"))  # from the edge of the park
        answer(nearest("bookshop", to=cinema), cinema=cinema)
        """,
        shop,
        parts={"cinema": cinema},
    )


@on(helsinki="Kinopalatsi", porto="Museu de São Francisco do Porto")
def test_first_cafe_reached_on_foot_from_the_nearest_hotel(world: World, start: str) -> None:
    raw = world.raw
    hotel = raw.next_to(raw.one(start), tourism="hotel")
    cafes = raw.near(hotel, 300, amenity="cafe")
    times = sorted((world.travel("walk", hotel, cafe), cafe.name) for cafe in cafes)
    if (times[1][0] - times[0][0]).total_seconds() < 2:
        raise NotClearError("two are as quickly reached")
    world.check(
        f"Of the cafes within 300 m of the hotel nearest to {start}, which one do I reach first on foot?",
        f"""
        hotel = nearest("hotel", to="{start}")
        cafes = places("cafe", near=hotel, within="300 m")
        first = min(cafes, key=lambda p: travel(hotel, p, "walk").duration)
        answer(first, walk=travel(hotel, first, "walk").duration, of=count(cafes))
        """,
        times[0][1],
        parts={"walk": times[0][0], "of": len(cafes)},
    )


@on(helsinki="Amos Rex", porto="Being Porto")
def test_four_steps_deep(world: World, start: str) -> None:
    raw = world.raw
    theatre = raw.next_to(raw.one(start), amenity="theatre")
    hotel = raw.next_to(theatre, tourism="hotel")
    pharmacy = raw.next_to(hotel, amenity="pharmacy")
    world.check(
        f"What is the pharmacy nearest to the hotel nearest to the theatre nearest to {start}, and how far is it from "
        "there?",
        f"""
        pharmacy = nearest("pharmacy", to=nearest("hotel", to=nearest("theatre", to="{start}")))
        answer(pharmacy, away=distance(pharmacy, "{start}"))
        """,
        pharmacy,
        parts={"away": Metres(*raw.span(pharmacy, raw.one(start)))},
    )


@on(helsinki="Hotel Arthur", porto="Breyner House")
def test_restaurants_around_the_nearest_library(world: World, start: str) -> None:
    raw = world.raw
    library = raw.next_to(raw.one(start), amenity="library")
    world.check(
        f"How many restaurants are there within 250 m of the library nearest to {start}?",
        f"""answer(count(places("restaurant", near=nearest("library", to="{start}"), within="250 m")))""",
        len(raw.near(library, 250, amenity="restaurant")),
    )


@on(helsinki="Hotel Arthur", porto="The Yeatman")
def test_wind_from_one_found_place_to_another(world: World, start: str) -> None:
    raw = world.raw
    pharmacy = raw.next_to(raw.one(start), amenity="pharmacy")
    hotel = raw.next_to(pharmacy, tourism="hotel")
    bearing = raw.bearing(pharmacy, hotel)
    if not 5 < (bearing + 22.5) % 45 < 40:
        raise NotClearError("between two winds")
    world.check(
        f"In which direction from the pharmacy nearest to {start} lies the hotel nearest to that pharmacy?",
        f"""
        pharmacy = nearest("pharmacy", to="{start}")
        hotel = nearest("hotel", to=pharmacy)
        way = direction(pharmacy, to=hotel)
        answer(way.name, hotel=hotel)
        """,
        WINDS[round(bearing / 45) % 8].replace("-", ""),
        parts={"hotel": hotel},
    )


@on(helsinki="Apteekki Bulevardia", porto="Cinema da Trindade")
def test_what_is_farthest_among_what_is_near(world: World, start: str) -> None:
    raw = world.raw
    anchor = raw.one(start)
    far = raw.farthest(anchor, raw.near(anchor, 700, amenity="pharmacy"))
    cafe = raw.next_to(far, amenity="cafe")
    world.check(
        f"Which cafe is nearest to the farthest of the pharmacies within 700 m of {start}?",
        f"""
        far = max(places("pharmacy", near="{start}", within="700 m"), key=lambda p: distance(p, "{start}"))
        answer(nearest("cafe", to=far), pharmacy=far)
        """,
        cafe,
        parts={"pharmacy": far},
    )


@on(helsinki="Carlton", porto="Candelabro")
def test_hotels_that_have_a_cafe_close_by(world: World, start: str) -> None:
    raw = world.raw
    hotels = [one for one in raw.near(raw.one(start), 350, tourism="hotel") if one.name]
    wanted = {one.name for one in hotels if raw.near(one, 60, amenity="cafe")}
    world.check(
        f"Which hotels within 350 m of {start} have a cafe within 60 m?",
        f"""
        hotels = places("hotel", near="{start}", within="350 m")
        answer([h for h in hotels if count(places("cafe", near=h, within="60 m")) > 0])
        """,
        wanted,
    )


@on(helsinki=("Amos Rex", "Bio Rex"), porto=("Travel & Live Porto Hostel", "Porto Spot Hostel"))
def test_nearer_of_two_found_places(world: World, start: tuple[str, str]) -> None:
    raw = world.raw
    one, other = (raw.next_to(raw.one(name), tourism="hotel") for name in start)
    (_, far), (near, _) = sorted(
        raw.span(hotel, raw.one(name)) for hotel, name in ((one, start[0]), (other, start[1]))
    )
    if near - far < MARGIN_M:
        raise NotClearError("as near as the other")
    world.check(
        f"Is {start[0]} nearer to its nearest hotel than {start[1]} is to its own?",
        f"""
        first = nearest("hotel", to="{start[0]}")
        second = nearest("hotel", to="{start[1]}")
        answer(distance(first, "{start[0]}") < distance(second, "{start[1]}"), first=first, second=second)
        """,
        raw.span(one, raw.one(start[0])) < raw.span(other, raw.one(start[1])),
        parts={"first": one, "second": other},
    )


@pytest.mark.parametrize("side", ["north", "south", "east", "west"])
def test_cinema_at_the_edge_of_the_map(helsinki: World, side: str) -> None:
    raw = helsinki.raw
    cinema = raw.extreme(raw.all(amenity="cinema"), side)
    field, best = (
        ("lat" if side in {"north", "south"} else "lng"),
        ("max" if side in {"north", "east"} else "min"),
    )
    pub = raw.next_to(cinema, amenity="pub")
    helsinki.check(
        f"Which pub is nearest to the {side}ernmost cinema?",
        f"""
        cinema = {best}(places("cinema"), key=lambda p: p.{field})
        answer(nearest("pub", to=cinema), cinema=cinema)
        """,
        pub,
        parts={"cinema": cinema},
    )


@on(helsinki=("Espresso House", "Kino Engel"), porto=("Pingo Doce", "Cinema Passos Manuel"))
def test_branch_by_what_it_is_near_to(world: World, start: tuple[str, str]) -> None:
    raw = world.raw
    name, anchor = start
    branch = raw.nearest(anchor, raw.once([one for one in raw.all(name=True) if one.name == name]))
    world.check(
        f"How far from {anchor} is the {name} by it?",
        f"""answer(distance(place("{name}", near="{anchor}"), "{anchor}"))""",
        Metres(*raw.span(raw.one(anchor), branch)),
    )


@on(helsinki=("Esplanadinpuisto", "artwork"))
def test_only_one_of_its_kind_inside_by_name(world: World, start: tuple[str, str]) -> None:
    raw = world.raw
    park, kind = start
    found = [one for one in raw.inside(raw.one(park, leisure="park"), raw.all(tourism=kind)) if one.name]
    if not found:
        raise NotClearError("there is none")
    world.check(
        f"Where in {park} is {found[0].name}?",
        f"""answer(place("{found[0].name}", inside=area("{park}"), kind="{kind}"))""",
        found[0],
    )
