import pytest
from pyproj import Geod

from map_tools.facts import NearbyFact, PlaceFact
from tests.modules.context_reader.support import facts

GEOD = Geod(ellps="WGS84")


def one(text: str) -> NearbyFact:
    (fact,) = facts(text, NearbyFact)
    return fact


def test_sorted_list_with_sub_lines() -> None:
    fact = one("""Nearby Hindu Temples of Big Hall are (sorted by distance in ascending order):
1. <b>First Shrine</b>
   - Address: Mill Lane, Town.
   - Rating: 4.6. (2531 ratings).

2. <b>Parking</b>
   - Address: Gate 2.
3. <b>Second Shrine - East</b>
""")
    assert (fact.anchor, fact.what, fact.sorted_by_distance, fact.radius_m) == (
        "Big Hall",
        "hindu temple",
        True,
        None,
    )
    assert [item.place.name for item in fact.items] == ["First Shrine", "Parking", "Second Shrine - East"]
    assert fact.items[0].place.rating_count == 2531
    assert fact.items[1].place.address == "Gate 2"
    assert all(item.distance_m is None for item in fact.items)


def test_distances_are_computed_where_both_positions_are_printed() -> None:
    fact = one("""Information of <b>Tower</b>:
- Location: Town(51.5081, -0.0759).

Nearby Parks of Tower are (in 1000 m radius):
1. <b>North Park</b>(51.5141, -0.0783)
2. <b>Hidden Park</b>
""")
    assert (fact.radius_m, fact.sorted_by_distance) == (1000.0, False)
    expected = GEOD.inv(-0.0759, 51.5081, -0.0783, 51.5141)[2]
    assert fact.items[0].distance_m == pytest.approx(expected, abs=0.01)
    assert fact.items[1].distance_m is None
    assert fact.anchor_place is not None
    assert fact.anchor_place.address == "Town"
    assert "park" in fact.categories


@pytest.mark.parametrize(
    ("title", "anchor", "what", "radius_m"),
    [
        (
            'Nearby places of Lake Town of type "gas_station" are (sorted by distance):',
            "Lake Town",
            "gas station",
            None,
        ),
        (
            "There are some churches within 0.8 kilometers of the location Hill 4, Town, as shown below:",
            "Hill 4, Town",
            "church",
            800,
        ),
        (
            "There are some castle distance from the current location Quay 3 within 15 Kilometers in below:",
            "Quay 3",
            "castle",
            15000,
        ),
        (
            "There are some mosque distance from the current location Repair Shop in below:",
            "Repair Shop",
            "mosque",
            None,
        ),
        ('POIs for query "Restaurants in Lake Town" are:', "Lake Town", "restaurant", None),
        ("Universities near Lake Town:", "Lake Town", "university", None),
        ("The nearest hospitals to Lake Town are:", "Lake Town", "hospital", None),
        ("Top rated restaurants near Lake Town:", "Lake Town", "restaurant", None),
        ("Here are some cafes around Lake Town:", "Lake Town", "cafe", None),
        ("Museums within 2 miles of Lake Town:", "Lake Town", "museum", 3218.688),
        (
            "Nearby Places of Worship of Lake Town are (in 500 m radius):",
            "Lake Town",
            "place of worship",
            500,
        ),
    ],
)
def test_titles(title: str, anchor: str, what: str, radius_m: float | None) -> None:
    fact = one(f"{title}\n1. First\n2. Second\n")
    assert (fact.anchor, fact.what) == (anchor, what)
    assert fact.radius_m == (pytest.approx(radius_m) if radius_m else None)
    assert len(fact.items) == 2


def test_known_anchor_decides_where_the_title_is_split() -> None:
    fact = one("Information of House of Art:\n- Location: A.\n\nNearby Cafes of House of Art are:\n1. Bean\n")
    assert fact.anchor == "House of Art"


@pytest.mark.parametrize(
    ("line", "name", "address", "distance_m", "rating"),
    [
        ("1. Deck 13 - Navana Heights, House 67", "Deck 13", "Navana Heights, House 67", None, None),
        ("1. <b>The Pearl - Hall</b> (9HF3+R75, Town)", "The Pearl - Hall", "9HF3+R75, Town", None, None),
        ("1. <b>Bean</b> - 5 Main St", "Bean", "5 Main St", None, None),
        (
            "1. City Hall ( distance: 0.465 kilometers, rating:4.6, total reviewer:94)",
            "City Hall",
            None,
            465,
            4.6,
        ),
        ("- Bean: 200 m away, rating 4.5", "Bean", None, 200, 4.5),
        ("- Bean (4.2 stars, 120 reviews)", "Bean", None, None, 4.2),
        ("- Bean, 350 m", "Bean", None, 350, None),
        ("- Bean — 4.8 (210) — 300 m", "Bean", None, 300, 4.8),
        ("1. Bean | 4.6 | 1.2 km", "Bean", None, 1200, 4.6),
        ("1. Bean | Annex - 9/A Lake Road", "Bean | Annex", "9/A Lake Road", None, None),
        ("1. Masjid (Mosque)", "Masjid (Mosque)", None, None, None),
        ("1) Bean (0.4 km)", "Bean", None, 400, None),
        ("1. Bean & Leaf, East Branch", "Bean & Leaf, East Branch", None, None, None),
    ],
)
def test_items(
    line: str, name: str, address: str | None, distance_m: float | None, rating: float | None
) -> None:
    (item,) = one(f"Nearby cafes of Lake Town are:\n{line}\n").items
    assert (item.place.name, item.place.address, item.place.rating) == (name, address, rating)
    assert item.distance_m == (pytest.approx(distance_m) if distance_m else None)


def test_longer_readings_of_a_name_with_dashes_are_kept() -> None:
    (item,) = one("Nearby cafes of Lake Town are:\n1. Bella - East - 91 Road, Town\n").items
    assert item.place.name == "Bella"
    assert item.place.aliases == ("Bella - East",)


def test_items_without_bullets_end_with_the_list() -> None:
    text = """There are some churches within 0.8 kilometers of the location Hill 4, as shown below:

First Church ( distance: 0.5 kilometers, rating:0, total reviewer:0)
Second Church, East ( distance: 0.6 kilometers, rating:4.5, total reviewer:42)
Travel Time from Hill 4 to First Church on foot is 7 mins (0.5 km).
"""
    fact = one(text)
    assert [item.place.name for item in fact.items] == ["First Church", "Second Church, East"]
    assert fact.items[0].place.rating is None, "nobody has rated it"
    assert fact.items[0].place.rating_count == 0


def test_item_takes_over_what_its_own_block_says() -> None:
    text = """Information of <b>The Pizzeria</b>:
- Location: Main St, Town.
- Rating: 3.8. (399 ratings).

Nearby Restaurants of Hall are (sorted by distance in ascending order):
1. <b>The Pizzeria</b> (Main Street)
2. <b>Mosque</b> (A, Town)
3. <b>Mosque</b> (B, Town)
"""
    fact = one(text)
    (block,) = facts(text, PlaceFact)
    assert fact.items[0].place.rating == 3.8
    assert fact.items[0].place.address == "Main Street"
    assert fact.items[0].place.id == block.place.id
    assert len({item.place.id for item in fact.items}) == 3


@pytest.mark.parametrize(
    "text",
    [
        "There are no pharmacies within 1 km of Lake Town.",
        "Nearby Pharmacies of Lake Town are (in 1000 m radius):\n\nInformation of X:\n- Location: A.",
    ],
)
def test_empty_list(text: str) -> None:
    fact = one(text)
    assert (fact.anchor, fact.what, fact.items, fact.radius_m) == ("Lake Town", "pharmacy", (), 1000.0)


def test_cut_list_is_not_complete() -> None:
    assert one("Cafes near Lake Town:\n1. A\n2. B\n...\n").complete is False
