"""A server with an extract, its changes and an index."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from map_tools.downloads.fetching import Fetcher
from tests.support.published import Published, publishing


@pytest.fixture
def published(tmp_path: Path) -> Iterator[Published]:
    with publishing(tmp_path) as served:
        yield served


@pytest.fixture
def fetcher() -> Iterator[Fetcher]:
    with Fetcher(pause_s=0) as fetching:
        yield fetching
