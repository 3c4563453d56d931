"""A server over the demo map, shared by the tests of a module."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.http_server import Client, serving
from tests.support.maps import demo_map


def demo_home(folder: Path) -> Path:
    """A data home with the demo map in it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "maps").symlink_to(demo_map().parent)
    return folder


@pytest.fixture(scope="module")
def data_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data home with the demo map in it."""
    return demo_home(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module")
def client(data_home: Path) -> Iterator[Client]:
    """A client of a server over the demo map."""
    with serving(data_home) as client:
        yield client
