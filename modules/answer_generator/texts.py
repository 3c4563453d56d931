"""Matching words from a source by their topic: directions, routes ("via"), instructions, modes, hours."""

import re
from collections.abc import Callable, Mapping

from map_tools.compute.route_replies import read_step
from map_tools.compute.street_names import canonical_street, same_street
from map_tools.text import SAME_SCORE, normalise, similarity
from mapagent.core.answer import Text
from modules.answer_generator import amounts
from modules.answer_generator.amounts import wind_of
from modules.answer_generator.names import match_address, match_phone, match_website, name_score
from modules.answer_generator.outcome import SAME, Choices, Fit, Match, NoMatch, decide, meanings, same_text
from modules.answer_generator.quantities import clocks_in

LOOSE_FLOOR = 0.8
STREET_ONLY = 0.9
"""Score of an option that names the street alone ("Main St") for an instruction onto it."""

MANEUVER_ONLY = 0.3
"""Share of an instruction's meaning that lies in the manoeuvre; the rest lies in the street."""

MAIN_STREET_BONUS = 0.05
"""A summary begins with the street most of the route runs on: of options with one street, that is meant."""

VIA = re.compile(r"^\s*(?:via|through|along|by way of)\s+", re.IGNORECASE)
_REMARK = re.compile(r"\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*$")
"""What is told in brackets behind an instruction: "(Pass by the bank (on the left))"."""
STREET_JOIN = re.compile(r"\s+and\s+|\s*&\s*|\s*,\s*", re.IGNORECASE)


def match_text(value: Text, choices: Choices) -> Match | NoMatch:
    """The option that says the same as a text, compared as its topic demands."""
    compare = _BY_TOPIC.get(value.topic, _match_loosely)
    return compare(value.text, choices)


def instruction_score(a: str, b: str) -> float:
    """0 to 1: how surely two route instructions mean the same manoeuvre onto the same street."""
    a, b = _REMARK.sub("", a), _REMARK.sub("", b)
    if canonical_street(a) == canonical_street(b):
        return SAME
    x, y = read_step(a), read_step(b)
    if (
        x.roundabout_exit is not None
        and y.roundabout_exit is not None
        and x.roundabout_exit != y.roundabout_exit
    ):
        return 0.0
    streets = _streets_score(x.streets or (a,), y.streets or (b,))
    if not x.maneuver or not y.maneuver:
        return STREET_ONLY * streets
    if not _same_maneuver(x.maneuver, y.maneuver):
        return 0.0
    worded = similarity(canonical_street(a), canonical_street(b))
    return min(0.98, max((1 - MANEUVER_ONLY) * streets + MANEUVER_ONLY * worded, worded * streets))


def via_score(summary: str, text: str) -> float:
    """0 to 1: how surely an option names the route with this summary; every street must agree."""
    ours, theirs = _via_streets(summary), _via_streets(text)
    if sorted(ours) == sorted(theirs):
        return SAME
    whole = similarity(canonical_street(VIA.sub("", summary)), canonical_street(VIA.sub("", text)))
    if len(ours) != len(theirs):
        main = MAIN_STREET_BONUS if theirs == ours[:1] else 0.0
        return min(whole, SAME_SCORE) + main if set(ours) & set(theirs) else whole * LOOSE_FLOOR
    return _streets_score(ours, theirs)


def _via_streets(text: str) -> tuple[str, ...]:
    return tuple(
        canonical_street(part) for part in STREET_JOIN.split(VIA.sub("", text.strip())) if part.strip()
    )


def _streets_score(ours: tuple[str, ...], theirs: tuple[str, ...]) -> float:
    """How well the worst-matched street of the shorter list is found in the other."""
    shorter, longer = sorted((ours, theirs), key=len)
    if not shorter:
        return 0.0
    return min(max(_street_score(a, b) for b in longer) for a in shorter)


def _street_score(a: str, b: str) -> float:
    if canonical_street(a) == canonical_street(b):
        return SAME
    alike = similarity(canonical_street(a), canonical_street(b))
    return max(alike, SAME_SCORE) if same_street(a, b) else alike * LOOSE_FLOOR


def _same_maneuver(a: str, b: str) -> bool:
    """True if two manoeuvres are one: left and slight left are not, setting off and going straight are."""
    straight = ("straight", "depart")
    return a == b or (a in straight and b in straight)


def _match_instruction(text: str, choices: Choices) -> Match | NoMatch:
    fits = [Fit(option, instruction_score(text, option.text)) for option in choices.options]
    return decide(fits, floor=LOOSE_FLOOR, how="instruction", shown=f"'{text}'")


def _match_via(text: str, choices: Choices) -> Match | NoMatch:
    fits = [Fit(option, via_score(text, option.text)) for option in choices.options]
    return decide(fits, floor=SAME_SCORE, how="route name", shown=f"'{text}'")


def _match_street(text: str, choices: Choices) -> Match | NoMatch:
    fits = [
        Fit(
            option,
            max(
                via_score(text, option.text),
                name_score(canonical_street(text), canonical_street(option.text)),
            ),
        )
        for option in choices.options
    ]
    return decide(fits, floor=SAME_SCORE, how="street", shown=f"'{text}'")


def _match_direction(text: str, choices: Choices) -> Match | NoMatch:
    wanted = wind_of(text)
    fits = [
        Fit(option, SAME if wanted is not None and wind_of(option.text) == wanted else 0.0)
        for option in choices.options
    ]
    return decide(fits, floor=SAME, how="direction", shown=f"'{text}'")


def _match_mode(text: str, choices: Choices) -> Match | NoMatch:
    wanted = mode_of(text)
    fits = [
        Fit(option, SAME if wanted is not None and mode_of(option.text) == wanted else 0.0)
        for option in choices.options
    ]
    return decide(fits, floor=SAME, how="mode of travel", shown=f"'{text}'")


def mode_of(text: str) -> str | None:
    """The one mode of travel a text names."""
    folded = f" {normalise(text)} "
    found = {mode for phrase, mode in meanings("mode").items() if f" {phrase} " in folded}
    return found.pop() if len(found) == 1 else None


def _match_hours(text: str, choices: Choices) -> Match | NoMatch:
    """By the times of day named; texts without any are compared as words."""
    wanted = sorted(clock.minutes for clock in clocks_in(text))
    if not wanted:
        return _match_loosely(text, choices)
    fits = []
    for option in choices.options:
        stated = sorted(clock.minutes for clock in clocks_in(option.text))
        common = len(set(wanted) & set(stated))
        fits.append(Fit(option, SAME if stated == wanted else common / max(len(wanted), len(stated), 1)))
    found = decide(fits, floor=LOOSE_FLOOR, how="hours", shown=f"'{text}'")
    return found if isinstance(found, Match) or found.tied else _match_loosely(text, choices)


def _match_loosely(text: str, choices: Choices) -> Match | NoMatch:
    """As words, or as the same amount in other words ("10 minutes", "10 mins")."""
    words = f" {normalise(text)} "
    holding = [one for one in choices.options if words.strip() and words in f" {normalise(one.text)} "]
    saying = [one for one in holding if same_text(text, one.text)] or holding
    if len(saying) == 1:
        return decide([Fit(saying[0], SAME)], floor=LOOSE_FLOOR, how="words", shown=f"'{text}'")
    same = any(same_text(text, option.text) for option in choices.options)
    fits = [
        Fit(option, float(same_text(text, option.text)))
        if same
        else Fit(option, max(name_score(text, option.text), same_amount(text, option.text)))
        for option in choices.options
    ]
    return decide(fits, floor=LOOSE_FLOOR, how="words", shown=f"'{text}'")


def same_amount(a: str, b: str) -> float:
    """1 if two texts state the same single amount, 0 otherwise."""
    readers: tuple[Callable[[str], tuple[amounts.Amount, ...]], ...] = (
        lambda text: amounts.durations(text, bare_unit=None),
        lambda text: amounts.distances(text, bare_unit=None),
    )
    for read in readers:
        x, y = read(a), read(b)
        if x or y:
            return SAME if len(x) == len(y) == 1 and (x[0].low, x[0].high) == (y[0].low, y[0].high) else 0.0
    if len(normalise(a).split()) <= 2 and len(normalise(b).split()) <= 2:
        x, y = amounts.counts(a), amounts.counts(b)
        return SAME if x and y and (x[0].low, x[0].high) == (y[0].low, y[0].high) else 0.0
    return 0.0


_BY_TOPIC: Mapping[str, Callable[[str, Choices], Match | NoMatch]] = {
    "address": match_address,
    "phone": match_phone,
    "website": match_website,
    "direction": _match_direction,
    "via": _match_via,
    "street": _match_street,
    "instruction": _match_instruction,
    "mode": _match_mode,
    "hours": _match_hours,
}
