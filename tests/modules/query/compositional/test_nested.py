"""A place that is named by another place, which is named by another."""

from tests.modules.query.compositional.asking import Metres, World


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


def test_second_museum_from_the_library_by_ateneum(helsinki: World) -> None:
    raw = helsinki.raw
    library = raw.next_to(raw.one("Ateneum", tourism="museum"), amenity="library")
    helsinki.check(
        "Take the library nearest to Ateneum. Which museum is the second nearest to it?",
        """
        library = nearest("library", to="Ateneum")
        answer(places("museum", near=library)[1], library=library)
        """,
        raw.nearest(library, raw.others(library, tourism="museum"), 2),
        parts={"library": library},
    )


def test_street_of_the_pharmacy_by_the_only_five_star_hotel(helsinki: World) -> None:
    raw = helsinki.raw
    hotels = [one for one in raw.all(tourism="hotel") if one.tags.get("stars") == "5"]
    assert len(hotels) == 1
    pharmacy = raw.next_to(hotels[0], amenity="pharmacy")
    helsinki.check(
        "Which pharmacy is nearest to the five-star hotel, and in which street is it?",
        """
        hotel = places("hotel", inside=area("helsinki"), where=lambda p: p.stars == 5)[0]
        pharmacy = nearest("pharmacy", to=hotel)
        answer(pharmacy, street=pharmacy.street, hotel=hotel)
        """,
        pharmacy,
        parts={"street": pharmacy.tags["addr:street"], "hotel": hotels[0]},
    )


def test_supermarket_by_the_hostel_by_the_station_and_its_way_back(porto: World) -> None:
    raw = porto.raw
    station = raw.one("Trindade", railway="station")
    hostel = raw.next_to(station, tourism="hostel")
    shop = raw.next_to(hostel, shop="supermarket")
    porto.check(
        "How far from Trindade station is the supermarket nearest to the hostel nearest to the station?",
        """
        station = place("Trindade", kind="station")
        hostel = nearest("hostel", to=station)
        shop = nearest("supermarket", to=hostel)
        answer(distance(shop, station), shop=shop, hostel=hostel)
        """,
        Metres(*raw.span(shop, station)),
        parts={"shop": shop, "hostel": hostel},
    )


def test_bookshop_by_the_cinema_by_a_park(porto: World) -> None:
    raw = porto.raw
    park = raw.one("Jardim de Teófilo Braga", leisure="park")
    cinema = raw.next_to(park, amenity="cinema")
    shop = raw.next_to(cinema, shop="books")
    porto.check(
        "Which bookshop is closest to the cinema that is closest to Jardim de Teófilo Braga?",
        """
        cinema = nearest("cinema", to="Jardim de Teófilo Braga")  # from the edge of the park
        answer(nearest("bookshop", to=cinema), cinema=cinema)
        """,
        shop,
        parts={"cinema": cinema},
    )


def test_nearest_by_walking_time_of_what_is_near_the_nearest(porto: World) -> None:
    raw = porto.raw
    theatre = raw.next_to(raw.one("Cinema da Trindade", amenity="cinema"), amenity="theatre")
    cafes = [one for one in raw.within(theatre, raw.others(theatre, amenity="cafe"), 150)]
    times = sorted((porto.travel("walk", theatre, cafe), cafe.name) for cafe in cafes)
    assert (times[1][0] - times[0][0]).total_seconds() > 2
    porto.check(
        "Of the cafes within 150 m of the theatre nearest to Cinema da Trindade, which one do I reach first on foot?",
        """
        theatre = nearest("theatre", to="Cinema da Trindade")
        cafes = places("cafe", near=theatre, within="150 m")
        first = min(cafes, key=lambda p: travel(theatre, p, "walk").duration)
        answer(first, walk=travel(theatre, first, "walk").duration, of=count(cafes))
        """,
        times[0][1],
        parts={"walk": times[0][0], "of": len(raw.within(theatre, raw.all(amenity="cafe"), 150))},
    )
