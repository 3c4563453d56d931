"""What the tests of the recognizers share."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """Async tests (marked `anyio`) run on asyncio, as the agent does."""
    return "asyncio"
