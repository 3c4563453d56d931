"""Open questions about places: which, how many, open when, with what."""

import pytest

from tests.e2e.cases import Case, Clocks, Counts, Exactly, Metres, Minutes, Says, YesNo, moment, names
from tests.e2e.fourth.tellers import (
    both,
    closer,
    count_open,
    list_open,
    minutes_to_nearest,
    more_of,
    nearest_open,
    open_ones,
    says_nearest,
)
from tests.e2e.second.test_around import nearest_me, within_me
from tests.e2e.tellers import count, first, nearest, others, within
from tests.e2e.test_districts import count as count_in
from tests.e2e.test_nearby import exists
from tests.e2e.test_place_facts import address, at, has, hours_read, is_open, tagged
from tests.e2e.test_routes import WALK
from tests.e2e.worlds import Worlds

GASTOWN = (49.2844, -123.1089)
PORT = (43.7350, 7.4213)

CASES = (
    # what is around
    Case(
        "helsinki",
        "hi! where's the closest cinema to Hotel Arthur?",
        nearest("Hotel Arthur", amenity="cinema"),
    ),
    Case(
        "london",
        "im at shoe lane library and my bike broke down. nearest bike shop pls",
        nearest("Shoe Lane Library", shop="bicycle"),
    ),
    Case(
        "munich",
        "Which chemist's - a proper Apotheke - is closest to the Derag Livinghotel?",
        nearest("Derag Livinghotel", amenity="pharmacy"),
    ),
    Case(
        "vancouver",
        "Need to fill up the car. What gas station is nearest to Keis Bakery?",
        nearest("Keis Bakery", amenity="fuel"),
    ),
    Case(
        "monaco",
        "We're staying at the Hermitage, where could we buy fresh bread nearby? Just the closest bakery "
        "please",
        nearest("Hermitage", shop="bakery"),
    ),
    Case(
        "andorra",
        "whats the 2nd closest pharmacy to Hotel Continental",
        nearest("Hotel Continental", 2, amenity="pharmacy"),
    ),
    Case("porto", "Name the two hostels nearest to Lado B.", first("Lado B", 2, tourism="hostel")),
    Case(
        "helsinki",
        "How many museums can I reach within half a kilometre of Hotel Arthur?",
        count("Hotel Arthur", 500, tourism="museum"),
    ),
    Case(
        "london", "pubs less than 150 metres away from The Argyle?", within("The Argyle", 150, amenity="pub")
    ),
    Case(
        "vancouver",
        "Are there any pharmacies within a quarter mile of the Gastown Steam Clock?",
        exists("Gastown Steam Clock", 402, amenity="pharmacy"),
    ),
    Case(
        "monaco",
        "how many car parks are in a 250 m radius around Cinéma des Beaux-Arts",
        count("Cinéma des Beaux-Arts", 250, amenity="parking"),
    ),
    Case(
        "vancouver",
        "Where can I get coffee close to here?",
        nearest_me(GASTOWN, amenity="cafe"),
        near=GASTOWN,
    ),
    Case(
        "monaco",
        "what museums are there within 540m of where I'm standing",
        within_me(PORT, 540, tourism="museum"),
        near=PORT,
    ),
    Case(
        "porto",
        "Kids want ice cream! Closest ice cream place to Ibis Porto Centro?",
        lambda raw: Exactly(
            raw.nearest("Ibis Porto Centro", raw.all(amenity="ice_cream") + raw.all(shop="ice_cream")).name
        ),
    ),
    Case("liechtenstein", "How many supermarkets does Schaan have?", count_in("Schaan", shop="supermarket")),
    Case(
        "helsinki",
        "Besides Kinopalatsi, which cinema is nearest to Hotel Arthur?",
        lambda raw: Exactly(
            raw.nearest(
                "Hotel Arthur", [t for t in raw.all(amenity="cinema") if t.name != "Kinopalatsi"]
            ).name
        ),
    ),
    Case(
        "munich",
        "Is there somewhere to see a film within 200 meters of Acanthus Hotel?",
        exists("Acanthus Hotel", 200, amenity="cinema"),
    ),
    Case(
        "helsinki",
        "nearest sushi restaurant to Kino Engel?",
        nearest("Kino Engel", amenity="restaurant", cuisine="sushi"),
    ),
    Case(
        "porto",
        "Nearest wheelchair-accessible café to Farmácia Vitália?",
        nearest("Farmácia Vitália", amenity="cafe", wheelchair="yes"),
    ),
    Case(
        "munich",
        "I use a wheelchair. Which accessible pharmacy is closest to the Filmmuseum München?",
        nearest("Filmmuseum München", amenity="pharmacy", wheelchair="yes"),
    ),
    Case(
        "vancouver",
        "closest starbucks to The Orpheum and on which street is it?",
        lambda raw: Says(
            (raw.nearest("The Orpheum", raw.all(name="Starbucks", addr__street=True)).tags["addr:street"],)
        ),
    ),
    Case(
        "andorra",
        "Are there more hotels or more restaurants within 190 m of the Art Hotel?",
        more_of(
            "Art Hotel", 190, ("hotels", {"tourism": "hotel"}), ("restaurants", {"amenity": "restaurant"})
        ),
    ),
    # open when
    Case(
        "helsinki",
        "When does Rikhardinkadun kirjasto close on Saturdays?",
        hours_read(
            "Rikhardinkadun kirjasto",
            "Mo-Th 09:00-20:00, Fr 09:00-18:00, Sa 10:00-16:00, Su 12:00-18:00",
            at("16:00"),
        ),
    ),
    Case(
        "london",
        "is the charterhouse open on a monday?",
        hours_read("The Charterhouse", "Tu-Su 11:00-16:45", YesNo(False)),
    ),
    Case(
        "london",
        "It's Tuesday 6 pm, is Shoe Lane Library still open?",
        is_open("Shoe Lane Library", "Tu", "18:00"),
    ),
    Case(
        "munich",
        "Could I still pick up a prescription at Adler Apotheke at half past six on a Saturday evening?",
        is_open("Adler Apotheke", "Sa", "18:30"),
    ),
    Case(
        "porto",
        "Which pharmacies within 2 km of Trigão are open at 3 in the morning on a Sunday?",
        list_open("Trigão", 2000, "Su", "03:00", amenity="pharmacy"),
    ),
    Case(
        "helsinki",
        "Which supermarket near Hotel Arthur is open at 11pm on a Wednesday?",
        nearest_open("Hotel Arthur", "We", "23:00", shop="supermarket"),
    ),
    Case(
        "helsinki",
        "Night owl here - how many bars and pubs... no wait, just pubs, within 300 m of Amos Rex are "
        "open at 1 am on a Saturday?",
        count_open("Amos Rex", 300, "Sa", "01:00", amenity="pub"),
    ),
    Case(
        "munich",
        "Nearest cafe to CinemaxX that is already open at 7:15 on a weekday, say Tuesday?",
        nearest_open("CinemaxX", "Tu", "07:15", amenity="cafe"),
    ),
    Case(
        "monaco",
        "Is there a pharmacy open right now close to the Casino de Monte Carlo? Which one?",
        nearest_open("Casino de Monte Carlo", "Su", "12:00", amenity="pharmacy"),
        at=moment("Su", "12:00"),
    ),
    Case(
        "monaco",
        "What time does the Spar supermarket open on Sundays?",
        hours_read("Spar", "Mo-Sa 07:30-20:00; Su 09:00-19:00", at("9:00")),
    ),
    Case(
        "andorra",
        "for how long is La Poste open on a saturday?",
        hours_read("La Poste", "Mo-Fr 8:30-13:30; Sa 09:00-12:00", Minutes(180)),
    ),
    Case(
        "liechtenstein",
        "Does the Postmuseum stay open past 5 pm?",
        hours_read("Postmuseum", "Mo-Su 10:00-17:00", YesNo(False)),
    ),
    Case(
        "porto",
        "On what days is Flor dos Congregados closed?",
        hours_read("Flor dos Congregados", "Tu-Sa 10:00-22:00; Mo 19:00-22:00", Says(("Sunday",))),
    ),
    Case(
        "helsinki",
        "Does Amos Rex or Kluuvin Apteekki stay open later on Thursdays? I mean: when does Amos Rex "
        "close that day?",
        hours_read("Amos Rex", "Mo,Fr 11:00-18:00; We,Th 11:00-20:00; Sa,Su 11:00-17:00", at("20:00")),
    ),
    Case(
        "munich",
        "how long until Postbank Finanzcenter closes?",
        hours_read("Postbank Finanzcenter", "Mo-Fr 09:00-18:30; Sa 09:30-12:30", Minutes(75)),
        at=moment("We", "17:15"),
    ),
    # facts
    Case(
        "london",
        "What's the phone number of Bespoke Cycling please, I'd like to book a repair",
        tagged("Bespoke Cycling", "phone"),
    ),
    Case(
        "helsinki",
        "can a wheelchair user get into Suomen Pankin rahamuseo?",
        has("Suomen Pankin rahamuseo", "wheelchair"),
    ),
    Case("porto", "adress of Duas de Letra", address("Duas de Letra")),
    Case("helsinki", "What cuisine does El Greco offer?", tagged("El Greco", "cuisine")),
    Case(
        "munich",
        "Does the cafe at Sesam Falafel do vegan food?",
        lambda raw: YesNo(raw.tag("Sesam Falafel", "diet:vegan") == "yes"),
    ),
    # two questions at once
    Case(
        "helsinki",
        "What is the nearest bicycle shop to Kino Engel and how long does it take to walk there?",
        both(
            says_nearest("Kino Engel", shop="bicycle"),
            minutes_to_nearest(WALK, "Kino Engel", lambda raw: raw.all(shop="bicycle")),
        ),
    ),
    Case(
        "helsinki",
        "How long is the walk to the nearest pharmacy from Kinopalatsi that is open at 8 pm on a Saturday?",
        lambda raw: Minutes(
            raw.minutes(
                WALK,
                "Kinopalatsi",
                raw.nearest("Kinopalatsi", open_ones(raw, "Sa", "20:00", amenity="pharmacy")),
            )
        ),
    ),
    Case(
        "vancouver",
        "How long would it take me to walk from Pacific Theatre to the nearest library?",
        minutes_to_nearest(WALK, "Pacific Theatre", lambda raw: raw.all(amenity="library")),
    ),
    Case(
        "andorra",
        "Hi, is there a fuel station in walking distance of Hotel Continental, and how far on foot is it?",
        lambda raw: Metres(
            raw.road_metres(
                WALK, "Hotel Continental", raw.nearest("Hotel Continental", raw.all(amenity="fuel"))
            )
        ),
    ),
    Case(
        "monaco",
        "When does Médiathèque Caroline open on Thursday and when does it close?",
        hours_read(
            "Médiathèque Caroline", "Mo-We,Fr,Sa 10:00-18:30; Th 13:00-18:30", Clocks(("13:00", "18:30"))
        ),
    ),
    Case(
        "munich",
        "of Gloria, Mathäser and CinemaxX, which cinema is closest to Derag Livinghotel?",
        closer("Derag Livinghotel", "Gloria", "Mathäser", "CinemaxX"),
    ),
    Case(
        "london",
        "Give me all the bike shops around Giant St Paul's, max 1 mile",
        lambda raw: names(
            raw.within("Giant St Paul's", others(raw, "Giant St Paul's", shop="bicycle"), 1609.3)
        ),
    ),
    Case(
        "monaco",
        "how many pharmacies are there in monaco altogether?",
        lambda raw: Counts(
            len(
                raw.inside(
                    raw.one("Monaco", boundary="administrative", admin_level="2"), raw.all(amenity="pharmacy")
                )
            )
        ),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_place(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
