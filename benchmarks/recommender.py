"""`python -m benchmarks.recommender`: what recommendations cost, on the demo map and on synthetic ones.

Times are of the processor, so that other work on the machine does not count. Making vectors, and an answer
that opens them, run in processes of their own, so that peak memory is theirs.
"""

import argparse
import resource
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time

from benchmarks import history
from benchmarks.cases import Ground, prepare
from benchmarks.measure import Row, figures, run_async, table, time_and_peak
from map_tools.embed.index import Precision
from map_tools.maps.store import MapStore
from mapagent.core.agent import MapAgent

MAX_INDEX_S_A_PLACE = 60.0 / 100_000
MAX_ANSWER_MS = 50.0
MAX_MB = 2048.0
WISHES = (
    'recommend("quiet restaurant", near="Kiasma", where=lambda p: "italian" in p.cuisine)',
    'recommend("elegant restaurant", near="Senaatintori", where=lambda p: "sushi" in p.cuisine)',
    'recommend("relaxed cafe by a park", near="Kiasma")',
    'recommend("cosy cafe", along=travel("Kiasma", "Ateneum", "walk"), where=lambda p: not known(p.brand))',
    'recommend("cosy cafe", inside="Kluuvi")',
    'recommend("quiet cafe", inside=between("Kiasma", "Ateneum"))',
)
SYNTHETIC_WISH = 'answer(recommend("quiet Italian restaurant", near=here)[:3])'


def main() -> int:
    """Measures; exit code 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000, help="features of the synthetic map")
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--out", type=Path, default=history.FILE)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ground = prepare(Path(folder), size=given.size, runs=given.runs)
        rows = [*answers(ground), *index(ground, "float16"), *index(ground, "int8")]
    print(table(rows))
    history.append(given.out, f"recommender, {given.size}", figures(rows))
    return 0 if all(row.ok for row in rows) else 1


def answers(ground: Ground) -> Iterator[Row]:
    """Warm answers on the demo map, without kept vectors and with them."""
    without = run_async(_median_ms(ground))
    yield Row("answer, warm, Helsinki, no vectors kept", without, "ms", MAX_ANSWER_MS, ground.runs)
    time_and_peak(["vectors", "--map", ground.helsinki], ground.environment)
    kept = run_async(_median_ms(ground))
    yield Row("answer, warm, Helsinki, vectors kept", kept, "ms", MAX_ANSWER_MS, ground.runs)


def index(ground: Ground, precision: Precision) -> Iterator[Row]:
    """The vectors of a large map: making them, and one answer of a fresh process that opens them."""
    store = MapStore.open(ground.home.path(ground.synthetic))
    center, count = store.info.bbox.center, len(store)
    store.close()
    config = ground.data_home / f"{precision}.toml"
    config.write_text(f'[modules.recommender]\nprecision = "{precision}"\n', "utf-8")
    given = ["--map", ground.synthetic, "--config", str(config)]
    seconds, peak_mb = _cpu_and_peak(["vectors", *given], ground)
    what = f"{count:,} features, {precision}"
    yield Row(f"vectors of {what}", seconds, "s", MAX_INDEX_S_A_PLACE * count, 1)
    yield Row(f"vectors of {what}: peak memory", peak_mb, "MB", MAX_MB, 1)
    yield Row(f"vectors of {what}: on disk", _kept_mb(ground, precision), "MB", None, 1)
    program = ground.data_home / "wish.mq"
    program.write_text(SYNTHETIC_WISH, "utf-8")
    seconds, peak_mb = _cpu_and_peak(["query", str(program), "--near", str(center), *given], ground)
    answer = f"answer, cold process, {what}, vectors kept"
    yield Row(answer, seconds, "s", None, 1)
    yield Row(f"{answer}: peak memory", peak_mb, "MB", MAX_MB, 1)


def _kept_mb(ground: Ground, precision: Precision) -> float:
    """The room that the largest vectors of a precision take."""
    folders = [about.parents[1] for about in ground.data_home.rglob("semantic/vectors.json")]
    kept = [folder for folder in folders if folder.name.endswith("-int8") == (precision == "int8")]
    sizes = [sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) for folder in kept]
    return max(sizes) / 2**20


def _cpu_and_peak(arguments: list[str], ground: Ground) -> tuple[float, float]:
    """Processor seconds and peak memory in MB of one fresh `mapagent ARGUMENTS`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _, peak_mb = time_and_peak(arguments, ground.environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, peak_mb


async def _median_ms(ground: Ground) -> float:
    """The median over all wishes of the median of as many answers as there are runs, after a first one."""
    async with MapAgent(ground.settings(ground.helsinki)) as agent:
        programs = [f"answer({wish}[:3])" for wish in WISHES]
        times = [await _median_cpu_s(partial(agent.query, one), ground.runs) for one in programs]
    return statistics.median(times) * 1000


async def _median_cpu_s(action: Callable[[], Awaitable[object]], runs: int) -> float:
    await action()
    times = []
    for _ in range(runs):
        start = process_time()
        await action()
        times.append(process_time() - start)
    return statistics.median(times)


if __name__ == "__main__":
    sys.exit(main())
