"""Nearest, k-th nearest, all within, how many within, with and without conditions."""

import pytest

from tests.e2e.cases import Case, Counts, Exactly, Metres, YesNo, moment, names
from tests.e2e.tellers import (
    Teller,
    count,
    first,
    kinds,
    nearest,
    open_kinds,
    within,
)
from tests.e2e.truth import RawMap
from tests.e2e.worlds import Worlds

THREE_SMITHS = (60.1686688, 24.9409553)
"""Where the user stands: at the statue of the three smiths in Helsinki."""


def exists(anchor: str, radius_m: float, **rules: str) -> Teller:
    """The answer is yes if there is one within the radius."""
    return lambda raw: YesNo(bool(raw.within(anchor, raw.all(**rules), radius_m)))


def nearest_open(anchor: str, day: str, time: str, **rules: str) -> Teller:
    """The answer is the nearest one whose opening hours say that it is open."""
    return lambda raw: names([raw.nearest(anchor, open_kinds(raw, moment(day, time), **rules))])


def nearest_option(anchor: str, *options: str) -> Teller:
    """The answer is the option nearest to the anchor."""
    return lambda raw: Exactly(raw.nearest(anchor, [raw.one(option) for option in options]).name)


def others_within(anchor: str, radius_m: float, **rules: str) -> Teller:
    """The answer lists those within the radius, without the anchor itself."""
    return lambda raw: names([t for t in raw.within(anchor, raw.all(**rules), radius_m) if t.name != anchor])


def round_the_clock(anchor: str, **rules: str) -> Teller:
    """The answer is the nearest one that never closes."""
    return lambda raw: names([raw.nearest(anchor, raw.all(opening_hours="24/7", **rules))])


def smiths(raw: RawMap) -> str:
    """The anchor of questions about 'me'; its place on the map is checked to be where the user stands."""
    statue = raw.one("Kolme seppää", tourism="artwork")
    assert abs(statue.lat - THREE_SMITHS[0]) + abs(statue.lng - THREE_SMITHS[1]) < 2e-4
    return "Kolme seppää"


HOTELS = ("Hotelli Seurahuone", "Hotel Finn", "Original Sokos Hotel Vaakuna", "Carlton")
MARKETS = ("K-Supermarket Kaisaniemi", "K-Supermarket Postitalo", "Lidl", "S-Market Sokos Helsinki")
BREWS = ("Altes Hackerhaus", "Donisl", "Der Pschorr", "Andy's Krablergarten")

CASES = (
    # nearest
    Case(
        "helsinki",
        "Which pharmacy is the nearest to Kinopalatsi?",
        nearest("Kinopalatsi", amenity="pharmacy"),
    ),
    Case(
        "helsinki",
        "whats the closest cinema to hotel arthur",
        nearest("Hotel Arthur", amenity="cinema"),
        ("Bio Rex", "Kinopalatsi", "Kino Engel"),
    ),
    Case(
        "helsinki",
        "I'm at Zetor and fancy some Italian food. Which Italian restaurant is closest?",
        nearest("Zetor", amenity="restaurant", cuisine="italian"),
    ),
    Case(
        "helsinki",
        "Which wheelchair-accessible pub is nearest to Amos Rex?",
        nearest("Amos Rex", amenity="pub", wheelchair="yes"),
        options=(
            "O'Learys",
            "Henry's Pub",
            "Minuuttibaari",
        ),
    ),
    Case("helsinki", "Which of these hotels is closest to Zetor?", nearest_option("Zetor", *HOTELS), HOTELS),
    Case(
        "helsinki",
        "Where's the nearest cinema from here?",
        lambda raw: nearest(smiths(raw), amenity="cinema")(raw),
        near=THREE_SMITHS,
    ),
    Case(
        "helsinki",
        "Nearest hostel to Juttutupa?",
        nearest("Juttutupa", tourism="hostel"),
        ("Gasthaus Omapohja", "", "Hostel Margarita", "Hostel Diana Park (Erottajanpuisto)"),
    ),
    Case(
        "munich",
        "which indian restaurant is closest to Torbräu?",
        nearest("Torbräu", amenity="restaurant", cuisine="indian"),
        options=(
            "Goa",
            "Shalimar",
            "Garam Masala",
            "Indian Mango",
        ),
    ),
    Case("munich", "Bookshop nearest to Torbräu?", nearest("Torbräu", shop="books")),
    Case(
        "munich",
        "What is the closest restaurant serving Bavarian food to the Gloria cinema?",
        nearest("Gloria", amenity="restaurant", cuisine="bavarian"),
        BREWS,
    ),
    Case(
        "munich",
        "Closest post office to the cinema Gloria please",
        nearest("Gloria", amenity="post_office"),
        options=(
            "Postbank Finanzcenter",
            "",
            "Deutsche Postbank",
        ),
    ),
    Case(
        "vancouver",
        "Which library is nearest to Po Kong?",
        nearest("Po Kong", amenity="library"),
        options=(
            "Mount Pleasant Branch",
            "VPL Kensington Branch",
        ),
    ),
    Case("vancouver", "closest book store to the Sandbar", nearest("The Sandbar", shop="books")),
    Case(
        "vancouver",
        "What Vietnamese restaurant is closest to Tojos?",
        nearest("Tojos", amenity="restaurant", cuisine="vietnamese"),
    ),
    Case(
        "vancouver",
        "Nearest drugstore to Tojos?",
        nearest("Tojos", amenity="pharmacy"),
        options=(
            "Finlandia Pharmacy",
            "Howe Street Pharmacy",
            "Alberto Pharmacy",
        ),
    ),
    Case(
        "liechtenstein",
        "I need a chemist's near the Landesbibliothek in Vaduz. Which one is closest?",
        nearest("Landesbibliothek", amenity="pharmacy"),
    ),
    Case("liechtenstein", "nearest movie theater to Post Schaan", nearest("Post Schaan", amenity="cinema")),
    Case(
        "liechtenstein",
        "Where is the closest bakery to Post Balzers?",
        nearest("Post Balzers", shop="bakery"),
        ("gaston frommelt", "Dorfbäckerei Herrmann", "Beck Frommelt"),
    ),
    # k-th nearest, the nearest few
    Case(
        "helsinki",
        "what's the second closest pharmacy to Hotel Arthur",
        nearest("Hotel Arthur", 2, amenity="pharmacy"),
        options=(
            "Apteekki Eliel",
            "Kluuvin Apteekki",
            "Erottajan Apteekki",
        ),
    ),
    Case(
        "helsinki",
        "Which is the third-nearest supermarket from Kinopalatsi?",
        nearest("Kinopalatsi", 3, shop="supermarket"),
        MARKETS,
    ),
    Case(
        "vancouver",
        "Which Indian restaurant is the 2nd closest to Tojos?",
        nearest("Tojos", 2, amenity="restaurant", cuisine="indian"),
        ("Raga", "New Indian", "Vij's", "Maurya"),
    ),
    Case("munich", "Name the three nearest museums to the Torbräu.", first("Torbräu", 3, tourism="museum")),
    Case("munich", "What are the 2 closest cinemas to Torbräu hotel?", first("Torbräu", 2, amenity="cinema")),
    Case(
        "liechtenstein",
        "Which two supermarkets are nearest to Post Balzers?",
        first("Post Balzers", 2, shop="supermarket"),
    ),
    # how many within
    Case(
        "helsinki",
        "How many pharmacies are there within 300 metres of Kolme seppää?",
        count("Kolme seppää", 300, amenity="pharmacy"),
        options=(
            "2",
            "3",
            "4",
            "5",
            "6",
        ),
    ),
    Case(
        "helsinki",
        "Number of hotels within 200 m of Kinopalatsi?",
        count("Kinopalatsi", 200, tourism="hotel"),
        ("2", "3", "4", "5", "7"),
    ),
    Case(
        "helsinki",
        "how many japanese restaurants are there in a radius of 600m around Kinopalatsi",
        count("Kinopalatsi", 600, amenity="restaurant", cuisine="japanese"),
        options=(
            "1",
            "3",
            "5",
            "7",
            "9",
            "11",
        ),
    ),
    Case(
        "helsinki",
        "How many pharmacies are within 400 m of me?",
        lambda raw: count(smiths(raw), 400, amenity="pharmacy")(raw),
        near=THREE_SMITHS,
    ),
    Case(
        "munich",
        "How many cinemas are there within 500 m of the Ratskeller?",
        count("Ratskeller", 500, amenity="cinema"),
        options=(
            "1",
            "2",
            "3",
            "4",
        ),
    ),
    Case(
        "vancouver",
        "How many gas stations are within 600 m of Tojos?",
        count("Tojos", 600, amenity="fuel"),
        ("0", "1", "2", "3"),
    ),
    Case(
        "liechtenstein",
        "How many supermarkets can I find within a 200 metre radius of Post Schaan?",
        count("Post Schaan", 200, shop="supermarket"),
    ),
    # all within
    Case(
        "helsinki",
        "List every cinema within half a kilometre of Kinopalatsi.",
        others_within("Kinopalatsi", 500, amenity="cinema"),
    ),
    Case(
        "munich",
        "Give me all Indian restaurants less than 300 metres from Torbräu",
        within("Torbräu", 300, amenity="restaurant", cuisine="indian"),
    ),
    Case(
        "liechtenstein",
        "Which museums are within 390 m of the Landesbibliothek?",
        within("Landesbibliothek", 390, tourism="museum"),
    ),
    # is there one
    Case(
        "helsinki",
        "Is there a casino within 100 metres of Kinopalatsi?",
        exists("Kinopalatsi", 100, amenity="casino"),
        options=(
            "Yes",
            "No",
        ),
    ),
    Case(
        "helsinki",
        "any post office within 250 m of Hotel Arthur?",
        exists("Hotel Arthur", 250, amenity="post_office"),
    ),
    Case(
        "vancouver",
        "Is there a library within a quarter of a mile of Po Kong?",
        exists("Po Kong", 402, amenity="library"),
    ),
    # conditions on opening
    Case(
        "helsinki",
        "Nearest supermarket to Cafe Engel that is open at 11 pm on a Sunday?",
        nearest_open("Cafe Engel", "Su", "23:00", shop="supermarket"),
    ),
    Case(
        "helsinki",
        "It's Saturday, 10 pm, and I'm staying at Hotel Arthur. Which of these pharmacies is open?",
        lambda raw: names(kinds(raw, "Sa", "22:00", amenity="pharmacy")),
        ("Apteekki Bulevardia", "Erottajan Apteekki", "Yliopiston Apteekki Kaivopiha"),
    ),
    Case(
        "munich",
        "Which pharmacy open on Saturday at 5 pm is closest to Torbräu?",
        nearest_open("Torbräu", "Sa", "17:00", amenity="pharmacy"),
        options=(
            "Isartor Apotheke",
            "Mohrenapotheke",
            "Bio-Apotheke",
            "Zweibrücken-Apotheke",
        ),
    ),
    Case(
        "munich",
        "I need a pharmacy on a Friday at 19:15. What's the closest open one to the Ratskeller?",
        nearest_open("Ratskeller", "Fr", "19:15", amenity="pharmacy"),
        ("Rathaus-Apotheke", "Engel Apotheke", "Orlando-Apotheke"),
    ),
    Case(
        "munich",
        "How many Indian restaurants within 500 m of Torbräu are open on a Monday at 3:30 pm?",
        lambda raw: Counts(
            len(
                raw.within(
                    "Torbräu",
                    open_kinds(raw, moment("Mo", "15:30"), amenity="restaurant", cuisine="indian"),
                    500,
                )
            )
        ),
    ),
    Case(
        "liechtenstein",
        "Closest supermarket to Post Schaan that is open on a Sunday at 9 in the morning",
        nearest_open("Post Schaan", "Su", "09:00", shop="supermarket"),
        options=(
            "Migros",
            "Denner",
            "SparGourmet",
        ),
    ),
    Case(
        "munich",
        "How far is the nearest bookshop from Torbräu?",
        lambda raw: Metres(raw.metres("Torbräu", raw.nearest("Torbräu", raw.all(shop="books")))),
        ("120 m", "220 m", "470 m"),
    ),
    Case(
        "helsinki",
        "My train gets in at 3 in the morning and I need groceries. Which supermarket close to "
        "Kinopalatsi is open around the clock?",
        round_the_clock("Kinopalatsi", shop="supermarket"),
        ("Lidl", "K-Supermarket Kaisaniemi", "S-Market Sokos Helsinki"),
    ),
    Case(
        "munich",
        "how many wheelchair accesible restaurants are within 100 m of the Ratskeller",
        count("Ratskeller", 100, amenity="restaurant", wheelchair="yes"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_nearby(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
