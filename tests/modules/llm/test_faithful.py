import pytest

from mapagent.question import Question
from modules.llm.faithful import faults, places_of
from modules.offline.parser import parse_all


def found(asked: str, restated: str, *options: str) -> tuple[str, ...]:
    """The faults of a restated question."""
    question = Question(text=asked, options=options)
    again = parse_all(question.model_copy(update={"text": restated}))
    assert again.best is not None
    return faults(question, parse_all(question), again.analysis, again.best.intent, None)


@pytest.mark.parametrize(
    ("asked", "restated"),
    [
        ("Off to Old Mill from Pier Café on foot, how many minutes?",
         "How long does it take to walk from Pier Café to Old Mill?"),
        ("Hairdressers in a half-kilometre ring about Old Mill, count them",
         "How many hairdressers are within 500 m of Old Mill?"),
        ("From Old Mill in Norwich to the Pier Café, what does the crow fly?",
         "What is the straight-line distance between Old Mill in Norwich and Pier Café?"),
        ("Would Old Mill let me in at a quarter past eight in the evening on Sunday?",
         "Is Old Mill open on Sunday at 8:15 pm?"),
        ("Tonight I want to know the number to ring for Old Mill", "What is the phone number of Old Mill?"),
    ],
)  # fmt: skip
def test_the_same_question_in_other_words(asked: str, restated: str) -> None:
    assert found(asked, restated) == ()


@pytest.mark.parametrize(
    ("asked", "restated", "fault"),
    [
        ("How do I ring up Old Mill?", "What is the phone number of Grand Hotel?",
         "The question names no place 'Grand Hotel'."),
        ("I walk out of Old Mill at 9:50 am to Pier Café; when am I there?",
         "How long does it take to walk from Old Mill to Pier Café?",
         "'9:50 am' of the question is left out."),
        ("Pubs around Old Mill, how many?", "How many pubs are within 300 m of Old Mill?",
         "'300 m' is not in the question."),
        ("Old Mill to Pier Café on foot: how long?",
         "How long does it take to drive from Old Mill to Pier Café?",
         "'on foot' of the question is left out."),
        ("How long does it take to walk from Old Mill to Pier Café?",
         "What is the walking distance from Old Mill to Pier Café?",
         "The question asks for the time, not for the distance."),
        ("By car: out of Old Mill, by Pier Café, up to Tower Inn. Minutes in all?",
         "I drive from Old Mill to Pier Café, then to Tower Inn and back to Old Mill. How long does it take?",
         "The question does not go back to the start."),
        ("I am driving from Old Mill to Pier Café. How many left turns are there?",
         "How many left turns are there driving from Mill Lane to Pier Café?",
         "'Old Mill' of the question is left out."),
        ("When does Old Mill shut on Friday?", "What time does Old Mill close on Saturday?",
         "'Saturday' is not in the question."),
        ("Old Mill, 40 minutes there, then Pier Café, all by car: how long?",
         "I drive from Old Mill to Pier Café. How long does it take in total?",
         "'40 minutes' of the question is left out."),
    ],
)  # fmt: skip
def test_a_changed_question_is_told_what_is_wrong(asked: str, restated: str, fault: str) -> None:
    assert fault in found(asked, restated)


def test_a_place_may_come_from_the_options() -> None:
    restated = "Which is closer to Old Mill: Pier Café or Tower Inn?"
    assert found("Which of them is nearer to Old Mill?", restated, "Pier Café", "Tower Inn") == ()


def test_no_option_is_taken_for_the_answer() -> None:
    restated = "What is the straight-line distance between Pier Café and Tower Inn?"
    options = ("Pier Café and Tower Inn", "Old Mill and Tower Inn")
    fault = "The question leaves open which of its options it is."
    assert found("Which two are farthest apart?", restated, *options) == (fault,)


def test_the_places_of_a_trip_are_those_of_its_visits_too() -> None:
    text = (
        "I drive from Old Mill to Pier Café and then to Tower Inn. How long does the driving take in total?"
    )
    reading = parse_all(Question(text=text)).best
    assert reading is not None
    assert set(places_of(reading.intent)) == {"Old Mill", "Pier Café", "Tower Inn"}
