"""The maps, built once for the whole run; with `--calibration FILE` the share of right answers is written."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.worlds import Worlds


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Worlds]:
    """All maps; each is added when it is first asked of."""
    made = Worlds(tmp_path_factory.mktemp("e2e"))
    yield made
    made.close()
    file = pytestconfig.getoption("--calibration")
    if file is not None:
        _write(Path(file), made.tally)


def _write(file: Path, tally: dict[str, list[bool]]) -> None:
    """Shares by Laplace's rule of succession, (right + 1) / (n + 2), so that a few cases prove little."""
    lines = ["[share_right]"]
    for kind, answers in sorted(tally.items()):
        right, number = sum(answers), len(answers)
        lines.append(f"{kind} = {(right + 1) / (number + 2):.3f}  # {right} of {number}")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
