"""What every test gets: no network but the loopback, a data home of its own, a clean environment."""

import signal
import socket
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import settings

LOOPBACK = ("127.0.0.1", "::1", "localhost")

# The same examples in every run, so that a change is judged by what it changes; `make fuzz` takes new ones.
# A busy machine must not fail a test, so no example has a deadline.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("long", max_examples=1_500, deadline=None, print_blob=True)
settings.load_profile("steady")


# A shell lets what it starts in the background ignore Ctrl-C, and so would every program that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _isolated(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Settings of the developer's own machine never leak into a test."""
    import os

    for name in list(os.environ):
        if name.startswith("MAPAGENT_"):
            monkeypatch.delenv(name)
    # Made by whoever needs it: `mktemp` looks through all folders of the tests before it for a number that is free.
    data_home = tmp_path_factory.getbasetemp() / "data-homes" / uuid4().hex
    monkeypatch.setenv("XDG_DATA_HOME", str(data_home))


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection to anything but this machine fails the test."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and address[0] not in LOOPBACK:
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def anyio_backend() -> str:
    """Async tests (marked `anyio`) run on asyncio, as everything here does."""
    return "asyncio"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty data home."""
    return tmp_path / "home"
