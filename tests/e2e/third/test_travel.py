"""Single routes, and trips with stays, changes of mode and deadlines."""

import pytest

from tests.e2e.cases import Case, Exactly, YesNo
from tests.e2e.second.test_ways import enough, faster, leave_by
from tests.e2e.test_routes import BIKE, CAR, WALK, long, main_street, quickest, takes
from tests.e2e.test_trips import by_hours, ends_at, lasts, order
from tests.e2e.worlds import Worlds

HOSTEL = "Jugendherberge Schaan-Vaduz"
KARLSTADT = "Valentin-Karlstadt-Musäum"
CAKES = "Granja Pastissería Xocolatí"
COINS = "Staatliche Münzsammlung München"
CYCLES = "Reckless The Bike Store"
DINNERS = ("Kitcho", "Gasthaus Isarthor", "Der Pschorr", "Cafe Luitpold - Palmengarten")
TOURS = (
    "Landesbibliothek -> Walsermuseum -> Post Mauren",
    "Walsermuseum -> Landesbibliothek -> Post Mauren",
    "Post Mauren -> Walsermuseum -> Landesbibliothek",
    "Walsermuseum -> Post Mauren -> Landesbibliothek",
)
MUSEUM_TRIP = ((WALK, "Hotel Domus", KARLSTADT), (WALK, KARLSTADT, "Der Pschorr"))

CASES = (
    # one way
    Case(
        "liechtenstein",
        "How long does it take to drive from Filiale Vaduz to Post Schaan?",
        takes(CAR, "Filiale Vaduz", "Post Schaan"),
        ("2 minutes", "5 minutes", "10 minutes", "15 minutes"),
    ),
    Case(
        "liechtenstein",
        "What is the driving distance from Roxy Markt Migros Partner to Restaurant Weinstube?",
        long(CAR, "Roxy Markt Migros Partner", "Restaurant Weinstube"),
        ("9.5 km", "12.4 km", "15.8 km", "21 km"),
    ),
    Case(
        "liechtenstein",
        "How long would a bike ride from domus to the Landesbibliothek take?",
        takes(BIKE, "domus", "Landesbibliothek"),
    ),
    Case(
        "liechtenstein",
        "How far is the walk from Hotel-Gasthof Löwen to the Landesbibliothek?",
        long(WALK, "Hotel-Gasthof Löwen", "Landesbibliothek"),
    ),
    Case(
        "vancouver",
        "How long does it take to walk from Steamworks to the Georgian Court Hotel?",
        takes(WALK, "Steamworks", "Georgian Court Hotel"),
        ("5 mins", "12 mins", "20 mins", "28 mins"),
    ),
    Case(
        "vancouver",
        "I'm driving from Moderne Burger to Mount Pleasant Branch. Which road will I mostly be on?",
        main_street("Moderne Burger", "Mount Pleasant Branch"),
        ("Kingsway", "West Broadway", "West 4th Avenue", "Main Street"),
    ),
    Case(
        "vancouver",
        "by car how many km from BC Golf Museum and Hall of Fame to T&T Supermarket on East 1st Avenue",
        long(CAR, "BC Golf Museum and Hall of Fame", "T&T Supermarket"),
    ),
    Case(
        "vancouver",
        "What is the cycling time from Banana Leaf to the Mount Pleasant Branch library?",
        takes(BIKE, "Banana Leaf", "Mount Pleasant Branch"),
        ("10 min", "21 min", "32 min", "45 min"),
    ),
    Case(
        "munich",
        "Which of these can I reach fastest on foot from Hotel Isartor?",
        quickest(WALK, "Hotel Isartor", DINNERS),
        DINNERS,
    ),
    Case(
        "munich",
        "Walking distance from Hotel Isartor to the Spielzeugmuseum?",
        long(WALK, "Hotel Isartor", "Spielzeugmuseum"),
        ("350 m", "660 m", "1 km", "1.4 km"),
    ),
    Case(
        "munich",
        "Is it quicker to cycle than to walk from Hotel Blauer Bock to Deutsches Theatermuseum?",
        faster("Hotel Blauer Bock", "Deutsches Theatermuseum", BIKE, WALK),
        ("Yes", "No"),
    ),
    Case(
        "andorra",
        "How many minutes by car from Hotel Nordic to Hotel del Pui?",
        takes(CAR, "Hotel Nordic", "Hotel del Pui"),
        ("9 minutes", "14 minutes", "19 minutes", "30 minutes"),
    ),
    Case(
        "andorra",
        "How far is it to drive from Estació Juli to Pampa?",
        long(CAR, "Estació Juli", "Pampa"),
    ),
    Case(
        "andorra",
        "walk from super u to the camden english pub how long",
        takes(WALK, "Super U", "The Camden - English Pub"),
    ),
    # trips
    Case(
        "liechtenstein",
        "I will walk from Jugendherberge Schaan-Vaduz to domus, spend 1 hour there, then walk to Mirans. "
        "How long will it take in total?",
        lasts((WALK, HOSTEL, "domus"), (WALK, "domus", "Mirans"), stay=60),
        ("1 hour 10 min", "1 hour 25 min", "1 hour 45 min", "2 hours 5 min"),
    ),
    Case(
        "liechtenstein",
        "I leave the Walsermuseum at 2:00 PM by car, stop at the Landesbibliothek for 30 minutes and then "
        "drive on to Post Mauren. What time will I arrive?",
        ends_at(
            840, (CAR, "Walsermuseum", "Landesbibliothek"), (CAR, "Landesbibliothek", "Post Mauren"), stay=30
        ),
        ("2:21 PM", "2:51 PM", "3:10 PM", "3:30 PM"),
    ),
    Case(
        "liechtenstein",
        "Starting at the Residence Hotel, I want to visit Walsermuseum, Landesbibliothek and Post Mauren by "
        "car. What is the most efficient order?",
        order(CAR, "Residence Hotel", ("Walsermuseum", "Landesbibliothek", "Post Mauren")),
        TOURS,
    ),
    Case(
        "liechtenstein",
        "I have to be at Post Mauren at 5 pm. When do I have to leave Landesbibliothek at the latest if I go "
        "by car?",
        leave_by(1020, (CAR, "Landesbibliothek", "Post Mauren")),
    ),
    Case(
        "vancouver",
        "I walk from Quality Hotel Downtown to Romers Burger, eat for 45 minutes, and then walk to Reckless "
        "The Bike Store. From there I cycle to Moderne Burger. How much time do I need altogether?",
        lasts(
            (WALK, "Quality Hotel Downtown", "Romers Burger"),
            (WALK, "Romers Burger", CYCLES),
            (BIKE, CYCLES, "Moderne Burger"),
            stay=45,
        ),
        ("55 minutes", "1 hour 5 minutes", "1 hour 20 minutes", "1 hour 40 minutes"),
    ),
    Case(
        "vancouver",
        "It's 6:00 pm and I'm at the Westin Grand. If I drive to Collingwood Safeway, can I be there by "
        "6:30 pm?",
        enough(30, (CAR, "Westin Grand", "Collingwood Safeway")),
        ("Yes", "No"),
    ),
    Case(
        "vancouver",
        "What's the latest I can leave Lost Lagoon Nature House by car for a 7 pm reservation at Sun Sui Wah "
        "Seafood Restaurant?",
        leave_by(1140, (CAR, "Lost Lagoon Nature House", "Sun Sui Wah Seafood Restaurant")),
        ("6:31 PM", "6:41 PM", "6:51 PM", "6:57 PM"),
    ),
    Case(
        "munich",
        f"I start walking at 12:00 from Hotel Domus to the {KARLSTADT}, stay there for an hour and a half, "
        "and then walk to Der Pschorr for lunch. At what time do I get to Der Pschorr?",
        ends_at(720, *MUSEUM_TRIP, stay=90),
        ("1:30 PM", "1:47 PM", "2:05 PM", "2:20 PM"),
    ),
    Case(
        "munich",
        f"I have 2 hours. Is that enough to walk from Hotel Domus to the {KARLSTADT}, spend 60 minutes "
        "inside, have 40 minutes at Der Pschorr and walk back to the hotel?",
        enough(120, *MUSEUM_TRIP, (WALK, "Der Pschorr", "Hotel Domus"), stay=100),
        ("Yes", "No"),
    ),
    Case(
        "munich",
        "If I walk at 16:30 from Torbräu to the Staatliche Münzsammlung München on a Friday and want to "
        "spend an hour there, will I manage before it closes?",
        by_hours({COINS: "Tu-Su 10:00-17:00"}, lambda raw: YesNo(False)),
        ("Yes", "No"),
    ),
    Case(
        "andorra",
        f"I drive from Margineda to {CAKES}, have a coffee for 20 minutes, and drive back to Margineda. How "
        "long is the whole outing?",
        lasts((CAR, "Margineda", CAKES), (CAR, CAKES, "Margineda"), stay=20),
    ),
    Case(
        "andorra",
        "Which should I visit first to keep the drive short? I start at Estació Juli and want to see Pampa, "
        f"{CAKES} and Hotel Nordic.",
        lambda raw: Exactly(
            order(CAR, "Estació Juli", ("Pampa", CAKES, "Hotel Nordic"))(raw).words.split(" -> ")[0]  # type: ignore[attr-defined]
        ),
        ("Pampa", CAKES, "Hotel Nordic", ""),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_travel(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
