"""JSON in what models write."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapagent.llm.jsontext import mend, values_in

WALK = {"place": "harbour", "minutes": 12}
TEXT = json.dumps(WALK)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}```",
        f"Here it is:\n\n```json\n{TEXT}\n```\nI hope that helps {{really}}.",
        f"The answer is {TEXT}, as you see.",
        '{"place": "harbour", "minutes": 12,}',
        '{"place": "harbour", "minutes": 12, \n}\n',
        '{"place": "harbour", "minutes": 12',
        'Sure! {"place": "harbour", "minutes": 12\n',
        '```json\n{"place": "harbour", "minutes": 12',
    ],
)
def test_the_object_is_found(text: str) -> None:
    assert next(values_in(text)) == WALK


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no object at all",
        '{"place": "harb',
        '{"place": "harbour", "min',
        '{"place": "harbour", "minutes"',
        '{"place": "harbour", "minutes":',
        '{"place": [1, 2}',
        "{" * 5000,
        '{"a":' * 5000,
    ],
)
def test_what_cannot_be_known_is_not_guessed(text: str) -> None:
    assert list(values_in(text)) == []


def test_a_reply_that_was_cut_off_is_not_closed() -> None:
    """The number may have had more digits, the list more items."""
    cut = '{"minutes": 1'
    assert list(values_in(cut)) == [{"minutes": 1}]
    assert list(values_in(cut, ended=False)) == []


def test_brackets_and_commas_in_strings_stay() -> None:
    assert mend('{"a": "x,} ]\\" {", "b": [1, 2,],}', close=False) == '{"a": "x,} ]\\" {", "b": [1, 2]}'


def test_all_objects_are_offered_the_likeliest_first() -> None:
    assert list(values_in('first {"a": 1} then {"b": 2}')) == [{"a": 1}, {"b": 2}]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), _JSON, max_size=4))
def test_any_object_between_sentences_is_found(value: dict[str, Any]) -> None:
    assert next(values_in(f"Well: {json.dumps(value)} That is all.")) == value


@given(st.text(alphabet='{}[]",:\\ a1', max_size=60))
def test_no_text_breaks_the_search(text: str) -> None:
    for value in values_in(text):
        assert isinstance(value, dict | list)


def test_half_a_json_of_a_real_model_is_not_completed(said: Callable[[str], str]) -> None:
    assert list(values_in(said("smollm2_half_json"), ended=False)) == []


def test_code_of_a_real_model_holds_no_object(said: Callable[[str], str]) -> None:
    assert list(values_in(said("smollm2_code_for_call"))) == []
