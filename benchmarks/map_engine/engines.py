"""The engines that are measured, how each is started, and the figures as Markdown tables.

Loading and asking are processes of their own. The tables put engines beside each other, and show how each grows with
the map.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

OURS = "osm"
ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "benchmarks" / "environments" / "maps"
PEER_PYTHON = ROOT / ".venv-bench-maps" / "bin" / "python"
_WATCH = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[2:], capture_output=True, timeout=float(sys.argv[1]))
if done.returncode:
    sys.stderr.write(done.stderr.decode()[-2000:])
    sys.exit(1)
figures = json.loads(done.stdout.splitlines()[-1])
figures["peak MB"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(json.dumps(figures))
"""
"""A small process that watches another: the peak of a child also counts what it was forked from."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What an engine is started with.

    Attributes:
        folder: With the extract and the tasks.
        dsn: A PostGIS database of one's own; empty if there is none.
        patience_s: How long one step may take.
    """

    folder: Path
    dsn: str
    patience_s: float


type Launch = Callable[[Stage], dict[str, float]]
"""Measures an engine; nothing if it failed or took too long."""


class Absent(Exception):  # noqa: N818 - no error: an engine that is not here is left out
    """The engine is not on this machine; the message says how to bring it."""


def osm(stage: Stage) -> dict[str, float]:
    """Our embedded map."""
    return _ours("osm", replace(stage, dsn=""))


def postgis(stage: Stage) -> dict[str, float]:
    """The provider over PostGIS."""
    if not stage.dsn:
        raise Absent("no --dsn; benchmarks/environments/with-postgis starts a server")
    return _ours("postgis", stage)


def pyrosm(stage: Stage) -> dict[str, float]:
    """The GeoDataFrames of pyrosm."""
    return _peer("pyrosm_geopandas", stage)


def osmnx(stage: Stage) -> dict[str, float]:
    """The street graph of OSMnx, for networkx."""
    return _peer("osmnx_networkx", stage)


ENGINES: Mapping[str, Launch] = {"osm": osm, "postgis": postgis, "pyrosm": pyrosm, "osmnx": osmnx}


def _ours(engine: str, stage: Stage) -> dict[str, float]:
    program = [sys.executable, "-m", "benchmarks.map_engine.ours"]
    what = [engine, str(stage.folder), "--dsn", stage.dsn]
    loaded = _watched([*program, "load", *what], stage.patience_s)
    asked = _watched([*program, "ask", *what], stage.patience_s) if loaded else {}
    if not asked:
        return {}
    ingest = {name: value for name, value in loaded.items() if name.startswith("ingest")}
    return {**asked, **ingest, "ingest peak MB": loaded["peak MB"]}


def _peer(engine: str, stage: Stage) -> dict[str, float]:
    """An engine that reads the extract each time it is opened: that is its ingest."""
    if not PEER_PYTHON.is_file():
        raise Absent("its environment is not there; `make bench-env` makes it")
    figures = _watched([str(PEER_PYTHON), "-m", "engines", engine, str(stage.folder)], stage.patience_s)
    if not figures:
        return {}
    return {
        **figures,
        "ingest s": figures["open s"],
        "ingest cpu s": figures["open cpu s"],
        "ingest peak MB": figures["open memory MB"],
    }


def _watched(command: list[str], patience_s: float) -> dict[str, float]:
    """What a process prints last, with its peak of memory; nothing if it fails or takes too long."""
    environment = dict(os.environ) | {"PYTHONPATH": f"{ROOT}{os.pathsep}{PEERS}"}
    done = subprocess.run(
        [sys.executable, "-c", _WATCH, str(patience_s), *command],
        capture_output=True,
        text=True,
        env=environment,
        cwd=ROOT,
        check=False,
    )
    if done.returncode:
        sys.stderr.write(done.stderr[-1500:])
        return {}
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


type Measured = Mapping[int, Mapping[str, Mapping[str, float]]]
"""Figures by size, engine and name."""

_SHOWN = ("ingest s", "ingest peak MB", "open s", "memory MB")
_TASKS = ("name", "misspelt name", "nearby", "route", "matrix", "SQL templates")
SMALLEST = 0.01
"""Of what is smaller (in its own unit) no ratio is given: the clock's own jitter is measured."""


def table(measured: Measured) -> str:
    """All figures; times also as multiples of our embedded engine's in the same run."""
    lines = [
        "| features | what | engine | measured | times ours | processor | times ours | right |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for size, engines in measured.items():
        ours = engines.get(OURS, {})
        for what, name in _rows():
            for engine, figures in engines.items():
                if name in figures:
                    lines.append(f"| {size:,} | {what} | {engine} | {_row(figures, ours, what, name)} |")
    return "\n".join(lines) + "\n"


def growth(measured: Measured) -> str:
    """How many times as long or as large each figure of our engines is at one size as at the size before."""
    lines = ["| engine | what | from | to | grows |", "| --- | --- | --- | --- | --- |"]
    for before, now in pairwise(measured):
        for engine, figures in measured[now].items():
            old = measured[before].get(engine, {})
            for what, name in (*_rows(), *((f"{task}, processor", f"{task} cpu ms") for task in _TASKS)):
                if name in figures and old.get(name, 0.0) >= SMALLEST:
                    times = figures[name] / old[name]
                    lines.append(f"| {engine} | {what} | {before:,} | {now:,} | {times:.2f} × |")
    return "\n".join(lines) + "\n"


def _rows() -> Iterator[tuple[str, str]]:
    """What is shown, and the name of its figure."""
    for name in _SHOWN:
        yield name.rpartition(" ")[0], name
    for task in _TASKS:
        yield task, f"{task} ms"


def _row(figures: Mapping[str, float], ours: Mapping[str, float], what: str, name: str) -> str:
    value, unit = figures[name], name.rpartition(" ")[2]
    right, processor = figures.get(f"{what} right"), f"{what} cpu {unit}"
    return " | ".join(
        (
            f"{value:.3g} {unit}",
            _ratio(figures, ours, name),
            f"{figures[processor]:.3g} {unit}" if processor in figures else "",
            _ratio(figures, ours, processor),
            "" if right is None else f"{right:.0%}",
        )
    )


def _ratio(figures: Mapping[str, float], ours: Mapping[str, float], name: str) -> str:
    return f"{figures[name] / ours[name]:.1f}" if name in figures and ours.get(name, 0.0) >= SMALLEST else ""
