"""Runs as the results hold them that are committed (`evals.report.committed`)."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from evals.report.committed import FORMAT_VERSION, as_json
from evals.report.runs import find_runs
from evals.runner.folder import RUN_FILE
from evals.runner.identity import RunRecord
from map_tools.errors import InputFileError
from mapagent.identity import digest

ID_CHARS = 8
_OWN_MAP = {"gsqa": "osm:gsqa", "mapqa": "osm:mapqa", "recommend-mapqa": "osm:mapqa"}
"""The map a suite makes of the places published with its benchmark; over others, questions are generated."""
_WISHES = "recommend"
_EMBEDDED = "osm:"
_REMEDY = "Write it anew with `python -m evals.report.committed`."


@dataclass(frozen=True, slots=True)
class ShownRun:
    """One run.

    Attributes:
        source: Name of the results it stands in, without an ending.
        id: The first characters of the digest of its run record.
        about: Its run record: what was run.
        summary, measured: Its figures (`evals.metrics.summary`, `evals.report.measured`).
        right: Id of each question → whether it was answered rightly.
        stages: Id of each wrong answer → where it went wrong.
    """

    source: str
    id: str
    about: RunRecord
    summary: Mapping[str, Any]
    measured: Mapping[str, Any]
    right: Mapping[str, bool]
    stages: Mapping[str, str]

    @property
    def method(self) -> str:
        """The method, with the map it asked if the suite may ask several."""
        suite, asked = self.about.suite, self.about.provider
        told = asked and asked != _OWN_MAP.get(suite)
        return f"{self.about.method} ({asked})" if told else self.about.method

    @property
    def label(self) -> str:
        """Method and model."""
        return f"{self.method} · {self.about.model}"

    @property
    def judged(self) -> int:
        """How many questions the figures are over: recommendations leave out what their gold cannot tell."""
        return int(self.summary["n"]) if self.about.suite.startswith(_WISHES) else self.about.items

    @property
    def on_the_benchmark(self) -> bool:
        """False for questions that were generated over another map."""
        return self.about.provider == _OWN_MAP.get(self.about.suite, self.about.provider)

    @property
    def command(self) -> str:
        """The command that makes such a run, as far as its record tells: paths are not kept."""
        chosen = self.about.selection
        generated = not self.on_the_benchmark or self.about.suite == _WISHES
        switches = {
            "--map": self.about.provider.removeprefix(_EMBEDDED) if generated else None,
            "--base-url": "URL" if self.about.settings.get("base_url_set") else None,
            "--protocol": self.about.protocol if self.about.protocol != "fair" else None,
            "--limit": chosen.get("limit"),
            "--seed": chosen.get("seed"),
            "--sample": "FILE" if chosen.get("sampled") else None,
        }
        words = ["mapagent eval", self.about.suite, "--data PATH"]
        words += ["--method", self.about.method, "--model", self.about.model]
        words += [f"{name} {value}" for name, value in switches.items() if value is not None]
        return " ".join([*words, *(["--exclude-defective"] if chosen.get("exclude_defective") else [])])

    def figure(self, *path: str) -> float | None:
        """A figure of the summary; None if the run does not have it."""
        return _dig(self.summary, path)

    def kept(self, *path: str) -> float | None:
        """A figure of what is measured beside the summary; None if the run does not have it."""
        return _dig(self.measured, path)


def read_results(paths: Iterable[Path]) -> tuple[ShownRun, ...]:
    """All runs of result files, of the result files in folders, and of folders of runs.

    Raises:
        InputFileError: A path does not exist or holds no run, or a file is damaged or of another version.
    """
    return tuple(run for path in paths for run in _read(path))


def _read(path: Path) -> list[ShownRun]:
    if path.is_dir() and any(path.rglob(RUN_FILE)):
        return list(_shown(path.name, as_json(find_runs([path]))))
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    runs = [run for file in files for run in _shown_file(file, wanted=file == path)]
    if not runs:
        raise InputFileError(
            f"There is no result in {path}.", "Name a file, or a folder, of committed results."
        )
    return runs


def _shown_file(file: Path, *, wanted: bool) -> Iterator[ShownRun]:
    """The runs of a file; one that was named (`wanted`) must have runs, others of a folder need not."""
    try:
        data = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputFileError(f"{file} cannot be read: {error}.", _REMEDY) from error
    if not _has_runs(data):
        if wanted:
            raise InputFileError(f"{file} holds no runs.", _REMEDY)
        return
    if data.get("v") != FORMAT_VERSION:
        raise InputFileError(f"{file} is of version {data.get('v')}, not {FORMAT_VERSION}.", _REMEDY)
    try:
        yield from _shown(file.stem, data)
    except (ValidationError, KeyError, TypeError) as error:
        raise InputFileError(f"{file} is damaged: {error}.", _REMEDY) from error


def _has_runs(data: Any) -> bool:
    runs = data.get("runs") if isinstance(data, dict) else None
    return isinstance(runs, list) and bool(runs) and isinstance(runs[0], dict) and "run" in runs[0]


def _shown(source: str, data: Mapping[str, Any]) -> Iterator[ShownRun]:
    for entry in data["runs"]:
        stages = entry["wrong"]
        yield ShownRun(
            source=source,
            id=digest([json.dumps(entry["run"], sort_keys=True).encode()])[:ID_CHARS],
            about=RunRecord.model_validate(entry["run"]),
            summary=entry["summary"],
            measured=entry.get("measured", {}),
            right=dict.fromkeys(entry["right"], True) | dict.fromkeys(stages, False),
            stages=stages,
        )


def _dig(values: Mapping[str, Any], path: Iterable[str]) -> float | None:
    found: Any = values
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return None if found is None else float(found)
