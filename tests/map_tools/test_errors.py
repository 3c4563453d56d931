"""Errors travel between processes: a worker's failure is told by the process that asked."""

import pickle
from collections.abc import Iterator

import pytest

from map_tools import errors
from map_tools.errors import MapAgentError, ProgramError
from mapagent.llm.failures import ServerError, Target, Trouble, failure


def kinds(of: type[MapAgentError]) -> Iterator[type[MapAgentError]]:
    """An error of the tree and all below it."""
    yield of
    for kind in of.__subclasses__():
        yield from kinds(kind)


TREE = [
    kind
    for kind in kinds(MapAgentError)
    if kind.__module__ == errors.__name__ and kind is not ProgramError  # which is made of more
]


@pytest.mark.parametrize("kind", TREE, ids=lambda kind: kind.__name__)
def test_each_error_is_the_same_at_the_other_end(kind: type[MapAgentError]) -> None:
    told = pickle.loads(pickle.dumps(kind("There is no mill.", "Build one.")))
    assert type(told) is kind
    assert (told.message, told.remedy, told.args) == (
        "There is no mill.",
        "Build one.",
        ("There is no mill.",),
    )
    assert str(told) == "There is no mill. Build one."


def test_an_error_of_a_program_keeps_its_line() -> None:
    told = pickle.loads(pickle.dumps(ProgramError(3, "There is no mill.", "Build one.")))
    assert (told.line, told.problem, told.remedy) == (3, "There is no mill.", "Build one.")
    assert str(told) == "Line 3: There is no mill. Build one."


def test_an_error_that_is_made_of_more_keeps_it() -> None:
    error = failure(Trouble.BUSY, Target("http://localhost:1/v1", "small"), detail="full", retry_after_s=2.0)
    told = pickle.loads(pickle.dumps(error))
    assert isinstance(told, ServerError)
    assert (told.trouble, told.retry_after_s, told.detail) == (Trouble.BUSY, 2.0, "full")
    assert str(told) == str(error)
