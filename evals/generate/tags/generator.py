"""Draws a kind, qualities and a place, and takes all features in range that have the tags.

What a question says in words stands in `words.toml`, beside the tags that the words mean. A feature of which only a
part is in range makes a question unfit.
"""

import random
import tomllib
from collections.abc import Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from evals.generate.benchmark import check_free, manifest_of, write_benchmark
from evals.generate.gsqa.places import TIE_M
from evals.generate.gsqa.reference import Cloud, Reference, Thing, range_m
from evals.generate.gsqa.templates import UnfitError, draw_different
from evals.suites.tags import Tag, TagsRecord
from map_tools.errors import LimitError
from map_tools.types import Frozen

ATTEMPTS = 80
"""Draws for each question before a family is given up."""
MOST_RIGHT = 25
"""More features than that are a survey, not an answer."""
FAMILIES = {"kind": 0, "one": 1, "two": 2}
"""How many qualities a question of each family asks for."""


class _Quality(Tag):
    """A condition, and its words before or after those for the kind."""

    before: str = ""
    after: str = ""

    @model_validator(mode="after")
    def _in_words(self) -> "_Quality":
        if bool(self.before) == bool(self.after):
            raise ValueError("words stand either before or after the kind")
        return self


class _Kind(Frozen):
    tag: str = Field(pattern=r"^[^=]+=[^=]+$")
    words: str
    qualities: tuple[str, ...]


class _Words(Frozen):
    wordings: tuple[str, ...]
    radii_m: tuple[int, ...]
    qualities: dict[str, _Quality]
    kinds: tuple[_Kind, ...]


@lru_cache(maxsize=1)
def load_words() -> _Words:
    """The words of the data file."""
    text = (files("evals.generate.tags") / "words.toml").read_text("utf-8")
    return _Words.model_validate(tomllib.loads(text))


class Bench:
    """Draws questions over one map."""

    def __init__(self, reference: Reference, dice: random.Random) -> None:
        self._reference = reference
        self._dice = dice
        self._cloud = lru_cache(maxsize=None)(self._make_cloud)

    def draw(self, count: int) -> dict[str, Any]:
        """A question with so many qualities, without its id.

        Raises:
            UnfitError: What was drawn makes no good question.
        """
        words = load_words()
        kind = self._dice.choice(words.kinds)
        cloud = self._cloud(kind.tag)
        if not cloud.things or not self._anchors:
            raise UnfitError("the map has none of the kind, or no place with a name of its own")
        anchor, radius_m = self._dice.choice(self._anchors), self._dice.choice(words.radii_m)
        qualities = self._qualities(kind, cloud.things, count)
        right = _in_range(anchor, cloud, qualities, radius_m)
        wording = self._dice.choice(words.wordings)
        text = wording.format(what=_spoken(kind, qualities), a=anchor.name, radius=radius_m)
        key, _, value = kind.tag.partition("=")
        return {
            "question": text[0].upper() + text[1:] if wording.startswith("{what}") else text,
            "kind": Tag(key=key, values=(value,)),
            "qualities": tuple(Tag(key=one.key, values=one.values) for one in qualities),
            "right": {thing.osm: thing.name for thing in right},
        }

    def _qualities(self, kind: _Kind, things: Sequence[Thing], count: int) -> list[_Quality]:
        """Different keys; each quality is one that some feature of the kind has, and another has not."""
        known = [load_words().qualities[name] for name in kind.qualities]
        telling = [one for one in known if 0 < sum(one.fits(thing.tags) for thing in things) < len(things)]
        chosen = self._dice.sample(telling, min(count, len(telling)))
        if len({one.key for one in chosen}) < count:
            raise UnfitError("the map tells too few qualities of the kind")
        return chosen

    def _make_cloud(self, tag: str) -> Cloud:
        key, _, value = tag.partition("=")
        wanted = Tag(key=key, values=(value,))
        return Cloud([thing for thing in self._reference.things if wanted.fits(thing.tags)])

    @cached_property
    def _anchors(self) -> list[Thing]:
        unique = {place.osm for place in self._reference.raw.unique}
        return [thing for thing in self._reference.things if thing.osm in unique]


def _in_range(anchor: Thing, cloud: Cloud, qualities: Sequence[Tag], radius_m: float) -> list[Thing]:
    """The features in range that fulfil all qualities; in the store's order."""
    least, _ = cloud.bounds_m(anchor.point)
    right: list[Thing] = []
    for index in (least < 2 * radius_m).nonzero()[0]:
        thing = cloud.things[index]
        if not all(one.fits(thing.tags) for one in qualities):
            continue
        if thing is anchor:
            raise UnfitError("the place asked about is of the kind itself")
        low_m, high_m = range_m(anchor.point, thing)
        if high_m < radius_m - TIE_M:
            right.append(thing)
        elif low_m <= radius_m + TIE_M:
            raise UnfitError("a feature lies across the edge of the circle")
    if not 1 <= len(right) <= MOST_RIGHT:
        raise UnfitError("there is nothing in range, or too much")
    return right


def _spoken(kind: _Kind, qualities: Sequence[_Quality]) -> str:
    before = [one.before for one in qualities if one.before]
    after = " and ".join(one.after for one in qualities if one.after)
    return " ".join(filter(None, (*before, kind.words, after)))


def generate(folder: Path, counts: dict[str, int], seed: int, out: Path) -> dict[str, Any]:
    """Writes the benchmark's folder, with so many questions of each family; returns its manifest.

    Raises:
        UsageError: `out` cannot be written, or holds something.
        MapStoreError: The folder holds no map.
        LimitError: The map gives no question at all.
    """
    check_free(out)
    reference = Reference(folder)
    bench = Bench(reference, random.Random(seed))  # noqa: S311 (reproducible, not secret)
    made: list[TagsRecord] = []
    given_up: dict[str, str] = {}
    for family, qualities in FAMILIES.items():
        drafts, missing = draw_different(
            lambda: bench.draw(qualities),  # noqa: B023 (called within the turn)
            lambda draft: draft["question"],
            counts.get(family, 0),
            attempts=ATTEMPTS,
        )
        if missing:
            given_up[family] = missing
        made += [TagsRecord(id=f"{family}-{number:03d}", **draft) for number, draft in enumerate(drafts, 1)]
    if not made:
        raise LimitError("The map gives no question at all.", "Take a larger map.")
    manifest = manifest_of(reference.raw.info, made, given_up, benchmark="tags", seed=seed)
    truths = [{"id": record.id, "osm": sorted(record.right)} for record in made]
    return write_benchmark(out, [record.model_dump(mode="json") for record in made], truths, manifest)
