"""Straight lines: distance, compass direction, closer or farther, between, the closest pair."""

from itertools import pairwise

import pytest

from tests.e2e.cases import Case, Counts, Exactly, Expected, Lists, Metres, YesNo
from tests.e2e.tellers import Teller
from tests.e2e.truth import NotClearError, RawMap
from tests.e2e.worlds import Worlds

WINDS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
COMPASS = ("North", "Northeast", "East", "South", "Southwest", "West", "Northwest")


def wind(raw: RawMap, start: str, end: str) -> str:
    """In which of the eight directions `end` lies from `start`, where this is beyond doubt."""
    eighths = raw.bearing(start, end) / 45
    if abs(eighths - round(eighths)) > 0.4:
        raise NotClearError(f"{end!r} lies between two directions from {start!r}")
    return WINDS[round(eighths) % 8]


def says_wind(start: str, end: str) -> Teller:
    """The answer is a direction."""
    return lambda raw: Exactly(wind(raw, start, end))


def straight(start: str, end: str, *, miles: bool = False) -> Teller:
    """The answer is the distance in a straight line."""
    return lambda raw: Metres(raw.metres(start, end), miles=miles)


def within(raw: RawMap, reach_m: float, anchor: str, places: tuple[str, ...]) -> list[str]:
    """Those of the places within the distance, where none of them is at its edge."""
    gaps = {place: raw.metres(anchor, place) for place in places}
    assert all(abs(gap - reach_m) > 0.02 * reach_m for gap in gaps.values())
    return [place for place, gap in gaps.items() if gap < reach_m]


def inside(reach_m: float, anchor: str, places: tuple[str, ...]) -> Teller:
    """The answer is those of the places within the distance."""
    return lambda raw: Lists(tuple(within(raw, reach_m, anchor, places)))


def by_distance(anchor: str, places: tuple[str, ...], which: int) -> Teller:
    """The nearest (0) or farthest (-1) of these places."""

    def tell(raw: RawMap) -> Expected:
        gaps = sorted((raw.metres(anchor, place), place) for place in places)
        assert all(b[0] - a[0] > 10 for a, b in pairwise(gaps))
        return Exactly(gaps[which][1])

    return tell


def between(start: str, end: str, places: tuple[str, ...]) -> Teller:
    """The place that makes the smallest detour."""

    def tell(raw: RawMap) -> Expected:
        detours = sorted((raw.metres(start, place) + raw.metres(place, end), place) for place in places)
        assert detours[0][0] < 1.2 * raw.metres(start, end)
        assert detours[1][0] > 1.5 * raw.metres(start, end)
        return Exactly(detours[0][1])

    return tell


def closest_pair(*pairs: str) -> Teller:
    """The pair of places that are nearest to each other."""

    def tell(raw: RawMap) -> Expected:
        gaps = sorted((raw.metres(*pair.split(" and ")), pair) for pair in pairs)
        assert gaps[1][0] - gaps[0][0] > 20
        return Exactly(gaps[0][1])

    return tell


FILMS = ("Bio Rex", "Kinopalatsi", "Kino Engel")
DISTANCES = ("350 m", "550 m", "750 m", "", "1.2 km")
KILOMETRES = ("8.5 km", "10.3 km", "12.1 km", "15 km")
ON_THE_WAY = ("Juttutupa", "Cafe Engel", "Amos Rex", "Cafe Ekberg")
VILLAGES = ("Post Balzers", "Restaurant Kulm", "Post Eschen", "Landesbibliothek")
PAIRS = (
    "Kinopalatsi and Hotel Arthur",
    "Zetor and Amos Rex",
    "Juttutupa and Cafe Engel",
    "Havis Amanda and Cafe Ekberg",
)
DINERS = ("The Sandbar and Tojos", "Po Kong and Tojos", "Tojos and Vij's")

CASES = (
    # distance
    Case(
        "helsinki",
        "How far is it from Kolme seppää to Havis Amanda as the crow flies?",
        straight("Kolme seppää", "Havis Amanda"),
    ),
    Case(
        "helsinki",
        "How far apart are Kinopalatsi and Amos Rex in a straight line?",
        straight("Kinopalatsi", "Amos Rex"),
        DISTANCES,
    ),
    Case(
        "vancouver",
        "What's the straight line distance between Tojos and Po Kong in km?",
        straight("Tojos", "Po Kong"),
        options=(
            "2.9 km",
            "4.1 km",
            "5.6 km",
        ),
    ),
    Case(
        "vancouver",
        "how many miles is it in a straight line from Tojos to Collingwood Safeway",
        straight("Tojos", "Collingwood Safeway", miles=True),
    ),
    Case(
        "liechtenstein",
        "Beeline from Post Balzers to Post Schaan, roughly?",
        straight("Post Balzers", "Post Schaan"),
        KILOMETRES,
    ),
    Case(
        "vancouver",
        "Is Tojos more than 2 km away from The Sandbar as the crow flies?",
        lambda raw: YesNo(raw.metres("Tojos", "The Sandbar") > 2000),
        options=(
            "Yes",
            "No",
        ),
    ),
    # direction
    Case(
        "helsinki",
        "Which way is Havis Amanda from Kinopalatsi?",
        says_wind("Kinopalatsi", "Havis Amanda"),
        options=(
            "North-West",
            "South-East",
            "South-West",
            "North-East",
        ),
    ),
    Case(
        "helsinki",
        "In what direction does Juttutupa lie, seen from Kolme seppää?",
        says_wind("Kolme seppää", "Juttutupa"),
        ("North", "East", "South", "West"),
    ),
    Case(
        "helsinki",
        "I'm standing at Kinopalatsi looking towards Amos Rex. Which compass direction am I facing?",
        says_wind("Kinopalatsi", "Amos Rex"),
    ),
    Case(
        "liechtenstein",
        "Is Post Balzers north or south of Post Schaan?",
        says_wind("Post Schaan", "Post Balzers"),
    ),
    Case(
        "vancouver",
        "Is Mount Pleasant Branch to the east of Tojos?",
        lambda raw: YesNo(wind(raw, "Tojos", "Mount Pleasant Branch") == "east"),
    ),
    Case(
        "vancouver",
        "Seen from The Sandbar, where is the Fairmont Pacific Rim?",
        says_wind("The Sandbar", "Fairmont Pacific Rim"),
        ("Northeast", "Southeast", "Northwest", "Southwest"),
    ),
    Case(
        "liechtenstein",
        "which direction is the Landesbibliothek from Restaurant Kulm as the crow flies?",
        says_wind("Restaurant Kulm", "Landesbibliothek"),
        COMPASS,
    ),
    # closer, farther
    Case(
        "helsinki",
        "Which is closer to Zetor, Bio Rex or Kinopalatsi?",
        by_distance("Zetor", ("Bio Rex", "Kinopalatsi"), 0),
        options=(
            "Bio Rex",
            "Kinopalatsi",
        ),
    ),
    Case(
        "helsinki",
        "Is Lidl or S-Market Sokos Helsinki nearer to Kolme seppää?",
        by_distance("Kolme seppää", ("Lidl", "S-Market Sokos Helsinki"), 0),
        ("Lidl", "S-Market Sokos Helsinki"),
    ),
    Case(
        "vancouver",
        "Which is farther from Tojos: Po Kong or The Sandbar?",
        by_distance("Tojos", ("Po Kong", "The Sandbar"), -1),
        options=(
            "The Sandbar",
            "Po Kong",
        ),
    ),
    Case(
        "helsinki",
        "Out of these cinemas, which one is furthest away from Hotel Arthur?",
        by_distance("Hotel Arthur", FILMS, -1),
        FILMS,
    ),
    Case(
        "vancouver",
        "Is The Sandbar closer to Tojos than to Po Kong?",
        lambda raw: YesNo(raw.metres("The Sandbar", "Tojos") < raw.metres("The Sandbar", "Po Kong")),
    ),
    # within a limit
    Case(
        "helsinki",
        "Which of Kinopalatsi, Havis Amanda and Hotel Arthur are within 500 m of Kolme seppää?",
        inside(500, "Kolme seppää", ("Kinopalatsi", "Havis Amanda", "Hotel Arthur")),
    ),
    Case(
        "vancouver",
        "Of Tojos, Po Kong and Vij's, how many are more than 2 km away from The Sandbar?",
        lambda raw: Counts(3 - len(within(raw, 2000, "The Sandbar", ("Tojos", "Po Kong", "Vij's")))),
    ),
    # between
    Case(
        "helsinki",
        "Which of these is between Kinopalatsi and Havis Amanda?",
        between("Kinopalatsi", "Havis Amanda", ON_THE_WAY),
        ON_THE_WAY,
    ),
    Case(
        "liechtenstein",
        "Going in a straight line from Post Ruggell to Post Schaan, which of these places lies in between?",
        between("Post Ruggell", "Post Schaan", VILLAGES),
        VILLAGES,
    ),
    # closest pair
    Case("helsinki", "Which two of these places are closest to each other?", closest_pair(*PAIRS), PAIRS),
    Case("vancouver", "Which pair of restaurants is the closest together?", closest_pair(*DINERS), DINERS),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_geometry(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
