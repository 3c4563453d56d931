"""Every example of the documentation that is marked runs, on the demo map, and prints what the page shows.

A comment before a fenced block says so: `<!-- run -->` before ```console (lines that begin with "$ " are
typed, the others must be printed, "..." stands for anything) or ```python (a program); `<!-- file NAME -->`
before any block makes it a file.
"""

import asyncio
import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.support.cli import CommandLine
from tests.support.data import demo_extract
from tests.support.loopback import json_reply, serving
from tests.support.maps import demo_map

TOP = Path(__file__).resolve().parents[2]
EXTRACT = "helsinki.osm.pbf"
"""What pages call the extract of the demo map; it lies in the folder they work in."""
_BLOCK = re.compile(
    r"^<!-- (?P<mark>run|file (?P<file>\S+)) -->\n+```(?P<language>\w*)[^\n]*\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_PROMPT = "$ "


@dataclass(frozen=True)
class Example:
    """Something to do; `line` is where it stands on the page.

    Attributes:
        kind: "type" a command, "run" a program, "write" a file.
        text: The command, the program, or the file's content.
        printed: What a command must print.
        name: Of the file.
    """

    kind: Literal["type", "run", "write"]
    line: int
    text: str
    printed: str = ""
    name: str = ""


def examples(page: Path) -> tuple[Example, ...]:
    """The examples of a page in their order."""
    return tuple(_read(page.read_text("utf-8")))


def _read(text: str) -> Iterator[Example]:
    for found in _BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("body")) + 1
        if found["file"]:
            yield Example("write", line, found["body"], name=found["file"])
        elif found["language"] == "python":
            yield Example("run", line, found["body"])
        elif found["language"] == "console":
            yield from _typed(found["body"], line)
        else:
            raise ValueError(
                f"line {line}: a block to be run is console or python, not '{found['language']}'"
            )


def _typed(body: str, first: int) -> Iterator[Example]:
    lines = body.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith(_PROMPT)]
    if not starts or starts[0] != 0:
        raise ValueError(f"line {first}: a console block begins with '{_PROMPT}' and a command")
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        command = lines[start].removeprefix(_PROMPT)
        printed = start + 1
        while command.endswith("\\"):
            command = command.removesuffix("\\") + lines[printed].strip()
            printed += 1
        yield Example("type", first + start, command, "\n".join(lines[printed:end]))


PAGES = tuple(page for page in (TOP / "README.md", *sorted((TOP / "docs").rglob("*.md"))) if examples(page))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(TOP).as_posix())
def test_the_examples_of_a_page(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data_home = tmp_path / "data"
    work = tmp_path / "work"
    work.mkdir()
    shutil.copytree(demo_map().parent, data_home / "maps", symlinks=True)
    (work / EXTRACT).symlink_to(demo_extract())
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(data_home))
    monkeypatch.chdir(work)
    run = CommandLine(capsys)
    for example in examples(page):
        where = f"{page.name}, line {example.line}"
        if example.kind == "write":
            (work / example.name).write_text(example.text, encoding="utf-8")
        elif example.kind == "run":
            _run(example, where)
        else:
            _type(example, run, where)


def _type(example: Example, run: CommandLine, where: str) -> None:
    program, *arguments = shlex.split(example.text)
    assert program == "mapagent", f"{where}: only mapagent is run, not {program}"
    ran = run(*arguments)
    got = ran.out or ran.err  # progress beside a result is not part of what a page shows
    if example.printed:
        options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        shown = f"{where}\n{example.text}\n--- printed ---\n{got}\n--- the page says ---\n{example.printed}"
        assert doctest.OutputChecker().check_output(example.printed, got, options), shown
    else:
        assert ran.code == 0, f"{where}\n{example.text}\n{got}"


def _run(example: Example, where: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", example.text],
        capture_output=True,
        text=True,
        check=False,
        env=dict(os.environ) | {"PYTHONPATH": str(Path.cwd()), "PATH": path},
    )
    assert ran.returncode == 0, f"{where}\n{ran.stderr}"


def test_there_are_examples() -> None:
    assert "tutorial.md" in {page.name for page in PAGES}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<!-- run -->\n```sh\nls\n```\n", "console or python"),
        ("<!-- run -->\n```console\nls\n```\n", "begins with"),
    ],
)
def test_an_example_that_could_never_run_is_an_error(tmp_path: Path, text: str, words: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    with pytest.raises(ValueError, match=words):
        examples(page)


def test_what_a_console_block_says(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    typed = '$ mapagent ask \\\n    "x"\nyes\n  because\n$ mapagent --version\n'
    page.write_text(f"Text\n\n<!-- run -->\n```console\n{typed}```\n")
    assert examples(page) == (
        Example("type", 5, 'mapagent ask "x"', "yes\n  because"),
        Example("type", 9, "mapagent --version"),
    )


WIRE_PAGE = Path(__file__).parents[2] / "docs" / "wire.md"


def test_the_example_asks_once_and_keeps_the_id(tmp_path: Path) -> None:
    code = re.findall(r"```python\n(.*?)```", WIRE_PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    with serving(lambda asked: json_reply({"id": f"id of {asked.params['q'][0]}"})) as server:
        names: dict[str, Any] = {"Path": Path}
        exec(code.replace("https://atlas.example/v1", server.url), names)
        found = [asyncio.run(names["find"]("tea", "the-secret-key", tmp_path)) for _ in range(2)]
    assert found == ["id of tea"] * 2
    assert len(server.asked) == 1
    assert server.asked[0].headers["x-atlas-key"] == "the-secret-key"
