"""Reading and checking solutions in words."""

import pytest

from mapagent.question import Question
from modules.answer_generator.verify.draft import check_draft
from modules.answer_generator.verify.draft_reader import choice_of, legs_of, sums_of
from tests.support.evidence import evidence, travel_fact

WORLD = evidence(travel_fact("Mill", "Bank", 10, 3000), travel_fact("Bank", "Zoo", 15, 4000))
QUESTION = Question(
    text="How long from the Mill by the Bank to the Zoo?", options=("20 min", "25 min", "30 min", "35 min")
)


@pytest.mark.parametrize(
    ("text", "letter", "rest"),
    [
        ('the answer is "B"', "B", ""),
        ("The answer is B.", "B", ""),
        ("Thus, the correct answer is: **(C) Four**.", "C", "Four"),
        ("**B. Three**", "B", "Three"),
        ("**Final Answer: D. 9 mins**", "D", "9 mins"),
        ("So, the answer should be E.", "E", ""),
        ("I choose option A: The Mill", "A", "The Mill"),
        ("Answer: **B) Old Mill**", "B", "Old Mill"),
        ("A. One\nB. Two\nThe answer is A. One", "A", "One"),
    ],
)
def test_the_letter_and_what_stands_behind_it(text: str, letter: str, rest: str) -> None:
    found = choice_of(text)
    assert found is not None
    assert (found.letter, found.text) == (letter, rest)


@pytest.mark.parametrize("text", ["The answer is a place in town.", "No idea.", "The answer is A nice park."])
def test_no_letter(text: str) -> None:
    assert choice_of(text) is None


def test_sums_with_and_without_units() -> None:
    bare, mixed = sums_of("We get $5 + 4 + 1 = 10$ minutes. Or 1 hour + 5 mins = 65 mins.")
    assert (bare.terms, bare.result, bare.unit) == ((300, 240, 60), 600, "s")
    assert (mixed.terms, mixed.result, mixed.unit) == ((3600, 300), 3900, "s")


def test_stated_legs() -> None:
    text = """From Mill to Bank: 10 minutes. The time from Bank to Zoo is 15 minutes.
We go from Zoo to Mill. It takes 9 min."""
    assert [(leg.origin, leg.destination, leg.duration_s) for leg in legs_of(text)] == [
        ("Mill", "Bank", 600),
        ("Bank", "Zoo", 900),
    ]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (
            "From Mill to Bank: 10 min. From Bank to Zoo: 15 min. 10 + 15 = 25 min. The answer is B. 25 min",
            set(),
        ),
        ("10 min + 15 min = 30 min. The answer is C.", {"arithmetic"}),
        ("10 min + 15 min = 25 min. The answer is C.", {"letter_value_mismatch"}),
        (
            "10 min + 15 min = 25 min. The answer is C. 25 min",
            {"letter_value_mismatch", "letter_text_mismatch"},
        ),
        ("It takes 42 minutes. The answer is B.", {"unknown_number"}),
        ("The way from Mill to Bank takes 20 minutes. The answer is A.", {"leg_mismatch", "unknown_number"}),
        ("The way from Zoo to Mill takes 10 minutes. The answer is A.", {"leg_missing"}),
        ("The answer is F.", {"no_such_option"}),
    ],
)
def test_objections(text: str, codes: set[str]) -> None:
    assert {one.code for one in check_draft(QUESTION, text, WORLD) if one.severity == "reject"} == codes


def test_a_text_without_an_answer_is_told() -> None:
    assert [one.code for one in check_draft(QUESTION, "It is hard to say.", WORLD)] == ["no_answer"]
    assert check_draft(QUESTION, "The question is unanswerable.", WORLD) == ()
