"""What the tests of the language-model reasoner share."""

from collections.abc import Callable
from pathlib import Path

import pytest

SAID = Path(__file__).parent / "said"


@pytest.fixture
def anyio_backend() -> str:
    """Async tests (marked `anyio`) run on asyncio, as the agent does."""
    return "asyncio"


@pytest.fixture
def said() -> Callable[[str], str]:
    """What a model of 1.5 billion parameters once wrote, by the file's name."""
    return lambda name: (SAID / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")
