"""MapEval-Textual and MapEval-API (Dihan et al., 2025), as in the MapAgent paper, section 4.

Both have one format and one file (github.com/MapEval, dataset.json). "Unanswerable" is scored as a further choice;
generated twins and their originals are judged together, so that refusing everything, or nothing, shows at once.

Textual gives each question its context. API gives the question alone; a
recorded world built from all contexts of the file answers in the place of the map service.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, Field, StrictInt, model_validator

from evals.metrics.statistics import wilson
from evals.ports import Item, OfferRule, Score, Task
from evals.suites.files import AskedText, file_of, read_typed
from evals.worlds.recorded import Miss, Passage, build_world_of, world_for
from map_tools.providers.base import Provider
from map_tools.providers.world_file import FORMAT_NAME
from map_tools.types import Frozen
from mapagent.core.answer import Answer
from mapagent.core.question import MAX_OPTIONS, Question
from mapagent.runtime.config import Settings


def score_choice(item: Item, answer: Answer) -> Score:
    """Right is the gold option, or a refusal where there is no answer.

    Anything that is neither an option nor a refusal is invalid and as bad as wrong (MapEval, Dihan et al.
    2025). A refusal where "unanswerable" was not offered counts as a refusal and is wrong.
    """
    index = answer.option_index
    refused = index is None and answer.unanswerable
    return Score(
        correct=(index is not None and index == item.gold) if item.answerable else refused,
        refused=refused,
        invalid=index is None and not refused,
    )


UNANSWERABLE = "unanswerable"
NO_OPTION = -1
"""`correct` of a question that the context does not answer."""
FILE_NAMES = ("dataset.json", "dev.json", "holdout.json")
"""What the file is called inside a folder given as --data."""


class Options(Frozen):
    """The answer part of a record: `correct` is an index into `options`, or -1."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    type: Literal["mcq"]
    options: tuple[str, ...] = Field(min_length=2, max_length=MAX_OPTIONS)
    correct: StrictInt = Field(ge=NO_OPTION)

    @model_validator(mode="after")
    def _in_range(self) -> "Options":
        if self.correct >= len(self.options):
            raise ValueError(f"'correct' is {self.correct}, but there are {len(self.options)} options")
        return self


class MapEvalRecord(Frozen):
    """One question as in the source.

    `classification` is null exactly for what cannot be answered. `twin_of` is no part of the source: it names
    the question that an unanswerable twin was made from (`mapagent generate twins`).
    """

    id: StrictInt | str
    question: AskedText
    answer: Options
    context: str = ""
    classification: Literal["nearby", "poi", "routing", "trip", "unanswerable"] | None
    twin_of: StrictInt | str | None = None

    @property
    def answerable(self) -> bool:
        """True if one of the options is right."""
        return self.answer.correct != NO_OPTION

    @property
    def category(self) -> str:
        """What it is counted under."""
        return self.classification or UNANSWERABLE if self.answerable else UNANSWERABLE

    @property
    def defect(self) -> str:
        """Why the right option cannot be told from the others; empty if it can."""
        if not self.answerable:
            return ""
        options = [text.strip().casefold() for text in self.answer.options]
        right = options[self.answer.correct]
        if not right:
            return "the right option is empty"
        return "the right option is listed twice" if options.count(right) > 1 else ""


def read_mapeval(data: Path) -> tuple[MapEvalRecord, ...]:
    """All records in the file's order.

    Args:
        data: The file, or the folder it lies in.

    Raises:
        InputFileError: The file is missing, or a record is malformed, a duplicate or of an unknown category;
            the message names its line.
    """
    return read_typed(data, MapEvalRecord, FILE_NAMES, flaw=_flaw)


def data_file(data: Path) -> Path:
    """The file of the questions: itself, or the one inside a folder.

    Raises:
        InputFileError: There is no such file, or several.
    """
    return file_of(data, FILE_NAMES)


def _flaw(record: MapEvalRecord) -> str:
    missing = record.answerable and record.classification is None
    return "'classification' is missing" if missing else ""


type Judged = tuple[Item, Score]


def twin_metrics(judged: Sequence[Judged]) -> dict[str, Any]:
    """`{"twins": ...}` where the items hold twins of answerable questions; empty where they do not.

    Returns:
        Under "twins": `n` twins and their `recall` (share refused), `originals` with twins and their
        `false_rate` (share refused), `solved_together` (share of originals that are right and all of whose
        twins are refused), each share with its 95 % interval (`ci95`, Wilson). Only originals that were asked
        in the same run count.
    """
    originals = {item.group: (item, score) for item, score in judged if item.answerable}
    twins: dict[str, list[Judged]] = {}
    for item, score in judged:
        if not item.answerable and item.group in originals:
            twins.setdefault(item.group, []).append((item, score))
    if not twins:
        return {}
    refused = [score.refused for group in twins.values() for _, score in group]
    wrongly = [originals[group][1].refused for group in twins]
    together = [
        originals[group][1].correct and all(score.refused for _, score in members)
        for group, members in twins.items()
    ]
    return {
        "twins": {
            "n": len(refused),
            "recall": _share(refused),
            "recall_ci95": wilson(sum(refused), len(refused)),
            "originals": len(wrongly),
            "false_rate": _share(wrongly),
            "false_rate_ci95": wilson(sum(wrongly), len(wrongly)),
            "solved_together": _share(together),
            "solved_together_ci95": wilson(sum(together), len(together)),
        }
    }


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags)


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
