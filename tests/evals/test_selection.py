"""Which items are asked."""

from collections import Counter
from pathlib import Path

import pytest

from evals.runner.evaluation import Selection, select
from map_tools.errors import InputFileError, UsageError
from tests.evals.support import items


def test_the_first_ones_without_a_seed() -> None:
    assert [item.id for item in select(items(10), Selection(limit=3))] == ["0", "1", "2"]


def test_a_draw_keeps_the_shares_of_the_categories_and_the_order() -> None:
    chosen = select(items(40), Selection(limit=10, seed=5))
    assert Counter(item.category for item in chosen) == {"a": 5, "b": 5}
    assert [int(item.id) for item in chosen] == sorted(int(item.id) for item in chosen)
    assert chosen == select(items(40), Selection(limit=10, seed=5))
    assert chosen != select(items(40), Selection(limit=10, seed=6))


def test_a_sample_of_ids(tmp_path: Path) -> None:
    sample = tmp_path / "ids.txt"
    sample.write_text("# two of them\n7\n\n3\n")
    assert [item.id for item in select(items(10), Selection(sample=sample))] == ["3", "7"]
    sample.write_text("7\nseven\n")
    with pytest.raises(InputFileError, match=r"line 2: there is no question with the id 'seven'"):
        select(items(10), Selection(sample=sample))


def test_defective_ones_can_be_left_out() -> None:
    some = [item.model_copy(update={"defective": "no gold" if item.id == "1" else ""}) for item in items(3)]
    assert [item.id for item in select(some, Selection(exclude_defective=True))] == ["0", "2"]
    with pytest.raises(UsageError, match="No question is left"):
        select(some[1:2], Selection(exclude_defective=True))
