"""What an audit finds: figures and ids, never texts of the data."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect of a benchmark.

    Attributes:
        key: Short name.
        says: What is wrong, in a sentence.
        ids: The questions it touches.
        among: Of how many questions; 0 for a defect of the map, which touches none in particular.
        figures: Further figures by name.
    """

    key: str
    says: str
    ids: tuple[str, ...]
    among: int
    figures: dict[str, float] = field(default_factory=dict)


class HasId(Protocol):
    """A record of a benchmark."""

    @property
    def id(self) -> object:
        """Its id."""


def ids_of(records: Iterable[HasId]) -> tuple[str, ...]:
    """The ids of some records, as text."""
    return tuple(str(record.id) for record in records)


def shown(findings: Sequence[Finding], *, with_ids: bool = False) -> str:
    """The findings as text."""
    lines: list[str] = []
    for one in findings:
        share = f"{len(one.ids)} of {one.among}. " if one.among else ""
        lines.append(f"{one.key}: {share}{one.says}")
        lines += [f"  {name} = {value:g}" for name, value in one.figures.items()]
        if with_ids and one.ids:
            lines.append(f"  ids: {' '.join(one.ids)}")
    return "\n".join(lines)
