"""Quick commands load nothing heavy that they do not need; who sneaks it in is named."""

from pathlib import Path

import pytest

from evals.bench.imports import Budget, Ground, budgets, loaded, prepare

HEAVY, COMMANDS = budgets()


@pytest.fixture(name="ground", scope="module")
def _ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return prepare(tmp_path_factory.mktemp("small"))


@pytest.mark.parametrize("budget", COMMANDS, ids=lambda budget: " ".join(budget.arguments[:2]))
def test_a_command_keeps_to_its_budget(ground: Ground, budget: Budget) -> None:
    found = loaded(budget, HEAVY, ground)
    assert not found.faults(budget), "\n".join(found.faults(budget))


def test_a_heavy_package_is_named_with_the_way_it_came_in(ground: Ground) -> None:
    # Listing providers opens all of them; those over the network import their client at the top of a file.
    lean = Budget(("provider", "list"), near=False, needs=frozenset(), modules=10_000)
    faults = loaded(lean, HEAVY, ground).faults(lean)
    (told,) = [fault for fault in faults if "imports requests" in fault]
    chain = told.partition(": ")[2].split(" → ")
    assert chain[0].startswith("mapagent/faces/cli/main.py:")
    file, _, line = chain[-1].partition(":")
    source = Path(__file__).resolve().parents[3].joinpath(file).read_text(encoding="utf-8").splitlines()
    assert source[int(line) - 1].startswith(("import requests", "from requests"))


def test_too_many_modules_are_told(ground: Ground) -> None:
    lean = Budget(("--help",), near=False, needs=frozenset(), modules=10)
    assert any("more than 10" in fault for fault in loaded(lean, HEAVY, ground).faults(lean))
