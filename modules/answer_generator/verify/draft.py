"""Checking a free-text solution, such as a language model's, against evidence and options."""

from collections.abc import Iterator

from map_tools.compute.quantities import find_distances, find_durations
from map_tools.facts import NearbyFact, RoutesFact, TravelFact
from mapagent.answer import Text
from mapagent.evidence import Evidence
from mapagent.question import LETTERS, Question
from modules.answer_generator.matching import Match, amounts, match_one
from modules.answer_generator.matching.names import heads
from modules.answer_generator.verify.draft_reader import (
    Choice,
    StatedLeg,
    Sum,
    choice_of,
    legs_of,
    plain,
    sums_of,
)
from modules.answer_generator.verify.facts import Facts, numbers_of
from modules.answer_generator.verify.legs import all_legs
from modules.answer_generator.verify.objection import Objection
from modules.answer_generator.verify.plausible import check_facts
from modules.answer_generator.verify.support import SHOWN_S, SHOWN_SHARE
from modules.answer_generator.verify.tolerance import same
from modules.answer_generator.vocabulary import has_phrase, phrases
from modules.offline.intents import HERE
from modules.names import normalise


def check_draft(question: Question, text: str, evidence: tuple[Evidence, ...]) -> tuple[Objection, ...]:
    """What is wrong with a solution in words.

    Found are: a letter that is no option or not the option its text names, sums that do not add up, numbers
    found in no evidence, legs the evidence does not state (or states otherwise), implausible legs, distances
    from another place than the question's.
    """
    facts = Facts(evidence, question)
    return tuple(_objections(question, text, facts))


def _objections(question: Question, text: str, facts: Facts) -> Iterator[Objection]:
    choice, sums, legs = choice_of(text), tuple(sums_of(text)), tuple(legs_of(text))
    if not facts.observed and question.near is None:
        yield Objection(code="no_evidence", message="No evidence supports an answer.")
    if question.live_options():
        yield from _check_choice(question, text, choice, sums)
    for one in sums:
        yield from _check_sum(one)
    for leg in legs:
        yield from _check_leg(leg, facts)
    yield from _check_numbers(text, choice, sums, facts)
    yield from check_facts(facts, _used(text, legs, facts))
    yield from _check_anchor(question, facts)


def _check_choice(
    question: Question, text: str, choice: Choice | None, sums: tuple[Sum, ...]
) -> Iterator[Objection]:
    if choice is None:
        if not has_phrase(text, phrases("draft", "gives_up")):
            yield Objection(code="no_answer", message="The solution settles on no option.", severity="warn")
        return
    index = LETTERS.index(choice.letter)
    if index not in {live for live, _ in question.live_options()}:
        yield Objection(code="no_such_option", message=f"There is no option {choice.letter}.")
        return
    option = question.options[index].strip()
    other = _option_named(choice.text, question)
    if choice.text and not _same_option(choice.text, option) and other is not None and other != index:
        yield Objection(
            code="letter_text_mismatch",
            message=f"{choice.letter} is '{option}', but the text says '{choice.text}'"
            f" (that is {question.letter(other)}).",
        )
    if sums and sums[-1].unit and not _option_says(option, sums[-1]):
        yield Objection(
            code="letter_value_mismatch",
            message=f"{choice.letter} is '{option}', but the solution comes to '{sums[-1].shown}'.",
        )


def _same_option(text: str, option: str) -> bool:
    """True if the text is the option or its beginning (options of many lines are often cut)."""
    said, known = normalise(text), normalise(option)
    return said == known or (bool(said) and f"{known} ".startswith(f"{said} "))


def _option_named(text: str, question: Question) -> int | None:
    if not normalise(text):
        return None
    found = match_one(Text(text=text), question)
    return found.index if isinstance(found, Match) else None


def _option_says(option: str, total: Sum) -> bool:
    """False only if the option states an amount of the kind, and another one."""
    read = amounts.durations if total.unit == "s" else amounts.distances
    stated = read(option, bare_unit=None)
    return not stated or any(amount.distance(total.result) <= amount.step / 2 for amount in stated)


def _check_sum(one: Sum) -> Iterator[Objection]:
    if not same(one.unit, sum(one.terms), one.result):
        yield Objection(
            code="arithmetic",
            message=f"'{one.shown}' is wrong: the terms add up to {sum(one.terms):g} {one.unit}.",
        )


def _check_leg(leg: StatedLeg, facts: Facts) -> Iterator[Objection]:
    known = [other for other in all_legs(facts) if other.joins(leg.origin, leg.destination)]
    way = f"{leg.origin} → {leg.destination}"
    if not known:
        yield Objection(code="leg_missing", message=f"No evidence states the way {way}.")
    elif not any(abs((other.duration_s or 0.0) - leg.duration_s) <= SHOWN_S for other in known):
        stated = ", ".join(f"{(other.duration_s or 0.0) / 60:g} min" for other in known)
        yield Objection(
            code="leg_mismatch",
            message=f"The evidence says {stated} for {way}, the text {leg.duration_s / 60:g} min.",
        )


def _check_numbers(
    text: str, choice: Choice | None, sums: tuple[Sum, ...], facts: Facts
) -> Iterator[Objection]:
    """Every duration and distance must be known, or be a sum of known ones."""
    cleaned = plain(text)
    if choice is not None and choice.text:
        cleaned = cleaned.replace(choice.text, "")
    for unit, shown, value in _measures(cleaned):
        known = facts.numbers(unit) | facts.stated_in_question[unit]
        known |= {one.result for one in sums if one.unit == unit}
        slack = SHOWN_S if unit == "s" else max(1.0, SHOWN_SHARE * value)
        if not any(abs(value - other) <= slack for other in known):
            yield Objection(code="unknown_number", message=f"'{shown}' is found in no evidence.")


def _measures(text: str) -> Iterator[tuple[str, str, float]]:
    """The different durations and distances of a text."""
    found = [("s", span.text, float(span.value)) for span in find_durations(text)]
    found += [("m", span.text, float(span.value)) for span in find_distances(text)]
    return iter({(unit, value): (unit, shown, value) for unit, shown, value in found}.values())


def _used(text: str, legs: tuple[StatedLeg, ...], facts: Facts) -> frozenset[str]:
    """The travel facts a text rests on: those stated as legs, else those whose ends and figures it names."""
    stated = {
        other.evidence_id
        for leg in legs
        for other in all_legs(facts)
        if other.joins(leg.origin, leg.destination) and same("s", other.duration_s or 0.0, leg.duration_s)
    }
    if stated:
        return frozenset(stated)
    folded, figures = f" {normalise(text)} ", {(unit, value) for unit, _, value in _measures(plain(text))}
    return frozenset(
        item.id
        for item in facts.observed
        if isinstance(item.value, TravelFact | RoutesFact)
        and all(f" {normalise(end)} " in folded for end in (item.value.origin, item.value.destination))
        and figures & set(numbers_of(item.value))
    )


def _check_anchor(question: Question, facts: Facts) -> Iterator[Objection]:
    """Where the question asks for the nearest, some list must be around a place the question names."""
    lists = [item.value for item in facts.observed if isinstance(item.value, NearbyFact)]
    if not lists or not has_phrase(question.text, phrases("draft", "nearest")):
        return
    if any(_is_named(fact, question) for fact in lists):
        return
    anchors = " and ".join(sorted({fact.anchor for fact in lists}))
    yield Objection(
        code="wrong_anchor",
        message=f"The distances were measured from {anchors}, which the question does not name.",
    )


def _is_named(fact: NearbyFact, question: Question) -> bool:
    if fact.anchor == HERE:
        return True
    folded = f" {normalise(question.text)} "
    names = [fact.anchor, *heads(fact.anchor)]
    if fact.anchor_place is not None:
        names += [fact.anchor_place.name, *fact.anchor_place.aliases]
    return any(normalise(name) and f" {normalise(name)} " in folded for name in names)
