"""What programs cost: their interpretation beside their facts, nested searches, and trips over a slow service."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from evals.bench.latency import SlowProvider
from evals.bench.measure import Row, median_async_s, run_async
from map_tools.clock import SystemClock
from map_tools.providers.base import ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.tools.base import ToolContext
from mapagent.agent import MapAgent
from mapagent.config import Settings
from mapagent.ledger import Ledger, Limits
from mapagent.planners import open_interpreter
from mapagent.ports import Account
from mapagent.question import Question
from mapagent.runstate import RunState
from mapagent.toolbox import ToolBox

SINGLE = """\
museum = nearest("museum", to=place("Kiasma"))
answer(nearest("restaurant", to=museum), open=is_open(museum, "Tue 12:00"))
"""
NESTED_PLACES = 200
NESTED = f"""\
found = places("restaurant", near=place("Kamppi"), within="2 km")[:{NESTED_PLACES}]
answer(min(found, key=lambda p: distance(p, nearest("tram stop", to=p))), looked_at=count(found))
"""
STOPS = ("Kiasma", "Stockmann", "Amos Rex", "Senaatintori", "Kauppatori")
TRIP = f"""\
answer(trip({[*STOPS]}, start=place("Ateneum"), mode="walk", order="free"))
"""
LATENCY_S = 0.1


def programs(settings: Settings, map_path: Path, runs: int) -> Iterator[Row]:
    """The rows of programs over Helsinki."""
    seconds = run_async(_beside_facts(settings, map_path, runs * 5))
    yield Row("a program, warm, all its facts at hand", seconds * 1000, "ms", 2.0, runs * 5)
    seconds = run_async(_whole(settings, NESTED, runs))
    yield Row(f"a program nested over {NESTED_PLACES} places, warm", seconds * 1000, "ms", 50.0, runs)
    seconds, calls = run_async(_trip(settings, map_path))
    yield Row(
        f"a program's trip with {len(STOPS)} stops, 100 ms latency",
        seconds,
        "s",
        0.3,
        1,
        detail=str(dict(calls)),
    )
    yield Row("… matrices", float(calls["matrix"]), "calls", 1, 1)


async def _beside_facts(settings: Settings, map_path: Path, runs: int) -> float:
    """Checking, running, verifying and telling a program when nothing has to be fetched any more."""
    provider = _provider(map_path)
    account = Account(Ledger(Limits(max_tool_calls=1_000, max_rounds=100 * runs)))
    state = RunState(
        Question(text="?"), provider, ToolBox(provider, ToolContext()), SystemClock(), account, settings
    )
    interpreter = open_interpreter(settings)
    try:
        return await median_async_s(lambda: interpreter.answer(SINGLE, state), runs)
    finally:
        await provider.close()


async def _whole(settings: Settings, program: str, runs: int) -> float:
    """A whole `query` with its map calls."""
    async with MapAgent(settings) as agent:
        return await median_async_s(lambda: agent.query(program), runs)


async def _trip(settings: Settings, map_path: Path) -> tuple[float, Counter[str]]:
    """A trip in free order over a service that needs a tenth of a second for each call."""
    provider = SlowProvider(_provider(map_path), latency_s=0.0)
    async with MapAgent(settings, provider=provider) as agent:
        await agent.query(TRIP)  # loads the tiles
        provider.latency_s = LATENCY_S
        provider.calls.clear()
        start = perf_counter()
        await agent.query(TRIP)
        return perf_counter() - start, provider.calls


def _provider(map_path: Path) -> OsmProvider:
    return OsmProvider.from_setting(ProviderSetting(name="osm", map_path=map_path))
