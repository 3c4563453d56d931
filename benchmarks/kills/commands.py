"""Commands that are killed: `map add`, `eval`, `batch`."""

import json
import os
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.kills.killing import POLL_S
from evals.runner.folder import RESULTS_FILE, SUMMARY_FILE, read_results
from map_tools.errors import MapAgentError
from map_tools.files import whole_bytes
from map_tools.maps.home import MapHome
from map_tools.maps.info import check_hashes, read_info

MAP = "town"
ASKED = ("--provider", "osm", "--map", MAP)
PARTS_OF_A_RUN = 4
"""A run that goes on where it stopped is killed about so often before it is done."""


class Ground:
    """A data home with the map that is asked, and the questions.

    Args:
        folder: A folder for everything.
        extract: The map's extract.
        questions: How many questions.
        seed: Of the questions.
    """

    def __init__(self, folder: Path, extract: Path, questions: int, seed: int) -> None:
        from evals.generate.mapeval.generator import generate
        from map_tools.maps.making.ingest import add_map

        self.folder = folder
        self.extract = extract
        self.home = MapHome(folder / "data" / "maps")
        add_map(extract, name=MAP, home=self.home)
        generate(self.home.path(MAP), questions, seed, folder / "questions")
        self.dataset = folder / "questions" / "dataset.json"

    def start(self, *arguments: str | Path) -> "subprocess.Popen[bytes]":
        """A command of the command line in a session of its own, its words in a log."""
        command = [sys.executable, "-m", "mapagent.interfaces.cli.main", *map(str, arguments)]
        environment = os.environ | {"MAPAGENT_DATA_HOME": str(self.folder / "data")}
        with (self.folder / "log").open("wb") as log:
            return subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)

    def run(self, *arguments: str | Path) -> list[str]:
        """A command to its end; what is wrong with that, in words."""
        code = self.start(*arguments).wait()
        return [] if code == 0 else [f"exit code {code}: {(self.folder / 'log').read_text()}"]


class MapAdd:
    """`map add` over an older map of the same name: the old map or the new one is there, in full."""

    name = "map add"

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._arguments = ("map", "add", ground.extract, "--name", MAP)
        self._builds = ground.home.root / ".builds"
        self._before: set[Path] = set()
        process = self.start()
        while process.poll() is None and not self.begun():
            time.sleep(POLL_S)
        begin = time.monotonic()
        process.wait()
        self.longest_s = time.monotonic() - begin

    def start(self) -> "subprocess.Popen[bytes]":
        """Adds it again."""
        self._before = set(self._builds.iterdir())
        return self._ground.start(*self._arguments)

    def begun(self) -> bool:
        """Whether there is a new folder to build in."""
        return bool(set(self._builds.iterdir()) - self._before)

    def check(self) -> list[str]:
        """The map is there with all its files as they were written."""
        home = self._ground.home
        try:
            folder = home.path(MAP)
            check_hashes(folder, read_info(folder))
        except MapAgentError as error:
            return [str(error)]
        return [] if home.list() == (MAP,) else [f"there are the maps {home.list()}"]

    def finish(self) -> list[str]:
        """Adds it once more; then nothing is left of the builds that were killed."""
        broken = self._ground.run(*self._arguments) + self.check()
        builds = len(list(self._builds.iterdir()))
        return broken if builds == 1 else [*broken, f"{builds} builds are left"]


class Continued(ABC):
    """A command that goes on where it stopped: it keeps its lines, and ends as a run without kills does.

    When it has come to its end it is begun anew, somewhere else.

    Args:
        ground: What it works on.
    """

    name: str

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._number = 0
        self._kept: dict[Any, Any] = {}
        self._bytes = 0
        begin = time.monotonic()
        broken = ground.run(*self.command())
        if broken:
            raise MapAgentError(f"{self.name} fails without any kill.", broken[0])
        self._expected = self.result()
        self.longest_s = (time.monotonic() - begin) / PARTS_OF_A_RUN
        self._number += 1

    @property
    def out(self) -> Path:
        """Where the present run writes."""
        return self.ground.folder / f"{self.name}-{self._number}"

    @abstractmethod
    def command(self) -> tuple[str | Path, ...]:
        """The command, which begins or goes on."""

    @abstractmethod
    def journal(self) -> Path:
        """The file of finished lines."""

    @abstractmethod
    def lines(self) -> list[tuple[Any, Any]]:
        """What is finished: its name and what is kept of it."""

    @abstractmethod
    def result(self) -> Any:
        """What a finished run has come to, without the times; None if it is not finished."""

    def start(self) -> "subprocess.Popen[bytes]":
        """Goes on, or begins anew if the last run is done."""
        if self.result() is not None:
            self._number += 1
            self._kept = {}
        self._bytes = self._size()
        return self.ground.start(*self.command())

    def begun(self) -> bool:
        """Whether a line is finished that was not before."""
        return self._size() > self._bytes or self.result() is not None

    def check(self) -> list[str]:
        """Nothing that was finished before is gone or another, and nothing is there twice."""
        result = self.result()
        if result is not None:
            return [] if result == self._expected else [f"{self.out} is not what it would be without kills"]
        lines = self.lines()
        now = dict(lines)
        broken = [f"{len(lines) - len(now)} lines are there twice"] if len(now) < len(lines) else []
        broken += [f"{name} is lost or another" for name, kept in self._kept.items() if now.get(name) != kept]
        self._kept = now
        return broken

    def finish(self) -> list[str]:
        """The run that was killed last comes to its end."""
        broken = [] if self.result() is not None else self.ground.run(*self.command())
        return broken + self.check() + ([] if self.result() is not None else ["it is not finished"])

    def _size(self) -> int:
        try:
            return self.journal().stat().st_size
        except FileNotFoundError:
            return 0


class EvalRun(Continued):
    """`eval --resume`."""

    name = "eval"

    def command(self) -> tuple[str | Path, ...]:
        """Begins or resumes."""
        data = self.ground.dataset
        return ("eval", "mapeval-api", "--data", data, *ASKED, "--out", self.out, "--resume")

    def journal(self) -> Path:
        """The results."""
        return self.out / RESULTS_FILE

    def lines(self) -> list[tuple[Any, Any]]:
        """The records by their questions."""
        if not self.journal().exists():
            return []
        return [(record.id, record) for record in read_results(self.out)]

    def result(self) -> Any:
        """The summary, which is written at the end, and all records."""
        file = self.out / SUMMARY_FILE
        if not file.exists():
            return None
        summary = json.loads(file.read_text(encoding="utf-8"))
        records = {record.id: asdict(record) | {"latency_s": 0} for record in read_results(self.out)}
        return summary | {"latency_s": None}, records


class BatchRun(Continued):
    """`batch`."""

    name = "batch"

    def command(self) -> tuple[str | Path, ...]:
        """Begins or goes on."""
        table = self.ground.folder / "questions.parquet"
        if not table.exists():
            _as_table(self.ground.dataset, table)
        return ("batch", table, self.out, *ASKED)

    def journal(self) -> Path:
        """The finished rows."""
        return self.out.with_name(f"{self.out.name}.part") / "rows.jsonl"

    def lines(self) -> list[tuple[Any, Any]]:
        """The finished rows by their numbers."""
        if not self.journal().exists():
            return []
        content = self.journal().read_bytes()[: whole_bytes(self.journal())]
        return [(json.loads(line)["row"], line) for line in content.splitlines()]

    def result(self) -> Any:
        """The table of answers."""
        if not self.out.exists():
            return None
        import duckdb

        with duckdb.connect() as connection:
            rows = connection.execute("SELECT * EXCLUDE (usage) FROM read_parquet(?)", [str(self.out)])
            return rows.fetchall()


def _as_table(dataset: Path, table: Path) -> None:
    """The questions of a benchmark as a table for `batch`."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT id, question, answer.options AS options FROM read_json('{dataset}'))"  # noqa: S608
            f" TO '{table}' (FORMAT parquet)"
        )
