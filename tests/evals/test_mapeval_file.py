"""Reading the file of MapEval: what is wrong with it is named with its line."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals.suites.files import read_records
from evals.suites.mapeval import read_mapeval
from map_tools.errors import InputFileError
from tests.evals.support import LITTLE, little, write
from tests.support.data import shared


def test_all_records_in_order_with_their_categories() -> None:
    records = read_mapeval(LITTLE)
    assert [record.id for record in records] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [record.category for record in records][:4] == ["routing", "poi", "trip", "nearby"]
    assert records[6].category == "unanswerable"
    assert not records[6].answerable


def test_a_folder_with_the_file_will_do(tmp_path: Path) -> None:
    write(tmp_path / "dataset.json", little())
    assert len(read_mapeval(tmp_path)) == 8


def test_a_folder_without_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"holds 0 files of questions"):
        read_mapeval(tmp_path)


def test_json_lines_will_do(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in little()) + "\n", encoding="utf-8")
    assert read_mapeval(path) == read_mapeval(LITTLE)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": 2}, r"line 5: the id 2 was used before, in line 3"),
        ({"classification": "weather"}, r"line 5 \(id 4\): classification"),
        ({"classification": None}, r"line 5 \(id 4\): 'classification' is missing"),
        ({"question": ""}, r"line 5 \(id 4\): question"),
        ({"surprise": 1}, r"line 5 \(id 4\): surprise"),
        ({"answer": {"type": "mcq", "options": ["a", "b"], "correct": 2}}, r"answer: 'correct' is 2, but"),
        ({"answer": {"type": "mcq", "options": ["a", "b"], "correct": -2}}, r"answer\.correct"),
        ({"answer": {"type": "mcq", "options": ["a", "b"], "correct": "1"}}, r"answer\.correct"),
        ({"answer": {"type": "mcq", "options": ["a"], "correct": 0}}, r"answer\.options"),
        ({"answer": {"type": "open", "options": ["a", "b"], "correct": 0}}, r"answer\.type"),
    ],
)
def test_a_wrong_record_is_named_with_its_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    records = little()
    records[3] |= change
    with pytest.raises(InputFileError, match=message):
        read_mapeval(write(tmp_path / "data.json", records))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[\n{"a": 1},\n{"a": }\n]', r"line 3: not JSON"),
        ('[\n{"a": 1}\n{"a": 2}]', r"line 3: not JSON \(a comma or \] is missing\)"),
        ('[\n{"a": 1},\n]', r"line 3: not JSON"),
        ('[{"a": 1},\n 5]', r"line 2: a record is a JSON object"),
        ('[{"a": 1}]\nmore', r"line 1: there is more behind the end"),
        ('{"a": 1}\n{"a": \n', r"line 2: not JSON"),
        ('[{"a": 1}', r"line 1: not JSON"),
    ],
)
def test_what_is_no_json_is_named_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "data.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputFileError, match=message):
        list(read_records(path))


def test_a_file_that_is_missing_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="cannot be read"):
        read_mapeval(tmp_path / "absent.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputFileError, match="not UTF-8"):
        read_mapeval(tmp_path / "bytes.json")


def test_defects_that_show_in_the_record(tmp_path: Path) -> None:
    records = little()[:2]
    records[0]["answer"]["options"] = ["14 mins", "14 mins ", "2", "3"]
    records[1]["answer"]["options"] = ["1", "2", "", "4"]
    defects = [record.defect for record in read_mapeval(write(tmp_path / "data.json", records))]
    assert defects == ["the right option is listed twice", "the right option is empty"]


def test_the_original_file_has_the_counts_of_its_description() -> None:
    records = read_mapeval(shared("mapeval_textual/dev.json"))
    counts: dict[str, int] = {}
    for record in records:
        counts[record.category] = counts.get(record.category, 0) + 1
    assert counts == {"nearby": 41, "poi": 32, "routing": 33, "trip": 34, "unanswerable": 10}
