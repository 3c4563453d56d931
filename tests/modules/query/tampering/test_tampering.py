"""No derivation that was tampered with leaves; every one that was not does."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import pytest

from map_tools.providers.osm import OsmProvider
from tests.modules.query.tampering.programs import PROGRAMS
from tests.modules.query.tampering.ways import end_tampered, faulty_runs, node_tampered
from tests.modules.query.verify.worked import Worked, work

EACH = 60
"""Tampered nodes of each program, spread over its derivation."""


@lru_cache(maxsize=64)
def _worked(provider: OsmProvider, name: str) -> Worked:
    return work(PROGRAMS[name], provider)


def _faulty_runs(provider: OsmProvider, name: str) -> Iterator[tuple[str, Worked]]:
    return faulty_runs(_worked(provider, name), lambda liar: work(PROGRAMS[name], provider, faulty=liar))


@pytest.mark.parametrize("name", PROGRAMS)
def test_right_ones_leave(provider: OsmProvider, name: str) -> None:
    assert _worked(provider, name).rejections == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_node_tampered_with(provider: OsmProvider, name: str) -> None:
    worked = _worked(provider, name)
    tampered = list(node_tampered(worked.outcome))
    chosen = tampered[:: max(1, len(tampered) // EACH)]
    passed = [how for how, outcome in chosen if not any(one.reject for one in worked.objections(outcome))]
    assert len(chosen) >= min(EACH, len(tampered))
    assert passed == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_end_tampered_with(provider: OsmProvider, name: str) -> None:
    worked = _worked(provider, name)
    tampered = list(end_tampered(worked.outcome))
    passed = [how for how, outcome in tampered if not any(one.reject for one in worked.objections(outcome))]
    assert tampered
    assert passed == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_operator_that_lies(provider: OsmProvider, name: str) -> None:
    """All values fit together, and the evidence says otherwise."""
    found = list(_faulty_runs(provider, name))
    assert [how for how, worked in found if not worked.rejections] == []


def test_there_are_two_hundred(provider: OsmProvider) -> None:
    """The kinds of tampering, counted: at least 200 derivations, and of every kind some."""
    counts: Counter[str] = Counter()
    for name in PROGRAMS:
        outcome = _worked(provider, name).outcome
        nodes = len(list(node_tampered(outcome)))
        counts["node"] += len(range(0, nodes, max(1, nodes // EACH)))
        counts["end"] += len(list(end_tampered(outcome)))
        counts["operator"] += len(list(_faulty_runs(provider, name)))
    assert counts.total() >= 200
    assert min(counts.values()) >= 30
