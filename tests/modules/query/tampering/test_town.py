"""The same over the town, whose programs use every operator and every kind of node."""

from functools import lru_cache

import pytest

from modules.query.values.things import Items, Step, Way
from modules.query.verify import misstated
from tests.modules.query.language.running import CHOOSING, run, town
from tests.modules.query.tampering.ways import end_tampered, faulty_runs, node_tampered, other_values
from tests.modules.query.verify.programs import PROGRAMS
from tests.modules.query.verify.worked import Worked, work

EACH = 40
"""Tampered nodes of each program, spread over its derivation."""
IDLE = {"words", "kleene"}
"""Programs with nodes that decide nothing: what is looked up for a condition that another part of it settles."""


@lru_cache(maxsize=64)
def _worked(name: str) -> Worked:
    return run(PROGRAMS[name], question=CHOOSING)


@pytest.mark.parametrize("name", PROGRAMS)
def test_right_ones_leave(name: str) -> None:
    assert _worked(name).rejections == []


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - IDLE))
def test_one_node_tampered_with(name: str) -> None:
    worked = _worked(name)
    tampered = list(node_tampered(worked.outcome))
    chosen = tampered[:: max(1, len(tampered) // EACH)]
    assert [how for how, outcome in chosen if not any(one.reject for one in worked.objections(outcome))] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_end_tampered_with(name: str) -> None:
    worked = _worked(name)
    tampered = end_tampered(worked.outcome)
    assert [
        how for how, outcome in tampered if not any(one.reject for one in worked.objections(outcome))
    ] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_words_go_with_their_value_and_no_other(name: str) -> None:
    worked = _worked(name)
    answer = worked.answer()
    for part, value in worked.outcome.finished.parts:
        if isinstance(value, Items) and any(isinstance(one, Way | Step) for one in value):
            continue  # how a way is called is compared with nothing
        said = answer.parts[part]
        assert misstated(part, said.value, said.text, value) == ()
        others = other_values(value)
        assert [how for how, one in others if not misstated(part, said.value, said.text, one)] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_operator_that_lies(name: str) -> None:
    """All values fit together, and the evidence says otherwise."""
    found = faulty_runs(
        _worked(name), lambda liar: work(PROGRAMS[name], town(), question=CHOOSING, faulty=liar)
    )
    assert [how for how, worked in found if not worked.rejections] == []
