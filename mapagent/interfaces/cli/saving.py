"""`--geojson`, `--gpx`, `--ics`, `--picture`: an answer as a file."""

import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from map_tools.errors import InputFileError

if TYPE_CHECKING:
    from mapagent.core.agent import MapAgent
    from mapagent.core.answer import Answer
    from mapagent.core.question import Question
    from mapagent.interfaces.takeaway.findings import Findings

_HELP = {
    "geojson": "save all there is to see as GeoJSON",
    "gpx": "save places as waypoints and ways as tracks (GPX 1.1)",
    "ics": "save the plan of a trip as a calendar (iCalendar), an event a visit",
    "picture": "draw it over the map, as PNG",
}


def add_files(parser: ArgumentParser) -> None:
    """Flags that save an answer."""
    for name, told in _HELP.items():
        parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=told)


def check_files(given: Namespace) -> None:
    """Finds out before the question is asked, which may cost time and money, whether files can be written.

    Raises:
        InputFileError: One cannot.
    """
    for path in _wanted(given).values():
        if path.is_dir():
            raise not_writable(path, "it is a folder")
        if not path.parent.is_dir():
            raise not_writable(path, f"there is no folder {path.parent}")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise not_writable(path, "that is not allowed")


async def save(given: Namespace, agent: "MapAgent", question: "Question", answer: "Answer") -> None:
    """Writes the files that are wanted of an answer, replacing those that are there.

    Raises:
        UsageError: The answer has nothing that one of them could hold; the others are written.
        InputFileError: A file cannot be written.
    """
    wanted = _wanted(given)
    if not wanted:
        return
    from map_tools.errors import UsageError
    from mapagent.interfaces.cli.show import as_record
    from mapagent.interfaces.takeaway.features import answer_features, ways_of
    from mapagent.interfaces.takeaway.findings import Findings
    from mapagent.interfaces.takeaway.formats import Format, made
    from mapagent.interfaces.takeaway.ground import ground_beneath

    record = as_record(answer)
    features = answer_features(answer, await ways_of(answer, agent))
    title = answer.understood if "program" in given else question.text  # a program has no words of its own
    findings = Findings.of(title, record, features)
    refused: UsageError | None = None
    for name, path in wanted.items():
        form = Format.PNG if name == "picture" else Format(name)
        try:
            with ground_beneath(record, agent.settings) if form is Format.PNG else nullcontext() as ground:
                content = made(form, findings, ground)
        except UsageError as error:
            refused = refused or error
        else:
            _write(path, content)
            if form is Format.ICS and given.at is None:
                _tell_today(path, findings)
    if refused is not None:
        raise refused


def _wanted(given: Namespace) -> dict[str, Path]:
    return {name: path for name in _HELP if (path := getattr(given, name)) is not None}


def _tell_today(path: Path, findings: "Findings") -> None:
    """Says that a calendar is of today, which nobody said; a question may well name another day."""
    begin = next(filter(None, (visit["properties"].get("begin") for visit in findings.visits())))
    first = datetime.fromisoformat(begin)
    if first.date() == datetime.now(first.tzinfo).date():
        print(f"{path} is for today, {first.date()}, which is assumed without --at.", file=sys.stderr)


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise not_writable(path, error.strerror or "") from error


def not_writable(path: Path, why: str, *, what: str = "file") -> InputFileError:
    """A file that is to be made cannot be."""
    return InputFileError(
        f"The {what} {path} cannot be written: {why}.", "Name a file in a folder you may write to."
    )
