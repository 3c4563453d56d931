"""MapEval-Textual and MapEval-API (Dihan et al., 2025), as in the MapAgent paper, section 4.

Both ask the questions of one file. Textual gives each question its context. API gives the question alone; a
recorded world built from all contexts of the file answers in the place of the map service.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.ports import Item, OfferRule, Score, Task
from evals.suites.choices import score_choice
from evals.suites.mapeval_file import MapEvalRecord, read_mapeval
from evals.twins.metrics import twin_metrics
from evals.worlds.recorded import Miss, Passage, build_world_of, world_for
from map_tools.providers.base import Provider
from map_tools.providers.world_file import FORMAT_NAME
from mapagent.answer import Answer
from mapagent.config import Settings
from mapagent.question import Question

HEAD_BYTES = 256
SHOWN_MISSES = 20
"""Lines that are shown; all of them are in the report beside the world."""
ATTRIBUTION = "Contexts of MapEval, collected from Google Maps"


class _MapEval:
    """What both suites share."""

    def __init__(self) -> None:
        self._notes: dict[str, Any] = {}
        self._misses: tuple[Miss, ...] = ()

    def score(self, item: Item, answer: Answer) -> Score:
        """Right option, or refusal of what cannot be answered."""
        return score_choice(item, answer)

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """Accuracy is all MapEval reports, and every suite has it; twins are judged with their originals."""
        return twin_metrics(judged)

    def notes(self) -> Mapping[str, Any]:
        """How the world was built, for the run record."""
        return self._notes

    def warnings(self) -> Sequence[str]:
        """The lines of the contexts that nothing understands: the world lacks what they say."""
        if not self._misses:
            return ()
        shown = [f"{miss.passage}: {miss.line.strip()}" for miss in self._misses[:SHOWN_MISSES]]
        more = [f"and {len(self._misses) - len(shown)} more"] if len(self._misses) > len(shown) else []
        lines = self._notes["lines"]
        return (
            f"{len(self._misses)} of {lines} lines are not understood and missing from the world:",
            *shown,
            *more,
        )

    def _open_world(self, source: Path, settings: Settings) -> Provider:
        """A world given as such, or built from the contexts of a benchmark file."""
        from map_tools.providers.recorded import RecordedProvider

        if _is_world(source):
            self._notes = {"world": "given"}
            return RecordedProvider.open(source)
        return self._build_world(source, settings)

    def _build_world(self, source: Path, settings: Settings) -> Provider:
        from map_tools.providers.recorded import RecordedProvider

        records = read_mapeval(source)
        kept = world_for(
            [Passage(str(record.id), record.context) for record in records if record.context.strip()],
            name="mapeval",
            attribution=ATTRIBUTION,
            root=settings.data_home / "worlds",
        )
        report = kept.report
        self._misses = report.misses
        self._notes = {
            "world": "built",
            "passages": report.passages,
            "lines": report.lines,
            "share_understood": report.share_understood,
            "lines_not_understood": len(report.misses),
            "conflicts": len(report.conflicts),
        }
        return RecordedProvider.open(kept.path)


class MapEvalTextual(_MapEval):
    """MapEval-Textual: the context stands beside the question."""

    name = "mapeval-textual"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002
        """All questions; "unanswerable" is offered everywhere, in the official protocol too."""
        return tuple(_item(record, context=record.context, may_refuse=True) for record in read_mapeval(data))

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """None, or with `world` map tools beside the context (MapAgent paper, section 5.2, figure 4)."""
        return self._open_world(world, settings) if world is not None else None


class MapEvalApi(_MapEval):
    """MapEval-API: the question alone, over map tools."""

    name = "mapeval-api"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:
        """All questions without contexts.

        The official script offers "unanswerable" only on questions that are; `fair` offers it everywhere.
        """
        return tuple(
            _item(record, context=None, may_refuse=protocol == "fair" or not record.answerable)
            for record in read_mapeval(data)
        )

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:
        """One recorded world of all contexts of the file, or of `world`."""
        return self._open_world(world, settings) if world is not None else self._build_world(data, settings)


class MapEvalApiEach(MapEvalApi):
    """An ablation: MapEval-API over a small world for each question, made of its own context alone.

    No other place of the same name is there to be confused with, so it is easier than any map.
    """

    name = "mapeval-api-each"

    def __init__(self) -> None:
        super().__init__()
        self._contexts: dict[str, str] = {}

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:
        """As MapEval-API; the contexts are kept for the worlds."""
        self._contexts = {str(record.id): record.context for record in read_mapeval(data)}
        return super().load(data, protocol)

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """None: every question has its own (`map_of`)."""
        return None

    def map_of(self, item: Item) -> Provider:
        """The world of the question's own context."""
        from map_tools.providers.recorded import RecordedProvider
        from map_tools.providers.world import build_world

        built = build_world_of(
            [Passage(item.id, self._contexts[item.id])], name=item.id, attribution=ATTRIBUTION
        )
        return RecordedProvider(build_world((built.world,)))


def _item(record: MapEvalRecord, *, context: str | None, may_refuse: bool) -> Item:
    question = Question(text=record.question, options=record.answer.options, context=context or None)
    return Item(
        id=str(record.id),
        category=record.category,
        task=Task(question=question, may_refuse=may_refuse),
        gold=record.answer.correct if record.answerable else None,
        answerable=record.answerable,
        group=str(record.id if record.twin_of is None else record.twin_of),
        defective=record.defect,
    )


def _is_world(path: Path) -> bool:
    """True for a file that says so at its beginning, or a folder of such files."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    try:
        with (files or [path])[0].open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError:
        return False
    return f'"{FORMAT_NAME}"'.encode() in head
