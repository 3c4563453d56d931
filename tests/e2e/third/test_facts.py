"""What a place is like, as asked by somebody who is about to go there."""

import pytest

from tests.e2e.cases import Case, Clock, Clocks, Exactly, Says
from tests.e2e.second.test_choices import only_open
from tests.e2e.test_place_facts import address, at, has, hours_read, is_open, tagged
from tests.e2e.worlds import Worlds

TOYS = "Spielzeugmuseum"
COINS = "Staatliche Münzsammlung München"
THEATRE = "Deutsches Theatermuseum"
HUNTING = "Deutsches Jagd- und Fischereimuseum"
BEER = "Bier- und Oktoberfestmuseum"
KARLSTADT = "Valentin-Karlstadt-Musäum"
KARLSTADT_HOURS = "Mo,Tu,Th 11:01-17:29; Fr,Sa 11:01-17:59; Su 10:01-17:59; We off"
LIBRARY_HOURS = "Mo,We-Fr 09:00-18:30; Tu 09:00-19:30; Sa 13:00-17:00"
MAUREN_HOURS = "Mo-Fr 07:45-12:00,13:30-18:00; Sa 08:30-10:30"

CASES = (
    Case(
        "liechtenstein",
        "What is the address of Restaurante Cesare in Vaduz?",
        address("Restaurante Cesare"),
        ("Städtle 15", "Herrengasse 9", "Städtle 29", "Zollstrasse 16"),
    ),
    Case(
        "liechtenstein", "What's the phone number for Pizzeria Toscana?", tagged("Pizzeria Toscana", "phone")
    ),
    Case(
        "liechtenstein",
        "What are the opening hours of the Landesbibliothek on Tuesdays?",
        hours_read("Landesbibliothek", LIBRARY_HOURS, Clocks(("09:00", "19:30"))),
        ("9:00 AM - 6:30 PM", "9:00 AM - 7:30 PM", "1:00 PM - 5:00 PM", "Closed"),
    ),
    Case(
        "liechtenstein", "Is Walsermuseum open on Saturday at 3 pm?", is_open("Walsermuseum", "Sa", "15:00")
    ),
    Case(
        "liechtenstein",
        "Can I visit the domus museum on a Wednesday afternoon at 3pm?",
        is_open("domus", "We", "15:00"),
        ("Yes", "No"),
    ),
    Case(
        "liechtenstein",
        "What time does Post Mauren open again after lunch on weekdays?",
        hours_read("Post Mauren", MAUREN_HOURS, at("13:30")),
        ("1:00 PM", "1:30 PM", "2:00 PM", "3:00 PM"),
    ),
    Case(
        "liechtenstein",
        "When does Roxy Markt Migros Partner close on Sundays?",
        hours_read(
            "Roxy Markt Migros Partner", "Mo-Fr 07:00-19:00; Sa 07:00-16:00; Su 07:00-17:00", at("17:00")
        ),
    ),
    Case(
        "liechtenstein",
        "Is the Residence Hotel in Vaduz wheelchair accessible?",
        has("Residence Hotel", "wheelchair"),
        ("Yes", "No"),
    ),
    Case(
        "liechtenstein",
        "What kind of food does Vibes serve?",
        tagged("Vibes", "cuisine"),
        ("American", "Italian", "Chinese", "Indian"),
    ),
    Case("liechtenstein", "What is the elevation of Naafkopf?", tagged("Naafkopf", "ele")),
    Case(
        "vancouver",
        "What is the phone number of the Mount Pleasant Branch library?",
        tagged("Mount Pleasant Branch", "phone"),
        ("604-665-3962", "604-254-9668", "604-301-1778", "604-681-2211"),
    ),
    Case(
        "vancouver",
        "On which street is Romers Burger located?",
        lambda raw: Says((raw.tag("Romers Burger", "addr:street"),)),
        ("Granville Street", "Mainland Street", "Robson Street", "Davie Street"),
    ),
    Case(
        "vancouver",
        "What type of cuisine is served at Banana Leaf?",
        tagged("Banana Leaf", "cuisine"),
        ("Thai", "Malaysian", "Vietnamese", "Indian"),
    ),
    Case(
        "vancouver",
        "What's the postal code of the Collingwood Safeway?",
        tagged("Collingwood Safeway", "addr:postcode"),
    ),
    Case(
        "vancouver",
        "How late is Restoration Hardware open on a Saturday?",
        hours_read("Restoration Hardware", "Mo-Fr 10:00-20:00; Sa 10:00-19:00; Su 11:00-18:00", at("19:00")),
        ("6 PM", "7 PM", "8 PM", "9 PM"),
    ),
    Case("vancouver", "website of Steamworks please", tagged("Steamworks", "website")),
    Case(
        "munich",
        "Which of the following museums is open on Monday at 11 am?",
        only_open("Mo", "11:00", COINS, TOYS, THEATRE, BEER),
        (COINS, TOYS, THEATRE, BEER),
    ),
    Case(
        "munich",
        "Until what time is the Deutsches Jagd- und Fischereimuseum open on Thursdays?",
        hours_read(HUNTING, "Mo-Su 09:30-17:00; Th 09:30-21:00", at("21:00")),
        ("5:00 PM", "6:00 PM", "8:00 PM", "9:00 PM"),
    ),
    Case(
        "munich",
        "On which day is the Valentin-Karlstadt-Musäum closed?",
        hours_read(KARLSTADT, KARLSTADT_HOURS, Exactly("Wednesday")),
        ("Monday", "Tuesday", "Wednesday", "Sunday"),
    ),
    Case(
        "munich",
        "Does Pizza Hut offer takeaway?",
        has("Pizza Hut", "takeaway"),
    ),
    Case(
        "munich", "Does Augustiner am Dom have outdoor seating?", has("Augustiner am Dom", "outdoor_seating")
    ),
    Case(
        "munich",
        "What is the exact address of Café Dukatz?",
        address("Café Dukatz"),
        ("Sankt-Anna-Straße 11", "Sankt-Anna-Straße 31", "Maximilianstraße 17", "Seitzstraße 15"),
    ),
    Case(
        "andorra",
        "Is El Japo open on Monday at 9 pm?",
        is_open("El Japo", "Mo", "21:00"),
        ("Yes", "No"),
    ),
    Case(
        "andorra",
        "What time does the Super U supermarket open on Sundays?",
        hours_read("Super U", "Mo-Sa 09:30-21:00; Su 09:00-20:00", Clock(9 * 60)),
        ("8:00 AM", "9:00 AM", "9:30 AM", "10:00 AM"),
    ),
    Case("andorra", "Is there wifi at Hotel del Pui?", lambda raw: Says(("yes",))),
    Case(
        "andorra",
        "For how many hours is the Next Health Club open on Sundays?",
        hours_read("Next Health Club", "Mo-Sa 07:00-22:00; Su 10:00-19:00", Says(("9",))),
        ("7 hours", "8 hours", "9 hours", "15 hours"),
    ),
    Case("andorra", "address of el refugi alpi?", address("El Refugi Alpí")),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_fact(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
