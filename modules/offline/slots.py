"""Slots that several grammars fill in the same way: the kind of place wanted, the places compared."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from map_tools.concepts import Concept, lookup
from modules.offline.analysis import Analysis, Span
from modules.offline.intents import What
from modules.offline.lexicon import glue, lexicon, word_set
from modules.offline.marks import SURE, Mark, Mention

_TAG = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
"""A value of a tag as OpenStreetMap writes it ("car_pooling")."""
_ASKED_KIND = re.compile(r"\b(?:which|what)\s+(?:(?!ones?\b)[a-z]+\s+){0,2}$", re.IGNORECASE)
"""Before the kind that is asked for, whatever else is told before ("I like food. Which park ...")."""
ALWAYS_EXPLAINED = ("filler", "here", "role", "when")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The kind of place a question looks for, and the words that say so."""

    what: What
    spans: tuple[Span, ...]


def explained(analysis: Analysis, *groups: str, mentions: Iterable[Mention] = ()) -> list[Span]:
    """The stretches a reading explains: cues of these groups, politeness, the mentions it uses."""
    spans = [analysis.span(cue) for cue in analysis.find(*groups, *ALWAYS_EXPLAINED)]
    used = list(mentions)
    spans += [(item.start, item.end) for item in used]
    spans += [(item.start, item.end) for item in analysis.by_role("qualifier", "self")]
    return spans


def wanted(analysis: Analysis, *, before: Iterable[Mention] = ()) -> Wanted | None:
    """The kind of place looked for: a kind, a wish for one ("hungry"), or a brand ("nearest Starbucks")."""
    kinds = _first_kinds(analysis)
    tag = _TAG.search(analysis.text)
    if tag and not any(mark.start <= tag.start() and tag.end() <= mark.end for mark in kinds):
        return Wanted(What(text=tag.group().replace("_", " "), categories=(tag.group(),)), (tag.span(),))
    if kinds:
        return _of_kinds(analysis, kinds)
    located = _is_located(analysis)
    if _wanted_cuisines(analysis) and located:
        return _of_cuisine(analysis)
    least = 0.5 if located else SURE
    targets = [item for item in analysis.by_role("target") if item.strength >= least and item not in before]
    brand = targets[0] if targets else None
    wish = _wish(analysis)
    if brand is not None and (wish is None or brand.strength >= SURE):
        return Wanted(What(text=brand.text, keyword=brand.text), ((brand.start, brand.end),))
    if wish is not None:
        return wish
    if located and (dish := _dish(analysis)) is not None:
        return dish
    pointed = next((item for item in analysis.places if item.strength < 0.5 and item.role == "subject"), None)
    concept = lookup(pointed.text) if pointed else None
    if pointed is None or concept is None:
        return None
    return Wanted(What(text=pointed.text, categories=concept.ids), ((pointed.start, pointed.end),))


def sought(analysis: Analysis) -> list[Mention]:
    """What is looked for, without what belongs to a service ("reserve a table at X")."""
    services = [analysis.span(cue) for cue in analysis.find("service")]
    served = [
        item
        for item in analysis.by_role("target")
        if not any(start <= item.start and item.end <= end for start, end in services)
    ]
    return [item for item in served if not _tells_of_name(analysis, item)]


def _tells_of_name(analysis: Analysis, kind: Mention) -> bool:
    """True for the kind in "is X a restaurant where ..."."""
    names = [item.end for item in analysis.places if item.strength >= SURE and item.end <= kind.start]
    joint = analysis.between(max(names), kind.start).strip().casefold() if names else ""
    return bool(analysis.starts & {"is", "are"}) and joint in {"a", "an"}


def listed(mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions with lists taken apart."""
    return [part for mention in mentions for part in mention.split()]


def joined(analysis: Analysis, mentions: Sequence[Mention]) -> bool:
    """True if "and" or "or" stands between two of the names: a list, not a place and its city."""
    gaps = (analysis.between(first.end, second.start) for first, second in pairwise(mentions))
    return any(re.search(r"\b(?:and|or|vs|versus)\b|[>&/]", gap) for gap in gaps)


def _is_located(analysis: Analysis) -> bool:
    """True if something is looked for near, in or within reach of a place."""
    spatial = analysis.has("sup.nearest", "sup.farthest", "sup.best") or bool(analysis.distances)
    return spatial or bool(analysis.by_role("near", "in", "at", "self")) or analysis.refers_here


def _first_kinds(analysis: Analysis) -> list[Mark[Concept]]:
    """The first kind that is looked for, and those joined to it by "or"/"and"."""
    targets = [(item.start, item.end) for item in analysis.by_role("target")]
    kinds = [
        mark
        for mark in analysis.kinds
        if any(start <= mark.start and mark.end <= end for start, end in targets)
    ]
    kinds = kinds or list(analysis.kinds)
    if not kinds:
        return []
    asked = (index for index, mark in enumerate(kinds) if _ASKED_KIND.search(analysis.text[: mark.start]))
    kinds = kinds[next(asked, 0) :]
    group = [kinds[0]]
    for mark in kinds[1:]:
        gap = analysis.between(group[-1].end, mark.start).replace("a ", " ").replace("the ", " ").strip(" ,")
        if gap in {"or", "and", "/", "or nearest", "or any"}:
            group.append(mark)
    return group


def _of_kinds(analysis: Analysis, kinds: list[Mark[Concept]]) -> Wanted:
    ids = tuple(dict.fromkeys(identifier for mark in kinds for identifier in mark.value.ids))
    words = [analysis.text[mark.start : mark.end].casefold().replace("_", " ") for mark in kinds]
    spans: list[Span] = [(mark.start, mark.end) for mark in kinds]
    keyword = None
    cuisine = _cuisine_of(analysis, kinds[0])
    if cuisine is not None:
        keyword = cuisine.value
        words[0] = f"{analysis.text[cuisine.start : cuisine.end].casefold()} {words[0]}"
        spans.append((cuisine.start, cuisine.end))
    else:
        brand = _modifier(analysis, kinds[0])
        if brand is not None:
            keyword = brand.text
            words[0] = f"{brand.text} {words[0]}"
            spans.append((brand.start, brand.end))
    text = " or ".join(dict.fromkeys(words))
    return Wanted(What(text=text, categories=ids, keyword=keyword), tuple(spans))


def _cuisine_of(analysis: Analysis, kind: Mark[Concept]) -> Mark[str] | None:
    """The cuisine wanted: any said for a place to eat, else only one right before the kind."""
    food = lookup("place to eat")
    eats = food is not None and not set(food.ids).isdisjoint(kind.value.ids)
    for mark in _wanted_cuisines(analysis):
        if eats or (mark.end < kind.start and not analysis.between(mark.end, kind.start).strip()):
            return mark
    return None


def unwanted_cuisine(analysis: Analysis) -> Mark[str] | None:
    """The cuisine that is ruled out: "not Italian", "no fast food", "anything but sushi"."""
    words = word_set("negation", "excluding")
    return next((mark for mark in analysis.cuisines if analysis.word_before(mark.start) in words), None)


def _wanted_cuisines(analysis: Analysis) -> list[Mark[str]]:
    unwanted = unwanted_cuisine(analysis)
    return [mark for mark in analysis.cuisines if mark != unwanted]


def _of_cuisine(analysis: Analysis) -> Wanted:
    """A place that serves what is named ("best pizza near X")."""
    cuisine = _wanted_cuisines(analysis)[0]
    food = lookup("place to eat")
    what = What(
        text=f"{analysis.text[cuisine.start : cuisine.end].casefold()} place",
        categories=food.ids if food else (),
        keyword=cuisine.value,
    )
    return Wanted(what, ((cuisine.start, cuisine.end),))


def _dish(analysis: Analysis) -> Wanted | None:
    """A place that serves a dish no vocabulary knows ("where can I eat francesinha?")."""
    food = lookup("place to eat")
    for verb, token in pairwise(analysis.tokens):
        plain = token.is_word and token.text.islower() and len(token.norm) > 3
        known = token.norm in glue() or token.norm in lexicon().words
        if verb.norm in word_set("dish", "verbs") and plain and not known and food is not None:
            what = What(text=token.norm, categories=food.ids, keyword=token.norm)
            return Wanted(what, ((verb.start, token.end),))
    return None


def _modifier(analysis: Analysis, kind: Mark[Concept]) -> Mention | None:
    """A name inside the phrase looked for: "nearest Shell petrol station"."""
    for item in analysis.by_role("target"):
        named = item.strength >= SURE or not any(other.strength >= SURE for other in analysis.places)
        if item.start < kind.start < item.end and item.strength >= 0.5 and named:
            text = analysis.text[item.start : kind.start].strip()
            return Mention(item.start, kind.start, text, strength=item.strength) if text else None
    return None


def _wish(analysis: Analysis) -> Wanted | None:
    """The kind of place that fulfils a wish; its key may name several ("post office, post box")."""
    wishes = sorted(analysis.find("need"), key=lambda cue: (cue.first - cue.last, -cue.last))
    for cue in wishes:
        concepts = [found for word in cue.key.split(", ") if (found := lookup(word)) is not None]
        if concepts:
            spans = tuple(analysis.span(other) for other in wishes)
            ids = tuple(dict.fromkeys(identifier for concept in concepts for identifier in concept.ids))
            return Wanted(What(text=cue.key.replace(", ", " or "), categories=ids), spans)
    return None
