"""The engines that are measured, and how each is started: loading and asking are processes of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

OURS = "osm"
ROOT = Path(__file__).resolve().parents[3]
PEERS = ROOT / "scripts" / "bench-env" / "maps"
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
        raise Absent("no --dsn; scripts/bench-env/with-postgis starts a server")
    return _ours("postgis", stage)


def pyrosm(stage: Stage) -> dict[str, float]:
    """The GeoDataFrames of pyrosm."""
    return _peer("pyrosm_geopandas", stage)


def osmnx(stage: Stage) -> dict[str, float]:
    """The street graph of OSMnx, for networkx."""
    return _peer("osmnx_networkx", stage)


ENGINES: Mapping[str, Launch] = {"osm": osm, "postgis": postgis, "pyrosm": pyrosm, "osmnx": osmnx}


def _ours(engine: str, stage: Stage) -> dict[str, float]:
    program = [sys.executable, "-m", "evals.bench.map_engine.ours"]
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
