"""Makes questions of MapQA's nine types over one map, in MapQA's form, each with a true answer."""

import random
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from evals.generate.drawing import draw_different
from evals.generate.folder import check_free, write_benchmark
from evals.generate.gsqa.reference import Reference
from evals.generate.mapqa.questions import Bench, Draft
from map_tools.errors import LimitError

FORMAT_VERSION = 1
ATTEMPTS = 60
"""Draws for each question before a type is given up."""


class Generator:
    """Questions over one map; equal seeds make equal questions.

    Raises:
        MapStoreError: The folder holds no map.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.reference = Reference(folder)
        self.given_up: dict[str, str] = {}
        self._dice = random.Random(seed)  # noqa: S311 (reproducible, not secret)
        self._bench = Bench(self.reference, self._dice)

    def make(self, counts: Mapping[int, int]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """(record, account) of so many questions of each type; types with fewer are listed in `given_up`."""
        for number, draw in self._bench.types.items():
            drafts, missing = draw_different(draw, _told_apart, counts.get(number, 0), attempts=ATTEMPTS)
            if missing:
                self.given_up[f"type {number}"] = missing
            for index, draft in enumerate(drafts, 1):
                yield self._worded(number, index, draft)

    def _worded(self, number: int, index: int, draft: Draft) -> tuple[dict[str, Any], dict[str, Any]]:
        words = _types()[str(number)]
        chosen = self._dice.randrange(len(words["wordings"]))
        text = words["wordings"][chosen].format(**draft.slots)
        name = f"g-{number}-{index:03d}"
        record = {
            "id": name,
            "type": number,
            "question": text,
            "answers": list(draft.answers),
            "entities": [
                {
                    "name": thing.name,
                    "role": role,
                    "osm": thing.osm,
                    "lat": thing.point[0],
                    "lon": thing.point[1],
                }
                for thing, role in draft.entities
            ],
            "region": self.reference.raw.info["name"],
            "amenity": draft.amenity,
            "category": words["category"],
            "concepts": words["concepts"],
            "world_ok": True,
            "true_gold": True,
        }
        osm = [thing.osm for thing, _ in draft.entities if thing.osm]
        return record, {"id": name, "wording": chosen, "osm": [*osm, *draft.streets]}


def generate(folder: Path, counts: Mapping[int, int], seed: int, out: Path) -> dict[str, Any]:
    """Writes the benchmark's folder, with so many questions of each type; returns its manifest.

    Raises:
        UsageError: `out` cannot be written, or holds something.
        MapStoreError: The folder holds no map.
        LimitError: The map gives no question at all.
    """
    check_free(out)
    generator = Generator(folder, seed)
    made = list(generator.make(counts))
    if not made:
        raise LimitError("The map gives no question at all.", "Take a larger map.")
    info = generator.reference.raw.info
    manifest = {
        "format": FORMAT_VERSION,
        "benchmark": "mapqa",
        "map": info["name"],
        "map_source_sha256": info["source_sha256"],
        "attribution": info["attribution"],
        "given_up": generator.given_up,
        "seed": seed,
        "n": len(made),
    }
    return write_benchmark(out, [record for record, _ in made], [truth for _, truth in made], manifest)


def _told_apart(draft: Draft) -> tuple[str, ...]:
    return tuple(sorted(draft.slots.values()))


@lru_cache(maxsize=1)
def _types() -> dict[str, Any]:
    data = tomllib.loads((files("evals.generate.mapqa") / "wordings.toml").read_text("utf-8"))
    types: dict[str, Any] = data["types"]
    return types
