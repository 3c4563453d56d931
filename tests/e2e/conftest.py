"""The maps, built once for the whole run; cases whose question no program was written for are left out."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.cases import Case
from tests.e2e.programs import program_of
from tests.e2e.worlds import Worlds

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what only a reader of questions could be tested by: nonsense, and what no program says yet."""
    left_out = [item for item in items if HERE in item.path.parents and not _has_program(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def _has_program(item: pytest.Item) -> bool:
    callspec = getattr(item, "callspec", None)
    case: Any = callspec.params.get("case") if callspec is not None else None
    if isinstance(case, Case):
        return program_of(case.question, case.options) is not None
    return not isinstance(case, dict) or program_of(case["text"], case["options"]) is not None


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    """All maps; each is added when it is first asked of."""
    made = Worlds(tmp_path_factory.mktemp("e2e"))
    yield made
    made.close()
