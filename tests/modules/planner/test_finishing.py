"""What a model finishes with is held against what it was shown: numbers, units, lines."""

import pytest

from mapagent.core.question import Question
from modules.planner.finishing import Known, objection_to
from modules.planner.told import Finish

TEXT = "From the Casino to the hotel: 4603 m by car, 385 s. The bank: 08:30-11:55,13:35-16:30. Rated 4.26 by 1,204."


def objection(answer: str) -> str:
    """What is said against an answer that rests on the text."""
    known = Known(Question(text="How far is it, and when is the bank open?", context=TEXT), (), ())
    return objection_to(Finish(outcome="other", answer=answer, evidence=[TEXT]), known)


@pytest.mark.parametrize(
    "answer",
    [
        "4603 m",
        "4.6 km",
        "4.603 km",
        "about 5 km",
        "6 min",
        "6.4 min",
        "until 11:55, again from 13:35",
        "4.3 stars",
        "1,204",
    ],
)
def test_numbers_of_the_evidence_stand_rounded_and_in_larger_units_too(answer: str) -> None:
    assert objection(answer) == ""


@pytest.mark.parametrize(
    "answer", ["4.7 km", "4602 m", "7 min", "until 12:00", "4.4 stars", "1,205", "13:30", "46 km"]
)
def test_other_numbers_are_sent_back(answer: str) -> None:
    assert "stands in none of the evidence" in objection(answer)
