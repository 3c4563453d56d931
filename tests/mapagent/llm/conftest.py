"""What the tests of the model client share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.model_server import RunningModel, running_model

SAID = Path(__file__).parent / "said"


@pytest.fixture(scope="session")
def smol() -> Iterator[RunningModel]:
    """SmolLM2-135M on llama.cpp, started once."""
    with running_model() as model:
        yield model


@pytest.fixture
def said() -> Callable[[str], str]:
    """What a real model once wrote, by the file's name."""
    return lambda name: (SAID / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")
