"""The templates and their words from the data files, and what fills a template.

Parameters are ids and numbers only, so that a question can be solved again on another map; they are drawn until
there are enough different ones.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from evals.answers import AnswerKind

type Relation = Literal["agree", "contains", "intersects"]


class UnfitError(Exception):
    """These parameters make no good question; the message says why, in words that can be counted."""


@dataclass(frozen=True, slots=True)
class Options:
    """What kinds of questions are let in beside the published ones (GS-QA, sections 3.2 and 3.4).

    Attributes:
        ambiguous_anchors: Anchors whose name others have too.
        same_category: Anchors of the category that is asked for.
        empty: Questions without an answer: an empty set of places, or the count 0.
        relation: What "in" a region means. "agree" takes only questions where containment and intersection
            have the same answer; the others say in the question which of them is meant.
    """

    ambiguous_anchors: bool = False
    same_category: bool = False
    empty: bool = False
    relation: Relation = "agree"


@dataclass(frozen=True, slots=True)
class Params:
    """The slots of a template; empty where it has none.

    Attributes:
        tag, narrowed: The kind asked for (`Kind.tag`, `Kind.narrowed`).
        anchor, target, region: OpenStreetMap ids.
        direction: A wind.
        fact: The key of the fact of T7 and T8.
    """

    template: str
    tag: str
    narrowed: str = ""
    radius_m: float = 0.0
    direction: str = ""
    anchor: str = ""
    target: str = ""
    region: str = ""
    fact: str = ""

    def record(self) -> dict[str, Any]:
        """For the file; `Params(**record)` reads it back."""
        return asdict(self)


KILOMETRE_M = 1000.0
_VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of feature.

    Attributes:
        tag: "key=value".
        narrowed: A further tag for narrower kinds ("cuisine=italian"), else empty.
        anchor: Whether places of this kind can be anchors.
        asked: Whether they can be asked for.
    """

    tag: str
    one: str
    many: str
    narrowed: str = ""
    article: str = ""
    anchor: bool = False
    asked: bool = True

    @property
    def with_article(self) -> str:
        """The kind after "there is": "a museum", "an art gallery"."""
        usual = "an" if self.one[:1].casefold() in _VOWELS else "a"
        return f"{self.article or usual} {self.one}"


@dataclass(frozen=True, slots=True)
class Template:
    """One of the 28 templates; the fields are those of `templates.toml`."""

    id: str
    type: str
    output: AnswerKind
    select: Literal["range", "knn", "inside", "largest", "longest", "area", "length"]
    wordings: tuple[str, ...]
    filter: bool = False
    direction: bool = False
    towards: bool = False
    external: Literal["", "answer", "anchor"] = ""

    @property
    def by_region(self) -> bool:
        """True for templates anchored by a region instead of a place."""
        return self.select not in {"range", "knn"}


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact beside the geometry: how T7 asks for it and T8 describes a place by it."""

    key: str
    answer: tuple[str, ...]
    anchor: str


@cache
def templates() -> Mapping[str, Template]:
    """All templates by id, in their order."""
    return {
        name: Template(id=name, **{**entry, "wordings": tuple(entry["wordings"])})
        for name, entry in _data("templates").items()
        if "type" in entry
    }


@cache
def kinds(group: Literal["poi", "area", "line"]) -> tuple[Kind, ...]:
    """The kinds of places, of areas or of lines."""
    return tuple(Kind(**entry) for entry in _data("kinds")[group])


@cache
def narrow_kinds() -> tuple[Kind, ...]:
    """Kinds of places narrowed by a further tag."""
    return tuple(
        Kind(
            tag=entry["tag"],
            narrowed=f"{entry['key']}={value}",
            one=_filled(entry["one"], value),
            many=_filled(entry["many"], value),
        )
        for entry in _data("kinds")["filter"]
        for value in entry["values"]
    )


@cache
def facts() -> tuple[Fact, ...]:
    """Facts for T7 and T8."""
    return tuple(
        Fact(entry["key"], tuple(entry["answer"]), entry["anchor"]) for entry in _data("kinds")["fact"]
    )


def region_places() -> frozenset[str]:
    """Values of the tag `place` that are regions."""
    return frozenset(_data("kinds")["region"]["place"])


def relation_words(relation: str) -> str:
    """What a wording about a region adds where the relation is chosen; empty where it is left open."""
    return str(_data("templates")["relation"].get(relation, ""))


def said_distance(metres: float) -> str:
    """A distance as questions say it: "350 meters", "1.5 kilometers"."""
    if metres < KILOMETRE_M:
        return f"{metres:.0f} meters"
    return "1 kilometer" if metres == KILOMETRE_M else f"{metres / KILOMETRE_M:g} kilometers"


def _filled(words: str, value: str) -> str:
    return words.replace("{Value}", value.capitalize()).replace("{value}", value)


@cache
def _data(name: str) -> dict[str, Any]:
    return tomllib.loads((files("evals.generate.gsqa") / f"{name}.toml").read_text("utf-8"))


def draw_different[T](
    draw: Callable[[], T], key: Callable[[T], Hashable], wanted: int, *, attempts: int
) -> tuple[list[T], str]:
    """So many drafts, or as many as there are, and why there are no more (empty if there are enough).

    Args:
        draw: Makes a draft, or raises `UnfitError` where the draw makes no good question.
        key: What two drafts that count as one have in common; the first of them stays.
        wanted: How many are wanted.
        attempts: Draws for each of them before the family is given up.
    """
    reasons: Counter[str] = Counter()
    found: dict[Hashable, T] = {}
    for _ in range(attempts * wanted):
        if len(found) >= wanted:
            break
        try:
            draft = draw()
        except UnfitError as unfit:
            reasons[str(unfit)] += 1
            continue
        found.setdefault(key(draft), draft)
    if len(found) >= wanted:
        return list(found.values()), ""
    why = reasons.most_common(1)[0][0] if reasons else "the map has no more different ones"
    return list(found.values()), f"{len(found)} of {wanted}: mostly, {why}"
