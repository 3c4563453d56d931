"""A second round of questions by the same people, put after the first was mended."""

import pytest

from tests.e2e.cases import Case, Clocks, Metres, Minutes, Says, YesNo
from tests.e2e.fourth.tellers import (
    arrives,
    both,
    closer,
    count_open,
    in_time,
    minutes_to_nearest,
    more_of,
    nearest_open,
    says_nearest,
    slower_by,
    sooner,
    way_and_wind,
)
from tests.e2e.second.test_choices import only_open
from tests.e2e.second.test_ways import leave_by
from tests.e2e.tellers import count, nearest
from tests.e2e.test_districts import count as count_in
from tests.e2e.test_districts import inside
from tests.e2e.test_geometry import says_wind
from tests.e2e.test_nearby import exists
from tests.e2e.test_place_facts import address, at, has, hours_read, is_open
from tests.e2e.test_refusals import OFF_TOPIC, UNANSWERABLE
from tests.e2e.test_routes import BIKE, CAR, WALK, long, takes
from tests.e2e.test_trips import by_hours, lasts, order
from tests.e2e.worlds import Worlds

ADLER = {"Adler Apotheke": "Mo-Fr 08:00-19:00; Sa 09:00-19:00"}
CHARTER = {"The Charterhouse": "Tu-Su 11:00-16:45"}
LENT = ("Marx Memorial Library", "Shoe Lane Library", "Guildhall Library", "Barbican Library")

CASES = (
    Case(
        "munich",
        "How many minutes would it take on a bike from Keksliebe to the nearest pharmacy?",
        minutes_to_nearest(BIKE, "Keksliebe", lambda raw: raw.all(amenity="pharmacy")),
    ),
    Case(
        "helsinki",
        "Walking from Juttutupa, how far is the closest supermarket, by foot I mean, not as the crow flies?",
        lambda raw: Metres(
            raw.road_metres(WALK, "Juttutupa", raw.nearest("Juttutupa", raw.all(shop="supermarket")))
        ),
    ),
    Case(
        "london",
        "My flat is next to Condor Cycles. On the way to Bespoke Cycling I want to pop into the nearest "
        "post office. How long is the bike ride in total?",
        lambda raw: Minutes(
            raw.minutes(
                BIKE,
                "Condor Cycles",
                raw.nearest("Condor Cycles", raw.all(amenity="post_office")),
                "Bespoke Cycling",
            ),
            1.6,
        ),
    ),
    Case(
        "porto",
        "what's the nearest pharmacy to Lado B and what's its address",
        both(says_nearest("Lado B", amenity="pharmacy"), address("Farmácia Santa Catarina")),
    ),
    Case(
        "vancouver",
        "which library is the closest one to Keis Bakery and how long to walk there?",
        both(
            says_nearest("Keis Bakery", amenity="library"),
            minutes_to_nearest(WALK, "Keis Bakery", lambda raw: raw.all(amenity="library")),
        ),
    ),
    Case(
        "monaco",
        "Until when can I buy bread at L'Épi d'Or in the evening?",
        hours_read("L'Épi d'Or", "Mo-Su 06:30-19:00", at("19:00")),
    ),
    Case(
        "andorra",
        "The fuel gauge is on empty at El Japo. Which petrol station is the nearest that's open at 2 in "
        "the morning, Monday?",
        nearest_open("El Japo", "Mo", "02:00", amenity="fuel"),
    ),
    Case(
        "helsinki",
        "Tonight is Friday. Which pubs... say, how many pubs within 200 metres of Zetor are still open "
        "at 2:30 am on Saturday?",
        count_open("Zetor", 200, "Sa", "02:30", amenity="pub"),
    ),
    Case(
        "london",
        "Does The Charterhouse let people in at quarter past four on a Sunday?",
        is_open("The Charterhouse", "Su", "16:15"),
    ),
    Case(
        "london",
        "Leaving Giant St Paul's at 4:20 pm on foot on a Saturday, do I reach The Charterhouse before "
        "it shuts?",
        by_hours(CHARTER, in_time(16 * 60 + 20, 16 * 60 + 45, (WALK, "Giant St Paul's", "The Charterhouse"))),
    ),
    Case(
        "munich",
        "I get off work at 18:40 on Thursday near the CinemaxX. Is there time to walk to Adler Apotheke "
        "before it closes?",
        by_hours(ADLER, in_time(18 * 60 + 40, 19 * 60, (WALK, "CinemaxX", "Adler Apotheke"))),
    ),
    Case(
        "vancouver",
        "Are more bakeries or more pharmacies within 1.5 km of Keis Bakery?",
        more_of(
            "Keis Bakery", 1500, ("bakeries", {"shop": "bakery"}), ("pharmacies", {"amenity": "pharmacy"})
        ),
    ),
    Case(
        "liechtenstein",
        "Does Schaan have more restaurants than Vaduz?",
        lambda raw: YesNo(
            len(inside(raw, "Schaan", amenity="restaurant")) > len(inside(raw, "Vaduz", amenity="restaurant"))
        ),
    ),
    Case("liechtenstein", "How many cafés can you find in Triesen?", count_in("Triesen", amenity="cafe")),
    Case(
        "porto",
        "How far and which way is Duas de Letra from Lado B?",
        way_and_wind("Lado B", "Duas de Letra"),
    ),
    Case(
        "andorra",
        "from comtes de foix to iron museum, driving, how long & how far?",
        both(takes(CAR, "Comtes de Foix", "Iron Museum"), long(CAR, "Comtes de Foix", "Iron Museum")),
    ),
    Case(
        "monaco",
        "Is walking from Port Palace to Beefbar more than 10 minutes longer than driving?",
        lambda raw: YesNo(
            raw.minutes(WALK, "Port Palace", "Beefbar") - raw.minutes(CAR, "Port Palace", "Beefbar") > 10
        ),
    ),
    Case(
        "monaco",
        "by how many minutes is the car faster than going on foot between Port Palace and Beefbar?",
        slower_by("Port Palace", "Beefbar", WALK, CAR),
    ),
    Case(
        "munich",
        "We start at Derag Livinghotel at 10.30, stroll to Cafe Aran for 40 min of cake, stroll on to "
        "Gloria. When are we at the cinema?",
        arrives(630, (WALK, "Derag Livinghotel", "Cafe Aran"), (WALK, "Cafe Aran", "Gloria"), stay=40),
    ),
    Case(
        "helsinki",
        "Delivery round by bike starting and ending at Hotel Arthur: Cafe Ekberg, Zetor, Havis Amanda "
        "in that order. Total riding time?",
        lasts(
            (BIKE, "Hotel Arthur", "Cafe Ekberg"),
            (BIKE, "Cafe Ekberg", "Zetor"),
            (BIKE, "Zetor", "Havis Amanda"),
            (BIKE, "Havis Amanda", "Hotel Arthur"),
        ),
    ),
    Case(
        "vancouver",
        "dinner booked for 19:15 at Kingsway Sushi, driving from Sylvia Hotel, when must I set off latest?",
        leave_by(19 * 60 + 15, (CAR, "Sylvia Hotel", "Kingsway Sushi")),
    ),
    Case(
        "porto",
        "Is there a hospital less than 300 m from Farmácia Vitália?",
        exists("Farmácia Vitália", 300, amenity="hospital"),
    ),
    Case("london", "What do people think of the pizza at The Pregnant Man?", lambda raw: OFF_TOPIC),
    Case("monaco", "How many stars does the Hermitage have?", lambda raw: Says(("5",))),
    Case("munich", "Is there usually a long wait at Mathäser?", lambda raw: OFF_TOPIC),
    Case("helsinki", "How long is the tram ride from Hotel Arthur to Cafe Ekberg?", lambda raw: OFF_TOPIC),
    Case("andorra", "Is Hotel Grandvalira Palazzo near Art Hotel?", lambda raw: OFF_TOPIC),
    # with options
    Case(
        "helsinki",
        "You're at Bio Rex. Closest one?",
        closer("Bio Rex", "Zetor", "Kinopalatsi", "Havis Amanda"),
        ("Zetor", "Kinopalatsi", "Havis Amanda"),
    ),
    Case(
        "london",
        "Quickest to reach by bike from Premier Inn?",
        sooner(BIKE, "Premier Inn", "Condor Cycles", "The Wren", "Pham sushi"),
        ("Condor Cycles", "The Wren", "Pham sushi"),
    ),
    Case(
        "london",
        "It's Sunday 5 pm. Who is open?",
        only_open("Su", "17:00", "The Charterhouse", "Haz St Paul's", "Zelman Meats", "Poncho8"),
        ("The Charterhouse", "Haz St Paul's", "Zelman Meats", "Poncho8"),
    ),
    Case(
        "porto",
        "Nearest of its kind to Lado B: which hostel?",
        nearest("Lado B", tourism="hostel"),
        ("Feels Like Home", "Sport Hostel Lissabon", "Cats Hostels", "Oporto City Hostel"),
    ),
    Case(
        "munich",
        "How long on foot from Keksliebe to the nearest cinema?",
        minutes_to_nearest(WALK, "Keksliebe", lambda raw: raw.all(amenity="cinema")),
        ("3 min", "7 min", "13 min", "21 min"),
    ),
    Case(
        "vancouver",
        "Which way would you look from Pacific Theatre to see the Gastown Steam Clock?",
        says_wind("Pacific Theatre", "Gastown Steam Clock"),
        ("north", "north-east", "south", "west"),
    ),
    Case(
        "monaco",
        "Number of bakeries within 350 m of Utile?",
        count("Utile", 350, shop="bakery"),
        ("1", "2", "4", "6"),
    ),
    Case(
        "monaco",
        "At which hours is Médiathèque Caroline open on a Thursday?",
        hours_read(
            "Médiathèque Caroline", "Mo-We,Fr,Sa 10:00-18:30; Th 13:00-18:30", Clocks(("13:00", "18:30"))
        ),
        ("10:00-18:30", "13:00-18:30", "10:00-13:00", "closed"),
    ),
    Case(
        "andorra",
        "In which order do I see them fastest by car, from Art Hotel?",
        order(CAR, "Art Hotel", ("Elf", "Roc Arnau", "Font d'Argent"), ", "),
        ("Roc Arnau, Font d'Argent, Elf", "Font d'Argent, Roc Arnau, Elf", "Elf, Font d'Argent, Roc Arnau"),
    ),
    Case(
        "liechtenstein",
        "Where in Vaduz is the Postmuseum?",
        address("Postmuseum"),
        ("Städtle 37", "Herrengasse 35", "Städtle 15", "Landstrasse 1"),
    ),
    Case(
        "london",
        "Is the post office on Gray's Inn Road, Grays Inn Post Office, open at 6:15 pm on Fridays?",
        is_open("Grays Inn Post Office", "Fr", "18:15"),
        ("Yes", "No"),
    ),
    Case(
        "porto",
        "Typical price of a coffee at Lado B?",
        lambda raw: UNANSWERABLE,
        ("0.80 €", "1.20 €", "2.50 €"),
    ),
    Case("helsinki", "wheelchair ok at zetor?", has("Zetor", "wheelchair"), ("yes", "no")),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_again(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
