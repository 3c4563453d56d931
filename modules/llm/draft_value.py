"""The answer of a model as a typed value, if the evidence holds it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

from map_tools.compute.quantities import format_clock, parse_clock, parse_distance_m, parse_duration_s
from map_tools.facts import FailureFact
from map_tools.modes import SYNONYMS
from mapagent.answer import ClockTime, Named, OptionPick, Quantity, Text, Value, YesNo
from mapagent.evidence import Evidence
from mapagent.facttext import fact_text
from mapagent.question import Question
from modules.answer_generator.matching import Match, match_one
from modules.answer_generator.matching.special import special_kind
from modules.answer_generator.verify import Objection
from modules.answer_generator.verify.facts import places_of
from modules.answer_generator.vocabulary import has_phrase, phrases
from modules.names import best_match, normalise

_LETTER = re.compile(r"^\W*(?:option\s+)?([A-Z])(?:\W|$)")
NAMED_SCORE = 0.9
"""So alike must an answer and a place's name be: a few words out of a long name are not the place."""
_YES_NO = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Settled:
    """What a model's answer means.

    Attributes:
        value: The value; None if the model gives up, or what it says is no answer.
        said: The answer as verification reads it ("The answer is B. 20 min").
        reason: Why there is no value, where the model's own reasoning does not say it.
        evidence_ids: The evidence the answer stands in.
        objections: What is wrong with the value.
    """

    value: Value | None
    said: str = ""
    reason: str = ""
    evidence_ids: frozenset[str] = frozenset()
    objections: tuple[Objection, ...] = ()


def settled(answer: str, question: Question, evidence: tuple[Evidence, ...]) -> Settled:
    """Reads an answer: the option it chooses, or a value that is found in the evidence."""
    words = " ".join(answer.split())
    if not words or _gives_up(words):
        return Settled(None)
    if question.live_options():
        return _option(words, question, evidence)
    value = _typed(words, evidence)
    ids = frozenset(_holding(words, evidence))
    if isinstance(value, Text) and not ids:
        missing = Objection(code="unsupported", message=f"'{words}' is found in no fact.")
        return Settled(value, said=words, objections=(missing,))
    return Settled(value, said=words, evidence_ids=ids, objections=tuple(_other_unit(question, value)))


def _other_unit(question: Question, value: Value) -> Iterator[Objection]:
    """An amount of another kind than the question's words: miles for "how many minutes"."""
    text = reduce(lambda rest, mode: rest.replace(mode, " "), SYNONYMS, question.text.casefold())  # "on foot"
    words = [word.strip(".,;:?!") for word in text.split()]
    asked = {"s" for word in words if parse_duration_s(f"1 {word}")}
    asked |= {"m" for word in words if parse_distance_m(f"1 {word}")}
    if isinstance(value, Quantity) and len(asked) == 1 and value.unit not in asked:
        wanted, said = ("time", "distance") if value.unit == "m" else ("distance", "time")
        yield Objection(code="unit", message=f"The question asks for a {wanted}, and this is a {said}.")


def _gives_up(words: str) -> bool:
    return special_kind(words) is not None or has_phrase(words, phrases("draft", "gives_up"))


def _option(words: str, question: Question, evidence: tuple[Evidence, ...]) -> Settled:
    index = _index(words, question)
    if index is None:
        return Settled(None, reason=f"The model's answer '{words}' is none of the options.")
    text = question.options[index].strip()
    if special_kind(text) == "unknown":
        return Settled(None, reason=f"The model settles on '{text}'.")
    return Settled(
        OptionPick(index=index, text=text),
        said=f"The answer is {question.letter(index)}. {text}",
        evidence_ids=frozenset(_holding(text, evidence)),
    )


def _index(words: str, question: Question) -> int | None:
    """The option an answer chooses, by its letter or by its text."""
    live = dict(question.live_options())
    exact = next((index for index, text in live.items() if normalise(text) == normalise(words)), None)
    if exact is not None:
        return exact
    letter = _LETTER.match(words)
    if letter is not None:
        return next((index for index in live if question.letter(index) == letter.group(1)), None)
    found = match_one(Text(text=words), question)
    return found.index if isinstance(found, Match) else None


def _typed(words: str, evidence: tuple[Evidence, ...]) -> Value:
    """Yes or no, an amount with its unit, a time of day, a place of the map; else the words themselves."""
    folded = normalise(words)
    if folded in _YES_NO:
        return YesNo(value=_YES_NO[folded])
    duration_s, distance_m, clock = parse_duration_s(words), parse_distance_m(words), parse_clock(words)
    if duration_s is not None:
        return Quantity(value=float(duration_s), unit="s")
    if distance_m is not None:
        return Quantity(value=float(distance_m), unit="m")
    if clock is not None:
        return ClockTime(at=clock)
    places = [place for item in evidence for _, place in places_of(item.value)]
    index = best_match(words, [place.name for place in places], threshold=NAMED_SCORE)
    return Named(name=places[index].name, place=places[index]) if index is not None else Text(text=words)


def _holding(words: str, evidence: tuple[Evidence, ...]) -> Iterator[str]:
    """The ids of the facts that these words stand in; a time of day also in its other spelling.

    The names of places are left out: an order or a number in a name is no fact about the place.
    """
    clock = parse_clock(words)
    spellings = [words, *((format_clock(clock), format_clock(clock, hours_24=True)) if clock else ())]
    wanted = [f" {normalise(one)} " for one in spellings if normalise(one)]
    for item in evidence:
        text = f" {normalise(fact_text(item.value))} "
        for name in {normalise(place.name) for _, place in places_of(item.value)} - {normalise(words)}:
            text = text.replace(f" {name} ", " ") if name else text
        if not isinstance(item.value, FailureFact) and any(one in text for one in wanted):
            yield item.id
