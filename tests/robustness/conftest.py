"""The command line over a data home with the demo map in it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from map_tools.maps.home import MapHome
from tests.support.cli import CommandLine, snapshot
from tests.support.maps import demo_map

WORLD = Path(__file__).resolve().parents[1] / "fixtures" / "worlds" / "harbour.json"


@pytest.fixture
def data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data home without maps."""
    folder = tmp_path / "data"
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(folder))
    return folder


@pytest.fixture
def maps(data_home: Path) -> Path:
    """The folder of maps, with the map "helsinki" (a copy, for tests that break it)."""
    maps = data_home / "maps"
    with MapHome(maps).building("helsinki") as folder:
        shutil.copytree(demo_map(), folder, dirs_exist_ok=True)
    return maps


@pytest.fixture
def mapagent(capsys: pytest.CaptureFixture[str], data_home: Path) -> CommandLine:
    """The command line in this process."""
    return CommandLine(capsys)


@pytest.fixture
def untouched(maps: Path) -> Iterator[None]:
    """Fails the test if it changed anything in the maps."""
    before = snapshot(maps)
    yield
    assert snapshot(maps) == before


@pytest.fixture
def world() -> str:
    """The provider of the hand-written world."""
    return f"recorded:{WORLD}"
