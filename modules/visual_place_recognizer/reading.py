"""What a question wants of a picture: a count, a side, a neighbour, what stands between, what is written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from map_tools.kinds.concepts import find_in
from modules.visual_place_recognizer.details import NO_DETAILS, Details, read_details
from modules.visual_place_recognizer.spelling import mended
from modules.visual_place_recognizer.words import picture_words

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
        along: The name of the street along which things are counted.
        between: The two names something lies between.
        way: The two names on the way between which something lies.
        part: Near which end of the way the thing is to be.
        near: The wanted thing is near something: by `anchors`, names that may be meant, the likeliest first.
        farthest: ... or far from it.
        shortest: A way is wanted that is short, or takes little time.
        details: What the question says of facts that are written beneath names.
    """

    counts: bool = False
    kinds: tuple[frozenset[str], ...] = ()
    phrase: str = ""
    brand: str = ""
    region: Region | None = None
    extreme: Side | None = None
    along: str = ""
    between: tuple[str, str] | None = None
    way: tuple[str, str] | None = None
    part: Literal["start", "end", ""] = ""
    near: bool = False
    farthest: bool = False
    anchors: tuple[str, ...] = ()
    shortest: bool = False
    details: Details = NO_DETAILS

    @property
    def categories(self) -> frozenset[str]:
        """All category ids asked for."""
        return frozenset[str]().union(*self.kinds)


def read_ask(text: str, names: tuple[str, ...] = ()) -> PictureAsk:
    """What a question asks of a picture; words within `names`, which it mentions, are no kinds asked for."""
    text = " ".join(text.split()).strip("\"' ")
    words = picture_words()
    counted = _counted(text)
    anchors = tuple(dict.fromkeys(_anchors(text)))
    about = counted if counted is not None else _without(text, (*anchors, *names))
    return PictureAsk(
        counts=counted is not None,
        kinds=_kinds(about),
        phrase=_phrase(text),
        brand=_brand(counted) if counted is not None and not _kinds(about) else "",
        region=_region(text),
        extreme=next((side for found in _found("extreme", text) for side in _sides(found)), None),
        along=next((_trimmed(found["a"]) for found in _found("along", text)), ""),
        between=_ends(next(_found("between", text), None)),
        way=_ends(next(_found("on_way", text), None)),
        part=_part(text),
        near=bool(re.search(words["nearest"]["cue"], text, re.IGNORECASE)),
        farthest=bool(re.search(words["nearest"]["farthest"], text, re.IGNORECASE)),
        anchors=anchors,
        shortest=bool(re.search(words["way"]["shortest"], text, re.IGNORECASE)),
        details=read_details(text),
    )


def _part(text: str) -> Literal["start", "end", ""]:
    """Near which end of a way something is to be."""
    words = picture_words()["on_way"]
    if re.search(words["start"], text, re.IGNORECASE):
        return "start"
    return "end" if re.search(words["end"], text, re.IGNORECASE) else ""


def _ends(found: re.Match[str] | None) -> tuple[str, str] | None:
    """The two names of a match."""
    return (_trimmed(found["a"]), _trimmed(found["b"])) if found else None


def tells_way(text: str) -> bool:
    """True for directions ("Head south on Mill Street, turn left ..."), which name no single place."""
    return next(_found("way", text), None) is not None


def _counted(text: str) -> str | None:
    """The words for what is to be counted; None if nothing is."""
    found = next(_found("count", text), None)
    return found["what"] if found else None


def _kinds(text: str) -> tuple[frozenset[str], ...]:
    """The kinds that the words name, in their order; also by names that only pictures' signs have."""
    text = mended(text)
    spans = sorted(find_in(text), key=lambda span: span.start)
    others = [
        frozenset(entry["categories"])
        for entry in picture_words()["kind_also"]
        if re.search(entry["words"], text, re.IGNORECASE)
    ]
    return tuple(dict.fromkeys((*(frozenset(span.value.ids) for span in spans), *others)))


def _phrase(text: str) -> str:
    """The words for the wanted kind of thing."""
    found = next(_found("kind", text), None)
    return _brand(found["what"]) if found else ""


def _brand(text: str) -> str:
    """What is left of the words when those that say nothing are gone."""
    fillers = sorted(picture_words()["count"]["fillers"], key=len, reverse=True)
    for filler in fillers:
        text = re.sub(rf"\b{re.escape(filler)}\b", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())


def _region(text: str) -> Region | None:
    for found in _found("region", text):
        of = _trimmed(found["a"] or "")
        whole = any(
            re.search(rf"\b{word}\b", of, re.IGNORECASE) for word in picture_words()["region"]["whole"]
        )
        return Region(_sides(found), "" if whole else of)
    return None


def _anchors(text: str) -> Iterator[str]:
    """Names that the question may measure from."""
    for pattern in picture_words()["nearest"]["anchors"]:
        for found in re.finditer(pattern, text, re.IGNORECASE):
            name = _trimmed(found["a"])
            if name:
                yield name


def _trimmed(name: str) -> str:
    return re.sub(picture_words()["nearest"]["tail"], "", name, flags=re.IGNORECASE).strip(" ,.?!\"'")


def _without(text: str, names: tuple[str, ...]) -> str:
    """The question without the names it measures from: their words are no kinds that are asked for."""
    for name in names:
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
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
    sides: dict[str, list[str]] = picture_words()["sides"]
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
    words = picture_words()
    sides = sorted((word for those in words["sides"].values() for word in those), key=len, reverse=True)
    either = f"(?:{'|'.join(sides)})"
    return tuple(
        re.compile(pattern.replace("SIDE", either), re.IGNORECASE) for pattern in words[group]["patterns"]
    )
