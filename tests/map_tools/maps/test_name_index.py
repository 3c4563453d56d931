"""Misspelt names among many."""

import random

import numpy as np
import pytest

from benchmarks.map_engine.tasks import misspelt
from map_tools.maps import name_index
from map_tools.maps.name_index import NameIndex, build_names

SYLLABLES = ["ka", "lo", "mi", "ren", "sta", "vik", "po", "har", "ned", "osk", "tur", "bel"]
COUNT, ASKED = 20_000, 60


@pytest.fixture(scope="module")
def names() -> list[str]:
    chance = random.Random(3)
    return sorted({"".join(chance.choices(SYLLABLES, k=6)) for _ in range(COUNT)})


@pytest.fixture(scope="module")
def index(names: list[str]) -> NameIndex:
    numbers = np.arange(len(names), dtype=np.uint32)
    return build_names(names, numbers, numbers)


def test_a_misspelt_name_is_found_however_many_there_are(
    names: list[str], index: NameIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proportion of a map with millions of names: much more names than postings that are read anyway."""
    monkeypatch.setattr(name_index, "_LEAST_POSTINGS", 250)
    chance = random.Random(5)
    missed = 0
    for name in chance.sample(names, ASKED):
        found = {index.name(hit.name) for hit in index.search(misspelt(chance, name), at_least=0.68)}
        missed += name not in found
    assert missed <= 1


def test_an_exact_name_comes_first(names: list[str], index: NameIndex) -> None:
    name = names[len(names) // 2]
    best, *_ = index.search(name, at_least=0.68)
    assert (index.name(best.name), best.score) == (name, 1.0)
