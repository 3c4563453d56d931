"""Builds a recorded world from texts: every line becomes typed evidence, or is named as not understood."""

from collections.abc import Sequence
from dataclasses import dataclass

from evals.runner.identity import code_digest
from map_tools.facts import NoteFact
from map_tools.providers.world_file import WorldFile
from map_tools.types import Frozen
from modules.context_reader.gather import Gatherer
from modules.context_reader.gazetteer import Conflict
from modules.context_reader.reader import Reading, read_text
from modules.context_reader.situation import weekday_stated


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with a name for it (the id of the first question that brings it)."""

    id: str
    text: str


class Miss(Frozen):
    """A line that nothing understands."""

    passage: str
    line: str


class WorldReport(Frozen):
    """What became of the texts.

    Attributes:
        built_by: Digest of the code that built the world.
        passages: Different texts read.
        lines: Lines in all (empty ones do not count). `misses`: those not understood.
        moments: Lines that say what day it is: part of a question, not of a map, so left out of the world.
        conflicts: Where two texts disagree; the first one counts.
        sources: The texts that speak of each place, by its id.
    """

    built_by: str
    passages: int
    lines: int
    misses: tuple[Miss, ...]
    moments: int
    conflicts: tuple[Conflict, ...]
    sources: dict[str, tuple[str, ...]]

    @property
    def share_understood(self) -> float | None:
        """Understood lines by all lines, 0 to 1; None where there are no lines."""
        return 1 - len(self.misses) / self.lines if self.lines else None


@dataclass(frozen=True, slots=True)
class BuiltWorld:
    """A world and how it came about."""

    world: WorldFile
    report: WorldReport


def build_world_of(passages: Sequence[Passage], *, name: str, attribution: str) -> BuiltWorld:
    """One world from all texts, in their order; a text that occurs twice is read once."""
    gatherer = Gatherer()
    misses: list[Miss] = []
    lines = moments = 0
    unique: dict[str, Passage] = {}
    for passage in passages:
        unique.setdefault(passage.text, passage)
    for passage in unique.values():
        reading = read_text(passage.text)
        gatherer.add(passage.id, [finding.fact for finding in reading.findings])
        lines += reading.lines
        moments += _moments(reading)
        misses += [Miss(passage=passage.id, line=line) for line in reading.misses]
    report = WorldReport(
        built_by=code_digest(),
        passages=len(unique),
        lines=lines,
        misses=tuple(misses),
        moments=moments,
        conflicts=gatherer.conflicts,
        sources={place_id: tuple(texts) for place_id, texts in gatherer.gazetteer.sources.items()},
    )
    return BuiltWorld(gatherer.world(name, attribution), report)


def _moments(reading: Reading) -> int:
    notes = (finding.fact for finding in reading.findings if isinstance(finding.fact, NoteFact))
    return sum(weekday_stated(note.text) is not None for note in notes)
