"""Ways between two places: time, distance, streets, steps, on foot, by bicycle and by car."""

import pytest

from tests.e2e.cases import Case, Clock, Exactly, Expected, Metres, Minutes, YesNo
from tests.e2e.tellers import Teller
from tests.e2e.truth import NotClearError, RawMap
from tests.e2e.worlds import Worlds

WALK, BIKE, CAR = "pedestrian", "bicycle", "auto"


def takes(mode: str, *stops: str) -> Teller:
    """The answer is the time of travel."""
    return lambda raw: Minutes(raw.minutes(mode, *stops))


def long(mode: str, start: str, end: str, *, miles: bool = False) -> Teller:
    """The answer is the length of the way."""
    return lambda raw: Metres(raw.road_metres(mode, start, end), miles=miles)


def quickest(mode: str, start: str, places: tuple[str, ...]) -> Teller:
    """The place that is reached first."""

    def tell(raw: RawMap) -> Expected:
        times = sorted((raw.minutes(mode, start, place), place) for place in places)
        assert times[1][0] - times[0][0] > 1
        return Exactly(times[0][1])

    return tell


def main_street(start: str, end: str) -> Teller:
    """The option that is the street most of the drive runs on."""
    return lambda raw: Exactly(raw.main_street(CAR, start, end))


def step_after(mode: str, start: str, end: str, street: str, found: str) -> Teller:
    """The street that the instruction after the one onto `street` leads onto, read by hand."""

    def tell(raw: RawMap) -> Expected:
        steps = raw.steps(mode, start, end)
        onto = [index for index, step in enumerate(steps) if street in step]
        if len(onto) != 1 or found not in steps[onto[0] + 1]:
            raise NotClearError(f"the route is another one: {steps}")
        return Exactly(found)

    return tell


def reads(mode: str, start: str, end: str, instruction: str, answer: Expected) -> Teller:
    """An answer read by hand out of an instruction, which is checked to be part of the route still."""

    def tell(raw: RawMap) -> Expected:
        if sum(instruction in step for step in raw.steps(mode, start, end)) != 1:
            raise NotClearError(f"no {instruction!r}")
        return answer

    return tell


WALKS = ("15 min", "27 min", "", "45 min")
DRIVES = ("7 km", "11.1 km", "16 km")
STREETS = ("West Broadway", "Kingsway", "Main Street", "Granville Street")
ESPLANADES = ("Pohjoisesplanadi", "Mannerheimintie", "Bulevardi")
SIGHTS = ("Gloria", "Ratskeller", "Garam Masala")

CASES = (
    # time
    Case(
        "helsinki",
        "How long does it take to walk from Kinopalatsi to Hotel Arthur?",
        takes(WALK, "Kinopalatsi", "Hotel Arthur"),
        options=(
            "4 minutes",
            "8 minutes",
            "15 minutes",
        ),
    ),
    Case(
        "liechtenstein",
        "how long is the drive from Post Schaan to Post Balzers",
        takes(CAR, "Post Schaan", "Post Balzers"),
        options=(
            "8 min",
            "13 min",
            "19 min",
            "25 min",
        ),
    ),
    Case(
        "vancouver",
        "What's the cycling time from Po Kong to Mount Pleasant Branch?",
        takes(BIKE, "Po Kong", "Mount Pleasant Branch"),
    ),
    Case(
        "vancouver",
        "The walk between Mount Pleasant Branch and Po Kong takes about...?",
        takes(WALK, "Mount Pleasant Branch", "Po Kong"),
        WALKS,
    ),
    Case("munich", "Travel time on foot, Gloria to Ratskeller?", takes(WALK, "Gloria", "Ratskeller")),
    Case(
        "liechtenstein",
        "How many minutes does it take on foot to get from Post Ruggell to Post Eschen?",
        takes(WALK, "Post Ruggell", "Post Eschen"),
    ),
    Case(
        "helsinki",
        "If I ride my bike from Juttutupa to Kinopalatsi, how long will I be on the road?",
        takes(BIKE, "Juttutupa", "Kinopalatsi"),
    ),
    Case(
        "liechtenstein",
        "If I leave Post Balzers at 8:00 by car, when will I reach Post Schaan?",
        lambda raw: Clock(480 + raw.minutes(CAR, "Post Balzers", "Post Schaan"), 1.5),
        options=(
            "8:05",
            "8:13",
            "8:25",
        ),
    ),
    Case(
        "liechtenstein",
        "Can I walk from TAKino to Post Schaan in under 5 minutes?",
        lambda raw: YesNo(raw.minutes(WALK, "TAKino", "Post Schaan") < 5),
        options=(
            "Yes",
            "No",
        ),
    ),
    # distance
    Case(
        "liechtenstein",
        "driving distance from Post Schaan to Post Balzers?",
        long(CAR, "Post Schaan", "Post Balzers"),
        DRIVES,
    ),
    Case(
        "vancouver",
        "How far do I have to walk from Tojos to Vij's?",
        long(WALK, "Tojos", "Vij's"),
        options=(
            "400 m",
            "800 m",
            "1.2 km",
            "2 km",
        ),
    ),
    Case(
        "vancouver",
        "How far is it to drive from Tojos to the Fairmont Pacific Rim, in miles?",
        long(CAR, "Tojos", "Fairmont Pacific Rim", miles=True),
    ),
    Case(
        "munich",
        "Is the walk from Gloria to Torbräu shorter than a kilometre?",
        lambda raw: YesNo(raw.road_metres(WALK, "Gloria", "Torbräu") < 1000),
    ),
    Case(
        "vancouver",
        "What is the length of the bicycle route from The Sandbar to Mount Pleasant Branch?",
        long(BIKE, "The Sandbar", "Mount Pleasant Branch"),
    ),
    # comparing
    Case(
        "vancouver",
        "How would I get from Tojos to Po Kong fastest?",
        lambda raw: Exactly(
            {WALK: "Walking", BIKE: "Cycling", CAR: "Driving"}[
                min((WALK, BIKE, CAR), key=lambda m: raw.minutes(m, "Tojos", "Po Kong"))
            ]
        ),
        ("Walking", "Cycling", "Driving"),
    ),
    Case(
        "vancouver",
        "How much faster is cycling than walking from Tojos to Po Kong, in minutes?",
        lambda raw: Minutes(
            raw.minutes(WALK, "Tojos", "Po Kong") - raw.minutes(BIKE, "Tojos", "Po Kong"), 1.6
        ),
    ),
    Case(
        "liechtenstein",
        "Which is quicker to reach by car from the Landesbibliothek: Post Schaan or Post Balzers?",
        quickest(CAR, "Landesbibliothek", ("Post Schaan", "Post Balzers")),
        options=(
            "Post Schaan",
            "Post Balzers",
        ),
    ),
    Case(
        "munich",
        "Which of these takes the least time to walk to from Torbräu?",
        quickest(WALK, "Torbräu", SIGHTS),
        SIGHTS,
    ),
    # streets and steps
    Case(
        "vancouver",
        "Via which street does the fastest car route from Collingwood Safeway to Mount Pleasant Branch go?",
        main_street("Collingwood Safeway", "Mount Pleasant Branch"),
        STREETS,
    ),
    Case(
        "helsinki",
        "What's the main road you take when driving from Juttutupa to Cafe Ekberg?",
        main_street("Juttutupa", "Cafe Ekberg"),
        ESPLANADES,
    ),
    Case(
        "helsinki",
        "I'm driving from Scandic Paasi to Havis Amanda. After Siltasaarenkatu, which street do I turn onto?",
        step_after(CAR, "Scandic Paasi", "Havis Amanda", "Siltasaarenkatu", "Unioninkatu"),
        options=(
            "Unioninkatu",
            "Pitkänsillanranta",
            "Saariniemenkatu",
        ),
    ),
    Case(
        "liechtenstein",
        "On the way by car from Post Schaan to the Landesbibliothek, which road comes right after "
        "Bahnhofstrasse?",
        step_after(CAR, "Post Schaan", "Landesbibliothek", "Bahnhofstrasse", "Poststrasse"),
        ("Landstrasse", "Poststrasse", "Äulestrasse"),
    ),
    Case(
        "helsinki",
        "Driving from Juttutupa to Cafe Ekberg: do I turn left or right onto Pohjoisesplanadi?",
        reads(CAR, "Juttutupa", "Cafe Ekberg", "Turn right onto Pohjoisesplanadi", Exactly("Right")),
        ("Left", "Right"),
    ),
    Case(
        "liechtenstein",
        "when driving from Post Schaan to the Landesbibliothek, which exit do i take at the "
        "Adlerkreisel roundabout?",
        reads(
            CAR,
            "Post Schaan",
            "Landesbibliothek",
            "Enter Adlerkreisel and take the 2nd exit",
            Exactly("2nd exit"),
        ),
        ("1st exit", "2nd exit", "3rd exit"),
    ),
    Case(
        "helsinki",
        "What's the first street I drive along when I go from Scandic Paasi to Havis Amanda?",
        reads(
            CAR, "Scandic Paasi", "Havis Amanda", "Drive west on Paasivuorenkatu", Exactly("Paasivuorenkatu")
        ),
        ("Unioninkatu", "Paasivuorenkatu", "Siltasaarenkatu"),
    ),
    Case(
        "helsinki",
        "biking from Hotel Arthur to Zetor, what street do i turn into after Mikonkatu?",
        step_after(BIKE, "Hotel Arthur", "Zetor", "Mikonkatu", "Aleksanterinkatu"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_route(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
