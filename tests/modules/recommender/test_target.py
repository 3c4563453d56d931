"""The type of place, on the paper's rules and on the titles of real forum questions."""

import json

import pytest

from modules.recommender.understand import target_of
from tests.support.data import shared


@pytest.mark.parametrize(
    ("text", "target"),
    [
        # Appendix F.2: direct words of each type, then its rules 2 and 4.
        ("a good restaurant in the theatre district", "restaurant"),
        ("traditional breakfast", "restaurant"),
        ("a clean budget hotel", "hotel"),
        ("which area to stay", "hotel"),
        ("museums to visit with kids", "attraction"),
        ("We are staying at the hotel, where should we eat?", "restaurant"),
        ("Museums near our hotel", "attraction"),
        ("", None),
    ],
)
def test_the_rules_of_the_paper(text: str, target: str | None) -> None:
    assert target_of(text) == target


def test_titles_of_real_questions() -> None:
    """Of the titles that say anything of a type, nine of ten name the type that answered them most often."""
    right = said = 0
    with shared("poi_text/tourismqa_question_titles.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            title = json.loads(line)
            found = target_of(title["title"])
            said += found is not None
            right += found == max(title["answer_types"], key=title["answer_types"].get)
    assert said > 3500
    assert right / said > 0.89
