"""The suite of everyday questions: what its files may say, and how answers are judged."""

from collections import Counter
from pathlib import Path

import pytest
from pydantic import ValidationError

from evals.suites import everyday
from evals.suites.everyday import Everyday
from evals.suites.scoring.rules import Right, holds
from map_tools.errors import ConfigError, InputFileError
from mapagent.core.answer import Answer, Part, Status

FILE = """
author = "ada"
map = "port-town"

[[questions]]
id = "ada-1"
category = "finding"
text = "Which cafe is nearest to the mill?"
near = [60.1, 24.9]
at = 2026-11-25T18:00:00
right = [{ one_of = ["Café Été"], none_of = ["Bean"] }]

[[questions]]
id = "ada-2"
category = "parts"
text = "How far is the mill from the lighthouse, and is it open now?"
right = [{ metres = 1200 }, { yes = true }]

[[questions]]
id = "ada-3"
category = "unanswerable"
text = "Who owns the mill?"
"""


@pytest.fixture
def suite(tmp_path: Path) -> tuple[Everyday, Path]:
    """The suite and a folder with one file."""
    (tmp_path / "ada.toml").write_text(FILE, "utf-8")
    return Everyday(), tmp_path


def said(text: str) -> Answer:
    """An answer in words."""
    return Answer(status=Status.ANSWERED, text=text)


def test_the_questions_that_come_with_it() -> None:
    items = Everyday().load(Path(everyday.__file__).parent / "data" / "everyday", "fair")
    assert len(items) == 400
    assert Counter(item.gold["author"] for item in items) == {f"a{number}": 50 for number in range(1, 9)}
    assert len({item.task.question.text for item in items}) == 400
    assert sum(not item.answerable for item in items) == 40


def test_items(suite: tuple[Everyday, Path]) -> None:
    first, second, third = suite[0].load(suite[1], "fair")
    assert [item.category for item in (first, second, third)] == ["finding", "parts", "unanswerable"]
    question = first.task.question
    assert question.near is not None
    assert (question.near.lat, question.near.lng, question.at and question.at.hour) == (60.1, 24.9, 18)
    assert not third.answerable


@pytest.mark.parametrize(
    ("number", "text", "right"),
    [
        (0, "Cafe ete, 200 m", True),
        (0, "Café Été or Bean", False),
        (0, "Café Étés", False),
        (1, "Yes; the mill is 1.05 km away", False),
        (1, "distance: 1.15 km; open: yes", True),
        (1, "Yes, and it is 1,230 m away.", True),
        (1, "No, and it is 1,230 m away.", False),
        (1, "Yes.", False),
        (2, "The miller does.", False),
    ],
)
def test_answers_are_judged(suite: tuple[Everyday, Path], number: int, text: str, right: bool) -> None:
    item = suite[0].load(suite[1], "fair")[number]
    assert suite[0].score(item, said(text)).correct == right


def test_further_parts_are_said_too(suite: tuple[Everyday, Path]) -> None:
    parts = {"open": Part(text="Yes")}
    answer = Answer(status=Status.ANSWERED, text="1.2 km", parts=parts)
    assert suite[0].score(suite[0].load(suite[1], "fair")[1], answer).correct


def test_refusals(suite: tuple[Everyday, Path]) -> None:
    first, _, third = suite[0].load(suite[1], "fair")
    refused = Answer(status=Status.UNANSWERABLE, text="", reason="The map does not say.")
    assert suite[0].score(third, refused).correct
    assert not suite[0].score(first, refused).correct
    assert suite[0].score(first, refused).refused
    unread = Answer(status=Status.NOT_UNDERSTOOD, text="")
    for item in (first, third):
        score = suite[0].score(item, unread)
        assert (score.correct, score.refused) == (False, True), "no answer is no wrong one"


def test_shares_by_author_and_map(suite: tuple[Everyday, Path]) -> None:
    items = suite[0].load(suite[1], "fair")
    judged = [(item, suite[0].score(item, said("Café Été"))) for item in items]
    told = suite[0].metrics(judged)
    assert told["author"]["ada"]["n"] == told["map"]["port-town"]["n"] == 3
    assert told["author"]["ada"]["right"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("rule", "text", "right"),
    [
        ({"number": 3}, "There are 3.", True),
        ({"number": 0}, "None near there.", True),
        ({"number": 4.2, "within": 0.1}, "4.3 stars", True),
        ({"square_metres": 13_000}, "1.3 ha", True),
        ({"square_metres": 13_000, "within": 500}, "12,000 m²", False),
        ({"minutes": 30}, "32 min", True),
        ({"minutes": 30}, "34 min", False),
        ({"clock": "17:30"}, "It closes at 5:30 pm.", True),
        ({"clock": "00:05", "within": 10}, "at 23:58", True),
        ({"direction": "northeast"}, "to the north-east", True),
        ({"direction": "north"}, "to the northeast", False),
        ({"none": True}, "There is no bakery.", True),
        ({"names": ["Mill", "Old Inn"]}, "Old Inn; the mill", True),
        ({"names": ["Mill", "Old Inn"]}, "the mill", False),
    ],
)
def test_rules(rule: dict[str, object], text: str, right: bool) -> None:
    assert holds(Right.model_validate(rule), text) == right


@pytest.mark.parametrize(
    "rule",
    [{}, {"yes": True, "number": 1}, {"direction": "up"}, {"metres": -1}, {"within": 2}, {"colour": "red"}],
)
def test_rules_that_are_none(rule: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Right.model_validate(rule)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('id = "ada-2"', 'id = "ada-1"', "ada-1 twice"),
        ('category = "unanswerable"', 'category = "facts"', "right"),
        ('category = "parts"', 'category = "gossip"', "category"),
        ('author = "ada"', "author = ", "cannot be read"),
    ],
)
def test_files_that_are_none(suite: tuple[Everyday, Path], old: str, new: str, words: str) -> None:
    (suite[1] / "ada.toml").write_text(FILE.replace(old, new), "utf-8")
    with pytest.raises(InputFileError, match=words):
        suite[0].load(suite[1], "fair")


def test_a_provider_for_all_is_refused(suite: tuple[Everyday, Path]) -> None:
    with pytest.raises(ConfigError, match="own city"):
        suite[0].map_of(suite[0].load(suite[1], "fair")[0])
