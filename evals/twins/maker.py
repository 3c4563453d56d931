"""Makes the twins of a benchmark's questions and puts them beside their originals."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from evals.generate.folder import check_free, write_benchmark
from evals.suites.mapeval_file import NO_OPTION, MapEvalRecord, data_file, read_mapeval
from evals.twins.cutting import Cut, Cutter
from evals.twins.deciding import aims_of
from map_tools.errors import LimitError
from mapagent.agent import MapAgent
from mapagent.config import Settings

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Twin:
    """A question that its context no longer answers.

    Attributes:
        original: The question it was made from.
        number: From 1, among the twins of one original.
        kind: What was taken out: "way", "ways", "list", "field".
    """

    original: MapEvalRecord
    number: int
    kind: str
    cut: Cut

    @property
    def id(self) -> str:
        """The original's id and the twin's number."""
        return f"{self.original.id}-twin-{self.number}"

    def record(self) -> dict[str, Any]:
        """The question in the benchmark's form."""
        options = list(self.original.answer.options)
        return {
            "id": self.id,
            "question": self.original.question,
            "answer": {"type": "mcq", "options": options, "correct": NO_OPTION},
            "context": self.cut.text,
            "classification": None,
            "twin_of": self.original.id,
        }

    def truth(self) -> dict[str, Any]:
        """How it was made: ids and numbers only, never texts."""
        return {
            "id": self.id,
            "twin_of": self.original.id,
            "category": self.original.category,
            "cut": self.kind,
            "lines": list(self.cut.lines),
        }


async def make_twins(records: Sequence[MapEvalRecord], *, seed: int, per_question: int) -> tuple[Twin, ...]:
    """The twins of all answerable questions with a context, in the order of the questions.

    Args:
        records: The benchmark.
        seed: Decides which twins are kept where a question has more than `per_question`.
        per_question: The most twins of one question, so that those with many legs do not outweigh the others.
    """
    dice = random.Random(seed)  # noqa: S311  (reproducible, not secret)
    cutters: dict[str, Cutter] = {}
    made: list[Twin] = []
    async with MapAgent(Settings()) as agent:
        for record in records:
            if not record.answerable or record.defect or not record.context.strip():
                continue
            cutter = cutters.setdefault(record.context, Cutter(record.context))
            possible = [
                (aim.kind, cut)
                for aim in await aims_of(record, agent)
                if (cut := cutter.cut(aim, record.answer.options[record.answer.correct])) is not None
            ]
            made += _chosen(record, possible, dice, per_question)
    return tuple(made)


def _chosen(
    record: MapEvalRecord, possible: Sequence[tuple[str, Cut]], dice: random.Random, most: int
) -> Iterator[Twin]:
    different = list({cut.lines: (kind, cut) for kind, cut in possible}.values())
    kept = sorted(dice.sample(range(len(different)), min(most, len(different))))
    for number, index in enumerate(kept, 1):
        yield Twin(record, number, *different[index])


async def generate_twins(data: Path, out: Path, *, seed: int, per_question: int) -> dict[str, Any]:
    """Writes originals and twins as one benchmark; returns its manifest.

    Raises:
        InputFileError: The benchmark cannot be read.
        UsageError: `out` holds something already.
        LimitError: No question can be made unanswerable.
    """
    check_free(out)
    records = read_mapeval(data)
    twins = await make_twins(records, seed=seed, per_question=per_question)
    if not twins:
        raise LimitError(
            f"No question of {data} can be made unanswerable.",
            "Take one whose questions have contexts.",
        )
    manifest = {
        "format": FORMAT_VERSION,
        "source_sha256": sha256(data_file(data).read_bytes()).hexdigest(),
        "seed": seed,
        "per_question": per_question,
        "originals": len(records),
        "originals_answerable": sum(record.answerable for record in records),
        "originals_with_twins": len({twin.original.id for twin in twins}),
        "twins": len(twins),
        "twins_by_cut": dict(sorted(Counter(twin.kind for twin in twins).items())),
        "twins_by_category": dict(sorted(Counter(twin.original.category for twin in twins).items())),
    }
    return write_benchmark(out, _together(records, twins), [twin.truth() for twin in twins], manifest)


def _together(records: Iterable[MapEvalRecord], twins: Iterable[Twin]) -> Iterator[dict[str, Any]]:
    """The originals as they were, each followed by its twins."""
    by_original: dict[int | str, list[Twin]] = {}
    for twin in twins:
        by_original.setdefault(twin.original.id, []).append(twin)
    for record in records:
        yield record.model_dump(mode="json", exclude={"twin_of"})
        yield from (twin.record() for twin in by_original.get(record.id, ()))
