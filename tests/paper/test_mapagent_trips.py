"""MapAgent's printed trips (appendix A, table 7, listing 1): right answers from wrong facts are refused."""

import asyncio
from collections.abc import Iterable, Mapping

import pytest

from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import KnownList, World
from map_tools.types import MatrixCell, Place, TravelMode
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from tests.support.evidence import place

HOTEL, PARK, UNIVERSITY = "Rydges Wellington", "Kelburn Park", "Victoria University of Wellington"
QUESTION = Question(
    text=f"I am at {HOTEL}. Starting from my current location, I will first go to {PARK}, followed by a"
    f" trip to {UNIVERSITY}, and finally return to my current location. All the travel will be done using"
    " my own car. How much time will the entire journey take?",
    options=("11 mins", "10 mins", "12 mins", "9 mins"),
)
JOURNEY = f'answer(trip(["{PARK}", "{UNIVERSITY}"], start="{HOTEL}", end="{HOTEL}", mode="drive").travel)'
PLACES = (
    place(HOTEL, address="75 Featherston Street, Pipitea, Wellington 6011, New Zealand"),
    place(PARK, address="Salamanca Road, Kelburn, Wellington 6012, New Zealand"),
    place(UNIVERSITY, address="Kelburn Parade, Kelburn, Wellington 6012, New Zealand"),
)
type Ways = Mapping[tuple[str, str], tuple[float, float]]
PRINTED: Ways = {
    (HOTEL, PARK): (5, 1600), (HOTEL, UNIVERSITY): (1, 1), (PARK, HOTEL): (4, 1400), (PARK, UNIVERSITY): (4, 1400),
    (UNIVERSITY, HOTEL): (1, 1), (UNIVERSITY, PARK): (5, 1600),
}  # fmt: skip
RIGHT: Ways = {(HOTEL, PARK): (4, 1500), (PARK, UNIVERSITY): (1, 200), (UNIVERSITY, HOTEL): (5, 1600)}


def answer_of(
    program: str,
    question: Question,
    places: Iterable[Place],
    ways: Ways | None = None,
    *,
    mode: TravelMode = TravelMode.DRIVING,
    lists: Iterable[KnownList] = (),
) -> Answer:
    """What a program comes to over a source that tells these places, ways (minutes, metres) and lists."""
    named = {one.name: one for one in places}
    travel = {
        (named[a].id, named[b].id, mode): MatrixCell(duration_s=60.0 * minutes, distance_m=metres)
        for (a, b), (minutes, metres) in (ways or {}).items()
    }
    world = World(places={one.id: one for one in named.values()}, travel=travel, lists=list(lists))

    async def ask() -> Answer:
        async with MapAgent(provider=RecordedProvider(world)) as agent:
            return await agent.query(program, question=question)

    return asyncio.run(ask())


def test_a3_right_facts_give_b() -> None:
    answer = answer_of(JOURNEY, QUESTION, PLACES, RIGHT)
    assert (answer.status, answer.option) == (Status.ANSWERED, "B")


def test_a3_the_leg_of_one_metre_is_refused() -> None:
    """10 minutes is the right letter, but one of its legs is "1 min (1 m)" between two suburbs."""
    answer = answer_of(JOURNEY, QUESTION, PLACES, PRINTED)
    assert answer.status is Status.UNANSWERABLE
    assert f"{UNIVERSITY} → {HOTEL} is stated as 60 s (1 m), but" in answer.reason


def test_a3_the_leg_is_refused_by_positions_too() -> None:
    ends = (place(HOTEL, -41.2826, 174.7766), place(UNIVERSITY, -41.2905, 174.7684))
    program = f'answer(travel("{UNIVERSITY}", "{HOTEL}", "drive").duration)'
    answer = answer_of(program, Question(text="How long?"), ends, {(UNIVERSITY, HOTEL): (1, 1)})
    assert "the straight line is 1114 m" in answer.reason  # geographiclib: 1114.1


CHURCH, STUDIO = "Planetshakers Church Melbourne City Campus", "Carrot Tattoo Studio"
APARTMENTS = "Melbourne Lifestyle Apartments - Docklands Accommodation"
DRIVE = Question(
    text=f"I am currently at {CHURCH}. I want to drive to {STUDIO} and then to {APARTMENTS}."
    " How long will this take?",
    options=("18 mins", "19 mins", "20 mins", "21 mins"),
)
PRINTED_DRIVE: Ways = {
    (CHURCH, STUDIO): (9, 2000), (CHURCH, APARTMENTS): (8, 2500), (STUDIO, CHURCH): (9, 1900),
    (APARTMENTS, STUDIO): (11, 2700),
}  # fmt: skip
THERE = f'answer(trip(["{STUDIO}", "{APARTMENTS}"], start="{CHURCH}", mode="drive").travel)'
STOPS = tuple(map(place, (CHURCH, STUDIO, APARTMENTS)))


def test_listing_1_a_second_leg_that_no_evidence_states_is_no_answer() -> None:
    answer = answer_of(THERE, DRIVE, STOPS, PRINTED_DRIVE)
    assert (answer.status, answer.option) == (Status.UNANSWERABLE, None)


def test_listing_1_is_right_once_the_leg_is_there() -> None:
    answer = answer_of(THERE, DRIVE, STOPS, {**PRINTED_DRIVE, (STUDIO, APARTMENTS): (10, 2200)})
    assert answer.option == "B"


def test_a_short_leg_between_neighbours_is_left_alone() -> None:
    """60 m between a park and the campus beside it, in different streets of one suburb."""
    program = f'answer(travel("{PARK}", "{UNIVERSITY}", "walk").duration)'
    ways: Ways = {(PARK, UNIVERSITY): (1, 60)}
    answer = answer_of(program, Question(text="How long?"), PLACES, ways, mode=TravelMode.WALKING)
    assert (answer.status, answer.text) == (Status.ANSWERED, "1 min")


@pytest.mark.parametrize(("metres", "refused"), [(2500, True), (3200, False)])
def test_a_leg_shorter_than_the_straight_line_is_refused(metres: float, *, refused: bool) -> None:
    ends = (place("Alpha", 60.17, 24.94), place("Beta", 60.20, 24.94))  # 3.3 km apart along a meridian
    program = 'answer(travel("Alpha", "Beta", "drive").duration)'
    answer = answer_of(program, Question(text="How long?"), ends, {("Alpha", "Beta"): (10, metres)})
    assert (answer.status is Status.UNANSWERABLE) is refused
    assert ("but the straight line is 334" in answer.reason) is refused
