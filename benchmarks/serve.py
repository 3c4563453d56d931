"""`python -m benchmarks.serve`: how fast the HTTP API, the tiles and the web page are.

A server of two worker processes is asked over the loopback by a client on the same machine, which takes a
part of the processors for itself. The page is measured in a headless Chromium where there is one.
"""

import argparse
import asyncio
import gzip
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

import httpx2

from benchmarks import cases, history
from benchmarks.measure import Row, figures, table
from map_tools.maps.info import read_info
from map_tools.types import Box
from mapagent.interfaces.http import routes
from mapagent.interfaces.http.tiles.grid import MAX_ZOOM, unit

WORKERS = 2
AT_ONCE = 50
REQUESTS = 10_000
MAX_MS_EACH = 1000 / 60
"""60 answers a second."""
MAX_P95_S = 1.0
MAX_GROWTH = 1.1
"""Memory of the workers at the end, at most this many times that after a tenth of the requests."""
MAX_TILE_MS = 30.0
MAX_PAGE_MB = 1.5
MAX_PAINT_S = 1.0
TILE_ZOOMS = range(10, MAX_ZOOM + 1)
QUESTIONS = (
    "Which cafe is nearest to Ateneum?",
    "How long does it take to walk from Ateneum to Kiasma?",
    "Which restaurants are within 300 m of Kiasma?",
    "Is Kiasma north or south of Ateneum?",
)
"""Asked over and over: their readings are kept (`modules.nlu.reader`)."""
NEW = "Which restaurants are within {} m of Kiasma?"
PAGE = Path(routes.__file__).parents[1] / "page"
PAGE_SUFFIXES = frozenset({".html", ".css", ".js", ".mjs", ".svg"})
FLAGS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")


@dataclass(frozen=True)
class Served:
    """A running server."""

    url: str
    process: subprocess.Popen[str]

    def memory_mb(self) -> float:
        """Resident memory of the workers (https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html)."""
        pages = [int((folder / "statm").read_text().split()[1]) for folder in self._workers()]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def processor_s(self) -> float:
        """Processor time of the workers (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html)."""
        ticks = 0
        for folder in self._workers():
            after_name = (folder / "stat").read_text().rpartition(")")[2].split()
            ticks += int(after_name[11]) + int(after_name[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def _workers(self) -> list[Path]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [Path("/proc") / child for child in children.split()]


@contextmanager
def served(ground: cases.Ground) -> Iterator[Served]:
    """`mapagent serve` over the map of Helsinki."""
    command = [sys.executable, "-m", "mapagent.interfaces.cli.main", "serve", "--port", "0", "--rate", "0"]
    process = subprocess.Popen(
        [*command, "--workers", str(WORKERS), "--at-once", str(AT_ONCE), "--map", ground.helsinki],
        env=ground.environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        if process.stderr is None:
            raise RuntimeError("no pipe")
        yield Served(process.stderr.readline().split()[-1].partition("#")[0].rstrip("/"), process)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


async def asks(server: Served, requests: int) -> list[Row]:
    """Many questions at once, each client asking its next one as soon as it is answered."""
    async with httpx2.AsyncClient(base_url=server.url, timeout=60) as client:
        await _ask_all(client, _repeated(AT_ONCE))
        early = await _ask_all(client, _repeated(requests // 10))
        early_mb, early_s = server.memory_mb(), server.processor_s()
        start = perf_counter()
        times = await _ask_all(client, _repeated(requests - len(early)))
        each_ms = 1000 * (perf_counter() - start) / len(times)
        used_s = server.processor_s()
        start = perf_counter()
        new = await _ask_all(client, (NEW.format(number + 100) for number in range(requests // 10)))
        new_ms = 1000 * (perf_counter() - start) / len(new)
    processor_ms = 1000 * (used_s - early_s) / len(times)
    growth = server.memory_mb() / early_mb
    p95_s = statistics.quantiles(times, n=20)[-1]
    what = f"answers of {WORKERS} workers, {AT_ONCE} at once"
    return [
        Row(f"{what}: time for each", each_ms, "ms", MAX_MS_EACH, len(times)),
        Row(f"{what}, each question new: time for each", new_ms, "ms", None, len(new)),
        Row(f"{what}: processor time for each", processor_ms, "ms", None, len(times)),
        Row(f"{what}: 95 % come within", p95_s, "s", MAX_P95_S, len(times)),
        Row(f"memory after {requests} answers / after {requests // 10}", growth, "×", MAX_GROWTH, 1),
    ]


def _repeated(requests: int) -> Iterator[str]:
    return islice(cycle(QUESTIONS), requests)


async def _ask_all(client: httpx2.AsyncClient, questions: Iterator[str]) -> list[float]:
    times: list[float] = []

    async def one() -> None:
        for question in questions:
            start = perf_counter()
            reply = await client.post("/api/ask", json={"question": question})
            times.append(perf_counter() - start)
            if reply.json().get("status") != "answered":
                raise RuntimeError(f"{reply.status_code}: {reply.text[:300]}")

    await asyncio.gather(*(one() for _ in range(AT_ONCE)))
    return times


async def tiles(server: Served, ground: cases.Ground) -> list[Row]:
    """Every tile of the map that a browser may want, each for the first time and then once more."""
    box = read_info(ground.home.path(ground.helsinki).resolve()).bbox
    paths = [f"/tiles/{ground.helsinki}/{z}/{x}/{y}.mvt" for z, x, y in _tiles_of(box)]
    async with httpx2.AsyncClient(base_url=server.url, timeout=60) as client:
        await client.get(f"/tiles/{ground.helsinki}/0/0/0.mvt")
        drawn = [await _took_ms(client, path) for path in paths]
        kept = [await _took_ms(client, path) for path in paths]
    return [
        Row("a tile, drawn", statistics.median(drawn), "ms", MAX_TILE_MS, len(paths)),
        Row("a tile, asked for again", statistics.median(kept), "ms", MAX_TILE_MS, len(paths)),
    ]


def _tiles_of(box: Box) -> Iterator[tuple[int, int, int]]:
    import numpy as np

    (west, north), (east, south) = unit(np.asarray([[box.west, box.north], [box.east, box.south]])).tolist()
    for z in TILE_ZOOMS:
        side = 1 << z
        for x in range(int(west * side), int(east * side) + 1):
            for y in range(int(north * side), int(south * side) + 1):
                yield z, x, y


async def _took_ms(client: httpx2.AsyncClient, path: str) -> float:
    start = perf_counter()
    reply = await client.get(path)
    reply.raise_for_status()
    return 1000 * (perf_counter() - start)


def page_weight() -> list[Row]:
    """Everything the page can load of its own, compressed as it is sent; tiles come on top."""
    files = [path for path in PAGE.rglob("*") if path.suffix in PAGE_SUFFIXES]
    total = sum(len(gzip.compress(path.read_bytes())) for path in files)
    return [
        Row(
            "the page with all its scripts, gzipped", total / 1e6, "MB", MAX_PAGE_MB, 1, f"{len(files)} files"
        )
    ]


def first_paint(server: Served, runs: int) -> list[Row]:
    """Until the browser shows content (https://www.w3.org/TR/paint-timing/); nothing without a browser."""
    program = shutil.which("chromium")
    if program is None or find_spec("playwright") is None:
        return []
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        times_s: list[float] = []
        for _ in range(runs + 1):
            page = browser.new_context().new_page()
            page.goto(server.url)
            paint = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
            page.wait_for_function(paint)
            times_s.append(page.evaluate(paint) / 1000)
            page.context.close()
        browser.close()
    return [
        Row("first contentful paint, empty cache", statistics.median(times_s[1:]), "s", MAX_PAINT_S, runs)
    ]


def main() -> int:
    """Prints the figures; exit code 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=REQUESTS)
    parser.add_argument("--out", type=Path, default=history.FILE)
    given = parser.parse_args()
    rows = page_weight()
    with tempfile.TemporaryDirectory() as folder:
        ground = cases.prepare(Path(folder), size=100, runs=1)
        with served(ground) as server:
            rows += first_paint(server, runs=5)
            rows += asyncio.run(tiles(server, ground))
            rows += asyncio.run(asks(server, given.requests))
    print(table(rows))
    history.append(given.out, "serve", figures(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
