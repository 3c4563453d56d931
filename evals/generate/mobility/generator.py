"""Makes queries about ways over one map, each with gold calls, outcome and recorded replies.

Gold comes from the map's provider asked directly: neither planner nor interpreter has a part in it.
"""

import json
import random
import tomllib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from evals.generate.benchmark import check_free, manifest_of, write_benchmark
from evals.generate.gsqa.templates import UnfitError
from evals.generate.mobility.families import (
    FAMILIES,
    Bench,
    Draft,
    Family,
    Words,
    named_places,
)
from evals.generate.mobility.replies import Asked, Replies
from evals.generate.world import RawMap
from evals.suites.mobility import WORLD_FILE, MobilityRecord
from map_tools.errors import LimitError, NoRouteError, UsageError
from map_tools.providers.base import Provider
from map_tools.providers.osm import OsmProvider
from map_tools.types import Avoid, Place, TravelMode

ATTEMPTS = 100
"""Draws for each query before its family is given up."""
CLASSES = tuple(FAMILIES)


@dataclass(frozen=True, slots=True)
class Made:
    """A query, and the account of its gold."""

    record: dict[str, Any]
    truth: dict[str, Any]


class Generator:
    """Queries over one map; equal seeds make equal queries.

    Args:
        provider: The map as it is asked.
        named: The places that queries may be about.
        seed: Of all choices.

    Attributes:
        replies: All that the map replied to what was asked for the queries.
        given_up: Families with fewer queries than wanted, and why.
    """

    def __init__(self, provider: Provider, named: Sequence[Place], seed: int) -> None:
        self.replies = Replies()
        self.given_up: dict[str, str] = {}
        dice = random.Random(seed)  # noqa: S311 (reproducible, not secret)
        self._bench = Bench(provider, named, dice, words())
        self._seen: set[str] = set()

    async def make(self, counts: Mapping[str, int]) -> AsyncIterator[Made]:
        """So many queries of each class, its families by turns; a family without material is left out."""
        for name, families in FAMILIES.items():
            left = list(families)
            for number in range(1, counts.get(name, 0) + 1):
                made = None
                while left and made is None:
                    family = left.pop(0)
                    made = await self._one(f"{name.replace(' ', '-')}-{number:03d}", name, family)
                    left += [family] if made else []
                if made is not None:
                    yield made

    async def _one(self, record_id: str, category: str, family: Family) -> Made | None:
        why = ""
        for _ in range(ATTEMPTS):
            self._bench.asked = Asked(self._bench.provider)
            try:
                draft = await family(self._bench)
            except (UnfitError, NoRouteError) as error:
                why = str(error)
                continue
            texts = _wordings()[draft.wording]
            query = self._bench.dice.choice(texts).format(**draft.slots)
            if query not in self._seen:
                self._seen.add(query)
                self.replies.add(self._bench.asked.replies)
                truth = {"id": record_id, "family": family.__name__, "osm": [one.id for one in draft.stops]}
                return Made(_record(record_id, category, query, draft), truth)
        self.given_up[family.__name__] = why or "all queries are there already"
        return None


def _record(record_id: str, category: str, query: str, draft: Draft) -> dict[str, Any]:
    record = MobilityRecord(
        id=record_id,
        category=category,
        query=query,
        context=draft.context,
        tool_calls=draft.calls,
        outcome=draft.outcome,
        choices=draft.choices,
        places=_spellings(draft),
    )
    return record.model_dump(mode="json", exclude_defaults=True)


def _spellings(draft: Draft) -> dict[str, tuple[str, ...]]:
    """Ids and positions of the places by their names, and of the asker's own position."""
    found = {stop.name: _others(stop) for stop in draft.stops}
    position = draft.context.position
    here = next((stop for stop in draft.stops if position is not None and stop.location == position), None)
    return found if here is None else {**found, "here": (here.name, *_others(here))}


def _others(place: Place) -> tuple[str, ...]:
    return (place.id, *(() if place.location is None else (str(place.location),)))


async def generate(folder: Path, counts: Mapping[str, int], seed: int, out: Path) -> dict[str, Any]:
    """Writes the benchmark's folder, with so many queries of each class; returns its manifest.

    Raises:
        UsageError: `out` cannot be written or holds something, or the map has no roads.
        MapStoreError: The folder holds no map.
        LimitError: The map gives no query at all.
    """
    check_free(out)
    info = RawMap(folder).info
    if not info["routable"]:
        raise UsageError(f"The map '{info['name']}' has no roads.", "Add one from an .osm.pbf extract.")
    provider = OsmProvider.open(folder)
    try:
        generator = Generator(provider, await named_places(provider, words().starts), seed)
        made = [one async for one in generator.make(counts)]
    finally:
        await provider.close()
    if not made:
        raise LimitError("The map gives no query at all.", "Take a larger map.")
    manifest = manifest_of(info, made, generator.given_up, benchmark="mobility", seed=seed)
    world = json.dumps(generator.replies.world(info["name"], provider.terms), ensure_ascii=False)
    records, truths = [one.record for one in made], [one.truth for one in made]
    return write_benchmark(out, records, truths, manifest, {WORLD_FILE: f"{world}\n"})


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("wordings.toml").read_text("utf-8"))


def _wordings() -> Mapping[str, list[str]]:
    wordings: Mapping[str, list[str]] = _data()["wordings"]
    return wordings


def words() -> Words:
    """The vocabulary of the queries."""
    data = _data()
    return Words(
        moves={
            TravelMode(mode): {slot: tuple(texts) for slot, texts in slots.items()}
            for mode, slots in data["moves"].items()
        },
        avoided={Avoid(name): text for name, text in data["avoided"].items()},
        preferences={Avoid(name): text for name, text in data["preferences"].items()},
        kinds=tuple(data["kinds"].items()),
        starts=tuple(data["starts"]),
        nowhere=tuple(data["nowhere"]),
    )
