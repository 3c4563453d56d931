"""What is around a place or within a district: nearest, k-th, all, how many, with and without filters."""

import pytest

from tests.e2e.cases import Case, Exactly, Metres, YesNo, moment, names
from tests.e2e.tellers import Teller, count, first, kinds, nearest, within
from tests.e2e.test_districts import any_in
from tests.e2e.test_districts import count as count_in
from tests.e2e.test_districts import lists as list_in
from tests.e2e.truth import RawMap, Rule, Thing
from tests.e2e.worlds import Worlds

ALIADOS = (41.1485, -8.6108)
"""In the middle of Porto."""
PORT = (43.7352, 7.4213)
"""By the harbour of Monaco."""


def spot(point: tuple[float, float]) -> Thing:
    """Where the user stands, as an object."""
    return Thing("node", 0, {"name": "me"}, *point)


def nearest_me(point: tuple[float, float], **rules: Rule) -> Teller:
    """The answer is the nearest to the user."""
    return lambda raw: Exactly(raw.nearest(spot(point), raw.all(**rules)).name)


def within_me(point: tuple[float, float], radius_m: float, **rules: Rule) -> Teller:
    """The answer lists what is around the user."""
    return lambda raw: names(raw.within(spot(point), raw.all(**rules), radius_m))


def nearest_open(anchor: str, day: str, time: str, **rules: Rule) -> Teller:
    """The answer is the nearest of those open."""
    return lambda raw: Exactly(raw.nearest(anchor, kinds(raw, day, time, **rules)).name)


def any_within(anchor: str, radius_m: float, **rules: Rule) -> Teller:
    """The answer is yes if there is one."""
    return lambda raw: YesNo(bool(raw.within(anchor, raw.all(**rules), radius_m)))


def metres_to_nearest(anchor: str, **rules: Rule) -> Teller:
    """The answer is the distance to the nearest."""

    def tell(raw: RawMap) -> Metres:
        return Metres(raw.metres(anchor, raw.nearest(anchor, raw.all(**rules))))

    return tell


CASES = (
    # the nearest
    Case(
        "porto",
        "I've got a headache. Which is the closest pharmacy to Clássico?",
        nearest("Clássico", amenity="pharmacy"),
    ),
    Case("porto", "nearest bank from Picota?", nearest("Picota", amenity="bank")),
    Case(
        "porto",
        "Where can I get an ice cream nearest to Duas de Letra?",
        nearest("Duas de Letra", amenity="ice_cream"),
        ("Amorino", "Gelataria Neveiros", "Gelateria Mamma Maria", "Boutique do Gelato"),
    ),
    Case(
        "london",
        "We are in Guildhall Library and fancy a pint. What is the nearest pub?",
        nearest("Guildhall Library", amenity="pub"),
    ),
    Case(
        "london",
        "post office closest to Sosharu",
        nearest("Sosharu", amenity="post_office"),
        ("Grays Inn Post Office", "Farringdon Road Post Office"),
    ),
    Case("london", "closest hotel to The Castle EC1", nearest("The Castle EC1", tourism="hotel")),
    Case(
        "monaco",
        "Someone stole my bag at Le Petit Bar!! where's the nearest police station",
        nearest("Le Petit Bar", amenity="police"),
    ),
    Case(
        "monaco",
        "Which library is least far from Audi?",
        nearest("Audi", amenity="library", name=True),
        ("Bibliothèque Princesse Caroline", "Médiathèque Caroline", "Bibliothèque Louis Notari"),
    ),
    Case(
        "andorra",
        "My bicycle has a flat tyre, I am at Next Health Club. Which bike shop is nearest?",
        nearest("Next Health Club", shop="bicycle"),
    ),
    Case(
        "andorra",
        "closest campsite to Petit Mercat de Canillo?",
        nearest("Petit Mercat de Canillo", tourism="camp_site"),
    ),
    Case("andorra", "petrol station near Carlin, the nearest one", nearest("Carlin", amenity="fuel")),
    # the k-th and the first few
    Case(
        "porto",
        "What's the second closest museum to the Dot Club?",
        nearest("Dot Club", 2, tourism="museum"),
    ),
    Case("porto", "3 nearest hostels to Eskada Porto", first("Eskada Porto", 3, tourism="hostel")),
    Case(
        "london",
        "Out of all libraries, which one is the third nearest to The Castle EC1?",
        nearest("The Castle EC1", 3, amenity="library"),
    ),
    Case(
        "monaco",
        "Could you give me the two nearest post offices to Chez Roger, nearest first?",
        first("Chez Roger", 2, amenity="post_office"),
    ),
    Case("monaco", "third nearest bank from Tre Scalini", nearest("Tre Scalini", 3, amenity="bank")),
    Case("andorra", "second nearest library from El Japo", nearest("El Japo", 2, amenity="library")),
    # all within, how many within, is there one
    Case(
        "porto",
        "Which theatres would I reach within 350 metres of Spekti?",
        within("Spekti", 350, amenity="theatre"),
    ),
    Case(
        "porto",
        "how many hostels in a radius of 400 m round Eskada Porto",
        count("Eskada Porto", 400, tourism="hostel"),
        ("1", "2", "3", "4", "5", "6", "7"),
    ),
    Case(
        "porto",
        "Is there a cinema within 350 metres of Murça no Potro?",
        any_within("Murça no Potro", 350, amenity="cinema"),
        ("Yes", "No"),
    ),
    Case(
        "london",
        "How many bike shops are there within half a kilometre of Tohbang?",
        count("Tohbang", 500, shop="bicycle"),
    ),
    Case(
        "london",
        "list libraries no farther than 400m from St Bride Library",
        within("St Bride Library", 400, amenity="library"),
    ),
    Case(
        "london",
        "count the pubs within 200 metres of K10",
        count("K10", 200, amenity="pub"),
    ),
    Case(
        "monaco",
        "Please be so kind as to name every library that lies within 800 metres of The bike shop.",
        within("The bike shop", 800, amenity="library", name=True),
    ),
    Case(
        "monaco",
        "How many car dealerships are within a five hundred metre radius of Audi?",
        count("Audi", 500, shop="car"),
    ),
    Case(
        "andorra",
        "Any supermarkets less than 400 metres from L'espiga? Name them.",
        within("L'espiga", 400, shop="supermarket"),
    ),
    Case(
        "andorra",
        "How many restaurants do I have within 150m from Fideus?",
        count("Fideus", 150, amenity="restaurant"),
        ("", "2", "4", "5", "6", "7", "9"),
    ),
    # with a filter
    Case(
        "porto",
        "It's late: which pharmacy closest to Hotel Nave is open on a Sunday at 3 pm?",
        nearest_open("Hotel Nave", "Su", "15:00", amenity="pharmacy"),
    ),
    Case(
        "porto",
        "nearest italian restaurant to Café Lusitano",
        nearest("Café Lusitano", amenity="restaurant", cuisine="italian"),
    ),
    Case(
        "london",
        "Which wheelchair accessible pub is nearest to Pilpel?",
        nearest("Pilpel", amenity="pub", wheelchair="yes"),
    ),
    Case(
        "london",
        "I crave Turkish food; which Turkish restaurant is the closest one to De Santis?",
        nearest("De Santis", amenity="restaurant", cuisine="turkish"),
    ),
    Case(
        "london",
        "bar open saturday 6pm nearest to The London Silver Vaults",
        nearest_open("The London Silver Vaults", "Sa", "18:00", amenity="bar"),
    ),
    Case(
        "monaco",
        "Where is the closest restaurant with Italian cooking to Audi?",
        nearest("Audi", amenity="restaurant", cuisine="italian"),
    ),
    Case(
        "andorra",
        "What is the nearest pizza restaurant to K-tuin (Apple)?",
        nearest("K-tuin (Apple)", amenity="restaurant", cuisine="pizza"),
    ),
    # around the user
    Case(
        "porto",
        "what theatre is closest to where i am",
        nearest_me(ALIADOS, amenity="theatre"),
        near=ALIADOS,
    ),
    Case(
        "monaco",
        "Any libraries within 350 metres of me?",
        within_me(PORT, 350, amenity="library", name=True),
        near=PORT,
    ),
    Case(
        "monaco",
        "closest restaurant open now around here?",
        lambda raw: Exactly(raw.nearest(spot(PORT), kinds(raw, "We", "13:00", amenity="restaurant")).name),
        near=PORT,
        at=moment("We", "13:00"),
    ),
    Case(
        "andorra",
        "How far do I have to go, as the crow flies, from El Japo to the nearest library?",
        metres_to_nearest("El Japo", amenity="library"),
    ),
    # whole districts
    Case("andorra", "How many museums has Ordino got?", count_in("Ordino", tourism="museum")),
    Case(
        "andorra",
        "camp sites in the parish of Canillo: how many",
        count_in("Canillo", tourism="camp_site"),
        ("3", "4", "5", "6", "7", "8", "9"),
    ),
    Case("andorra", "Name all the libraries of La Massana.", list_in("La Massana", amenity="library")),
    Case(
        "andorra",
        "Does Canillo have a cinema?",
        any_in("Canillo", amenity="cinema"),
        ("Yes", "No"),
    ),
    Case("andorra", "Total number of pharmacies in Encamp?", count_in("Encamp", amenity="pharmacy")),
    Case(
        "monaco",
        "Which libraries are in La Condamine?",
        list_in("La Condamine", amenity="library", name=True),
    ),
    Case("monaco", "Are there any pharmacies in Larvotto?", any_in("Larvotto", amenity="pharmacy")),
    Case(
        "monaco",
        "how many theatres in Monaco-Ville",
        count_in("Monaco-Ville", amenity="theatre"),
        ("0", "1", "2", "3"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_around(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
