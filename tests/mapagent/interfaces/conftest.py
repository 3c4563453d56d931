"""The command line over a data home with the demo map in it."""

from pathlib import Path

import pytest

from tests.support.cli import CommandLine
from tests.support.maps import demo_map


@pytest.fixture
def mapagent(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> CommandLine:
    """The command line with an empty data home."""
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path / "data"))
    return CommandLine(capsys)


@pytest.fixture
def demo(mapagent: CommandLine, tmp_path: Path) -> None:
    """The data home has the demo map."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "maps").symlink_to(demo_map().parent)
