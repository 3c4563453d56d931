"""Does the answer follow: its value from the claims, the numbers of its explanation from the evidence?"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from map_tools.compute.quantities import find_clocks, find_distances, find_durations
from mapagent.answer import Claim, Named, Quantity, Solution
from modules.answer_generator.render import render_quantity
from modules.answer_generator.verify.facts import Facts
from modules.answer_generator.verify.objection import Objection
from modules.answer_generator.verify.tolerance import among
from modules.names import SAME_SCORE, normalise, similarity

SHOWN_S = 31.0
"""Durations are shown in whole minutes (format_duration)."""

SHOWN_SHARE = 0.05
"""Distances are shown with two digits at least ("1.2 km" for 1,249 m)."""

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

COUNTING = frozenset({"count", "sum", "difference"})
"""Rules whose result may be given as a count."""

ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th)\b|^\s*\d+[.)]\s|\(\d+\)", re.IGNORECASE | re.MULTILINE)
"""Numbers that only say which one: "2nd", "3. Turn left", "(4)"."""


def check_value(solution: Solution, facts: Facts) -> Iterator[Objection]:
    """The value must come from a claim or stand in the evidence."""
    value = solution.value
    if isinstance(value, Quantity) and value.unit in {"s", "m", "rating", "rating_count", "count"}:
        if not among(value.unit, value.value, _supported(value.unit, solution, facts)):
            # Without a claim of what was counted there is nothing to hold against a count of cited facts.
            uncounted = value.unit == "count" and bool(solution.evidence_ids) and not _counts(solution)
            yield Objection(
                code="unsupported",
                message=f"{render_quantity(value)} is neither in the evidence nor the result of a step.",
                severity="warn" if uncounted else "reject",
            )
    elif isinstance(value, Named) and not _is_known(value.name, solution, facts):
        yield Objection(code="unsupported", message=f"'{value.name}' occurs nowhere in the evidence.")


def _supported(unit: str, solution: Solution, facts: Facts) -> frozenset[float]:
    """The numbers a value of this unit may be; what was counted by a claim is counted by no other way."""
    counts = _counts(solution)
    if unit == "count" and counts:
        return counts
    derived = set(numbers_in(solution.claims))
    return facts.numbers(unit) | derived | left_over(unit, derived, facts)


def _counts(solution: Solution) -> frozenset[float]:
    return frozenset(float(claim.result) for claim in solution.claims if claim.rule in COUNTING)


def numbers_in(claims: Iterable[Claim]) -> Iterator[float]:
    """All numbers that claims work with or come to."""
    for claim in claims:
        yield from _numbers(claim.result)
        yield from _numbers(claim.arguments)
        start = claim.arguments.get("start_s")
        if (
            claim.rule == "itinerary"
            and isinstance(start, int | float)
            and isinstance(claim.result, int | float)
        ):
            yield float(claim.result) - float(start)


def left_over(unit: str, derived: Iterable[float], facts: Facts) -> frozenset[float]:
    """What remains of the time or distance that the question grants, once something derived is taken off."""
    if unit not in facts.stated_in_question:
        return frozenset()
    granted = set(facts.stated_in_question[unit])
    if unit == "s":
        hours = sorted({(span.value.hour, span.value.minute) for span in find_clocks(facts.question.text)})
        moments = [3600.0 * hour + 60.0 * minute for hour, minute in hours]
        granted |= {later - earlier for earlier, later in combinations(moments, 2)}
    return frozenset(whole - part for whole in granted for part in derived if whole >= part)


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield float(value)
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _numbers(part)
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from _numbers(part)
        yield float(len(value))


def _is_known(name: str, solution: Solution, facts: Facts) -> bool:
    if facts.named(name) or f" {normalise(name)} " in f" {normalise(facts.question.text)} ":
        return True
    known = (text for item in facts.observed for text in texts_of(item.value.model_dump()))
    claimed = (text for claim in solution.claims for text in texts_of(claim.model_dump()))
    options = (text for _, text in facts.question.live_options())
    return any(
        similarity(name, text) >= SAME_SCORE for source in (claimed, known, options) for text in source
    )


def texts_of(value: Any) -> Iterator[str]:
    """All strings inside a nested value, with the keys of its mappings."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield str(key)
            yield from texts_of(part)
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from texts_of(part)


def check_explanation(solution: Solution, facts: Facts) -> Iterator[Objection]:
    """Every number of the explanation must be known; where nothing is cited it is rejected.

    How many steps, places or routes a fact lists needs no evidence of its own.
    """
    severity: Any = "warn" if solution.claims or solution.evidence_ids else "reject"
    sizes = facts.sizes
    for shown in unknown_numbers(ORDINAL.sub(" ", solution.explanation), solution.claims, facts):
        if shown.isdecimal() and int(shown) in sizes:
            continue
        yield Objection(
            code="unknown_number",
            message=f"'{shown}' in the explanation is in no evidence and follows from no step.",
            severity=severity,
        )


def unknown_numbers(text: str, claims: tuple[Claim, ...], facts: Facts) -> Iterator[str]:
    """The numbers of a text that neither evidence, question nor claims contain, as written."""
    derived = set(numbers_in(claims))
    rest = text
    for unit, spans in (("s", find_durations(text)), ("m", find_distances(text))):
        known = (
            derived | facts.numbers(unit) | facts.stated_in_question[unit] | left_over(unit, derived, facts)
        )
        for span in spans:
            rest = _blank(rest, span.start, span.end)
            if not any(_shown_as(unit, float(span.value), value) for value in known):
                yield span.text
    for clock in find_clocks(rest):
        rest = _blank(rest, clock.start, clock.end)
    hits = NUMBER.findall(rest)
    if hits:
        known_tokens = _number_tokens(claims, facts)
        yield from (hit for hit in dict.fromkeys(hits) if not _is_token(hit, known_tokens, derived))


def _shown_as(unit: str, shown: float, value: float) -> bool:
    if unit == "s":
        return abs(shown - value) <= SHOWN_S
    return abs(shown - value) <= max(1.0, SHOWN_SHARE * abs(value))


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _number_tokens(claims: tuple[Claim, ...], facts: Facts) -> frozenset[str]:
    sources = [item.value.model_dump_json() for item in facts.observed]
    sources += [claim.model_dump_json() for claim in claims]
    sources += [facts.question.model_dump_json()]
    return frozenset(token for source in sources for token in NUMBER.findall(source))


def _is_token(shown: str, tokens: frozenset[str], derived: set[float]) -> bool:
    if shown in tokens or shown.replace(",", "") in tokens:
        return True
    try:
        number = float(shown.replace(",", ""))
    except ValueError:
        return False
    decimals = len(shown.partition(".")[2])
    return any(round(value, decimals) == number for value in derived) or any(
        _rounds_to(token, number, decimals) for token in tokens
    )


def _rounds_to(token: str, number: float, decimals: int) -> bool:
    try:
        return round(float(token), decimals) == number
    except ValueError:
        return False
