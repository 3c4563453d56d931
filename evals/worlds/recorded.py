"""Recorded worlds built from texts, kept below the data home under the hash of what they were built from.

Every line becomes typed evidence, or is named as not understood.
"""

import hashlib
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from pathlib import Path

from pydantic import ValidationError

from evals.runner.identity import code_digest
from map_tools.errors import InputFileError, MapStoreError
from map_tools.facts import Fact, NearbyFact, NoteFact, PlaceFact
from map_tools.providers.world_file import WorldFile
from map_tools.types import Frozen, Place
from modules.context_reader.gather import Gatherer
from modules.context_reader.reader import Reading, read_text, weekday_stated


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with a name for it (the id of the first question that brings it)."""

    id: str
    text: str


class Miss(Frozen):
    """A line that nothing understands."""

    passage: str
    line: str


class Conflict(Frozen):
    """Two texts that say different things of a place; the first one counts.

    Attributes:
        about: Id of the place. `what`: the field.
        kept_from: The text whose value stands. `other_from`: the text that says something else.
        kept: The value that stands. `other`: the other one.
    """

    about: str
    what: str
    kept_from: str
    other_from: str
    kept: str
    other: str


_COMPARED = ("location", "phone", "website", "rating", "rating_count", "price_level", "hours")
"""Fields whose values a source states as facts, so that two different values are a conflict."""


class WorldReport(Frozen):
    """What became of the texts.

    Attributes:
        built_by: Digest of the code that built the world.
        passages: Different texts read.
        lines: Lines in all (empty ones do not count). `misses`: those not understood.
        moments: Lines that say what day it is: part of a question, not of a map, so left out of the world.
        conflicts: Where two texts disagree about a place.
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
    told: dict[tuple[str, str], tuple[str, str]] = {}
    conflicts: dict[Conflict, None] = {}
    sources: dict[str, tuple[str, ...]] = {}
    for passage in unique.values():
        reading = read_text(passage.text)
        facts = [finding.fact for finding in reading.findings]
        ids = gatherer.add(passage.id, facts)
        conflicts |= dict.fromkeys(_conflicts(facts, ids, passage.id, told))
        for place_id in dict.fromkeys(ids.values()):
            sources[place_id] = (*sources.get(place_id, ()), passage.id)
        lines += reading.lines
        moments += _moments(reading)
        misses += [Miss(passage=passage.id, line=line) for line in reading.misses]
    report = WorldReport(
        built_by=code_digest(),
        passages=len(unique),
        lines=lines,
        misses=tuple(misses),
        moments=moments,
        conflicts=tuple(conflicts),
        sources=sources,
    )
    return BuiltWorld(gatherer.world(name, attribution), report)


def _conflicts(
    facts: Iterable[Fact], ids: Mapping[str, str], source: str, told: dict[tuple[str, str], tuple[str, str]]
) -> Iterator[Conflict]:
    """What a text says of places otherwise than those before it; adds to `told`: value and text by place and field."""
    places = (_places_of(fact) for fact in facts)
    for place, what in product(chain.from_iterable(places), _COMPARED):
        value = getattr(place, what)
        if value is None:
            continue
        shown = str(getattr(value, "text", value))
        kept, first = told.setdefault((ids[place.id], what), (shown, source))
        if kept != shown and first != source:
            yield Conflict(
                about=ids[place.id], what=what, kept_from=first, other_from=source, kept=kept, other=shown
            )


def _places_of(fact: Fact) -> Iterator[Place]:
    if isinstance(fact, PlaceFact):
        yield fact.place
    elif isinstance(fact, NearbyFact):
        yield from (item.place for item in fact.items)


def _moments(reading: Reading) -> int:
    notes = (finding.fact for finding in reading.findings if isinstance(finding.fact, NoteFact))
    return sum(weekday_stated(note.text) is not None for note in notes)


WORLD_FILE = "world.json"
REPORT_FILE = "report.json"
MIN_UNDERSTOOD = 0.95
"""Below this share of understood lines a world would answer from gaps; it is not built."""
SHOWN_MISSES = 5


@dataclass(frozen=True, slots=True)
class KeptWorld:
    """A world on disk: `path` is for `--provider recorded:PATH`, `report` says how it came about."""

    path: Path
    report: WorldReport


def world_for(passages: Sequence[Passage], *, name: str, attribution: str, root: Path) -> KeptWorld:
    """The world of these texts: from the cache if this very code built it, or built now.

    Args:
        passages: The texts in the order of the file.
        name: Name of the world.
        attribution: The credit answers show.
        root: Folder of all worlds (the data home's "worlds").

    Raises:
        InputFileError: Less than `MIN_UNDERSTOOD` of the lines are understood; names the first ones.
        MapStoreError: The folder cannot be written.
    """
    folder = root / f"{name}-{_key(passages, name, attribution)}"
    known = _read(folder)
    if known is not None:
        return known
    built = build_world_of(passages, name=name, attribution=attribution)
    _check(built.report, name)
    texts = {
        WORLD_FILE: built.world.model_dump_json(exclude_defaults=True),
        REPORT_FILE: built.report.model_dump_json(indent=1),
    }
    _write(folder, texts)
    return KeptWorld(folder / WORLD_FILE, built.report)


def _key(passages: Sequence[Passage], name: str, attribution: str) -> str:
    digest = hashlib.sha256(f"{name}\0{attribution}".encode())
    for passage in passages:
        digest.update(f"\0{passage.id}\0{passage.text}".encode())
    return digest.hexdigest()[:16]


def _read(folder: Path) -> KeptWorld | None:
    """The world of an earlier run; None if there is none, its files are damaged, or other code built it."""
    try:
        report = WorldReport.model_validate_json((folder / REPORT_FILE).read_text("utf-8"))
    except (OSError, ValidationError, UnicodeDecodeError):
        return None
    world = folder / WORLD_FILE
    ours = report.built_by == code_digest() and world.is_file()
    return KeptWorld(world, report) if ours else None


def _check(report: WorldReport, name: str) -> None:
    share = report.share_understood
    if share is None or share >= MIN_UNDERSTOOD:
        return
    shown = "; ".join(f"{miss.passage}: '{miss.line.strip()}'" for miss in report.misses[:SHOWN_MISSES])
    raise InputFileError(
        f"Only {share:.1%} of the lines of {name} are understood, so no world is made of it: {shown}.",
        "Give a hand-written world with --world PATH (docs/recorded-world.md).",
    )


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Writes the files beside and renames: a kill leaves nothing half-made, two processes do not collide."""
    beside = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    try:
        beside.mkdir(parents=True)
        for name, text in texts.items():
            (beside / name).write_text(text, encoding="utf-8")
        if folder.exists() and _read(folder) is None:
            shutil.rmtree(folder)
        try:
            beside.rename(folder)
        except OSError:
            if _read(folder) is None:  # not another process that was faster
                raise
    except OSError as error:
        raise MapStoreError(
            f"The world cannot be written to {folder}: {error.strerror}.",
            "Make sure that there is space and that you may write there.",
        ) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
