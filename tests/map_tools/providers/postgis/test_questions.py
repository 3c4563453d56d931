"""Whole questions, and the command line: the database answers as the embedded map does."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from map_tools.providers.osm import OsmProvider
from map_tools.providers.postgis.gazetteer import _word_sets
from map_tools.providers.postgis.provider import PostgisProvider
from map_tools.testing.contract import ContractReport, ContractSample, Outcome, check_provider
from map_tools.types import TravelMode
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from tests.map_tools.providers.contract import ProviderContract, Sample
from tests.map_tools.providers.postgis.conftest import as_reader, new_database, opened
from tests.map_tools.testing.contract.test_ours import HELSINKI
from tests.support.cli import CommandLine
from tests.support.data import demo_extract
from tests.support.maps import demo_map


def checked(dsn: str, data_home: Path, sample: ContractSample | None) -> ContractReport:
    async def check() -> ContractReport:
        provider = opened(dsn, data_home)
        sample_ = sample or await provider.contract_sample()
        return await check_provider(provider, sample_, secrets=(as_reader(dsn),))

    return asyncio.run(check())


@pytest.mark.parametrize(("sample", "left"), [(None, set()), (HELSINKI, {"areas"})])
def test_the_contract(helsinki: str, data_home: Path, sample: ContractSample | None, left: set[str]) -> None:
    report = checked(helsinki, data_home, sample)
    assert report.failed == ()
    assert {each.check for each in report.findings if each.outcome is Outcome.NOT_APPLICABLE} == left


class TestContract(ProviderContract):
    """The tests that providers were measured by before the kit was."""

    @pytest.fixture
    def provider(self, helsinki: str, data_home: Path) -> Iterator[PostgisProvider]:
        provider = opened(helsinki, data_home)
        yield provider
        asyncio.run(provider.close())

    @pytest.fixture
    def sample(self) -> Sample:
        return Sample(
            name=HELSINKI.place,
            position=HELSINKI.position,
            category="cafe",
            origin="Ateneum",
            destination="Kiasma",
            mode=TravelMode.WALKING,
            tolerance_m=HELSINKI.tolerance_m,
            radius_m=500,
        )


QUESTIONS = (
    "How many pharmacies are within 500 m of Ateneum?",
    "Is Ateneum open on Monday at 11 am?",
    "How long does it take to walk from Kiasma to Ateneum?",
    "Which cafe is nearest to Atenum, and how far is it?",
    "Which museums are in Kluuvi?",
    "I start at Ateneum, spend 30 minutes at Kiasma, then walk to Stockmann. How long does it take in all?",
    "What is the rating of Ateneum?",
    "Which is closer to Ateneum, Kiasma or Stockmann?",
    "What is the address of the Eiffel Tower?",
)


def test_the_same_answers(helsinki: str, data_home: Path) -> None:
    async def ask() -> list[tuple[str, Answer, Answer]]:
        async with (
            MapAgent(provider=opened(helsinki, data_home)) as server,
            MapAgent(provider=OsmProvider.open(demo_map())) as embedded,
        ):
            return [(each, await server.ask(each), await embedded.ask(each)) for each in QUESTIONS]

    for question, server, embedded in asyncio.run(ask()):
        assert (server.status, server.text, server.reason) == (
            embedded.status,
            embedded.text,
            embedded.reason,
        ), question


@pytest.fixture
def mapagent(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> CommandLine:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path / "data"))
    return CommandLine(capsys)


def test_the_command_line(mapagent: CommandLine, server: str) -> None:
    dsn = new_database(server, "by_hand")
    ran = mapagent("map", "add", demo_extract(), "--to", dsn, "--name", "town", "--reader", "asker")
    assert ran.code == 0, ran.err
    assert "Region 'town' is in the database" in ran.out
    assert "role 'asker'" in ran.out
    assert "town" in mapagent("map", "list", "--in", as_reader(dsn).replace("mapagent_reader", "asker")).out
    assert mapagent("map", "list").out.startswith("No maps yet")
    asked = mapagent(
        "ask",
        "How long does it take to walk from Kiasma to Ateneum?",
        "--provider",
        f"postgis:{dsn.replace('user=owner', 'user=asker')}",
    )
    assert asked.code == 0, asked.err
    assert "10 min" in asked.out
    assert mapagent("map", "remove", "town", "--in", dsn).code == 0
    again = mapagent("map", "remove", "town", "--in", dsn)
    assert again.code == 2
    assert "no region 'town'" in again.err
    assert "no maps yet" in mapagent("map", "list", "--in", dsn).err


@pytest.mark.parametrize(
    "arguments",
    [
        ["map", "add", "FILE", "--to", "host=127.0.0.1 port=1 password=marker-77 user=x"],
        ["map", "add", "FILE", "--to", "postgresql://x:marker-77@127.0.0.1:1/maps"],
        ["map", "list", "--in", "host=127.0.0.1 port=1 password=marker-77 user=x"],
        ["map", "remove", "town", "--in", "password=marker-77 nonsense"],
        ["ask", "Where is Ateneum?", "--provider", "postgis:host=127.0.0.1 password=marker-77"],
        ["map", "add", "FILE", "--reader", "somebody"],
    ],
    ids=lambda arguments: " ".join(arguments[:2] + arguments[-2:-1]),
)
def test_wrong_use_is_a_sentence_without_the_password(mapagent: CommandLine, arguments: list[str]) -> None:
    ran = mapagent(*(str(demo_extract()) if each == "FILE" else each for each in arguments))
    assert ran.code == 2
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1
    assert "marker-77" not in ran.err


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", []),
        ("ateneum", ["ateneum"]),
        ("cafe ekberg", ["cafe ekberg"]),
        ("metro market a", ["metro market a", "metro market", "metro a", "market a"]),
        ("a b c d e f g h i", ["a b c d e f g h i"]),
    ],
)
def test_all_words_come_first_so_that_the_name_itself_is_among_what_is_found(
    name: str, expected: list[str]
) -> None:
    assert _word_sets(name) == expected
