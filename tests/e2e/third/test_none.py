"""What no map can tell, which the agent has to own up to."""

import pytest

from tests.e2e.cases import Case
from tests.e2e.test_refusals import OFF_TOPIC, UNANSWERABLE, lacks, many, unknown
from tests.e2e.worlds import Worlds

CASES = (
    Case(
        "liechtenstein",
        "What is the rating of Pizzeria Toscana?",
        lambda raw: UNANSWERABLE,
        ("4.1", "4.3", "4.5", "4.7"),
    ),
    Case(
        "liechtenstein",
        "What is the phone number of Hotel-Gasthof Löwen?",
        lacks("Hotel-Gasthof Löwen", "phone"),
    ),
    Case(
        "vancouver",
        "How many user reviews does Glowbal Grill have?",
        lambda raw: UNANSWERABLE,
        ("120", "560", "1,024", "2,310"),
    ),
    Case("vancouver", "What are the opening hours of Westin Grand?", lacks("Westin Grand", "opening_hours")),
    Case("vancouver", "What is the address of Starbucks?", many("Starbucks")),
    Case(
        "munich",
        "How long is the queue at the Deutsches Jagd- und Fischereimuseum right now?",
        lambda raw: OFF_TOPIC,
    ),
    Case(
        "munich",
        "How long does it take to walk from Torbräu to Zwackelmann?",
        unknown("Zwackelmann"),
        ("5 min", "10 min", "15 min", "20 min"),
    ),
    Case(
        "andorra",
        "How much does a double room cost at Hotel Nordic?",
        lambda raw: UNANSWERABLE,
        ("60 euros", "85 euros", "120 euros", "200 euros"),
    ),
    Case("andorra", "Who won the last football match in Andorra?", lambda raw: OFF_TOPIC),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_none(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
