"""`mapagent ask` and `mapagent query`: one question, or one program of the query language, and its answer.

`--geojson`, `--gpx`, `--ics` and `--picture` save the answer as a file.
"""

import asyncio
import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from map_tools.errors import InputFileError, UsageError
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from mapagent.interfaces.cli.command import (
    BUILT_IN,
    Command,
    add_settings,
    moment,
    position,
    positive,
    settings_from,
)
from mapagent.interfaces.cli.show import as_json, as_record, as_text, prints_utf8
from mapagent.llm.prices import OWN_SERVER, price_by, served_model
from mapagent.runtime.config import Settings
from mapagent.runtime.own_places import own_places
from mapagent.runtime.trace import Trace

if TYPE_CHECKING:
    from mapagent.interfaces.takeaway.findings import Findings


MAX_CONTEXT_BYTES = 4_000_000
MAX_PROGRAM_BYTES = 64_000
"""More than any program may have: what is longer is told so by the language itself."""
NOT_UNDERSTOOD = 3
"""Exit code for a question that could not be read; any other honest outcome is 0."""
OWN_MAPS = frozenset({"osm", "postgis", "recorded"})
PUBLIC = "osm-web"
GOOGLE = frozenset({"google", "google-legacy"})


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("question", metavar="QUESTION")
    add_situation(parser)
    parser.add_argument("--estimate", action="store_true", help="say what it would cost, and do not ask")


def configure_query(parser: ArgumentParser) -> None:
    """Declares the arguments of `mapagent query`."""
    parser.add_argument(
        "program", metavar="FILE|-", help="a file that holds the program; - for standard input"
    )
    add_situation(parser)


def add_situation(parser: ArgumentParser) -> None:
    """Arguments for what a question is asked about, and for how its answer is shown."""
    parser.add_argument(
        "-o", "--option", action="append", default=[], metavar="OPTION", help="an answer to choose from"
    )
    parser.add_argument("--image", type=Path, metavar="FILE", help="a map picture the question is about")
    add_surroundings(parser)
    parser.add_argument(
        "--choose",
        type=positive,
        action="append",
        default=[],
        metavar="N",
        help="of an ambiguous name, the N-th place is meant; repeat it for several names",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--trace", type=Path, metavar="FILE", help="write the trace as JSON lines")
    parser.add_argument("--explain", action="store_true", help="show program, plan, evidence and trace")
    add_files(parser)
    add_settings(parser)


def add_surroundings(parser: ArgumentParser) -> None:
    """Arguments for what also holds for a question that follows."""
    parser.add_argument("--context", type=Path, metavar="FILE", help="a text that holds the facts")
    parser.add_argument("--near", type=position, metavar="LAT,LON", help="where you are")
    parser.add_argument("--at", type=moment, metavar="ISO", help="the moment that 'now' stands for")


def run(given: Namespace) -> int:
    """Asks; exit code 0 for an outcome, 1 if the run failed, 3 if the question was not understood."""
    return asyncio.run(_ask(given))


async def _ask(given: Namespace) -> int:
    settings = settings_from(given).settings
    question, use_map = situation(given, given.question)
    if given.estimate:
        print(estimate(settings))
        return 0
    async with MapAgent(settings, own=own_places(settings)) as agent:
        answer = await agent.ask(question, use_provider=use_map)
        return await settled(given, agent, question, answer, use_map=use_map)


def run_query(given: Namespace) -> int:
    """Runs the program; exit code 0 for every honest outcome, 1 if the run failed."""
    return asyncio.run(_query(given))


async def _query(given: Namespace) -> int:
    program = _read_program(given.program)
    question, use_map = situation(given, f"(the program {given.program})")
    settings = settings_from(given).settings
    async with MapAgent(settings, own=own_places(settings)) as agent:
        answer = await agent.query(program, question=question, use_provider=use_map)
        return await settled(given, agent, question, answer, use_map=use_map)


def _read_program(name: str) -> str:
    if name == "-":
        return sys.stdin.read(MAX_PROGRAM_BYTES)
    try:
        with Path(name).open("rb") as stream:
            return stream.read(MAX_PROGRAM_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise InputFileError(
            f"The program {name} cannot be read: {error.strerror}.", "Name a file you may read, or - ."
        ) from error
    except UnicodeDecodeError as error:
        raise InputFileError(f"The program {name} is not UTF-8 text.", "Convert it to UTF-8.") from error


def situation(given: Namespace, text: str) -> tuple[Question, bool]:
    """The question that the arguments make, and whether a map is asked."""
    question = Question(
        text=text,
        options=tuple(given.option),
        context=read_context(given.context),
        image=given.image,
        near=given.near,
        at=given.at,
        choice=tuple(given.choose),
    )
    if given.trace is not None:
        _check_writable(given.trace)
    check_files(given)
    return question, uses_map(given)


def uses_map(given: Namespace) -> bool:
    """Whether a map is asked: a text that holds the facts is enough, unless a map is named beside it."""
    return given.context is None or given.provider is not None or given.map is not None


async def settled(
    given: Namespace, agent: MapAgent, question: Question, answer: Answer, *, use_map: bool
) -> int:
    """Prints an answer, saves what is wanted of it, and returns the exit code.

    Where a name in it is ambiguous and somebody sits at the terminal, they are asked which place is meant,
    and the same program runs again.
    """
    somebody = not given.json and sys.stdin.isatty() and sys.stdout.isatty()
    while somebody and answer.candidates and answer.program:
        code = shown(given, answer, agent.last_trace)
        number = _asked(len(answer.candidates))
        if number is None:
            return code
        question = question.model_copy(update={"choice": (*question.choice, number)})
        answer = await agent.query(answer.program, question=question, use_provider=use_map)
    code = shown(given, answer, agent.last_trace)
    if code == 0:
        await save(given, agent, question, answer)
    return code


def _asked(most: int) -> int | None:
    """The number that is typed; None if nothing is."""
    while True:
        try:
            typed = input(f"Which one? 1 to {most}, or Enter to leave it: ").strip()
        except EOFError:
            return None
        if not typed:
            return None
        if typed.isdecimal() and 1 <= int(typed) <= most:
            return int(typed)


def shown(given: Namespace, answer: Answer, trace: Trace | None) -> int:
    """Prints an answer, writes its trace, and returns the exit code."""
    if given.json:
        print(as_json(answer, ascii_only=not prints_utf8()))
    else:
        print(as_text(answer, explain=given.explain))
        if given.explain and trace is not None:
            print(f"\nTrace\n{trace.tree()}")
    if given.trace is not None and trace is not None:
        try:
            trace.write(given.trace)
        except OSError as error:
            raise not_writable(given.trace, f"{error.strerror}", what="trace file") from error
    return {Status.ERROR: 1, Status.NOT_UNDERSTOOD: NOT_UNDERSTOOD}.get(answer.status, 0)


def _check_writable(path: Path) -> None:
    """Finds out before the question is asked, which may cost time and money."""
    try:
        with path.open("a"):
            pass
    except OSError as error:
        raise not_writable(path, f"{error.strerror}", what="trace file") from error


def read_context(path: Path | None) -> str | None:
    """The text of a file that holds the facts.

    Raises:
        InputFileError: It cannot be read, is too large or is not UTF-8.
    """
    if path is None:
        return None
    try:
        # A pipe or a device does not tell its size: never read more than the limit.
        with path.open("rb") as stream:
            content = stream.read(MAX_CONTEXT_BYTES + 1)
        if len(content) > MAX_CONTEXT_BYTES:
            raise InputFileError(
                f"The context file {path} is larger than {MAX_CONTEXT_BYTES // 1_000_000} MB.",
                "Give less text.",
            )
        return content.decode("utf-8-sig")
    except OSError as error:
        raise InputFileError(
            f"The context file {path} cannot be read: {error.strerror}.", "Name a text file you may read."
        ) from error
    except UnicodeDecodeError as error:
        raise InputFileError(f"The context file {path} is not UTF-8 text.", "Convert it to UTF-8.") from error


def estimate(settings: Settings) -> str:
    """A sentence on the model and one on the map service; how many calls a question takes is not foreseen."""
    provider = settings.provider.partition(":")[0]
    if settings.model == "offline" and provider in OWN_MAPS:
        return "This question costs nothing: the embedded model and a map of your own are free."
    return f"{_of_model(settings)}\n{_of_provider(provider)}"


def _of_model(settings: Settings) -> str:
    if settings.model == "offline":
        return "The embedded model costs nothing."
    name, price = served_model(settings), price_by(settings)
    if price.source == OWN_SERVER:
        return f"The model '{name}' runs on a server of your own, where nobody charges for tokens."
    if not price.known:
        return f"What the model '{name}' costs is not known: set price_in and price_out."
    return (
        f"The model '{name}' costs {price.usd_in:g} USD for a million tokens read and {price.usd_out:g} for "
        f"a million written ({price.source}); --max-usd sets a limit."
    )


def _of_provider(provider: str) -> str:
    if provider in OWN_MAPS:
        return "A map of your own costs nothing."
    if provider == PUBLIC:
        return "Public OpenStreetMap servers charge nothing."
    if provider in GOOGLE:
        return "Google bills each request: docs/google.md has the prices, --max-usd sets a limit."
    return f"What the provider '{provider}' charges is not known."


ASK = Command(help=BUILT_IN["ask"], configure=configure, run=run)
QUERY = Command(help=BUILT_IN["query"], configure=configure_query, run=run_query)


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


async def save(given: Namespace, agent: MapAgent, question: Question, answer: Answer) -> None:
    """Writes the files that are wanted of an answer, replacing those that are there.

    Raises:
        UsageError: The answer has nothing that one of them could hold; the others are written.
        InputFileError: A file cannot be written.
    """
    wanted = _wanted(given)
    if not wanted:
        return
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
