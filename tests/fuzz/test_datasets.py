"""Benchmark files with mistakes and damages: read, or refused with the file's name and a remedy."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.suites.gsqa import read_gsqa
from evals.suites.mapeval import read_mapeval
from evals.suites.recommend import ENTITIES, QUESTIONS, RecommendTourismqa
from evals.suites.scoring.mapqa import read_mapqa
from evals.suites.scoring.recommend import read_recommend
from map_tools.errors import InputFileError
from tests.fuzz.damage import assert_told, damaged, mistaken
from tests.support.effort import effort

MAPEVAL = {
    "id": 1, "question": "Which mill is nearest?", "context": "Information of <b>Old Mill</b>:",
    "classification": "nearby",
    "answer": {"type": "mcq", "options": ["Old Mill", "New Mill"], "correct": 0},
}  # fmt: skip
GSQA = {
    "id": 1, "template": "T1", "question": "Which mill is nearest?", "answer_type": "name", "sql": "SELECT 1",
    "answers": [{"id": 3, "name": "Old Mill", "lat": 50.1, "lon": 10.0}],
    "entities": {"poi1": {"name": "Old Mill"}}, "towards_azimuth": 45.0, "world_ok": True,
}  # fmt: skip
MAPQA = {
    "id": "a", "type": 7, "question": "How far is it?", "answers": ["120.50 meters"], "world_ok": True,
    "entities": [{"name": "Old Mill", "role": "subject", "lat": 50.1, "lon": 10.0}],
}  # fmt: skip
WISH = {
    "id": "w", "family": "point", "question": "A quiet place?", "near": {"lat": 50.1, "lng": 10.0},
    "grades": {"Old Mill": 2, "New Mill": 1}, "lies": ["Old Mill", "New Mill"],
}  # fmt: skip
READERS: dict[str, tuple[dict[str, Any], Callable[[Path], tuple[Any, ...]]]] = {
    "mapeval": (MAPEVAL, read_mapeval),
    "gsqa": (GSQA, read_gsqa),
    "mapqa": (MAPQA, read_mapqa),
    "recommend": (WISH, read_recommend),
}
ARRANGED = st.sampled_from(("array", "lines"))


def arrange(records: list[Any], form: str) -> str:
    return json.dumps(records, indent=1) if form == "array" else "\n".join(map(json.dumps, records))


def assert_read_or_refused(read: Callable[[Path], tuple[Any, ...]], path: Path) -> None:
    try:
        assert read(path)
    except InputFileError as error:
        assert_told(error, str(path))


@pytest.mark.parametrize("name", READERS)
def test_the_samples_are_sound(name: str, tmp_path: Path) -> None:
    record, read = READERS[name]
    path = tmp_path / "dataset.json"
    for form in ("array", "lines"):
        path.write_text(arrange([record], form), encoding="utf-8")
        assert len(read(path)) == 1


@pytest.mark.parametrize("name", READERS)
def test_a_blank_question_is_told_with_its_line(name: str, tmp_path: Path) -> None:
    record, read = READERS[name]
    path = tmp_path / "dataset.json"
    path.write_text(arrange([record, record | {"id": "second", "question": " "}], "lines"), encoding="utf-8")
    with pytest.raises(InputFileError, match=r"line 2 \(id second\): question: The question is empty"):
        read(path)


@pytest.mark.parametrize("name", READERS)
def test_half_a_character_is_told_with_its_line(name: str, tmp_path: Path) -> None:
    record, read = READERS[name]
    path = tmp_path / "dataset.json"
    whole = record | {"question": "Which \U0001f3e0 is nearest?"}
    half = record | {"id": "second", "question": "Which \ud83c is nearest?"}
    path.write_text(arrange([whole, half], "lines"), encoding="utf-8")
    with pytest.raises(InputFileError, match="line 2: half of a character pair"):
        read(path)


@pytest.mark.parametrize("name", READERS)
def test_mistakes_in_a_record(name: str, tmp_path: Path) -> None:
    record, read = READERS[name]
    path = tmp_path / "dataset.json"

    @effort()
    @given(mistaken([record, record | {"id": "second"}]), ARRANGED)
    def written(records: Any, form: str) -> None:
        path.write_text(arrange(records if isinstance(records, list) else [records], form), encoding="utf-8")
        assert_read_or_refused(read, path)

    written()


@pytest.mark.parametrize("name", READERS)
def test_damaged_files(name: str, tmp_path: Path) -> None:
    record, read = READERS[name]
    path = tmp_path / "dataset.json"
    records = [record, record | {"id": "second"}]

    @effort(0.5)
    @given(ARRANGED.flatmap(lambda form: damaged(arrange(records, form).encode())))
    def written(content: bytes) -> None:
        path.write_bytes(content)
        assert_read_or_refused(read, path)

    written()


ENTITY = {"id": "1_R_1", "name": "Old Mill", "type": "R", "lat": 50.1, "lon": 10.0, "text": "Quiet."}
ASKED = {"id": "q", "question": "A quiet place?", "city": "Vaduz", "answers": ["1_R_1"]}


@effort()
@given(mistaken([[ENTITY], [ASKED]]))
def test_mistakes_in_one_of_two_files(tmp_path: Path, files: Any) -> None:
    names = (ENTITIES, QUESTIONS)
    for name, records in zip(names, files if isinstance(files, list) else [files], strict=False):
        lines = records if isinstance(records, list) else [records]
        (tmp_path / name).write_text(arrange(lines, "lines"), encoding="utf-8")
    try:
        RecommendTourismqa().load(tmp_path, "fair")
    except InputFileError as error:
        said = str(error)
        assert_told(error)
    else:
        return
    assert any(name in said for name in names)
