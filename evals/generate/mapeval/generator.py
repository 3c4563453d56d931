"""Puts families, wordings and options together into a file of MapEval's form.

The form is that of the public benchmark: `id`, `question`, `answer` {`type`: "mcq", `options`, `correct`},
`context` (empty: the map is the context), `classification` (null for unanswerable questions, whose `correct`
is -1).
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from evals.generate.benchmark import check_free, manifest_of, write_benchmark
from evals.generate.mapeval import places, routes
from evals.generate.mapeval.draft import Bench, Draft, WordingSet, load_wordings
from evals.generate.travel import Travel
from evals.generate.world import RawMap
from map_tools.errors import LimitError, UsageError

ATTEMPTS = 1200
"""Drafts tried for one question before its family is given up for this map."""
LEAST_PLACES = 20

type Family = Callable[[Bench], Draft | None]

FAMILIES: dict[str, dict[str, Family]] = {
    "poi": {
        "distance": places.distance,
        "direction": places.direction,
        "address": places.address,
        "phone": places.phone,
        "open_at": places.open_at,
        "closes_at": places.closes_at,
        "northernmost": places.northernmost,
    },
    "nearby": {
        "nearest": places.nearest,
        "count": places.count,
        "within": places.within,
        "nearest_open": places.nearest_open,
    },
    "routing": {"duration": routes.duration, "length": routes.length, "quickest": routes.quickest},
    "trip": {
        "trip_time": routes.trip_time,
        "trip_end": routes.trip_end,
        "latest_start": routes.latest_start,
        "best_order": routes.best_order,
    },
    "unanswerable": {
        "nowhere": places.nowhere,
        "unknown_fact": places.unknown_fact,
        "no_phone": places.no_phone,
    },
}
"""The five categories of the benchmark, and what is asked in each."""


@dataclass(frozen=True)
class Made:
    """A question, and the account of its answer."""

    record: dict[str, Any]
    truth: dict[str, Any]


class Generator:
    """Makes questions over one map; equal seeds make equal questions.

    Args:
        folder: The map's folder.
        seed: Of all choices.
        wordings: Which wordings the questions get.

    Raises:
        MapStoreError: The folder holds no map.
        UsageError: The map has too few places that can be spoken of by name.
    """

    def __init__(self, folder: Path, seed: int, wordings: WordingSet = "base") -> None:
        raw = RawMap(folder)
        if len(raw.unique) < LEAST_PLACES:
            raise UsageError(
                f"The map '{raw.info['name']}' has only {len(raw.unique)} places with a name of their own.",
                f"Take a map with at least {LEAST_PLACES}.",
            )
        travel = Travel(folder / "tiles") if raw.info["routable"] else None
        self.raw = raw
        self.given_up: dict[str, str] = {}
        dice = random.Random(seed)  # noqa: S311  (reproducible, not secret)
        self._bench = Bench(raw, travel, dice, load_wordings(wordings))
        self._seen: set[tuple[str, tuple[str, ...], str]] = set()

    def make(self, count: int) -> Iterator[Made]:
        """So many questions, the categories in turn and the families of each in turn.

        Families that the map has no material for are left out; `given_up` then says so.

        Raises:
            LimitError: No family has material left.
        """
        turns = {category: cycle(families) for category, families in FAMILIES.items()}
        made = 0
        while made < count:
            before = made
            for category, families in turns.items():
                drafted = self._next(category, families)
                if drafted is not None and made < count:
                    made += 1
                    yield self._worded(made, category, *drafted)
            if made == before:
                raise LimitError(
                    f"The map gives no more than {made} different questions.", "Ask for fewer questions."
                )

    def _next(self, category: str, turn: Iterator[str]) -> tuple[str, Draft] | None:
        """The next draft of a category: of the family whose turn it is, or the next that has material."""
        for _ in FAMILIES[category]:
            family = next(turn)
            if family in self.given_up:
                continue
            draft = self._draft(FAMILIES[category][family], family)
            if draft is not None:
                return family, draft
            self.given_up[family] = f"no material after {ATTEMPTS} attempts"
        return None

    def _draft(self, make: Family, family: str) -> Draft | None:
        for _ in range(ATTEMPTS):
            draft = make(self._bench)
            key = (family, draft.ids, json.dumps(draft.slots, sort_keys=True)) if draft else None
            if draft is not None and key is not None and key not in self._seen:
                self._seen.add(key)
                return draft
        return None

    def _worded(self, number: int, category: str, family: str, draft: Draft) -> Made:
        dice = self._bench.dice
        wording = dice.choice(self._bench.wordings.families[family])
        options = [*draft.wrong, *((draft.right,) if draft.right is not None else ())]
        dice.shuffle(options)
        correct = options.index(draft.right) if draft.right is not None else -1
        record = {
            "id": number,
            "question": wording.text.format(**draft.slots),
            "answer": {"type": "mcq", "options": options, "correct": correct},
            "context": "",
            "classification": None if category == "unanswerable" else category,
        }
        truth = {
            "id": number,
            "family": family,
            "wording": wording.id,
            "osm": list(draft.ids),
            "why": draft.why,
        }
        return Made(record, truth)


def generate(folder: Path, count: int, seed: int, out: Path, wordings: WordingSet = "base") -> dict[str, Any]:
    """Writes `dataset.json`, `truth.jsonl` and `manifest.json`; returns the manifest.

    Raises:
        UsageError: `out` holds something already, or the map has too few places.
        MapStoreError: The folder holds no map.
        LimitError: The map does not give so many questions; nothing is written.
    """
    check_free(out)
    generator = Generator(folder, seed, wordings)
    made = list(generator.make(count))
    manifest = manifest_of(generator.raw.info, made, generator.given_up, seed=seed, wordings=wordings)
    return write_benchmark(out, [one.record for one in made], [one.truth for one in made], manifest)
