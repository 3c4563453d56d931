"""Taking the deciding lines out of a text, and making sure that nothing else went and nothing is left."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from evals.twins.aims import Aim
from evals.twins.statements import Statements, Subject, statements

ROUNDS = 3
"""Lines that say more besides are tried after those that say less, if these were not enough."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A text without its deciding lines.

    Attributes:
        text: What is left.
        lines: Numbers of the lines taken out, from 1.
    """

    text: str
    lines: tuple[int, ...]


@dataclass
class Cutter:
    """Cuts one text; the effect of each of its lines is found out once.

    Attributes:
        text: The text.
    """

    text: str
    _lines: list[str] = field(init=False)
    _said: dict[frozenset[int], Statements] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._lines = self.text.splitlines()

    def cut(self, aim: Aim, right: str) -> Cut | None:
        """The text without what the aim hits; None if that cannot be done cleanly.

        Args:
            aim: What has to vanish.
            right: The right answer's words.

        Returns:
            None if the text does not state it in lines of their own, other statements change, nothing is
            left, or the words of the remaining lines still tell it.
        """
        gone: frozenset[int] = frozenset()
        for _ in range(ROUNDS):
            if any(map(aim.hits, self._statements(gone))):
                gone |= self._lines_of(aim, gone)
        if not gone or not self._is_clean(aim, gone, right):
            return None
        kept = [line for number, line in enumerate(self._lines) if number not in gone]
        return Cut("\n".join(kept), tuple(sorted(number + 1 for number in gone)))

    def _statements(self, without: frozenset[int]) -> Statements:
        if without not in self._said:
            kept = [line for number, line in enumerate(self._lines) if number not in without]
            self._said[without] = statements("\n".join(kept))
        return self._said[without]

    def _lines_of(self, aim: Aim, gone: frozenset[int]) -> frozenset[int]:
        """Lines that carry what the aim hits and nothing it spares: those with the least besides."""
        before = self._statements(gone)
        besides: dict[int, int] = {}
        for number, line in enumerate(self._lines):
            if number in gone or not line.strip():
                continue
            lost = _lost(before, self._statements(gone | {number}))
            if any(map(aim.hits, lost)) and not any(map(aim.spares, lost)):
                besides[number] = sum(not aim.hits(subject) for subject in lost)
        least = min(besides.values(), default=0)
        return frozenset(number for number, extra in besides.items() if extra == least)

    def _is_clean(self, aim: Aim, gone: frozenset[int], right: str) -> bool:
        before, after = self._statements(frozenset()), self._statements(gone)
        if not after or any(map(aim.hits, after)) or any(subject not in before for subject in after):
            return False
        if any(map(aim.spares, _lost(before, after))):
            return False
        kept = [line for number, line in enumerate(self._lines) if number not in gone]
        return not aim.still_said(kept, [self._lines[number] for number in sorted(gone)], right)


def _lost(before: Statements, after: Statements) -> Iterable[Subject]:
    """Subjects of which something else, or nothing, is said now."""
    return [subject for subject, values in before.items() if after.get(subject) != values]
