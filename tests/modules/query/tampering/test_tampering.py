"""No derivation that was tampered with leaves; every one that was not does."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import pytest

from map_tools.errors import MapAgentError
from map_tools.providers.osm import OsmProvider
from modules.query.language import syntax
from modules.query.verify.agreement import agree
from tests.modules.query.language.running import inventory
from tests.modules.query.tampering.programs import PROGRAMS
from tests.modules.query.tampering.ways import (
    FAULTS,
    end_tampered,
    faulty,
    keeps_all,
    node_tampered,
    runner_up,
)
from tests.modules.query.verify.worked import Worked, work

EACH = 60
"""Tampered nodes of each program, spread over its derivation."""


@lru_cache(maxsize=64)
def _worked(provider: OsmProvider, name: str) -> Worked:
    return work(PROGRAMS[name], provider)


def _used(worked: Worked) -> set[str]:
    """The operators that a program calls."""
    nodes = (node for one in worked.program.statements for node in syntax.walk(one.expr))
    return {node.operator for node in nodes if isinstance(node, syntax.Call)}


def _faulty_runs(provider: OsmProvider, name: str) -> Iterator[tuple[str, Worked]]:
    """A program run with one of its operators giving something else, if that makes a difference."""
    right = _worked(provider, name)
    operators = inventory().operators
    made = [
        (f"{one} {number}", {one: faulty(operators[one], distortion)})
        for one in sorted(_used(right) & FAULTS.keys())
        for number, distortion in enumerate(FAULTS[one])
    ]
    made += [
        (f"{one}: left out the winner", {one: runner_up(operators[one])})
        for one in sorted({"min", "max"} & _used(right))
    ]
    made += [
        (f"{one}: kept all", {one: keeps_all(operators[one])})
        for one in sorted({"places", "nearest"} & _used(right))
    ]
    for how, wrong in made:
        try:
            found = work(PROGRAMS[name], provider, faulty=wrong)
        except MapAgentError:
            continue  # the wrong value does not go with the rest of the program: it never comes so far
        if not agree(found.outcome.finished, right.outcome.finished):
            yield how, found


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
