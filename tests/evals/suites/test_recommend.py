"""The suite `recommend`: its file, its map, and how recommendations are judged."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evals.ports import Item, Score
from evals.suites.recommend import Recommend, RecommendMapqa, RecommendTourismqa, recommend_item
from evals.suites.scoring.recommend import RecommendRecord
from map_tools.errors import InputFileError, UnknownNameError
from map_tools.providers.base import Provider
from mapagent.core.answer import Answer, NameSet, Quantity, Status, YesNo
from mapagent.runtime.config import Settings
from tests.support.data import shared

WISH: dict[str, Any] = {
    "id": "w1",
    "family": "point",
    "question": "A quiet bar near the Pier?",
    "grades": {"Moss Bar": 2, "Fern Bar": 1},
    "lies": ["Moss Bar", "Fern Bar", "Loud Bar"],
    "surrounded": ["Moss Bar"],
    "alike": ["Moss Bar", "Far Bar"],
}


def item(**changes: Any) -> Item:
    return recommend_item(RecommendRecord.model_validate(WISH | changes))


def judged(*names: str, status: Status = Status.ANSWERED, **changes: Any) -> Score:
    value = NameSet(names=names) if names else None
    answer = Answer(status=status, text="; ".join(names), value=value)
    return Recommend().score(item(**changes), answer)


def failure(score: Score) -> list[str]:
    return [name for name in score.values if name.startswith("failure:")]


def test_the_first_place_decides() -> None:
    score = judged("Moss Bar", "Loud Bar")
    assert score.correct
    assert (score.values["precision@1"], score.values["precision@3"]) == (1.0, pytest.approx(1 / 3))
    assert (score.values["recall"], score.values["precision"]) == (1.0, 0.5)
    assert (score.values["lies"], score.values["surrounded"], score.values["alike"]) == (1.0, 1.0, 1.0)
    assert not failure(score)


@pytest.mark.parametrize(
    ("names", "passes", "failed"),
    [
        (("Far Bar", "Moss Bar"), (0.0, 0.0, 1.0), "geometry"),
        (("Fern Bar",), (1.0, 0.0, 0.0), "ranking"),
        (("Unheard-of Bar",), (0.0, 0.0, 0.0), "geometry"),
    ],
)
def test_what_the_first_place_fails_is_told(
    names: tuple[str, ...], passes: tuple[float, ...], failed: str
) -> None:
    score = judged(*names)
    assert not score.correct
    assert tuple(score.values[part] for part in ("lies", "surrounded", "alike")) == passes
    assert failure(score) == [f"failure:{failed}"]


@pytest.mark.parametrize(
    ("answer", "failed"),
    [
        (Answer(status=Status.UNANSWERABLE, text=""), "nothing fits"),
        (Answer(status=Status.AMBIGUOUS, text=""), "intent"),
        (Answer(status=Status.ANSWERED, text="Yes", value=YesNo(value=True)), "intent"),
        (Answer(status=Status.ANSWERED, text="7", value=Quantity(value=7, unit="count")), "intent"),
        (Answer(status=Status.ANSWERED, text=""), "format"),
    ],
)
def test_what_names_no_place_is_not_delivered(answer: Answer, failed: str) -> None:
    score = Recommend().score(item(), answer)
    assert score.values["delivered"] == 0
    assert "lies" not in score.values
    assert failure(score) == [f"failure:{failed}"]
    assert score.refused == (failed == "nothing fits")


def test_words_are_read_as_a_list_and_remarks_are_left_out() -> None:
    text = "1. Moss Bar - quiet, by the water\n2. Fern Bar (loud on Fridays)\n3. LOUD BAR: cheap"
    score = Recommend().score(item(), Answer(status=Status.ANSWERED, text=text))
    assert score.correct
    assert score.values["named"] == 3
    assert score.values["ndcg@3"] == pytest.approx(1.0)


def test_where_all_are_asked_for_the_set_decides() -> None:
    both = {"whole": True, "grades": {"Moss Bar": 2, "Fern Bar": 2}, "family": "around"}
    assert judged("Fern Bar", "Moss Bar", **both).correct
    assert failure(judged("Fern Bar", **both)) == ["failure:set"]
    assert failure(judged("Fern Bar", "Moss Bar", "Loud Bar", **both)) == ["failure:set"]


def test_a_region_that_is_missed_is_a_class_of_its_own() -> None:
    assert failure(judged("Far Bar", family="region")) == ["failure:region"]


def test_a_known_defect_is_no_fault_of_the_method() -> None:
    assert failure(judged("Fern Bar", defective="twice")) == ["failure:dataset"]


def test_metrics_keep_apart_what_does_not_count() -> None:
    counted, apart = item(), item(id="w2", apart="not in the extract")
    right, wrong = judged("Moss Bar"), judged("Far Bar")
    refused = judged(status=Status.UNANSWERABLE)
    metrics = Recommend().metrics([(counted, right), (item(id="w3"), refused), (apart, wrong)])
    headline = metrics["headline"]
    assert (headline["n"], metrics["apart"]["n"]) == (2, 1)
    assert headline["pass_rates"] == {
        "delivery": 0.5,
        "spatial_sparse": 1.0,
        "spatial_dense": 1.0,
        "semantic": 1.0,
    }
    assert headline["at"]["1"]["precision"] == 0.5
    assert headline["failures"] == {"nothing fits": 1}
    assert set(metrics["by_family"]) == {"point"}


def test_a_method_that_broke_counts_as_nothing_delivered() -> None:
    headline = Recommend().metrics([(item(), Score(correct=False, invalid=True))])["headline"]
    assert headline["pass_rates"]["delivery"] == 0
    assert headline["at"]["10"]["ndcg"] == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"grades": {"Fern Bar": 1}}, "no place fulfils the wish"),
        ({"grades": {"Far Bar": 2}}, "does not lie as asked"),
        ({"family": "star"}, "family"),
        ({"grades": {"Moss Bar": 3}}, "grades"),
    ],
)
def test_a_wrong_record_is_told_with_its_line(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    path = tmp_path / "dataset.jsonl"
    path.write_text(json.dumps(WISH) + "\n" + json.dumps(WISH | {"id": "w2"} | changes) + "\n")
    with pytest.raises(InputFileError, match=rf"line 2 .*{message}"):
        Recommend().load(tmp_path, "fair")


def test_the_map_is_that_of_the_manifest(tmp_path: Path) -> None:
    settings = Settings(data_home=tmp_path / "home")
    with pytest.raises(InputFileError, match="cannot be read"):
        Recommend().provider(tmp_path, settings)
    (tmp_path / "manifest.json").write_text("[]")
    with pytest.raises(InputFileError, match="no JSON object"):
        Recommend().provider(tmp_path, settings)
    (tmp_path / "manifest.json").write_text('{"map": "elsewhere", "map_source_sha256": "0"}')
    with pytest.raises(UnknownNameError, match="elsewhere"):
        Recommend().provider(tmp_path, settings)


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
