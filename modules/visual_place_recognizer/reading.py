"""What a question wants of a picture: a count, a side, a neighbour, what stands between, what is written.

The vocabulary is `words.toml`. Slips in words for kinds of places ("attarctions") are mended before they are read.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from rapidfuzz.distance import OSA

from map_tools.kinds.concepts import find_in, lookup

type Side = Literal["left", "right", "upper", "lower"]

type Wish = Literal[
    "rating_best", "rating_worst", "reviews_most", "price_least", "price_most",
    "rating_of", "reviews_of", "price_of", "open", "closed",
]  # fmt: skip

LEAST_LETTERS = 6
"""Of a word in which a slip is mended; shorter ones are too like each other."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the picture: on these sides of its middle, or of the thing named `of`."""

    sides: tuple[Side, ...]
    of: str = ""


@dataclass(frozen=True, slots=True)
class Details:
    """What applies of it; the rest is empty.

    Attributes:
        wishes: Keys of [detail] in `words.toml`: what is to be highest or lowest, or is to be told.
        rating: The rating the thing must have.
        stars: The class of hotel it must be of.
        nights: For how many nights a price is asked.
        budget: Lowest and highest price.
    """

    wishes: frozenset[str] = frozenset()
    rating: float | None = None
    stars: float | None = None
    nights: float = 1.0
    budget: tuple[float, float] | None = None

    def wants(self, wish: Wish) -> bool:
        """True if the question says so."""
        return wish in self.wishes


NO_DETAILS = Details()


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


def read_details(text: str) -> Details:
    """What a question says of written facts."""
    found = {key: match for key, pattern in _detail_patterns().items() if (match := pattern.search(text))}
    rating, stars, nights = (found.get(key) for key in ("rating_is", "class", "nights"))
    return Details(
        wishes=frozenset(found),
        rating=_number(next(filter(None, rating.groups()))) if rating else None,
        stars=_number(stars["stars"]) if stars else None,
        nights=_number(nights["count"]) if nights else 1.0,
        budget=_range(found["budget"]) if "budget" in found else None,
    )


def _number(words: str) -> float:
    spelt: dict[str, float] = picture_words()["numbers"]
    plain = "-".join(words.lower().split())
    return float(spelt[plain]) if plain in spelt else float(words.replace(",", "."))


def _range(found: re.Match[str]) -> tuple[float, float]:
    low, high = (float(part.replace(",", "")) for part in found.groups() if part)
    return min(low, high), max(low, high)


@lru_cache(maxsize=1)
def _detail_patterns() -> dict[str, re.Pattern[str]]:
    words = picture_words()
    spelt = sorted((word.replace("-", "[- ]") for word in words["numbers"]), key=len, reverse=True)
    number = rf"(?:\d(?:[.,]\d)?|{'|'.join(spelt)})"
    return {
        key: re.compile(re.sub(r"(?<=>)N(?=\))", lambda _: number, pattern), re.IGNORECASE)
        for key, pattern in words["detail"].items()
    }


@lru_cache(maxsize=1)
def picture_words() -> dict[str, Any]:
    """The vocabulary, read once."""
    return tomllib.loads((files("modules.visual_place_recognizer") / "words.toml").read_text("utf-8"))


def mended(text: str) -> str:
    """The text with each word that is one slip away from a word for a kind replaced by it."""
    return re.sub(r"[A-Za-z]+", lambda found: _mended_word(found[0]), text)


@lru_cache(maxsize=1024)
def _mended_word(word: str) -> str:
    """The word for a kind that differs from a word in one letter, or in two that changed places."""
    plain = word.lower()
    if len(plain) < LEAST_LETTERS or lookup(plain) is not None:
        return word
    near = (known for known in picture_words()["kind"]["spelt"] if OSA.distance(plain, known) == 1)
    return next(near, word)
