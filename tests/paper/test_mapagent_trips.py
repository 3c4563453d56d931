"""MapAgent's printed trips (appendix A, table 7, listing 1): right answers from wrong facts are refused."""

from modules.answer_generator.verify import verify
from modules.answer_generator.verify.draft import check_draft

from map_tools.types import LatLng, Route, RouteLeg, TravelMode
from mapagent.answer import Claim, Quantity, Solution, Status
from mapagent.evidence import Evidence
from mapagent.question import Question
from modules.answer_generator.matching import Match, match
from modules.offline.intents import TripIntent, Visit
from tests.support.evidence import evidence, place, place_fact, routes_fact, travel_fact

HOTEL, PARK, UNIVERSITY = "Rydges Wellington", "Kelburn Park", "Victoria University of Wellington"
QUESTION = Question(
    text=f"I am at {HOTEL}. Starting from my current location, I will first go to {PARK}, followed by a"
    f" trip to {UNIVERSITY}, and finally return to my current location. All the travel will be done using"
    " my own car."
    " How much time will the entire journey take?",
    options=("11 mins", "10 mins", "12 mins", "9 mins"),
)
INTENT = TripIntent(
    start=HOTEL, visits=(Visit(place=PARK), Visit(place=UNIVERSITY)), returns=True, mode=TravelMode.DRIVING
)
PLACES = (
    place_fact(place(HOTEL, address="75 Featherston Street, Pipitea, Wellington 6011, New Zealand")),
    place_fact(place(PARK, address="Salamanca Road, Kelburn, Wellington 6012, New Zealand")),
    place_fact(place(UNIVERSITY, address="Kelburn Parade, Kelburn, Wellington 6012, New Zealand")),
)
PRINTED_MATRIX = evidence(
    *PLACES,
    travel_fact(HOTEL, PARK, 5, 1600),
    travel_fact(HOTEL, UNIVERSITY, 1, 1),
    travel_fact(PARK, HOTEL, 4, 1400),
    travel_fact(PARK, UNIVERSITY, 4, 1400),
    travel_fact(UNIVERSITY, HOTEL, 1, 1),
    travel_fact(UNIVERSITY, PARK, 5, 1600),
)
RIGHT_MATRIX = evidence(
    *PLACES,
    travel_fact(HOTEL, PARK, 4, 1500),
    travel_fact(PARK, UNIVERSITY, 1, 200),
    travel_fact(UNIVERSITY, HOTEL, 5, 1600),
)
PRINTED_SOLUTION = f"""The travel time from {HOTEL} to {PARK} is %d minutes.
The travel time from {PARK} to {UNIVERSITY} is %d minutes.
The return trip from {UNIVERSITY} to {HOTEL} is %d minutes.

Adding these times together, the total time for the entire journey is $%d + %d + %d = 10$ minutes.
So, the answer is 10 minutes. The most possible option is "the answer is B"."""


def trip(ids: tuple[str, ...], minutes: tuple[int, ...]) -> Solution:
    """A trip's solution as a solver writes it."""
    total = 60.0 * sum(minutes)
    return Solution(
        status=Status.ANSWERED,
        value=Quantity(value=total, unit="s"),
        explanation=" + ".join(f"{one} min" for one in minutes) + f" = {sum(minutes)} min",
        claims=(
            Claim(
                rule="sum",
                inputs=ids,
                arguments={"values": [60.0 * m for m in minutes], "unit": "s"},
                result=total,
            ),
        ),
        evidence_ids=ids,
    )


def rejections(
    question: Question, intent: object, solution: Solution, facts: tuple[Evidence, ...]
) -> set[str]:
    """The codes of all rejecting objections."""
    assert solution.value is not None
    chosen = match(solution.value, solution.ranking, question) if question.options else None
    objections = verify(question, intent, solution, facts, chosen)
    return {one.code for one in objections if one.severity == "reject"}


def draft_rejections(question: Question, text: str, facts: tuple[Evidence, ...]) -> set[str]:
    """The same for a solution in words."""
    return {one.code for one in check_draft(question, text, facts) if one.severity == "reject"}


def test_a3_right_facts_give_b() -> None:
    solution = trip(("e4", "e5", "e6"), (4, 1, 5))
    assert rejections(QUESTION, INTENT, solution, RIGHT_MATRIX) == set()
    found = match(Quantity(value=600, unit="s"), (), QUESTION)
    assert isinstance(found, Match)
    assert QUESTION.letter(found.index) == "B"


def test_a3_the_leg_of_one_metre_is_refused() -> None:
    """10 minutes is the right letter, but one of its legs is "1 min (1 m)" between two suburbs."""
    solution = trip(("e4", "e7", "e8"), (5, 4, 1))
    assert rejections(QUESTION, INTENT, solution, PRINTED_MATRIX) == {"implausible_leg"}


def test_a3_the_leg_is_refused_by_positions_too() -> None:
    facts = evidence(
        place_fact(place(HOTEL, -41.2826, 174.7766)),
        place_fact(place(UNIVERSITY, -41.2905, 174.7684)),
        travel_fact(UNIVERSITY, HOTEL, 1, 1),
    )
    solution = trip(("e3",), (1,))
    assert "implausible_leg" in rejections(
        QUESTION.model_copy(update={"options": ()}), INTENT, solution, facts
    )


def test_a3_the_printed_solution_in_words_is_refused() -> None:
    assert draft_rejections(QUESTION, PRINTED_SOLUTION % (5, 4, 1, 5, 4, 1), PRINTED_MATRIX) == {
        "implausible_leg"
    }


def test_a3_the_same_words_from_right_facts_pass() -> None:
    text = PRINTED_SOLUTION % (4, 1, 5, 4, 1, 5)
    assert draft_rejections(QUESTION, text, RIGHT_MATRIX) == set()


ROUND_TRIP = evidence(
    routes_fact(
        HOTEL,
        HOTEL,
        [
            Route(
                summary="Dixon St",
                distance_m=1900,
                duration_s=540,
                legs=(RouteLeg(distance_m=1900, duration_s=540),),
            )
        ],
        waypoints=(PARK, UNIVERSITY),
    )
)


def test_a1_a_round_trip_without_its_legs_is_refused() -> None:
    text = f"""The tool provided the following result: Total Route Distance: 1.9 km.
Total Driving Time: 9 minutes. The route details confirm the driving time includes all segments of the trip:
{HOTEL} → {PARK}. {PARK} → {UNIVERSITY}. {UNIVERSITY} → {HOTEL}.
Conclusion: The total driving time for the entire journey is **9 minutes**.
**Final Answer: D. 9 mins**"""
    assert draft_rejections(QUESTION, text, ROUND_TRIP) == {"legs_missing"}
    assert rejections(QUESTION, INTENT, trip(("e1",), (9,)), ROUND_TRIP) == {"legs_missing"}


def test_a1_with_its_legs_a_round_trip_counts() -> None:
    legs = tuple(RouteLeg(distance_m=m, duration_s=60.0 * s) for m, s in ((1500, 4), (200, 1), (1600, 5)))
    route = Route(summary="The Terrace", distance_m=3300, duration_s=600, legs=legs)
    facts = evidence(routes_fact(HOTEL, HOTEL, [route], waypoints=(PARK, UNIVERSITY)))
    assert rejections(QUESTION, INTENT, trip(("e1",), (4, 1, 5)), facts) == set()


def test_a2_an_option_that_is_not_there_is_refused() -> None:
    facts = evidence(
        routes_fact(HOTEL, UNIVERSITY, [Route(summary="Parkvale Rd", distance_m=7600, duration_s=1200)])
    )
    text = f"""The route is between {HOTEL} and {UNIVERSITY}, taking approximately 20 minutes.
Using the 20-minute route in each direction, the total would be 20 minutes + 20 minutes = 40 minutes.
This doesn't align with the provided options. So, the answer should be E."""
    assert draft_rejections(QUESTION, text, facts) == {"no_such_option"}


CHURCH, STUDIO = "Planetshakers Church Melbourne City Campus", "Carrot Tattoo Studio"
APARTMENTS = "Melbourne Lifestyle Apartments - Docklands Accommodation"
DRIVE = Question(
    text=f"I am currently at {CHURCH}. I want to drive to {STUDIO} and then to {APARTMENTS}."
    " How long will this take?",
    options=("18 mins", "19 mins", "20 mins", "21 mins"),
)
PRINTED_DRIVE = (
    travel_fact(CHURCH, STUDIO, 9, 2000),
    travel_fact(CHURCH, APARTMENTS, 8, 2500),
    travel_fact(STUDIO, CHURCH, 9, 1900),
    travel_fact(APARTMENTS, STUDIO, 11, 2700),
)
LISTING_1 = f"""1. **From {CHURCH} to {STUDIO}:**
- Travel time: 9 minutes
2. **From {STUDIO} to {APARTMENTS}:**
- Travel time: 10 minutes

Now, we add these travel times together:
9 minutes + 10 minutes = 19 minutes

Therefore, the total travel time is 19 minutes. The answer is B. 19 mins"""


def test_listing_1_a_second_leg_that_no_evidence_states_is_refused() -> None:
    facts = evidence(*PRINTED_DRIVE)
    assert draft_rejections(DRIVE, LISTING_1, facts) == {"leg_missing", "unknown_number"}
    assert rejections(DRIVE, None, trip(("e1", "e2"), (9, 10)), facts) == {"sum"}


def test_listing_1_passes_once_the_leg_is_there() -> None:
    facts = evidence(*PRINTED_DRIVE, travel_fact(STUDIO, APARTMENTS, 10, 2200))
    assert draft_rejections(DRIVE, LISTING_1, facts) == set()
    assert rejections(DRIVE, None, trip(("e1", "e5"), (9, 10)), facts) == set()


def test_a_short_leg_between_neighbours_is_left_alone() -> None:
    """60 m between a park and the campus beside it, in different streets of one suburb."""
    facts = evidence(*PLACES[1:], travel_fact(PARK, UNIVERSITY, 1, 60, TravelMode.WALKING))
    assert rejections(Question(text="How long?"), INTENT, trip(("e3",), (1,)), facts) == set()


def test_a_leg_shorter_than_the_straight_line_is_refused() -> None:
    a, b = place("Alpha", 60.17, 24.94), place("Beta", 60.20, 24.94)  # 3.3 km apart along a meridian
    assert LatLng(lat=60.17, lng=24.94) == a.location
    facts = evidence(place_fact(a), place_fact(b), travel_fact("Alpha", "Beta", 10, 2500))
    assert rejections(Question(text="How long?"), INTENT, trip(("e3",), (10,)), facts) == {
        "shorter_than_straight"
    }
