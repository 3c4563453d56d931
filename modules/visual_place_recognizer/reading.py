"""What a question wants of a picture: a count, a side, a neighbour, what stands between, what is written."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from map_tools.concepts import find_in

type Side = Literal["left", "right", "upper", "lower"]


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the picture: on these sides of its middle, or of the thing named `of`."""

    sides: tuple[Side, ...]
    of: str = ""


@dataclass(frozen=True, slots=True)
class PictureAsk:
    """What is asked of a picture; what does not apply is empty.

    Attributes:
        counts: The question wants a number of things.
        kinds: Category ids asked for, each with all it covers.
        phrase: The words for the wanted kind, whether or not they are in the vocabulary ("event venue").
        brand: What is counted, in words that are no kind of place ("7-Eleven").
        region: Only this part of the picture counts.
        extreme: The thing farthest to this side is wanted.
        between: The two names something lies between.
        near: The wanted thing is near something: by `anchors`, names that may be meant, the likeliest first.
        farthest: ... or far from it.
        details: Keys of [detail] in `words.toml` that the question uses.
        value: A rating that is asked for.
    """

    counts: bool = False
    kinds: tuple[frozenset[str], ...] = ()
    phrase: str = ""
    brand: str = ""
    region: Region | None = None
    extreme: Side | None = None
    between: tuple[str, str] | None = None
    near: bool = False
    farthest: bool = False
    anchors: tuple[str, ...] = ()
    details: frozenset[str] = frozenset()
    value: float | None = None

    @property
    def categories(self) -> frozenset[str]:
        """All category ids asked for."""
        return frozenset[str]().union(*self.kinds)


def read_ask(text: str) -> PictureAsk:
    """What a question asks of a picture."""
    text = " ".join(text.split()).strip("\"' ")
    words = _words()
    counted = _counted(text)
    between = next(_found("between", text), None)
    anchors = tuple(dict.fromkeys(_anchors(text)))
    about = counted if counted is not None else _without(text, anchors)
    rating = re.search(words["detail"]["rating_is"], text, re.IGNORECASE)
    return PictureAsk(
        counts=counted is not None,
        kinds=_kinds(about),
        phrase=_phrase(text),
        brand=_brand(counted) if counted is not None and not _kinds(about) else "",
        region=_region(text),
        extreme=next((side for found in _found("extreme", text) for side in _sides(found)), None),
        between=(_trimmed(between["a"]), _trimmed(between["b"])) if between else None,
        near=bool(re.search(words["nearest"]["cue"], text, re.IGNORECASE)),
        farthest=bool(re.search(words["nearest"]["farthest"], text, re.IGNORECASE)),
        anchors=anchors,
        details=frozenset(
            key for key, pattern in words["detail"].items() if re.search(pattern, text, re.IGNORECASE)
        ),
        value=float((rating["value"] or rating["exact"]).replace(",", ".")) if rating else None,
    )


def _counted(text: str) -> str | None:
    """The words for what is to be counted; None if nothing is."""
    found = next(_found("count", text), None)
    return found["what"] if found else None


def _kinds(text: str) -> tuple[frozenset[str], ...]:
    spans = sorted(find_in(text), key=lambda span: span.start)
    return tuple(dict.fromkeys(frozenset(span.value.ids) for span in spans))


def _phrase(text: str) -> str:
    """The words for the wanted kind of thing."""
    found = next(_found("kind", text), None)
    return _brand(found["what"]) if found else ""


def _brand(text: str) -> str:
    """What is left of the words when those that say nothing are gone."""
    fillers = sorted(_words()["count"]["fillers"], key=len, reverse=True)
    for filler in fillers:
        text = re.sub(rf"\b{re.escape(filler)}\b", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())


def _region(text: str) -> Region | None:
    for found in _found("region", text):
        of = _trimmed(found["a"] or "")
        whole = any(re.search(rf"\b{word}\b", of, re.IGNORECASE) for word in _words()["region"]["whole"])
        return Region(_sides(found), "" if whole else of)
    return None


def _anchors(text: str) -> Iterator[str]:
    """Names that the question may measure from."""
    for pattern in _words()["nearest"]["anchors"]:
        for found in re.finditer(pattern, text, re.IGNORECASE):
            name = _trimmed(found["a"])
            if name:
                yield name


def _trimmed(name: str) -> str:
    return re.sub(_words()["nearest"]["tail"], "", name, flags=re.IGNORECASE).strip(" ,.?!\"'")


def _without(text: str, names: tuple[str, ...]) -> str:
    """The question without the names it measures from: their words are no kinds that are asked for."""
    for name in names:
        text = text.replace(name, " ")
    return text


def _found(group: str, text: str) -> Iterator[re.Match[str]]:
    """The first match of each pattern of a group."""
    for pattern in _patterns(group):
        found = pattern.search(text)
        if found:
            yield found


def _sides(found: re.Match[str]) -> tuple[Side, ...]:
    """The sides that a match names."""
    said = [found.groupdict().get(name) for name in ("s", "t")]
    sides: dict[str, list[str]] = _words()["sides"]
    named: list[Side] = [
        side  # type: ignore[misc]  # the keys of [sides] are the sides
        for word in said
        if word
        for side, words in sides.items()
        if word.lower() in words
    ]
    return tuple(dict.fromkeys(named))


@lru_cache(maxsize=8)
def _patterns(group: str) -> tuple[re.Pattern[str], ...]:
    words = _words()
    sides = sorted((word for those in words["sides"].values() for word in those), key=len, reverse=True)
    either = f"(?:{'|'.join(sides)})"
    return tuple(
        re.compile(pattern.replace("SIDE", either), re.IGNORECASE) for pattern in words[group]["patterns"]
    )


@lru_cache(maxsize=1)
def _words() -> dict[str, Any]:
    return tomllib.loads((files("modules.visual_place_recognizer") / "words.toml").read_text("utf-8"))
