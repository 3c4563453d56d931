"""The dispatcher: every kind of intent has its solver, and only what cannot be told is caught."""

import typing

import pytest

from map_tools.errors import PlanError
from mapagent.answer import Status
from modules import intents
from modules.offline.intents import PlaceFactIntent
from modules.solvers import solve
from modules.solvers.registry import SOLVERS, solver_of
from tests.support.evidence import view_of


def kinds():
    union = typing.get_args(intents.Intent)[0]
    return {intent.model_fields["kind"].default for intent in typing.get_args(union)}


def test_every_intent_has_a_solver_that_exists():
    assert kinds() == set(SOLVERS)
    assert all(callable(solver_of(kind)) for kind in SOLVERS)


def test_an_unknown_kind_is_an_error():
    with pytest.raises(PlanError, match="no solver"):
        solver_of("poem")


def test_what_cannot_be_told_becomes_a_solution_with_its_reason():
    solution = solve(PlaceFactIntent(place="X", attribute="phone"), view_of())
    assert solution.status is Status.UNANSWERABLE
    assert solution.reason == "'X' is not among the facts at hand."
