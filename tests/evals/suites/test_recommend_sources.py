"""MapQA-ADJ and MapQA-AME as recommendations, and TourismQA's files."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evals.suites.recommend import RecommendMapqa, RecommendTourismqa
from map_tools.errors import InputFileError
from map_tools.providers.base import Provider
from mapagent.answer import Answer, NameSet, Status
from mapagent.config import Settings
from tests.support.data import shared

QUESTION = {"id": "q", "type": 4, "question": "Which?", "answers": ["Old Mill"], "world_ok": True}
ENTITIES = [
    {"id": "1_R_1", "name": "Moss Grill", "type": "R", "lat": 25.77, "lon": -80.19, "text": "Quiet."},
    {"id": "1_H_2", "name": "Fern Inn", "type": "H", "lat": 25.78, "lon": -80.20},
    {"id": "1_R_3", "name": "Fern Inn", "type": "R", "lat": 25.79, "lon": -80.21},
]
ASKED = [
    {"id": "t1", "question": "A quiet dinner?", "city": "Miami", "answers": ["1_R_1"]},
    {"id": "t2", "question": "Where to sleep?", "answers": ["1_H_2", "1_R_1"]},
]


def write(path: Path, records: Sequence[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def closed[T](provider: Provider, work: T) -> T:
    asyncio.run(provider.close())
    return work


def test_types_one_and_four_are_asked_and_what_does_not_follow_stands_apart(tmp_path: Path) -> None:
    others = [QUESTION | {"id": f"q{kind}", "type": kind, "question": f"{kind}?"} for kind in (1, 2, 3, 6)]
    doubtful = QUESTION | {"id": "no", "question": "Who?", "world_ok": False}
    write(tmp_path / "dev.jsonl", [QUESTION, *others, doubtful])
    items = {item.id: item for item in RecommendMapqa().load(tmp_path, "fair")}
    assert set(items) == {"q", "q1", "no"}
    assert {name for name, item in items.items() if item.apart} == {"no"}
    assert (items["q"].category, items["q1"].category) == ("around", "adjacent")
    answer = Answer(status=Status.ANSWERED, text="", value=NameSet(names=("old mill",)))
    assert RecommendMapqa().score(items["q"], answer).correct


def test_what_is_asked_of_several_branches_with_different_answers_is_defective(tmp_path: Path) -> None:
    def record(name: str, words: str, branch: str, kind: str, found: str) -> dict[str, Any]:
        subject = {"name": branch, "role": "subject"}
        about = {"id": name, "question": words, "entities": [subject], "amenity": kind, "answers": [found]}
        return QUESTION | about

    records = [
        record("other-1", "Which banks?", "Oak Bank", "bank", "Elm Bank"),
        record("other-2", "List the banks.", "oak bank", "bank", "Fir Bank"),
        record("same-1", "Which atms?", "Oak Bank", "atm", "Elm Cash"),
        record("same-2", "List the atms.", "Oak Bank", "atm", "Elm Cash"),
    ]
    write(tmp_path / "dev.jsonl", records)
    items = RecommendMapqa().load(tmp_path, "fair")
    assert {item.id for item in items if item.defective} == {"other-1", "other-2"}


def test_the_published_questions_load() -> None:
    items = RecommendMapqa().load(shared("mapqa") / "dev.jsonl", "fair")
    assert {item.category for item in items} == {"adjacent", "around"}
    assert len(items) == 249 + 220  # the table of data/README.md
    follows = [
        sum(item.category == kind and not item.apart for item in items) for kind in ("adjacent", "around")
    ]
    assert [round(100 * n / total) for n, total in zip(follows, (249, 220), strict=True)] == [65, 91]


def test_tourismqa_is_read_from_two_files(tmp_path: Path) -> None:
    write(tmp_path / "questions.jsonl", ASKED)
    write(tmp_path / "entities.jsonl", ENTITIES)
    suite = RecommendTourismqa()
    first, second = suite.load(tmp_path, "fair")
    assert first.gold.relevant == frozenset({"moss grill"})
    assert not first.apart
    assert "shares its name" in second.apart
    score = suite.score(first, Answer(status=Status.ANSWERED, text="Fern Inn; Moss Grill"))
    assert score.values["recall@3"] == 1.0
    assert "lies" not in score.values
    provider = suite.provider(tmp_path, Settings(data_home=tmp_path / "home"))
    assert provider is not None
    (found,) = closed(provider, asyncio.run(provider.find_place("Moss Grill", limit=1)))
    assert found.place.attributes["description"] == "Quiet."


def test_an_answer_that_is_no_entity_is_told(tmp_path: Path) -> None:
    write(tmp_path / "questions.jsonl", [ASKED[0] | {"answers": ["9_R_9"]}])
    write(tmp_path / "entities.jsonl", ENTITIES)
    with pytest.raises(InputFileError, match="9_R_9 of question t1"):
        RecommendTourismqa().load(tmp_path, "fair")
