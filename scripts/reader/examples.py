"""The example bank: questions with the programs they ask for, a file an author."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from map_tools.errors import ProgramError
from modules.nlu.reader import CORNER, DAY_AND_CLOCK, Over
from modules.nlu.rows import LITERAL, NUMBER, NUMBER_ROLE, Literal, RowError, tokens_of
from modules.nlu.words import Words, words_of
from modules.query.inventory import built_in
from scripts.reader.alignment import Aligner

ROOT = Path(__file__).parents[2]
BANK = Path(__file__).with_name("bank")
UNSEEN = ("m08", "t07", "told10", "w1", "w2", "w3", "w4")
"""Authors that the reader is not trained on, but measured (`measure.py`) and calibrated (`calibrate.py`) on."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its program.

    Attributes:
        author: Who wrote it.
        base: Whose question it words anew; empty for one of the author's own.
        over: What it is asked over.
        map: The map it was written for; empty if none.
        text: The supplied text it was written for; empty if none.
        right: The letter of the right option, "none" if no option is; empty where that is not known.
        earlier: The questions of the conversation before it.
    """

    author: str
    question: str
    options: tuple[str, ...]
    program: str
    over: Over
    base: str = ""
    map: str = ""
    text: str = ""
    right: str = ""
    earlier: tuple[str, ...] = ()


def examples(bank: Path = BANK) -> Iterator[Example]:
    """All examples, author by author."""
    for path in sorted(bank.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            yield Example(
                author=path.stem,
                question=told["question"],
                options=tuple(told.get("options", ())),
                program=told["program"],
                over=Over[told["over"].upper()],
                base=told.get("base", ""),
                map=told.get("map", ""),
                text=told.get("text", ""),
                right=told.get("right", ""),
                earlier=tuple(told.get("earlier", ())),
            )


@dataclass(frozen=True, slots=True)
class Target:
    """What the network is to write for an example.

    Attributes:
        tokens: The row.
        spans: For each token the first and last word it points to, or None.
        roles: For each pointing token the type that is wanted there, else an empty string.
    """

    words: Words
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int] | None, ...]
    roles: tuple[str, ...]


def target_of(example: Example) -> Target | None:
    """The row of an example with its pointers; None where the program cannot be said as one."""
    words = words_of(example.question, example.options, example.earlier)
    row: list[tuple[str, tuple[int, int] | None, str]] = []
    try:
        tokens = tokens_of(example.program, built_in())
    except (RowError, ProgramError):
        return None
    aligner = Aligner(words, tokens)
    for at, token in enumerate(tokens):
        if not isinstance(token, Literal):
            row.append((token, None, ""))
            continue
        found = aligner.find(at)
        if not found:
            lead = NUMBER if token.role == NUMBER_ROLE else LITERAL
            row.append((f"{lead}{token.text}", None, token.role))
        elif len(found) > 1:
            named = found[0].token in {"S"}
            row.append((CORNER if named else DAY_AND_CLOCK, None, ""))
        row += [(one.token, (one.first, one.last), token.role) for one in found]
    return Target(words, *(tuple(part) for part in zip(*row, strict=True)))
