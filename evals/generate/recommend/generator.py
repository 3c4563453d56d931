"""Writes a benchmark of wishes: over listings put on a map, or beside places of a map there is.

Beside places, MapQA's types 1 and 4 (MapQA-ADJ, MapQA-AME) are drawn over any map, where every kind is present.
"""

import hashlib
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from evals.generate.benchmark import check_free, manifest_of, write_benchmark
from evals.generate.gsqa.reference import Reference
from evals.generate.gsqa.templates import draw_different
from evals.generate.mapqa.generator import Bench
from evals.generate.mapqa.generator import Draft as Beside
from evals.generate.recommend import Source
from evals.generate.recommend.listings import (
    ATTRIBUTIONS,
    Facets,
    Listing,
    digest_text,
    read_listings,
)
from evals.generate.recommend.wishes import Draft, Ground, Wishes, wordings
from evals.suites.scoring.recommend import FULL
from evals.worlds.maps import Extract, build_place_map
from map_tools.errors import LimitError
from map_tools.maps.home import MapHome
from map_tools.maps.info import ATTRIBUTION


class Neighbours:
    """Draws questions for all places of a kind next to a place; each draw raises `UnfitError`."""

    def __init__(self, reference: Reference, seed: int) -> None:
        self._dice = random.Random(seed)  # noqa: S311 (reproducible, not secret)
        self._bench = Bench(reference, self._dice)

    @property
    def families(self) -> dict[str, Callable[[], Draft]]:
        """How each family is drawn."""
        return {
            "adjacent": lambda: self._draft("adjacent", self._bench.adjacent()),
            "around": lambda: self._draft("around", self._bench.beside()),
        }

    def _draft(self, family: str, found: Beside) -> Draft:
        wording = self._dice.choice(wordings()[family])
        record: dict[str, Any] = {
            "question": wording["text"].format(**found.slots),
            "grades": dict.fromkeys(found.answers, FULL),
            "whole": True,
            "lies": list(found.answers),
        }
        return Draft(family, record, {"kind": found.amenity})


ATTEMPTS = 200
"""Draws for each wish before a family is given up."""


def generate_travel(
    guide: Path,
    source: Source,
    where: Mapping[str, str],
    *,
    name: str,
    home: MapHome,
    each: int,
    seed: int,
    out: Path,
    extract: Path | None = None,
) -> dict[str, Any]:
    """Puts listings on a map of their own and writes wishes over it; returns the manifest.

    Args:
        guide: The file of listings.
        source: Whose listings they are.
        where: Fields that the listings must have.
        name: The name of the map that is built.
        home: Where maps live.
        each: Wishes of each family.
        seed: Equal seeds make equal wishes.
        out: The folder to write.
        extract: An extract whose streets and areas the map gets.

    Raises:
        InputFileError: The guide or the extract cannot be read.
        UsageError: `out` cannot be written, or holds something.
        LimitError: The listings give no wish at all.
    """
    check_free(out)
    facets = Facets()
    listings = read_listings(guide, source, where, facets)
    if not listings:
        raise LimitError(f"{guide.name} has no such listing.", "Check --where.")
    attribution = ATTRIBUTIONS[source]
    build_place_map(
        [listing.shown for listing in listings],
        name=name,
        home=home,
        source=guide.name,
        attribution=f"{ATTRIBUTION}. {attribution}" if extract is not None else attribution,
        extract=Extract(extract, lambda one: facets.replaced.isdisjoint(one.categories))
        if extract is not None
        else None,
    )
    ground = Ground(home.path(name))
    drawn = Wishes(ground, listings, facets, seed).families
    facts = {"listings": len(listings), "withheld_sha256": _digest(listings)}
    return _write(drawn, ground.info, facts, each=each, seed=seed, out=out)


def generate_beside(folder: Path, *, each: int, seed: int, out: Path) -> dict[str, Any]:
    """Writes questions of MapQA's types 1 and 4 over a map there is; returns the manifest.

    Raises:
        UsageError: `out` cannot be written, or holds something.
        MapStoreError: The folder holds no map.
        LimitError: The map gives no question at all.
    """
    check_free(out)
    reference = Reference(folder)
    drawn = Neighbours(reference, seed).families
    return _write(drawn, reference.raw.info, {}, each=each, seed=seed, out=out)


def _write(
    families: Mapping[str, Callable[[], Draft]],
    info: Mapping[str, Any],
    facts: Mapping[str, Any],
    *,
    each: int,
    seed: int,
    out: Path,
) -> dict[str, Any]:
    given_up: dict[str, str] = {}
    made: dict[str, Draft] = {}
    for family, draw in families.items():
        drafts, missing = draw_different(draw, _question, each, attempts=ATTEMPTS)
        given_up |= {family: missing} if missing else {}
        made |= {f"{info['name']}-{family}-{number:03d}": draft for number, draft in enumerate(drafts, 1)}
    if not made:
        raise LimitError("The map gives no wish at all.", "Take more listings, or a larger map.")
    manifest = manifest_of(info, made, given_up, benchmark="recommend", seed=seed, **facts)
    records = [{"id": name, "family": draft.family, **draft.record} for name, draft in made.items()]
    truths = [{"id": name, **draft.asked} for name, draft in made.items()]
    return write_benchmark(out, records, truths, manifest)


def _question(draft: Draft) -> str:
    return str(draft.record["question"])


def _digest(listings: tuple[Listing, ...]) -> str:
    return hashlib.sha256(digest_text(listings).encode()).hexdigest()
