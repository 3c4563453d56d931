"""Questions that come with choices: the choice matters, not how the answer would be said freely."""

from itertools import pairwise

import pytest

from tests.e2e.cases import Case, Clocks, Counts, Exactly, Expected, Lists, Minutes, Says, YesNo, moment
from tests.e2e.second.test_ways import enough, leave_by
from tests.e2e.tellers import Teller, count, first, kinds, nearest, within
from tests.e2e.test_geometry import by_distance, says_wind, straight
from tests.e2e.test_place_facts import address, at, has, hours_read, is_open, tagged
from tests.e2e.test_routes import CAR, WALK, long, takes
from tests.e2e.test_trips import ends_at, lasts
from tests.e2e.truth import RawMap
from tests.e2e.worlds import Worlds


def only_open(day: str, time: str, *places: str) -> Teller:
    """The only one of these places that is open."""

    def tell(raw: RawMap) -> Expected:
        (found,) = [place for place in places if raw.one(place).open_at(moment(day, time))]
        return Exactly(found)

    return tell


def open_any(anchor: str, radius_m: float, day: str, time: str, kind: str) -> Teller:
    """How many are open within a radius."""
    return lambda raw: Counts(len(raw.within(anchor, kinds(raw, day, time, amenity=kind), radius_m)))


def by_time(mode: str, start: str, *places: str) -> Teller:
    """The places in the order they can be reached."""

    def tell(raw: RawMap) -> Expected:
        times = sorted((raw.minutes(mode, start, place), place) for place in places)
        assert all(b[0] - a[0] > 0.5 for a, b in pairwise(times))
        return Lists(tuple(place for _, place in times), ordered=True)

    return tell


CASES = (
    # place facts
    Case(
        "porto",
        "Which one of these would let me in on a Sunday at 9:30 in the morning?",
        only_open("Su", "09:30", "Aduela", "Trigão", "Clássico", "Clarel"),
        ("Aduela", "Trigão", "Clássico", "Clarel"),
    ),
    Case(
        "porto",
        "Where exactly is Duas de Letra?",
        address("Duas de Letra"),
        ("Rua da Alegria 44", "Passeio de São Lázaro 48", "Rua das Flores 114", ""),
    ),
    Case(
        "porto",
        "Saturday plans: what are the opening hours of Farmácia Couto that day?",
        hours_read("Farmácia Couto", "Mo-Fr 08:00-20:00; Sa 09:00-19:00", Clocks(("9:00", "19:00"))),
        ("8:00 AM - 8:00 PM", "9:00 AM - 7:00 PM", "9:00 AM - 5:00 PM", "Closed"),
    ),
    Case(
        "london",
        "Would you say The Wren has tables outdoors?",
        has("The Wren", "outdoor_seating"),
        ("Yes, it does", "No, it does not"),
    ),
    Case(
        "london",
        "closing time new delis sunday",
        hours_read(
            "New Delis",
            "Mo-Fr 12:00-14:30, 18:00-23:30; Sa 18:00-23:30; Su 17:30-23:00",
            at("23:00"),
        ),
        ("22:00", "23:00", "23:30", "14:30"),
    ),
    Case(
        "monaco",
        "I wish to make a reservation with Buddha-Bar. Kindly indicate the telephone number.",
        tagged("Buddha-Bar", "phone"),
        ("+377 98 06 88 88", "+377 98 06 19 19", "+377 99 99 09 69"),
    ),
    Case(
        "monaco",
        "Is Hublot open for business at half past one on Tuesdays?",
        is_open("Hublot", "Tu", "13:30"),
        ("Yes", "No"),
    ),
    Case(
        "andorra",
        "How would you classify the food at Monkeys?",
        lambda raw: Says((raw.tag("Monkeys", "cuisine"),)),
        ("Italian", "American", "Japanese", "Regional"),
    ),
    Case(
        "andorra",
        "K-tuin (Apple) website?",
        tagged("K-tuin (Apple)", "website"),
        ("https://www.k-tuin.com/", "http://www.nextandorra.com", "http://fideus.ad"),
    ),
    # around
    Case(
        "porto",
        "Name the pharmacy closest to daTerra.",
        nearest("daTerra", amenity="pharmacy"),
        ("Farmácia Vitália", "Farmácia Sarabando", "Farmácia Parente", "Farmácia dos Clérigos"),
    ),
    Case(
        "porto",
        "Which museum comes second when you rank them by distance from Dot Club?",
        nearest("Dot Club", 2, tourism="museum"),
        ("Museu dos Clérigos", "Museus da Universidade", "Culturgest"),
    ),
    Case(
        "london",
        "Within a 200 metre circle of K10 there are how many pubs?",
        count("K10", 200, amenity="pub"),
        ("3", "4", "5", "6", "7", "8"),
    ),
    Case(
        "monaco",
        "Which banks are within 500 metres of Tre Scalini?",
        within("Tre Scalini", 500, amenity="bank"),
        ("Société Générale, LCL", "Société Générale, BNP Paribas, LCL", "BNP Paribas, LCL, UBS", "UBS"),
    ),
    Case(
        "monaco",
        "What is the closest police post to Castelroc? I lost my wallet.",
        nearest("Castelroc", amenity="police"),
        ("Poste de Police de la Condamine", "Police maritime de Monaco", "Poste des Spélugues"),
    ),
    Case(
        "porto",
        "give me the closest two hostels to hotel nave, in order",
        first("Hotel Nave", 2, tourism="hostel"),
        ("O2 Hostel, Pedra Iberica", "Alma Porto Hostel, Pedra Iberica", "Pedra Iberica, Alma Porto Hostel"),
    ),
    Case(
        "london",
        "On a Friday at 6 pm, how many pubs within 200 m of K10 are open?",
        open_any("K10", 200, "Fr", "18:00", "pub"),
        ("0", "1", "2", "3", "4", "5", "6"),
    ),
    # straight lines
    Case(
        "london",
        "distance pilpel to guildhall library straight line",
        straight("Pilpel", "Guildhall Library"),
        ("410 m", "700 m", "1.0 km", "1.6 km"),
    ),
    Case(
        "andorra",
        "Where does Fideus lie relative to K-tuin (Apple)?",
        says_wind("K-tuin (Apple)", "Fideus"),
        ("North", "East", "South", "West"),
    ),
    Case(
        "monaco",
        "Which is farther away from Audi: Villa Boeri or Tre Scalini?",
        by_distance("Audi", ("Villa Boeri", "Tre Scalini"), -1),
        ("Tre Scalini", "Villa Boeri"),
    ),
    # ways
    Case(
        "porto",
        "With a pram, so on foot: Picota to FC Porto Store, how many minutes?",
        takes(WALK, "Picota", "FC Porto Store"),
        ("5 minutes", "11 minutes", "18 minutes", "25 minutes"),
    ),
    Case(
        "london",
        "length of walk the castle ec1 to hare & tortoise",
        long(WALK, "The Castle EC1", "Hare & Tortoise"),
        ("600 m", "1.0 km", "1.5 km", "2.2 km"),
    ),
    Case(
        "andorra",
        "Order these from soonest to latest reached when driving from El Japo: La Capricciosa, Fideus, "
        "Petit Mercat de Canillo.",
        by_time(CAR, "El Japo", "La Capricciosa", "Fideus", "Petit Mercat de Canillo"),
        (
            "La Capricciosa, Fideus, Petit Mercat de Canillo",
            "Fideus, La Capricciosa, Petit Mercat de Canillo",
            "Petit Mercat de Canillo, La Capricciosa, Fideus",
        ),
    ),
    # trips
    Case(
        "porto",
        "Delivery run by car: start SaltPlace, drop at Hotel Nave (3 minutes), drop at Eskada "
        "Porto (3 minutes), "
        "return to SaltPlace. How many minutes in all?",
        lasts(
            (CAR, "SaltPlace", "Hotel Nave"),
            (CAR, "Hotel Nave", "Eskada Porto"),
            (CAR, "Eskada Porto", "SaltPlace"),
            stay=6,
        ),
        ("5 min", "13 min", "25 min", "38 min"),
    ),
    Case(
        "london",
        "The show at Barbican Hall starts at 8 pm. Before that I want an hour at Giant St Paul's, "
        "walking from "
        "Pilpel. When is the latest I can leave Pilpel?",
        leave_by(
            20 * 60,
            (WALK, "Pilpel", "Giant St Paul's"),
            (WALK, "Giant St Paul's", "Barbican Hall"),
            stay=60,
        ),
        ("6:09 pm", "6:39 pm", "7:09 pm", "7:39 pm"),
    ),
    Case(
        "monaco",
        "I leave Villa Boeri at noon on foot and stop at Buddha-Bar for 20 minutes, then continue "
        "to Castelroc. "
        "What's my arrival time?",
        ends_at(720, (WALK, "Villa Boeri", "Buddha-Bar"), (WALK, "Buddha-Bar", "Castelroc"), stay=20),
        ("12:31", "12:51", "13:21", ""),
    ),
    Case(
        "andorra",
        "Can my daughter walk from Next Health Club to K-tuin (Apple) and back in twenty minutes?",
        enough(
            20, (WALK, "Next Health Club", "K-tuin (Apple)"), (WALK, "K-tuin (Apple)", "Next Health Club")
        ),
        ("Yes", "No"),
    ),
    Case(
        "porto",
        "Suppose I walk from Café Piolho to Palácio da Bolsa and then take a taxi from there to Hotel Nave. "
        "Travel time altogether?",
        lambda raw: Minutes(
            raw.minutes(WALK, "Café Piolho", "Palácio da Bolsa")
            + raw.minutes(CAR, "Palácio da Bolsa", "Hotel Nave"),
            2.1,
        ),
        ("9 min", "15 min", "30 min", "44 min"),
    ),
    Case(
        "london",
        "Is it true that one can get from Nyokee to K10 on foot in under 10 minutes?",
        lambda raw: YesNo(raw.minutes(WALK, "Nyokee", "K10") < 10),
        ("Yes", "No"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_choice(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
