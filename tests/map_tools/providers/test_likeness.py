"""Which places bear the name that was asked for, and in which order they come; which matches are no matches."""

import pytest

from map_tools.providers.likeness import can_mean, candidates
from map_tools.types import LatLng, Place


def place(name: str, address: str = "", *, lat: float = 60.0, kind: str = "museum") -> Place:
    return Place(
        id=name, name=name, address=address or None, location=LatLng(lat=lat, lng=24.0), categories=(kind,)
    )


def found(text: str, *places: Place, near: LatLng | None = None, limit: int = 5) -> list[tuple[str, float]]:
    return [(one.place.id, one.score) for one in candidates(text, places, near=near, limit=limit)]


MILL = place("Old Mill", "1 Quay Lane, Harbourtown")
OTHER = place("Old Mint", "5 Quay Lane, Harbourtown")
INN = place("Star Inn", "2 Hill Road, Harbourtown")


def test_only_those_that_are_called_so() -> None:
    assert found("Old Mill", INN, MILL, place("Gasworks")) == [("Old Mill", 1.0)]
    assert found("Lighthouse", INN, MILL) == []


def test_further_words_of_the_address_count_less_than_a_name_alone() -> None:
    """The whole text is the name of one place; of the other it is the name with a part of the address."""
    whole = place("Old Mill Harbourtown", "9 Hill Road")
    assert [name for name, _ in found("Old Mill Harbourtown", MILL, whole)] == [
        "Old Mill Harbourtown",
        "Old Mill",
    ]
    ((_, score),) = found("Old Mill, Quay Lane", MILL, INN)
    assert 0.95 <= score < 1


def test_words_that_are_not_in_the_address_are_not_passed_over() -> None:
    ((name, score),) = found("Old Mill, Cliff Street", MILL, INN)
    assert name == "Old Mill"
    assert score < 0.95


def test_an_address_is_a_name_too() -> None:
    assert found("1 Quay Lane, Harbourtown", MILL, INN) == [("Old Mill", 1.0)]


def test_equally_good_ones_stay_in_the_geocoders_order() -> None:
    twins = [place("Old Mill", lat=lat).model_copy(update={"id": str(lat)}) for lat in (62.0, 60.0, 61.0)]
    assert [name for name, _ in found("Old Mill", *twins)] == ["62.0", "60.0", "61.0"]
    assert [name for name, _ in found("Old Mill", *twins, limit=2)] == ["62.0", "60.0"]


def test_the_only_result_may_be_called_otherwise() -> None:
    """A nickname that the geocoder knows; but a whole town is not what somebody meant by a name in it."""
    assert found("The Grinder", MILL) == [("Old Mill", 0.7)]
    assert found("The Grinder", MILL, INN) == []
    assert found("The Grinder", place("Harbourtown", kind="town")) == []
    assert found("The Grinder") == []


def test_a_name_with_a_slip_is_found_below_an_exact_one() -> None:
    names = found("Old Mil", OTHER, MILL)
    assert names[0][0] == "Old Mill"
    assert 0.7 <= names[0][1] < 1


def test_the_distance_is_that_from_here() -> None:
    here = LatLng(lat=60.0, lng=24.0)
    (far,) = candidates("Old Mill", [place("Old Mill", lat=61.0)], near=here, limit=1)
    # A degree of the meridian at 60.5° is 111.4 km long (WGS84).
    assert far.distance_m == pytest.approx(111_420, abs=50)
    (nowhere,) = candidates("Old Mill", [Place(id="x", name="Old Mill")], near=here, limit=1)
    assert nowhere.distance_m is None
    assert candidates("Old Mill", [MILL], near=None, limit=1)[0].distance_m is None


MUSEUM = Place(id="1", name="Kiasma", categories=("museum",), address="Mannerheiminaukio 2, 00100 Helsinki")
STATION = Place(id="2", name="Rautatientori", aliases=("Railway Square", "Central Railway Station"))
BANK = Place(id="3", name="Forex Bank", categories=("bank",))
TOWN = Place(id="5", name="Aston", categories=("admin",), attributes={"note": "bare rock"})
HOTEL = Place(id="4", name="Hilton Helsinki Strand", categories=("hotel",))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Kiasma", MUSEUM),
        ("Kiasma museum of contemporary art", MUSEUM),
        ("Kyasma", MUSEUM),
        ("Kiasma, Atlantis", MUSEUM),
        ("Kiasma in Helsinki", MUSEUM),
        ("the Hilton hotel", HOTEL),
        ("Hlton HelsinkiStrand", HOTEL),
        ("Central Railway Station", STATION),
        ("Forex", BANK),
        ("municipality of Aston", TOWN),
        ("Aston district", TOWN),
    ],
)
def test_can_mean(text: str, place: Place) -> None:
    assert can_mean(text, place, 0.8)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Central Park", STATION),
        ("Bank of Wellington", BANK),
        ("Kiasma Tower", MUSEUM),
        ("Hilton Garden", HOTEL),
        ("Aston city hall", TOWN),
        ("Mare Aston", TOWN),
    ],
)
def test_cannot_mean(text: str, place: Place) -> None:
    assert not can_mean(text, place, 0.9)


def test_a_sure_match_needs_no_second_look() -> None:
    assert can_mean("Central Park", STATION, 0.96)
