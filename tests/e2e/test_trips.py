"""Trips: several legs, stays, changing modes, opening times and deadlines."""

from collections.abc import Callable

import pytest

from tests.e2e.cases import Case, Clock, Exactly, Expected, Metres, Minutes, YesNo
from tests.e2e.tellers import Teller
from tests.e2e.truth import NotClearError, RawMap, best_order
from tests.e2e.worlds import Worlds

WALK, BIKE, CAR = "pedestrian", "bicycle", "auto"

type Leg = tuple[str, str, str]


def total(raw: RawMap, legs: tuple[Leg, ...], stay_min: float = 0.0) -> float:
    """Minutes of all legs (mode, from, to) and stays."""
    return stay_min + sum(raw.minutes(mode, start, end) for mode, start, end in legs)


def lasts(*legs: Leg, stay: float = 0.0) -> Teller:
    """The answer is how long it takes in all."""
    return lambda raw: Minutes(total(raw, legs, stay), 2.1)


def ends_at(start: float, *legs: Leg, stay: float = 0.0) -> Teller:
    """The answer is the time of arrival."""
    return lambda raw: Clock(start + total(raw, legs, stay), 2.1)


def leave_by(deadline: float, *legs: Leg, stay: float = 0.0) -> Teller:
    """The answer is the latest time to set off."""
    return lambda raw: Clock(deadline - total(raw, legs, stay), 2.1)


def possible(minutes: Callable[[RawMap], float], limit: float) -> Teller:
    """The answer is yes if that many minutes are within the limit, with no narrow margin."""

    def tell(raw: RawMap) -> Expected:
        needed = minutes(raw)
        if abs(needed - limit) < 2.5:
            raise NotClearError(f"{needed:.1f} min of {limit} is too narrow")
        return YesNo(needed < limit)

    return tell


def order(mode: str, start: str, stops: tuple[str, ...], arrow: str = " -> ") -> Teller:
    """The option that is the quickest order."""
    return lambda raw: Exactly(arrow.join(best_order(lambda a, b: raw.minutes(mode, a, b), start, stops)))


def by_hours(needed: dict[str, str], tell: Teller) -> Teller:
    """An answer that rests on opening hours, which are checked to be still as they were read."""

    def checked(raw: RawMap) -> Expected:
        for name, spec in needed.items():
            assert raw.tag(name, "opening_hours") == spec
        return tell(raw)

    return checked


TOYS, COINS, BEER, HUNT = (
    "Spielzeugmuseum",
    "Staatliche Münzsammlung München",
    "Bier- und Oktoberfestmuseum",
    "Deutsches Jagd- und Fischereimuseum",
)
MUSEUM_HOURS = {TOYS: "Mo-Fr 10:00-17:30", COINS: "Tu-Su 10:00-17:00", BEER: "Tu-Sa 13:00-19:00"}
LIBRARY = {"Landesbibliothek": "Mo,We-Fr 09:00-18:30; Tu 09:00-19:30; Sa 13:00-17:00"}
POST = {"Post Schaan": "Mo-Fr 07:30-18:00; Sa 08:00-11:00"}


def coins_first(raw: RawMap) -> Expected:
    """From 14:55 only one order of an hour each ends before the museums close (at 17:00 and 17:30)."""
    toys_first = total(raw, ((WALK, "Torbräu", TOYS), (WALK, TOYS, COINS)), 120)
    coins_then_toys = total(raw, ((WALK, "Torbräu", COINS), (WALK, COINS, TOYS)), 120)
    assert toys_first > 127
    assert coins_then_toys < 153
    return Exactly(f"{COINS}, then {TOYS}")


def two_museums(raw: RawMap) -> Expected:
    """In three hours there is time for two visits of an hour and the ways, not for three."""
    assert total(raw, ((WALK, "Torbräu", BEER), (WALK, BEER, TOYS)), 120) < 175
    return Exactly("2")


ORDERS = (
    f"Gloria -> {TOYS} -> {BEER}",
    f"{BEER} -> {TOYS} -> Gloria",
    f"{TOYS} -> {BEER} -> Gloria",
    f"{BEER} -> Gloria -> {TOYS}",
)
LUNCH = ((WALK, "Hotel Arthur", "Cafe Engel"), (WALK, "Cafe Engel", "Hotel Arthur"))
TOTALS = ("9 min", "16 min", "30 min")

CASES = (
    # total time and distance
    Case(
        "helsinki",
        "How long would a round trip on foot take: Hotel Arthur, then Kinopalatsi, then Cafe Engel, "
        "and back to Hotel Arthur?",
        lasts(
            (WALK, "Hotel Arthur", "Kinopalatsi"),
            (WALK, "Kinopalatsi", "Cafe Engel"),
            (WALK, "Cafe Engel", "Hotel Arthur"),
        ),
        options=(
            "12 minutes",
            "20 minutes",
            "28 minutes",
        ),
    ),
    Case(
        "helsinki",
        "Starting at Scandic Paasi I want to drive to Havis Amanda, stay there for 20 minutes, and "
        "then go on foot to Cafe Ekberg. What's the total time?",
        lasts((CAR, "Scandic Paasi", "Havis Amanda"), (WALK, "Havis Amanda", "Cafe Ekberg"), stay=20),
    ),
    Case(
        "vancouver",
        "I drive from Tojos to Po Kong, stay for 45 minutes and then drive on to Collingwood Safeway. "
        "How long does that take altogether?",
        lasts((CAR, "Tojos", "Po Kong"), (CAR, "Po Kong", "Collingwood Safeway"), stay=45),
        options=(
            "45 min",
            "56 min",
            "1 h 10 min",
            "1 h 30 min",
        ),
    ),
    Case(
        "munich",
        "I walk from Gloria to the Ratskeller, then cycle to Torbräu. How many minutes is that in total?",
        lasts((WALK, "Gloria", "Ratskeller"), (BIKE, "Ratskeller", "Torbräu")),
    ),
    Case(
        "vancouver",
        "First by car from Po Kong to Tojos, then on foot from Tojos to Vij's. How much travel time is that?",
        lasts((CAR, "Po Kong", "Tojos"), (WALK, "Tojos", "Vij's")),
        TOTALS,
    ),
    Case(
        "liechtenstein",
        "How many kilometres do I drive in total for Post Schaan - Landesbibliothek - Post Balzers - "
        "Post Schaan?",
        lambda raw: Metres(
            raw.road_metres(CAR, "Post Schaan", "Landesbibliothek")
            + raw.road_metres(CAR, "Landesbibliothek", "Post Balzers")
            + raw.road_metres(CAR, "Post Balzers", "Post Schaan")
        ),
    ),
    # arrival
    Case(
        "helsinki",
        "I leave Kinopalatsi at 10:00, walk to Zetor, spend 1 hour there and then walk to Hotel "
        "Arthur. When do I arrive?",
        ends_at(600, (WALK, "Kinopalatsi", "Zetor"), (WALK, "Zetor", "Hotel Arthur"), stay=60),
        options=(
            "10:45",
            "11:00",
            "11:15",
            "11:30",
        ),
    ),
    Case(
        "liechtenstein",
        "I start at Post Schaan at 9:00 by car. I spend 30 minutes at the Landesbibliothek and 20 "
        "minutes at Post Balzers. When am I back at Post Schaan?",
        ends_at(
            540,
            (CAR, "Post Schaan", "Landesbibliothek"),
            (CAR, "Landesbibliothek", "Post Balzers"),
            (CAR, "Post Balzers", "Post Schaan"),
            stay=50,
        ),
    ),
    Case(
        "munich",
        "Leaving the Torbräu at half past nine, I'd like to walk to the Spielzeugmuseum. It opens at "
        "10:00; I'd look around for an hour and a half and go on to the Ratskeller on foot. What time "
        "will I be there?",
        by_hours(MUSEUM_HOURS, ends_at(600, (WALK, TOYS, "Ratskeller"), stay=90)),
    ),
    # latest departure
    Case(
        "munich",
        "My film at the Gloria starts at 20:00 and I'm having dinner at the Ratskeller. When do I "
        "have to leave at the latest if I walk?",
        leave_by(1200, (WALK, "Ratskeller", "Gloria")),
        options=(
            "19:30",
            "19:40",
            "19:48",
            "19:55",
        ),
    ),
    Case(
        "vancouver",
        "I must be at the Fairmont Pacific Rim by 6 pm. I'm at the Mount Pleasant Branch and will "
        "stop at Tojos for 30 minutes on the way. I go by bike. What's the latest time I can leave?",
        leave_by(
            1080, (BIKE, "Mount Pleasant Branch", "Tojos"), (BIKE, "Tojos", "Fairmont Pacific Rim"), stay=30
        ),
    ),
    Case(
        "helsinki",
        "What time do I need to set off from Hotel Arthur on foot to be at Cafe Ekberg when it opens "
        "on Sunday?",
        by_hours(
            {"Cafe Ekberg": "Mo-Fr 7:30-19:00;Sa 8:30-17:00;Su 9:00-17:00"},
            leave_by(540, (WALK, "Hotel Arthur", "Cafe Ekberg")),
        ),
    ),
    # feasible or not
    Case(
        "liechtenstein",
        "It's Saturday 16:30 and I'm at Post Balzers. Can I get to the Landesbibliothek by car before "
        "it closes?",
        by_hours(LIBRARY, possible(lambda raw: raw.minutes(CAR, "Post Balzers", "Landesbibliothek"), 30)),
        options=(
            "Yes",
            "No",
        ),
    ),
    Case(
        "liechtenstein",
        "It is Wednesday, 17:55. I'm at Restaurant Kulm and need to get to Post Schaan by car before "
        "it closes. Will I make it?",
        by_hours(POST, possible(lambda raw: raw.minutes(CAR, "Restaurant Kulm", "Post Schaan"), 5)),
    ),
    Case(
        "munich",
        f"On a Thursday I start at Torbräu at 14:30 on foot and want to visit the {TOYS} for 1 hour "
        f"and then the {COINS} for 1 hour. Can I do both before they close?",
        by_hours(
            MUSEUM_HOURS,
            possible(lambda raw: total(raw, ((WALK, "Torbräu", TOYS), (WALK, TOYS, COINS)), 120), 150),
        ),
    ),
    Case(
        "munich",
        f"On a Thursday I start at Torbräu at 15:30 on foot and want to visit the {TOYS} for 1 hour "
        f"and then the {COINS} for 1 hour. Can I do both before they close?",
        by_hours(
            MUSEUM_HOURS,
            possible(lambda raw: total(raw, ((WALK, "Torbräu", TOYS), (WALK, TOYS, COINS)), 120), 90),
        ),
    ),
    Case(
        "liechtenstein",
        "Are two hours enough to walk from Post Schaan to the Landesbibliothek, read there for 30 "
        "minutes and walk back?",
        possible(
            lambda raw: total(
                raw,
                ((WALK, "Post Schaan", "Landesbibliothek"), (WALK, "Landesbibliothek", "Post Schaan")),
                30,
            ),
            120,
        ),
        options=(
            "Yes",
            "No",
        ),
    ),
    # order and number of visits
    Case(
        "munich",
        f"I'm starting from Torbräu on foot and want to see Gloria, {TOYS} and {BEER}. Which order "
        "keeps the walking shortest?",
        order(WALK, "Torbräu", ("Gloria", TOYS, BEER)),
        ORDERS,
    ),
    Case(
        "munich",
        "On a Thursday at 14:55 I set off from Torbräu on foot. I want to spend one hour each at the "
        f"{TOYS} and the {COINS}, before they close. In which order must I go?",
        by_hours(MUSEUM_HOURS, coins_first),
        (f"{TOYS}, then {COINS}", f"{COINS}, then {TOYS}"),
    ),
    Case(
        "munich",
        "It's Friday, 13:00, and I'm at the Torbräu. I want to visit as many of these museums as I "
        f"can until 16:00, one hour each, walking: {BEER}, {TOYS}, {HUNT}, {COINS}. How many can I "
        "manage?",
        by_hours(MUSEUM_HOURS, two_museums),
        ("1", "2", "3", "4"),
    ),
    Case(
        "helsinki",
        "I'm at Hotel Arthur at 18:00 and have to be at Juttutupa by 20:00. I walk. How long can I "
        "stay at Kinopalatsi on the way?",
        lambda raw: Minutes(
            120 - total(raw, ((WALK, "Hotel Arthur", "Kinopalatsi"), (WALK, "Kinopalatsi", "Juttutupa"))), 2.1
        ),
    ),
    Case(
        "munich",
        "Whats the quickest order on foot to visit Ratskeller, Gloria and Garam Masala if i start at Torbräu",
        order(WALK, "Torbräu", ("Ratskeller", "Gloria", "Garam Masala"), ", "),
        (
            "Ratskeller, Gloria, Garam Masala",
            "Garam Masala, Ratskeller, Gloria",
            "Gloria, Ratskeller, Garam Masala",
            "Garam Masala, Gloria, Ratskeller",
        ),
    ),
    Case(
        "helsinki",
        "I leave Hotel Arthur at 12:15 on foot, have lunch for 45 minutes at Cafe Engel, and have to "
        "be back at Hotel Arthur at 13:30. Does that work?",
        possible(lambda raw: total(raw, LUNCH, 45), 75),
        ("Yes", "No"),
    ),
    Case(
        "helsinki",
        "I leave Hotel Arthur at 12:15 on foot, have lunch for 45 minutes at Cafe Engel, and have to "
        "be back at Hotel Arthur at 13:05. Does that work?",
        possible(lambda raw: total(raw, LUNCH, 45), 50),
        ("Yes", "No"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_trip(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
