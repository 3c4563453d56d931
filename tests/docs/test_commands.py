"""Every command that a page shows is one that there is: its words are read by the program's own parser."""

import re
import shlex
from argparse import ArgumentError, ArgumentParser, ArgumentTypeError, _SubParsersAction
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from mapagent.runtime.plugins import entry_points

TOP = Path(__file__).resolve().parents[2]
PAGES = tuple(TOP / name for name in ("README.md", "CONTRIBUTING.md")) + tuple(
    page for page in sorted((TOP / "docs").rglob("*.md")) if page.parent.name != "results"
)
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`((?:mapagent|make|python) [^`]+)`")
_TARGET = re.compile(r"^([a-z][\w-]*):", re.MULTILINE)
_VARIABLE = re.compile(r"[A-Z_]+=\S*")
SHELL = frozenset({"", "console", "sh", "bash"})
OWN = frozenset({"capitals"})
"""What a reader of the pages makes himself: a suite."""
OTHERS = frozenset({"pip", "pytest", "mypy", "mkdocs", "http.server"})
"""Programs of others that pages start with `python -m`."""


def commands(page: Path) -> Iterator[str]:
    """The lines of a page's shell blocks, continued ones joined."""
    for language, body in _BLOCK.findall(page.read_text("utf-8")):
        if language in SHELL:
            yield from (_bare(line) for line in _joined(body).splitlines())


def mentions(page: Path) -> Iterator[str]:
    """The commands within sentences."""
    yield from map(_bare, _INLINE.findall(_BLOCK.sub("", page.read_text("utf-8"))))


def _joined(body: str) -> str:
    """Continued lines as one; so is a question in quotes that goes over two."""
    lines: list[str] = []
    for line in re.sub(r"\\\n\s*", " ", body).splitlines():
        if lines and lines[-1].count('"') % 2:
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(lines)


def _bare(line: str) -> str:
    """A line without its prompt, and without the variables that are set for it."""
    words = line.strip().removeprefix("$ ").split(" ")
    while words and _VARIABLE.fullmatch(words[0]):
        words = words[1:]
    return " ".join(words)


def words_of(command: str) -> list[list[str]]:
    """The words of a line, one list for each program it starts."""
    parts: list[list[str]] = [[]]
    for word in shlex.split(command, comments=True):
        if word in {"&&", "|", ">", "&", ";"}:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def shown(program: str, find: Callable[[Path], Iterator[str]]) -> Iterator[tuple[str, list[str]]]:
    """Where, and the words behind the name of a program, wherever pages show it."""
    for page in PAGES:
        for command in find(page):
            if command.startswith(f"{program} "):
                where = f"{page.relative_to(TOP).as_posix()}: {command}"
                yield from ((where, part[1:]) for part in words_of(command) if part[0] == program)


@pytest.fixture(scope="module")
def parsers() -> dict[str, ArgumentParser]:
    made = {}
    for entry in entry_points("mapagent.commands"):
        made[entry.name] = ArgumentParser(prog=f"mapagent {entry.name}", exit_on_error=False)
        entry.load().configure(made[entry.name])
    return made


def test_mapagent_takes_the_words_of_all_blocks(parsers: dict[str, ArgumentParser]) -> None:
    seen, wrong = 0, []
    for where, (command, *words) in shown("mapagent", commands):
        if any(mark in where for mark in ("...", "|", "[")) or OWN.intersection(words):
            continue  # a form, not a command
        seen += 1
        try:
            parsers[command].parse_args(words)
        except (ArgumentError, ArgumentTypeError, KeyError, SystemExit) as error:
            wrong.append(f"{where} ({error!r})")
    assert wrong == []
    assert seen > 60


def test_mapagent_knows_what_sentences_mention(parsers: dict[str, ArgumentParser]) -> None:
    for where, (command, *words) in shown("mapagent", mentions):
        if command.startswith("-"):
            continue
        known = flags_of(parsers[command])
        assert [
            word for word in words if word.startswith("--") and word.partition("=")[0] not in known
        ] == [], where


def flags_of(parser: ArgumentParser) -> set[str]:
    """The flags of a parser and of all parsers below it."""
    found = set(parser._option_string_actions)
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            found |= set().union(*map(flags_of, action.choices.values()))
    return found


@pytest.mark.parametrize("find", [commands, mentions])
def test_make_has_the_targets_of_all_pages(find: Callable[[Path], Iterator[str]]) -> None:
    targets = set(_TARGET.findall((TOP / "Makefile").read_text("utf-8")))
    assert [where for where, words in shown("make", find) if not targets.issuperset(words)] == []


@pytest.mark.parametrize("find", [commands, mentions])
def test_modules_that_pages_start_are_there(find: Callable[[Path], Iterator[str]]) -> None:
    started = [(where, words[1]) for where, words in shown("python", find) if words[:1] == ["-m"]]
    assert len(started) > 2
    assert [where for where, module in started if module not in OTHERS and find_spec(module) is None] == []
