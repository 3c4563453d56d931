"""What an analysis of a question is made of: marks over stretches of its text, and mentions of places."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

SURE = 0.7
"""Mentions at least this strong are names beyond doubt."""


@dataclass(frozen=True, slots=True)
class Mark[T]:
    """`text[start:end]` of the question means `value`."""

    start: int
    end: int
    value: T


@dataclass(frozen=True, slots=True)
class Mention:
    """Words that name a place.

    Attributes:
        start: Where the words begin in the text; `end` where they end.
        text: The name, without what qualifies it.
        role: What the words before it make of it: "from", "to", "near", "of", "at", "in", "via", "on",
            "between", "named", "than"; "without" (to be left out), "self" (where the speaker is), "target"
            (looked for: "nearest Starbucks"), "qualifier" ("X in Paris": Paris), else "subject".
        strength: 1 quoted, 0.9 capitals, 0.7 known to the map, 0.5 unknown words, 0.3 only a kind of place.
        parts: The names it falls into when read as a list ("A and B"); empty if it is one name.
        qualifier: Where it lies, as the question says ("Paris").
    """

    start: int
    end: int
    text: str
    role: str = "subject"
    strength: float = 0.9
    parts: "tuple[Mention, ...]" = field(default=())
    qualifier: str = ""

    @property
    def place(self) -> str:
        """The name with its qualifier, as the tools are to look it up."""
        return f"{self.text}, {self.qualifier}" if self.qualifier else self.text

    def split(self) -> "tuple[Mention, ...]":
        """The names of a list, or this one alone. The list's role holds for each of them."""
        return tuple(replace(part, role=self.role) for part in self.parts) or (self,)


def outside[T](marks: Iterable[Mark[T]], mentions: Iterable[Mention]) -> list[Mark[T]]:
    """The marks that do not lie within a mention."""
    spans = [(mention.start, mention.end) for mention in mentions]
    return [
        mark for mark in marks if not any(start <= mark.start and mark.end <= end for start, end in spans)
    ]


def apart[T](marks: Iterable[Mark[T]], others: Iterable[Mark[Any]]) -> list[Mark[T]]:
    """The marks that do not overlap any of the others."""
    taken = tuple(others)
    return [
        mark for mark in marks if all(mark.end <= other.start or other.end <= mark.start for other in taken)
    ]


def outermost[T](marks: Iterable[Mark[T]]) -> list[Mark[T]]:
    """The marks that no longer mark covers, by place."""
    kept: list[Mark[T]] = []
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept
