"""Straight lines, in other words: how far, which way, what is closer, what lies between."""

from itertools import combinations

import pytest

from tests.e2e.cases import Case, Exactly, YesNo
from tests.e2e.tellers import Teller
from tests.e2e.test_geometry import by_distance, says_wind, straight
from tests.e2e.truth import RawMap
from tests.e2e.worlds import Worlds

WINDS = ("North", "North-East", "East", "South-East", "South", "South-West", "West", "North-West")


def closer_than(place: str, other: str, anchor: str) -> Teller:
    """Yes if `place` is closer to the anchor than the other."""
    return lambda raw: YesNo(raw.metres(anchor, place) < raw.metres(anchor, other))


def closest_pair(*places: str) -> Teller:
    """The option that joins the two places that are closest together."""

    def tell(raw: RawMap) -> Exactly:
        pairs = sorted((raw.metres(a, b), f"{a} and {b}") for a, b in combinations(places, 2))
        assert pairs[1][0] - pairs[0][0] > 10
        return Exactly(pairs[0][1])

    return tell


CASES = (
    Case(
        "porto",
        "as the crow flies how far is it from Café Piolho to SaltPlace",
        straight("Café Piolho", "SaltPlace"),
    ),
    Case(
        "porto",
        "In a straight line, what distance separates Hotel Nave and Palácio da Bolsa?",
        straight("Hotel Nave", "Palácio da Bolsa"),
        ("0.6 km", "1.2 km", "2.0 km", "3.1 km"),
    ),
    Case(
        "london",
        "Straight line distance, Tohbang - Sugar Loaf, in miles.",
        straight("Tohbang", "Sugar Loaf", miles=True),
    ),
    Case("monaco", "linear distance between Audi and Hublot?", straight("Audi", "Hublot")),
    Case(
        "andorra",
        "How many kilometres apart are El Japo and Petit Mercat de Canillo (beeline)?",
        straight("El Japo", "Petit Mercat de Canillo"),
        ("5.2 km", "8.5 km", "11 km", "14 km"),
    ),
    Case(
        "porto",
        "Standing at Picota, which compass direction should I look to see Hotel Nave?",
        says_wind("Picota", "Hotel Nave"),
    ),
    Case(
        "london",
        "Barbican Hall lies in what direction from Guildhall Library?",
        says_wind("Guildhall Library", "Barbican Hall"),
    ),
    Case(
        "monaco",
        "From Audi, is Hublot to the north-east, south-east, south-west or north-west?",
        says_wind("Audi", "Hublot"),
        ("north-east", "south-east", "south-west", "north-west"),
    ),
    Case(
        "andorra",
        "La Capricciosa is which way from El Japo?",
        says_wind("El Japo", "La Capricciosa"),
        WINDS,
    ),
    Case(
        "porto",
        "I sleep at Hotel Nave. What is closer to me: Spekti or Eskada Porto?",
        by_distance("Hotel Nave", ("Spekti", "Eskada Porto"), 0),
        ("Spekti", "Eskada Porto"),
    ),
    Case(
        "london",
        "Of Sosharu, Pilpel and K10, which is farthest away from Guildhall Library?",
        by_distance("Guildhall Library", ("Sosharu", "Pilpel", "K10"), -1),
    ),
    Case(
        "london",
        "is Nyokee nearer to K10 than Sosharu is?",
        closer_than("Nyokee", "Sosharu", "K10"),
        ("Yes", "No"),
    ),
    Case(
        "monaco",
        "Castelroc, Foodaddict or Villa Boeri, which one's nearest to Tre Scalini?",
        by_distance("Tre Scalini", ("Castelroc", "Foodaddict", "Villa Boeri"), 0),
        ("Castelroc", "Foodaddict", "Villa Boeri"),
    ),
    Case(
        "andorra",
        "Which is the least distant from Fideus: Monkeys, El Japo or Carlin?",
        by_distance("Fideus", ("Monkeys", "El Japo", "Carlin"), 0),
    ),
    Case(
        "porto",
        "Which two of these are closest to each other: Spekti, Café Lusitano, Hotel Nave, SaltPlace?",
        closest_pair("Spekti", "Café Lusitano", "Hotel Nave", "SaltPlace"),
        ("Spekti and Hotel Nave", "Hotel Nave and SaltPlace", "Spekti and Café Lusitano"),
    ),
    Case(
        "london",
        "which pair is the closest together",
        closest_pair("Pilpel", "K10", "Nyokee", "Tohbang"),
        ("Pilpel and K10", "K10 and Nyokee", "Pilpel and Tohbang", "Nyokee and Tohbang"),
    ),
    Case(
        "andorra",
        "Does Carlin lie nearer to El Japo than La Capricciosa does?",
        closer_than("Carlin", "La Capricciosa", "El Japo"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_line(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
