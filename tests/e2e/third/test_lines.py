"""Distances, directions and what lies between, as the crow flies."""

import pytest

from tests.e2e.cases import Case
from tests.e2e.test_geometry import between, by_distance, closest_pair, says_wind, straight
from tests.e2e.worlds import Worlds

ON_THE_ROAD = ("Landesbibliothek", "Post Mauren", "Roxy Markt Migros Partner", "Post Schaan")
FAR = ("Westin Grand", "Moderne Burger", "T&T Supermarket", "Mount Pleasant Branch")
NEAR = ("Kitcho", "Gasthaus Isarthor", "Café Dukatz", "Cafe Luitpold - Palmengarten")
PAIRS = (
    "Hotel Isartor and Torbräu",
    "Hotel Blauer Bock and Der Pschorr",
    "Hotel Domus and Café Dukatz",
    "Mariensäule and Kitcho",
)

CASES = (
    Case(
        "liechtenstein",
        "What is the straight-line distance between Post Schaan and Filiale Vaduz?",
        straight("Post Schaan", "Filiale Vaduz"),
        ("2.1 km", "3.4 km", "4.9 km", "6.2 km"),
    ),
    Case(
        "liechtenstein",
        "In which direction is the Landesbibliothek from Post Mauren?",
        says_wind("Post Mauren", "Landesbibliothek"),
        ("North", "South", "East", "West"),
    ),
    Case(
        "liechtenstein",
        "Which place lies between Filiale Vaduz and Gasthof Adler?",
        between("Filiale Vaduz", "Gasthof Adler", ON_THE_ROAD),
        ON_THE_ROAD,
    ),
    Case(
        "liechtenstein",
        "How far is Naafkopf from Kuhgrat as the crow flies?",
        straight("Kuhgrat", "Naafkopf"),
    ),
    Case(
        "vancouver",
        "If I look from Moderne Burger towards Mount Pleasant Branch, which way am I facing?",
        says_wind("Moderne Burger", "Mount Pleasant Branch"),
        ("East", "West", "North", "South"),
    ),
    Case(
        "vancouver",
        "Which of these places is farthest from Steamworks in a straight line?",
        by_distance("Steamworks", FAR, -1),
        FAR,
    ),
    Case(
        "vancouver",
        "aerial distance from Lost Lagoon Nature House to the BC Golf Museum and Hall of Fame in km?",
        straight("Lost Lagoon Nature House", "BC Golf Museum and Hall of Fame"),
    ),
    Case(
        "munich",
        "Which of the following is closest to Hotel Isartor?",
        by_distance("Hotel Isartor", NEAR, 0),
        NEAR,
    ),
    Case("munich", "Which two places are the closest to each other?", closest_pair(*PAIRS), PAIRS),
    Case(
        "munich",
        "What is the approximate straight-line distance between Torbräu and the Deutsches Theatermuseum?",
        straight("Torbräu", "Deutsches Theatermuseum"),
        ("300 m", "600 m", "900 m", "1.5 km"),
    ),
    Case(
        "andorra",
        "Is Hotel Nordic north-east or south-west of Estació Juli?",
        says_wind("Estació Juli", "Hotel Nordic"),
        ("Northeast", "Southwest", "Northwest", "Southeast"),
    ),
    Case("andorra", "How far apart are Pampa and Super U in a straight line?", straight("Pampa", "Super U")),
    Case(
        "andorra",
        "Which direction do I go from Hotel del Pui to reach Margineda?",
        says_wind("Hotel del Pui", "Margineda"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_line(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
