"""Files of lines and of JSON: whole lines, one writer at a time, no object that says two things under one name."""

import json
import stat
from pathlib import Path

import pytest

from map_tools.errors import InputFileError, OutputFileError, UsageError
from map_tools.files import Journal, whole_bytes, write_json
from map_tools.validation import read_json
from tests.support.disks import files_up_to


def opened(path: Path) -> Journal:
    return Journal.open(path, remedy="Make room.")


def test_lines_come_back_in_order(tmp_path: Path) -> None:
    with opened(tmp_path / "lines") as journal:
        journal.append(b"one\n")
        journal.append(b"two\n")
    with opened(tmp_path / "lines") as journal:
        assert list(journal.lines()) == [b"one", b"two"]


@pytest.mark.parametrize("half", [b"half", b"x" * 200_000, b'{"a": 1'])
def test_half_a_line_is_cut_off(tmp_path: Path, half: bytes) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\n" + half)
    with opened(path) as journal:
        journal.append(b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"


@pytest.mark.parametrize(
    ("content", "length"),
    [
        (b"", 0),
        (b"a", 0),
        (b"a\n", 2),
        (b"a\nb", 2),
        (b"\n", 1),
        (b"\nb", 1),
        (b"a\n" + b"b" * 70_000, 2),
    ],
)
def test_the_whole_part_of_a_file(tmp_path: Path, content: bytes, length: int) -> None:
    path = tmp_path / "lines"
    path.write_bytes(content)
    assert whole_bytes(path) == length


def test_two_cannot_write_at_once(tmp_path: Path) -> None:
    with opened(tmp_path / "lines"), pytest.raises(UsageError, match="Another process is writing"):
        opened(tmp_path / "lines")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"cannot be written: No such file.*Make room\."):
        opened(tmp_path / "nowhere" / "lines")


def test_a_line_that_does_not_fit_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    with opened(path) as journal:
        journal.append(b"one\n")
        with (
            files_up_to(100_000),
            pytest.raises(OutputFileError, match=r"lines cannot be written: File too large\. Make room\."),
        ):
            journal.append(b"x" * 200_000 + b"\n")
        assert path.read_bytes() == b"one\n"
        journal.append(b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"


def test_json_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "values.json"
    path.write_text("an older one that everybody could read")
    write_json(path, {"name": "Tähti", "at": 60.1})
    assert json.loads(path.read_text("utf-8")) == {"name": "Tähti", "at": 60.1}
    assert "Tähti" in path.read_text("utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_on_a_full_disk_the_old_json_stays(tmp_path: Path) -> None:
    path = tmp_path / "values.json"
    write_json(path, {"old": 1})
    with files_up_to(1_000), pytest.raises(OSError, match="File too large"):
        write_json(path, {"new": "x" * 5_000})
    assert json.loads(path.read_text()) == {"old": 1}
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_said_once_is_read() -> None:
    assert read_json('{"a": [1, {"b": null}], "ä": "ö"}') == {"a": [1, {"b": None}], "ä": "ö"}
    assert read_json(b'"\xc3\xa4"') == "ä"


def test_what_is_repeated_is_read() -> None:
    assert read_json('{"a": 1, "b": [2], "a": 1, "b": [2]}') == {"a": 1, "b": [2]}


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 2}', '[{"deep": {"a": [1], "b": 0, "a": [1, 2]}}]', '{"a": 1, "a": null}']
)
def test_two_values_under_one_name_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="'a' stands twice, with different values"):
        read_json(text)


@pytest.mark.parametrize("text", ["", "{", "<html>", '{"a": 1}}'])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"line 1 column"):
        read_json(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a\\ud800": ["b\\udc00c", 1]}', {"a\ufffd": ["b\ufffdc", 1]}),
        (b'"\\ud83d\\ude00 \\ud83d"', "\U0001f600 \ufffd"),
        ('"\ud800"', "\ufffd"),
        ('"\\\\ud800"', "\\ud800"),
    ],
)
def test_half_of_a_pair_is_no_character(text: str | bytes, value: object) -> None:
    assert read_json(text) == value
