"""Reads the words of a wish, without a model: what kind of place, and what it should be like.

The paper has a model split a question into a spatial and a semantic sentence (appendix F.2); here vocabularies
(`vocabulary.toml`) mark the words of taste, and what remains belongs to the semantic sentence. Where the place should
be is said by the program.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Any

from pydantic import Field

from map_tools.kinds import concepts
from map_tools.kinds.concepts import Span
from map_tools.kinds.phrases import Phrase, PhraseIndex, fold
from map_tools.kinds.wanted import properties_in
from map_tools.types import Frozen

type Share = Annotated[float, Field(ge=0, le=10)]
"""How much something counts, beside others."""

_EATING = frozenset({"food", "nightlife"})
"""What restaurants are among: who asks for food may be given a pub."""
_RESTAURANT, _ATTRACTION = "restaurant", "attraction"
_INDEPENDENT = "independent"
"""How a place is described that belongs to no chain (`modules.recommender.describe`)."""
_JOINS = re.compile(r"\s*(?:,|/|\bor\b|,\s*or\b)\s*(?:\b(?:an?|some|the|any)\b\s*)?", re.I)
_WORD = re.compile(r"[^\W\d_][\w'’]*")

_CLAUSE_END = re.compile(r"[.,;:!?]|\bbut\b", re.I)
_PLAIN_WORD = re.compile(r"[\w']+")
_SENTENCE_ENDS = frozenset(".?!:;")

TASTES = ("chain", "weights", "semantic", "spatial")
"""Sections of words of taste."""


class Emphasis(StrEnum):
    """What the wording stresses."""

    BALANCED = "balanced"
    DISTANCE = "distance"
    QUALITY = "quality"


class RecommendationQuery(Frozen):
    """A recommendation that is wanted.

    Attributes:
        text: The words that were read.
        what: The kinds of places in words, and `categories` their ids.
        conditions: What its words say of cuisines, services and chains: programs bind these by where=.
        scales: How near is near, by keys of the vocabulary's section "scale".
        spatial_words, semantic_words: The tastes recognised, by their keys ("waterfront", "cosy").
        unwanted_words: Those that it says it does not want ("not looking for fine dining").
        spatial_text, semantic_text: The spatial and the semantic sentence, masked as in sections 4.3.2 and A.
        emphasis: What the wording stresses.
        shares: How much where a place lies and what it is like count, if a language model has weighed them;
            they come before `emphasis`.
        contradictory: It stresses opposite things, so that none counts more.
        untold: Words of it that no kind, condition or vocabulary explains.
    """

    text: str = ""
    what: str
    categories: tuple[str, ...]
    conditions: tuple[str, ...] = ()
    scales: frozenset[str] = frozenset()
    spatial_words: tuple[str, ...] = ()
    semantic_words: tuple[str, ...] = ()
    unwanted_words: tuple[str, ...] = ()
    spatial_text: str = ""
    semantic_text: str = ""
    emphasis: Emphasis = Emphasis.BALANCED
    shares: tuple[Share, Share] | None = None
    contradictory: bool = False
    untold: tuple[str, ...] = ()


def read_wish(text: str) -> RecommendationQuery | None:
    """The wish that some words express.

    Returns:
        None if they name no kind of place.
    """
    bare = _without_tastes(text)
    kinds = _kinds(bare)
    if kinds is None:
        return None
    categories, what, marks = kinds
    said = phrases("semantic", text)
    unwanted = [found for found in said if is_unwanted(found, text)]
    spatial = phrases("spatial", text)
    stressed = keys_in("weights", text)
    no_chain = bool(phrases("chain", text))
    rest = _without(bare, marks)
    wanted = (sentence_of(text, (found for found in said if found not in unwanted)), *_words(rest))
    return RecommendationQuery(
        text=text,
        what=what,
        categories=categories,
        conditions=_conditions(text, no_chain=no_chain),
        scales=keys_in("scale", text),
        spatial_words=tuple(sorted({found.value for found in spatial})),
        semantic_words=tuple(sorted({found.value for found in said if found not in unwanted})),
        unwanted_words=tuple(sorted({found.value for found in unwanted})),
        spatial_text=sentence_of(text, spatial),
        semantic_text=" ".join(dict.fromkeys((*wanted, *([_INDEPENDENT] if no_chain else ())))).strip(),
        emphasis=Emphasis(*stressed) if len(stressed) == 1 else Emphasis.BALANCED,
        contradictory=len(stressed) > 1,
        untold=tuple(_words(_without(rest, _told_of(rest)))),
    )


def kinds_of(text: str) -> tuple[tuple[str, ...], str] | None:
    """The category ids that some words ask for, and what to call them; None if they name no kind of place."""
    found = _kinds(_without_tastes(text))
    return None if found is None else found[:2]


def all_of(target: str) -> tuple[tuple[str, ...], str]:
    """The category ids of a type of place, and what to call them."""
    whole = concepts.concept(category_of(target))
    return (whole.ids, whole.label) if whole is not None else ((category_of(target),), target)


def target_of(text: str) -> str | None:
    """The type of place that is asked for (appendix F.2); None if no word speaks for any.

    Food comes first, as in the paper's rules: who stays at a hotel and asks about dinner wants a restaurant.
    A place to stay that is only said to be where somebody is does not count.
    """
    return next((target for target in targets() if _speaking_for(target, text)), None)


def sentence_of(text: str, said: Iterable[Phrase[str]]) -> str:
    """Some phrases as one sentence, each with the key it stands for."""
    ordered = sorted(said, key=lambda found: found.start)
    words = [word for found in ordered for word in (text[found.start : found.end], found.value)]
    return ", ".join(dict.fromkeys(words))


def _kinds(text: str) -> tuple[tuple[str, ...], str, list[Span]] | None:
    """The kinds asked for with the words that say so: those named, else all of the type that is spoken of.

    A kind that is named before anything speaks of a type is what is meant ("a laundry with good coffee").
    """
    marks = sorted(concepts.find_in(text), key=lambda mark: mark.start)
    target = target_of(text)
    first = _asked_for(marks, text)
    if target is None:
        return _named(first) if first else None
    begins = min(found.start for found in _speaking_for(target, text))
    if first and first[0].start < begins:
        return _named(first)
    fitting = _asked_for([mark for mark in marks if _fits(mark, target)], text)
    if fitting:
        return _named(fitting)
    return (*all_of(target), [])


def _named(marks: list[Span]) -> tuple[tuple[str, ...], str, list[Span]]:
    ids = tuple(dict.fromkeys(one for mark in marks for one in mark.value.ids))
    return ids, " or ".join(dict.fromkeys(mark.value.label for mark in marks)), marks


def _asked_for(marks: Sequence[Span], text: str) -> list[Span]:
    """The kinds that are looked for: the first one named, and those joined to it ("a pub or a bar").

    Of a compound the last one is meant ("boutique hotel"); what comes later only qualifies ("a sight for
    people who love art").
    """
    found: list[Span] = []
    for mark in marks:
        gap = text[found[-1].end : mark.start] if found else ""
        if found and not gap.strip(" -"):
            found[-1] = mark
        elif not found or _JOINS.fullmatch(gap):
            found.append(mark)
        else:
            break
    return found


def _fits(mark: Span, target: str) -> bool:
    """Whether a kind is of a type; travellers call anything an attraction: parks, shops, theatres."""
    wider = {category_of(target), *(_EATING if target == _RESTAURANT else ())}
    category = mark.value.id
    return target == _ATTRACTION or category in wider or not wider.isdisjoint(concepts.umbrellas_of(category))


def _speaking_for(target: str, text: str) -> list[Phrase[str]]:
    """The phrases that speak for a type."""
    references = target_index(target, "reference").find(text)
    return [
        found
        for found in target_index(target, "strong").find(text)
        if not any(other.start <= found.start and found.end <= other.end for other in references)
    ]


def _conditions(text: str, *, no_chain: bool) -> tuple[str, ...]:
    """What only a where= of a program binds: cuisines and services by their words, and that chains are ruled out."""
    said = sorted((*concepts.cuisines_in(text), *properties_in(text)), key=lambda found: found.start)
    words = dict.fromkeys(text[found.start : found.end] for found in said)
    return (*words, *(["not a chain"] if no_chain else ()))


def _told_of(text: str) -> list[Phrase[str]]:
    """The cuisines and services in a text, and the words that speak for a type of place ("dinner")."""
    speaking = [found for target in targets() for found in _speaking_for(target, text)]
    return [*concepts.cuisines_in(text), *properties_in(text), *speaking]


def _without_tastes(text: str) -> str:
    """The text without its words of taste and scale, among which others would be found ("by a park")."""
    return _without(text, [found for section in (*TASTES, "scale") for found in phrases(section, text)])


def _without(text: str, parts: Iterable[Phrase[object]]) -> str:
    """The text with some parts turned into blanks, so that all others keep their places."""
    chars = list(text)
    for part in parts:
        chars[part.start : part.end] = " " * (part.end - part.start)
    return "".join(chars)


def _words(text: str) -> list[str]:
    """The words of a text that say anything of a place."""
    return [fold(word) for word in _WORD.findall(_without(text, phrases("noise", text)))]


def phrases(section: str, text: str) -> list[Phrase[str]]:
    """The phrases of a section in a text, each with the key it is listed under, the longest first.

    What is written with a capital inside a sentence is part of a name ("the Old Historical Museum") and no
    wish.
    """
    return [phrase for phrase in _index(section).find(text) if not _is_of_name(phrase, text)]


def keys_in(section: str, text: str) -> frozenset[str]:
    """The keys of a section whose phrases a text has."""
    return frozenset(found.value for found in phrases(section, text))


def _is_of_name(phrase: Phrase[str], text: str) -> bool:
    """True if the phrase has a capital where no sentence begins."""
    before = text[: phrase.start].rstrip()
    begins = not before or before[-1] in _SENTENCE_ENDS
    words = text[phrase.start : phrase.end].split()
    return any(word[0].isupper() and word != "I" for word in (words[1:] if begins else words))


def is_unwanted(phrase: Phrase[str], text: str) -> bool:
    """True if a phrase is named only to be ruled out ("we are not looking for fine dining")."""
    table = _vocabulary()["unwanted"]
    bridges = frozenset(table["bridges"])
    before = _PLAIN_WORD.findall(_CLAUSE_END.split(text[: phrase.start])[-1].casefold().replace("’", "'"))
    while before and before[-1] in bridges:
        before.pop()
    return bool(before) and (before[-1] in table["before"] or before[-1].endswith("n't"))


@lru_cache(maxsize=1)
def targets() -> Mapping[str, Mapping[str, Any]]:
    """The types of places people ask travellers' forums for, by name."""
    table: Mapping[str, Mapping[str, Any]] = _vocabulary()["target"]
    return table


def category_of(target: str) -> str:
    """The category id of `map_tools.kinds.concepts` that covers a type."""
    return str(targets()[target]["category"])


@lru_cache(maxsize=16)
def target_index(target: str, part: str) -> PhraseIndex[str]:
    """The phrases that speak for a type of place ("strong"), or that only seem to ("reference")."""
    return PhraseIndex(dict.fromkeys(targets()[target].get(part, ()), target))


@lru_cache(maxsize=1)
def surroundings() -> Mapping[str, Mapping[str, Any]]:
    """What may lie around a place, by the key of the wish for it: categories, reach in metres, words."""
    table: Mapping[str, Mapping[str, Any]] = _vocabulary()["surroundings"]
    return table


@lru_cache(maxsize=16)
def _index(section: str) -> PhraseIndex[str]:
    listed = {phrase: key for key, said in _vocabulary()[section].items() for phrase in said}
    return PhraseIndex(listed | dict(_beside()) if section == "spatial" else listed)


def _beside() -> Iterator[tuple[str, str]]:
    """The phrases of the section "beside" with the keys of the wish they express."""
    table = _vocabulary()["beside"]
    for key, nouns in table.items():
        if key != "before":
            articles = ((noun, "an" if noun[0] in "aeiou" else "a") for noun in nouns)
            yield from (
                (f"{word} {article} {noun}", key) for noun, article in articles for word in table["before"]
            )


@lru_cache(maxsize=1)
def _vocabulary() -> dict[str, Any]:
    return tomllib.loads((files("modules.recommender") / "vocabulary.toml").read_text("utf-8"))
