"""The floor: well-typed answers drawn from a map, the same every time."""

from pathlib import Path

import pytest

from evals.answers import AnswerKind
from evals.methods.baselines import RANGES, RandomAnswer, kind_of
from map_tools.errors import ConfigError
from mapagent.answer import Named, Quantity
from tests.evals.methods.desk import run, task
from tests.support.maps import demo_map


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many mills are there in Westport?", "count"),
        ("What is the total area of all lakes in Westport?", "area"),
        ("What is the total length of all streams in Westport?", "length"),
        ("How far is the nearest mill from Old Quay?", "distance"),
        ("In which direction is the nearest mill?", "angle"),
        ("Where can I find a mill?", "loc"),
        ("Which mill is nearest to Old Quay?", "name"),
    ],
)
def test_the_type_is_what_the_words_ask_for(question: str, kind: AnswerKind) -> None:
    assert kind_of(question) == kind


def test_numbers_are_in_range_and_do_not_change() -> None:
    first, _ = run(RandomAnswer(), task("How far is it?"), None)
    again, _ = run(RandomAnswer(), task("How far is it?"), None)
    assert first == again
    assert isinstance(first.value, Quantity)
    low, high, unit = RANGES["distance"]
    assert low <= first.value.value <= high
    assert first.value.unit == unit


def test_an_option_where_there_are_options() -> None:
    answer, _ = run(RandomAnswer(), task("Which?", "Old Mill", "Quay"), None)
    assert answer.text in {"Old Mill", "Quay"}
    assert answer.option_index in {0, 1}


def test_a_place_of_the_map(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "helsinki").symlink_to(demo_map())
    answer, _ = run(RandomAnswer(), task("Which mill is nearest?"), None, map="helsinki", data_home=tmp_path)
    assert isinstance(answer.value, Named)
    assert answer.value.place is not None
    assert answer.value.place.location is not None


def test_without_a_map_there_is_no_place(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="map"):
        run(RandomAnswer(), task("Which mill is nearest?"), None, data_home=tmp_path)
