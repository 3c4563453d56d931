"""What there is around a place, with and without conditions."""

import pytest

from tests.e2e.cases import Case
from tests.e2e.tellers import count, first, nearest, within
from tests.e2e.test_districts import count as count_in
from tests.e2e.test_nearby import exists, nearest_open, round_the_clock
from tests.e2e.worlds import Worlds

CASES = (
    Case(
        "liechtenstein",
        "Which restaurant is nearest to the Residence Hotel in Vaduz?",
        nearest("Residence Hotel", amenity="restaurant"),
        ("Restaurant Amarone", "Brasserie Burg", "Restaurant Engel", "Restaurante Cesare"),
    ),
    Case(
        "liechtenstein",
        "What is the closest Italian restaurant to the Residence Hotel?",
        nearest("Residence Hotel", amenity="restaurant", cuisine="italian"),
        ("Made in Italy", "La Piazza", "Mirans", "Pizzeria Toscana"),
    ),
    Case(
        "liechtenstein",
        "I'm staying at the Residence Hotel and need a pharmacy. Where is the nearest one?",
        nearest("Residence Hotel", amenity="pharmacy"),
    ),
    Case(
        "liechtenstein",
        "How many cafes are there within 300 meters of the Residence Hotel?",
        count("Residence Hotel", 300, amenity="cafe"),
        ("3", "4", "5", "8"),
    ),
    Case(
        "liechtenstein",
        "List the bars within 300 m of Post Schaan.",
        within("Post Schaan", 300, amenity="bar"),
    ),
    Case(
        "liechtenstein",
        "Which is the second closest wheelchair-accessible restaurant to Post Schaan?",
        nearest("Post Schaan", 2, amenity="restaurant", wheelchair="yes"),
        ("Mirans", "Pizzeria Toscana", "Brasserie Burg", "Restaurant Da Dona"),
    ),
    Case(
        "liechtenstein",
        "Which pharmacy near the Residence Hotel is open on Sunday at 11 am?",
        nearest_open("Residence Hotel", "Su", "11:00", amenity="pharmacy"),
        (
            "Apotheke am Postplatz",
            "TopPharm Apotheke",
            "Schloss Apotheke",
            "Apotheke am Sonnenplatz",
        ),
    ),
    Case("liechtenstein", "How many museums are there in Vaduz?", count_in("Vaduz", tourism="museum")),
    Case(
        "liechtenstein",
        "Is there any bank within 200 m of Post Schaan?",
        exists("Post Schaan", 200, amenity="bank"),
        ("Yes", "No"),
    ),
    Case(
        "vancouver",
        "What is the nearest hotel to Steamworks on Water Street?",
        nearest("Steamworks", tourism="hotel"),
        ("Delta Vancouver Suites", "Marble Arch Hotel", "Fairmont Waterfront", "Pan Pacific"),
    ),
    Case(
        "vancouver",
        "Name the three closest hotels to the Georgian Court Hotel, nearest first.",
        first("Georgian Court Hotel", 3, tourism="hotel"),
    ),
    Case(
        "vancouver",
        "Which theatre is closest to the Georgian Court Hotel?",
        nearest("Georgian Court Hotel", amenity="theatre"),
        ("Vogue Theatre", "The Orpheum", "Queen Elizabeth Theatre", "Commodore Ballroom"),
    ),
    Case(
        "vancouver",
        "I just had lunch at Moderne Burger. Where can I find the nearest bakery?",
        nearest("Moderne Burger", shop="bakery"),
        ("Cobs", "Terra Breads", "Uprising Breads Bakery Cafe", "Keis Bakery"),
    ),
    Case(
        "vancouver",
        "how many pubs within half a kilometre of Georgian Court Hotel",
        count("Georgian Court Hotel", 500, amenity="pub"),
    ),
    Case(
        "vancouver",
        "Closest place for Japanese food to Glowbal Grill?",
        nearest("Glowbal Grill", amenity="restaurant", cuisine="japanese"),
    ),
    Case(
        "munich",
        "Which museum is the closest to Hotel Isartor?",
        nearest("Hotel Isartor", tourism="museum"),
        ("Valentin-Karlstadt-Musäum", "Bier- und Oktoberfestmuseum", "TimeRide", "Spielzeugmuseum"),
    ),
    Case(
        "munich",
        "How many supermarkets are located within a 250-meter radius of Hotel Isartor?",
        count("Hotel Isartor", 250, shop="supermarket"),
        ("1", "2", "3", "5"),
    ),
    Case(
        "munich",
        "Nearest bookstore to the Mariensäule?",
        nearest("Mariensäule", shop="books"),
    ),
    Case(
        "munich",
        "Find the nearest Italian restaurant to Hotel Domus that is wheelchair accessible.",
        nearest("Hotel Domus", amenity="restaurant", cuisine="italian", wheelchair="yes"),
        ("Facile", "Salotto", "Cupido", "La Valle"),
    ),
    Case(
        "munich",
        "I am at Torbräu and craving Indian food. Which is the second nearest Indian restaurant?",
        nearest("Torbräu", 2, amenity="restaurant", cuisine="indian"),
        ("Garam Masala", "Goa", "Indian Mango", "Shalimar"),
    ),
    Case(
        "munich",
        "Which bakery near Hotel Domus is open on Saturday at 12:30?",
        nearest_open("Hotel Domus", "Sa", "12:30", shop="bakery"),
    ),
    Case(
        "andorra",
        "What is the nearest supermarket to Hotel del Pui in La Massana?",
        nearest("Hotel del Pui", shop="supermarket"),
        ("Carrefour City", "Garralla", "BonArea", "Super U"),
    ),
    Case(
        "andorra",
        "How many hotels are within 150 m of the Hotel del Pui?",
        count("Hotel del Pui", 150, tourism="hotel"),
        ("1", "2", "3", "4"),
    ),
    Case(
        "andorra",
        "Where's the closest Japanese restaurant to Super U?",
        nearest("Super U", amenity="restaurant", cuisine="japanese"),
    ),
    Case(
        "andorra",
        "Which gas station closest to Super U is open 24 hours?",
        round_the_clock("Super U", amenity="fuel"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_around(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
