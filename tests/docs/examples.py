"""Finds the examples of a page that are to be run.

A comment before a fenced block says so: `<!-- run -->` before ```console (lines that begin with "$ " are
typed, the others must be printed, "..." stands for anything) or ```python (a program); `<!-- file NAME -->`
before any block makes it a file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

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
