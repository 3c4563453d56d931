"""Matching names and the fixed texts of places, and words from a source by their topic.

Fixed texts are addresses, phone numbers and web sites; topics are directions, routes ("via"), instructions, modes and
hours.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from map_tools.compute.route_replies import read_step
from map_tools.text import SAME_SCORE, canonical_street, normalise, same_street, similarity
from mapagent.core.answer import Named, Text
from modules.answer_generator import amounts
from modules.answer_generator.amounts import wind_of
from modules.answer_generator.outcome import (
    SAME,
    Choices,
    Fit,
    Match,
    NoMatch,
    Option,
    decide,
    meanings,
    same_text,
)
from modules.answer_generator.quantities import clocks_in

HEAD_SCORE = 0.99
"""Score of an option whose part before " - " or a comma is the name itself; the rest is its address."""

SENTENCE_SCORE = 0.9
"""Score of a name found word for word inside a longer sentence."""

ADDRESS_FLOOR = 0.6
"""At least this weighted share of the words must agree for two addresses to be the same."""

ADDRESS_SHARE = 0.05
"""How much an agreeing address adds, so that it decides between branches of one name."""

MIN_PHONE_DIGITS = 6
MIN_SENTENCE_CHARS = 4
HEAD = re.compile(r"\s+[-–—]\s+|,\s+|\s*[(\n]")


def match_named(value: Named, choices: Choices) -> Match | NoMatch:
    """The option that names this place."""
    names = [value.name, *(value.place.aliases if value.place else ())]
    address = value.place.address if value.place else None
    fits = [Fit(option, _named_score(names, address, option.text)) for option in choices.options]
    return decide(fits, floor=SAME_SCORE, how="name", shown=f"'{value.name}'")


def name_score(name: str, text: str) -> float:
    """0 to 1: how surely an option names `name`, alone, with an address behind it, or in a sentence."""
    score = similarity(name, text)
    for head in heads(text):
        score = max(score, HEAD_SCORE * similarity(name, head))
    folded = normalise(name)
    if len(folded) >= MIN_SENTENCE_CHARS and f" {folded} " in f" {normalise(text)} ":
        score = max(score, SENTENCE_SCORE)
    return score


def heads(text: str) -> Iterator[str]:
    """The beginnings of an option that may be the name alone: up to each dash, comma, bracket or line end."""
    for hit in HEAD.finditer(text):
        head = text[: hit.start()].strip()
        if head:
            yield head


def head(text: str) -> str:
    """The name that an option begins with ("Name - Street 5" → "Name")."""
    return next(heads(text), text.strip())


def _named_score(names: Iterable[str], address: str | None, text: str) -> float:
    score = max(name_score(name, text) for name in names)
    if score >= SAME or address is None:
        return score
    return min(HEAD_SCORE + 0.005, score * (1 - ADDRESS_SHARE) + ADDRESS_SHARE * _overlap(address, text, {}))


def match_address(text: str, choices: Choices) -> Match | NoMatch:
    """The option with this address; words all options share (the city, the country) count for little."""
    spread = Counter(word for option in choices.options for word in set(normalise(option.text).split()))
    fits = [Fit(option, _overlap(text, option.text, spread)) for option in choices.options]
    return decide(fits, floor=ADDRESS_FLOOR, how="address", shown=f"'{text}'")


def _overlap(a: str, b: str, spread: Mapping[str, int]) -> float:
    """Share of the shorter text's words found in the other; rare words among the options weigh more."""
    if normalise(a) == normalise(b):
        return SAME
    words_a, words_b = set(normalise(a).split()), set(normalise(b).split())
    common = _weight(words_a & words_b, spread)
    shorter = min(_weight(words_a, spread), _weight(words_b, spread))
    longer = max(_weight(words_a, spread), _weight(words_b, spread))
    if not shorter:
        return 0.0
    return 0.9 * common / shorter + 0.09 * common / longer


def _weight(words: Iterable[str], spread: Mapping[str, int]) -> float:
    return sum(1 / max(1, spread.get(word, 1)) for word in words)


def match_phone(text: str, choices: Choices) -> Match | NoMatch:
    """The option with these digits; a country code may stand before either."""
    digits = _digits(text)
    fits = [Fit(option, _same_digits(digits, _digits(option.text))) for option in choices.options]
    return decide(fits, floor=SAME, how="phone number", shown=text)


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit()).lstrip("0")


def _same_digits(a: str, b: str) -> float:
    shorter, longer = sorted((a, b), key=len)
    return SAME if len(shorter) >= MIN_PHONE_DIGITS and longer.endswith(shorter) else 0.0


def match_website(text: str, choices: Choices) -> Match | NoMatch:
    """The option with this web site: the host decides, the path makes it exact."""
    fits = [Fit(option, _same_site(text, option)) for option in choices.options]
    return decide(fits, floor=SENTENCE_SCORE, how="web site", shown=text)


def _same_site(text: str, option: Option) -> float:
    host, path = _site(text)
    other_host, other_path = _site(option.text)
    if not host or host != other_host:
        return 0.0
    return SAME if path == other_path else SENTENCE_SCORE


def _site(text: str) -> tuple[str, str]:
    word = next((piece for piece in text.split() if "." in piece), "")
    try:
        parts = urlsplit(word if "//" in word else f"//{word}")
    except ValueError:  # brackets that hold no IPv6 address
        return "", ""
    return parts.netloc.casefold().removeprefix("www."), parts.path.strip("/")


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
