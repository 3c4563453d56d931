"""Questions about a whole town, district or country, answered within its outline."""

import pytest
from shapely import Point

from mapagent.core.answer import Status
from tests.e2e.cases import Case, Counts, Ends, Exactly, YesNo, names
from tests.e2e.tellers import Teller
from tests.e2e.truth import RawMap, Rule, Thing
from tests.e2e.worlds import Worlds


def inside(raw: RawMap, area: str, **rules: Rule) -> list[Thing]:
    """All objects within the administrative area of this name."""
    return raw.inside(raw.one(area, boundary="administrative"), raw.all(**rules))


def count(area: str, **rules: Rule) -> Teller:
    """The answer is how many there are."""
    return lambda raw: Counts(len(once(inside(raw, area, **rules))))


def once(things: list[Thing]) -> list[Thing]:
    """Without those that lie within another one of their name: the building of a school is no second one."""
    return [
        thing
        for thing in things
        if not any(
            other is not thing
            and other.name == thing.name != ""
            and other.shape is not None
            and other.shape.contains(Point(thing.lng, thing.lat))
            for other in things
        )
    ]


def lists(area: str, **rules: Rule) -> Teller:
    """The answer lists them."""
    return lambda raw: names(inside(raw, area, **rules))


def any_in(area: str, **rules: Rule) -> Teller:
    """The answer is yes if there is one."""
    return lambda raw: YesNo(bool(inside(raw, area, **rules)))


CASES = (
    Case(
        "liechtenstein",
        "How many restaurants are in Vaduz?",
        count("Vaduz", amenity="restaurant"),
        options=(
            "9",
            "13",
            "17",
            "25",
        ),
    ),
    Case("liechtenstein", "how many museums does vaduz have", count("Vaduz", tourism="museum")),
    Case(
        "liechtenstein",
        "How many hotels are there in Triesenberg?",
        count("Triesenberg", tourism="hotel"),
        ("4", "7", "10", "15"),
    ),
    Case(
        "liechtenstein",
        "Number of cafés in the municipality of Vaduz?",
        count("Vaduz", amenity="cafe"),
        ("3", "6", "9", ""),
    ),
    Case("liechtenstein", "How many schools are in Triesen?", count("Triesen", amenity="school")),
    Case(
        "liechtenstein",
        "How many pharmacies are there in all of Liechtenstein?",
        count("Liechtenstein", amenity="pharmacy"),
    ),
    Case(
        "liechtenstein",
        "Which pharmacies are there in Schaan?",
        lists("Schaan", amenity="pharmacy"),
        options=(
            "Apotheke am Postplatz and TopPharm Apotheke",
            "Schloss Apotheke and TopPharm Apotheke",
            "Apotheke am Postplatz and Schloss Apotheke",
        ),
    ),
    Case("liechtenstein", "List the supermarkets in Balzers.", lists("Balzers", shop="supermarket")),
    Case("liechtenstein", "What museums can you visit in Triesen?", lists("Triesen", tourism="museum")),
    Case("liechtenstein", "Is there a pharmacy in Triesenberg?", any_in("Triesenberg", amenity="pharmacy")),
    Case(
        "liechtenstein",
        "Does Planken have a supermarket?",
        any_in("Planken", shop="supermarket"),
        ("Yes", "No"),
    ),
    Case(
        "liechtenstein",
        "How many Italian restaurants are there in Schaan?",
        count("Schaan", amenity="restaurant", cuisine="italian"),
    ),
    Case(
        "liechtenstein",
        "Which place has more restaurants, Triesen or Schaan?",
        lambda raw: Exactly(
            max(("Triesen", "Schaan"), key=lambda area: len(inside(raw, area, amenity="restaurant")))
        ),
        ("Triesen", "Schaan"),
    ),
    Case("vancouver", "How many cinemas are there in Vancouver?", count("Vancouver", amenity="cinema")),
    Case(
        "munich",
        "How many cinemas are there in the Kreuzviertel?",
        count("Bezirksteil Kreuzviertel", amenity="cinema"),
    ),
    Case(
        "munich",
        "Which museums are in the Angerviertel district?",
        lists("Bezirksteil Angerviertel", tourism="museum"),
    ),
    Case(
        "vancouver",
        "Is there a museum in the Hackenviertel?",
        lambda _: Ends((Status.UNANSWERABLE,), ("Hackenviertel",)),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_district(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
