"""The semantic part of a wish: what kind of place, its hard conditions, and the rest in words (section A)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import time
from typing import Any

from map_tools import concepts
from map_tools.concepts import Concept
from map_tools.phrases import Phrase
from modules.offline.analysis import Analysis
from modules.offline.intents import Filters, When
from modules.offline.lexicon import glue
from modules.offline.marks import Mark, Mention, outside
from modules.offline.slots import unwanted_cuisine
from modules.offline.tokens import tokenise
from modules.recommender.vocabulary import (
    category_of,
    is_unwanted,
    keys_in,
    phrases,
    target_index,
    targets,
)

_FOOD = "restaurant"
"""The type of places to eat and drink at."""
_EVENING = time(18)
_EATING = frozenset({"food", "nightlife"})
_HARD_SERVICES = frozenset(
    {"wheelchair", "serves_vegetarian", "serves_vegan", "gluten_free", "halal", "kosher", "allows_dogs"}
)
"""Services one cannot do without; all others are matters of taste."""
_JOINS = re.compile(r"\s*(?:,|/|\bor\b|,\s*or\b)\s*(?:\b(?:an?|some|the|any)\b\s*)?", re.I)
_TELLING = frozenset({"need", "service", "price"})
"""Families of phrases that tell what a place should have; all others tell what is asked about it."""
_AVOIDING = frozenset({"avoid", "avoiding", "skip", "skipping"})
_NAME_STRENGTH = 0.7
"""Written with a capital, or known to the map (`modules.offline.marks.Mention`)."""


@dataclass(frozen=True, slots=True)
class SemanticReading:
    """What of a wish has nothing to do with where a place lies (`wish.Wish` says what the fields are)."""

    what: str
    categories: tuple[str, ...]
    filters: Filters
    cuisines: tuple[str, ...]
    no_chain: bool
    meal: str | None
    meal_on: When | None
    semantic_words: tuple[str, ...]
    unwanted_words: tuple[str, ...]
    semantic_text: str


def read_semantics(analysis: Analysis, text: str, target: str) -> SemanticReading:
    """The semantic part of a question.

    Args:
        analysis: Of the question without the words of taste and scale.
        text: The question as written.
        target: The type of place asked for.
    """
    categories, what = kind_of(analysis, target)
    meal = _meal_meant(text, analysis) if target == _FOOD else _meal(text)
    wanted, unwanted = _tastes(text)
    return SemanticReading(
        what=what,
        categories=categories,
        filters=filters_of(analysis),
        cuisines=cuisines_of(analysis),
        no_chain="avoid" in keys_in("chain", text),
        meal=meal,
        meal_on=meal_day(meal, analysis),
        semantic_words=tuple(sorted({found.value for found in wanted})),
        unwanted_words=tuple(sorted({found.value for found in unwanted})),
        semantic_text=_semantic_sentence(text, analysis, wanted),
    )


def target_of(text: str) -> str | None:
    """The type of place that is asked for (appendix F.2); None if no word speaks for any.

    Food comes first, as in the paper's rules: who stays at a hotel and asks about dinner wants a restaurant.
    A place to stay that is only said to be where somebody is does not count.
    """
    return next((target for target in targets() if _speaks_for(target, text)), None)


def _speaks_for(target: str, text: str) -> bool:
    references = target_index(target, "reference").find(text)
    return any(not _within(found, references) for found in target_index(target, "strong").find(text))


def _within(found: Phrase[str], others: list[Phrase[str]]) -> bool:
    return any(other.start <= found.start and found.end <= other.end for other in others)


def is_soft(analysis: Analysis) -> bool:
    """True if prices or services are asked for that one can do without, and nothing exact: hours, ratings."""
    said = analysis.filters
    if analysis.clocks or _open_now(analysis):
        return False
    bounds = (said.min_rating, said.max_rating, said.min_rating_count, said.max_rating_count)
    if any(bound is not None for bound in bounds):
        return False
    return bool(said.price_levels) or not _HARD_SERVICES.issuperset(said.services)


def kind_of(analysis: Analysis, target: str) -> tuple[tuple[str, ...], str]:
    """The category ids looked for, and their words: the kinds named of the target's type, else all of it."""
    whole = concepts.concept(category_of(target))
    wider = {category_of(target), *(_EATING if target == "restaurant" else ())}
    whatever = target == "attraction"  # parks, shops, theatres: travellers call anything an attraction
    fitting = [mark for mark in analysis.kinds if whatever or _is_of(mark.value.id, wider)]
    named = [mark.value for mark in _asked_for(fitting, analysis)]
    generic = [] if named or not whatever else keys_in("generic", analysis.text)
    named += [found for found in map(concepts.concept, generic) if found is not None]
    if named:
        ids = tuple(dict.fromkeys(one for concept in named for one in concept.ids))
        return ids, " or ".join(dict.fromkeys(concept.label for concept in named))
    return (whole.ids if whole else (category_of(target),)), (whole.label if whole else target)


def _asked_for(kinds: Sequence[Mark[Concept]], analysis: Analysis) -> list[Mark[Concept]]:
    """The kinds that are looked for: the first one named, and those joined to it ("a pub or a bar").

    Of a compound the last one is meant ("boutique hotel"); what comes later only qualifies ("a sight for
    people who love art").
    """
    found: list[Mark[Concept]] = []
    for mark in kinds:
        gap = analysis.between(found[-1].end, mark.start) if found else ""
        if found and not gap.strip(" -"):
            found[-1] = mark
        elif not found or _JOINS.fullmatch(gap):
            found.append(mark)
        else:
            break
    return found


def untold(analysis: Analysis) -> tuple[str, ...]:
    """The words of a question that no place, kind, condition or measure explains: wishes in other words."""
    marks: tuple[Mention | Mark[Any], ...] = (
        *(mention for mention in analysis.mentions if mention.strength >= _NAME_STRENGTH),
        *_asked_for(analysis.kinds, analysis),
        *analysis.cuisines,
        *analysis.conditions,
        *analysis.distances,
        *analysis.durations,
        *analysis.clocks,
        *analysis.days,
        *analysis.winds,
    )
    cues = [Mark(*analysis.span(cue), cue.group) for cue in analysis.cues if cue.family not in _TELLING]
    rest = without(analysis.text, (*marks, *cues))
    for section in ("geometry", "scale", "frame", "noise", "meal", "mode"):
        rest = without(rest, phrases(section, rest))
    words = (token.norm for token in tokenise(rest) if token.is_word)
    return tuple(word for word in words if word not in glue() and not word[0].isdigit())


def filters_of(analysis: Analysis) -> Filters:
    """The hard conditions: ratings, prices, a time to be open at, services one needs, what is ruled out."""
    said = analysis.filters
    when = analysis.when
    unwanted = unwanted_cuisine(analysis)
    needed = (*(service for service in said.services if service in _HARD_SERVICES), *_diets(analysis))
    return said.model_copy(
        update={
            "services": tuple(dict.fromkeys(needed)),
            "open_at": when if _states_opening(analysis) else None,
            "without_cuisine": unwanted.value if unwanted else None,
            "exclude": tuple(_ruled_out(analysis)),
        }
    )


def _states_opening(analysis: Analysis) -> bool:
    """True if a place must be known to be open at some time: "open now", "open in the evening", "at 9 pm".

    A part of the day alone ("on our last night", "for Sunday evening") says when somebody comes.
    """
    if _open_now(analysis):
        return True
    return analysis.when.at is not None and (bool(analysis.clocks) or _said_outside_names(analysis, "open"))


def _open_now(analysis: Analysis) -> bool:
    """True for "open now", but not for a name such as "The Now Gallery"."""
    return _said_outside_names(analysis, "open.now")


def _said_outside_names(analysis: Analysis, group: str) -> bool:
    """True if a phrase of a group, or of a family of groups, stands outside of names."""
    said = [Mark(*analysis.span(cue), cue.group) for cue in analysis.find(group)]
    return bool(outside(said, analysis.mentions))


def _meal_meant(text: str, analysis: Analysis) -> str | None:
    """The meal that is meant; who comes in the evening for no other reason comes for dinner."""
    at = analysis.when.at
    evening = at is not None and at >= _EVENING and not _states_opening(analysis)
    return _meal(text) or ("dinner" if evening else None)


def cuisines_of(analysis: Analysis) -> tuple[str, ...]:
    """The kinds of food wanted, apart from diets."""
    return tuple(value for value in _wanted_food(analysis) if _diet(value) is None)


def meal_day(meal: str | None, analysis: Analysis) -> When | None:
    """The day of a meal, if the text names one."""
    return analysis.when if meal and analysis.when != When() else None


def without(text: str, parts: Iterable[Phrase[str] | Mention | Mark[Any]]) -> str:
    """The text with some parts turned into blanks, so that all others keep their places."""
    chars = list(text)
    for part in parts:
        chars[part.start : part.end] = " " * (part.end - part.start)
    return "".join(chars)


def sentence_of(text: str, said: Iterable[Phrase[str]]) -> str:
    """Some phrases as one sentence, each with the key it stands for."""
    ordered = sorted(said, key=lambda found: found.start)
    words = [word for found in ordered for word in (text[found.start : found.end], found.value)]
    return ", ".join(dict.fromkeys(words))


def _ruled_out(analysis: Analysis) -> Iterator[str]:
    """The names of places that must not be given ("other than X", "avoid X")."""
    for mention in analysis.mentions:
        if mention.strength < _NAME_STRENGTH:
            continue
        first, _, rest = mention.text.partition(" ")
        if first.casefold() in _AVOIDING and rest:
            yield rest
        elif mention.role == "without" or analysis.word_before(mention.start) in _AVOIDING:
            yield mention.text


def _is_of(category: str, umbrellas: set[str]) -> bool:
    return category in umbrellas or not umbrellas.isdisjoint(concepts.umbrellas_of(category))


def _diets(analysis: Analysis) -> tuple[str, ...]:
    """The services that the diets said ask for ("vegan" is `serves_vegan`)."""
    found = (_diet(value) for value in _wanted_food(analysis))
    return tuple(diet for diet in found if diet is not None)


def _wanted_food(analysis: Analysis) -> tuple[str, ...]:
    unwanted = unwanted_cuisine(analysis)
    return tuple(dict.fromkeys(mark.value for mark in analysis.cuisines if mark != unwanted))


def _diet(cuisine: str) -> str | None:
    return next((key for key in (f"serves_{cuisine}", cuisine) if key in _HARD_SERVICES), None)


def _meal(text: str) -> str | None:
    """The meal that is meant: the latest one named, for a late dinner is a dinner too."""
    said = keys_in("meal", text)
    late = "late" in said or ("dinner" in said and "late" in text.casefold().split())
    if late:
        return "late"
    return next((meal for meal in ("dinner", "lunch", "brunch", "breakfast") if meal in said), None)


def _tastes(text: str) -> tuple[list[Phrase[str]], list[Phrase[str]]]:
    """The words of taste, and those of them that are named only to be ruled out."""
    said = phrases("semantic", text)
    unwanted = [found for found in said if is_unwanted(found, text)]
    return [found for found in said if found not in unwanted], unwanted


def _semantic_sentence(text: str, analysis: Analysis, wanted: Iterable[Phrase[str]]) -> str:
    """The question without the places and the words for where: M_k of equation 8.

    The kinds of places and of food that are asked for are left out too: all candidates are of these, so they
    cannot tell them apart, and would only favour places that have the word in their name.
    """
    names = (place for place in analysis.mentions if place.strength >= _NAME_STRENGTH)
    measures = (*analysis.winds, *analysis.days, *analysis.distances, *analysis.durations, *analysis.clocks)
    kinds = _asked_for(analysis.kinds, analysis)
    rest = without(analysis.text, (*names, *kinds, *analysis.cuisines, *measures))
    for section in ("geometry", "part", "scale", "frame", "noise"):
        rest = without(rest, phrases(section, rest))
    plain = (token.norm for token in tokenise(rest) if token.is_word)
    words = (word for word in plain if word not in glue() and not word[0].isdigit())
    return " ".join(dict.fromkeys((sentence_of(text, wanted), *words))).strip()
