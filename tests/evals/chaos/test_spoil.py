"""Spoilt JSON: what is emptied, left out, or said twice."""

import json
import random

import pytest

from evals.chaos.proxy import doubled, emptied, thinned
from map_tools.strict_json import read_json

REPLY = {"places": [{"id": "a", "rating": 4.5, "open": True, "name": {"text": "Quay"}}], "token": "t"}


def test_the_lists_at_the_top_are_emptied() -> None:
    assert emptied(REPLY) == {"places": [], "token": "t"}
    assert emptied([REPLY]) == []
    assert emptied({"id": "a"}) == {"id": "a"}


def test_a_fifth_of_the_fields_goes_missing_at_any_depth() -> None:
    wide = {"rows": [{str(number): number for number in range(1000)}]}
    dice = random.Random(3)
    while not (thin := thinned(wide, dice)):
        pass
    assert 740 < len(thin["rows"][0]) < 860  # 800 expected, 13 is one standard deviation


def test_numbers_and_texts_stand_twice_with_different_values() -> None:
    pairs: list[tuple[str, object]] = []

    def keep(found: list[tuple[str, object]]) -> dict[str, object]:
        pairs.extend(found)
        return dict(found)

    last = json.loads(doubled(REPLY), object_pairs_hook=keep)
    twice = [name for name, _ in pairs]
    assert [twice.count(name) for name in ("id", "rating", "open", "text", "token")] == [2] * 5
    assert [twice.count(name) for name in ("places", "name")] == [1, 1]
    assert last == {
        "places": [{"id": "a?", "rating": 10.0, "open": False, "name": {"text": "yauQ?"}}],
        "token": "t?",
    }


def test_what_is_said_twice_differently_is_no_json_to_the_product() -> None:
    with pytest.raises(ValueError, match="'text' stands twice, with different values"):
        read_json(doubled(REPLY))
