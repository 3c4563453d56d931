"""The answers of the map itself, and an emulator over it."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from map_tools.providers.base import Provider
from map_tools.providers.osm import OsmProvider
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.server import running
from mapagent.core.answer import Answer
from tests.e2e_google.asking import NOW, ask_all, google, google_legacy
from tests.e2e_google.questions import HUNDRED, Asked
from tests.support.maps import demo_map

type Answers = Mapping[Asked, Answer]


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data home for all agents."""
    return tmp_path_factory.mktemp("e2e-google")


@pytest.fixture(scope="package")
def osm() -> Iterator[OsmProvider]:
    """The demo map, for an emulator."""
    provider = OsmProvider.open(demo_map())
    yield provider
    asyncio.run(provider.close())


@pytest.fixture(scope="package")
def base(osm: OsmProvider) -> Iterator[str]:
    """Address of an emulator without faults."""
    with running(Backend(osm, NOW, token_delay_s=0)) as address:
        yield address


@pytest.fixture(scope="package")
def direct(folder: Path) -> Answers:
    """What the map itself answers."""
    return asyncio.run(ask_all(OsmProvider.open(demo_map()), folder, HUNDRED))


@dataclass(frozen=True)
class Emulated:
    """A Google provider, and what it answers from an emulator without faults."""

    open: Callable[[str], Provider]
    answers: Answers


@pytest.fixture(scope="package", params=[google, google_legacy], ids=["google", "google-legacy"])
def emulated(request: pytest.FixtureRequest, base: str, folder: Path) -> Emulated:
    """Each of the two Google providers."""
    return Emulated(request.param, asyncio.run(ask_all(request.param(base), folder, HUNDRED)))
