"""JSON whose objects say two things under one name (RFC 8259, section 4)."""

import pytest

from map_tools.validation import read_json


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
