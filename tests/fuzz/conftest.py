"""Everything here is looked at by `make fuzz`, also tests that make their property inside."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this folder as the plug-in marks properties."""
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker("hypothesis")
