"""The maps, built once for the whole run."""

from collections.abc import Iterator

import pytest

from tests.e2e.worlds import Worlds


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    """All maps; each is added when it is first asked of."""
    made = Worlds(tmp_path_factory.mktemp("e2e"))
    yield made
    made.close()
