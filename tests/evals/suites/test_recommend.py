"""The suite `recommend`: its file, its map, and how recommendations are judged."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals.ports import Item, Score
from evals.suites.recommend import Recommend, recommend_item
from evals.suites.scoring.recommend import RecommendRecord
from map_tools.errors import InputFileError, UnknownNameError
from mapagent.answer import Answer, NameSet, Quantity, Status, YesNo
from mapagent.config import Settings

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
