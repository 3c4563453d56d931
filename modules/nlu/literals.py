"""Converts words of a question to literals of a program: names, kinds, times, amounts.

Times and amounts in German, French, Spanish and Italian are first translated to English, with the words in
`data/times_and_amounts_abroad.toml`.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import time
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.compute.clocks import parse_clock
from map_tools.compute.scanning import plain_value
from map_tools.kinds import concepts
from map_tools.kinds.phrases import fold
from modules.query.values.amount import ANGLE, DURATION, LENGTH, Amount, parse_amount
from modules.query.values.moment import MONTHS, WEEKDAYS, is_month

_ARTICLE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)
_MARKS = ' ,.;:!?"“”()'
_TOKEN = re.compile(r"[a-z]+|\d{4}-\d\d-\d\d")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT_DAYS = {
    short: day
    for day, shorts in zip(
        WEEKDAYS, ("mon", "tue tues", "wed weds", "thu thur thurs", "fri", "sat", "sun"), strict=True
    )
    for short in shorts.split()
}
_RELATIVE = {"today": "today", "tonight": "", "tomorrow": "tomorrow", "now": "now"}
_PARTS = {
    "morning": "10:00", "lunchtime": "12:30", "lunch": "12:30", "afternoon": "15:00", "evening": "20:00",
    "tonight": "20:00", "dinner": "20:00", "night": "23:00", "breakfast": "8:00", "late": "23:00",
}  # fmt: skip
"""The hour that stands for a part of the day: its middle, as no source defines when an evening begins."""
_LATE_PARTS = frozenset({"afternoon", "evening", "tonight", "dinner", "night", "late"})
_LEADS = frozenset(
    {"on", "at", "the", "this", "in", "by", "of", "from", "to", "till", "until", "before", "after", "around"}
    | {"about", "past", "next", "coming", "for", "a"}
)
"""Small words that occur before or after a time."""
_DECIMAL_COMMA = re.compile(r"(\d),(\d\d?)(?!\d)")
_FIGURES = re.compile(r"\d{1,9}(?:\.\d+)?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_SURE = re.compile(r"(?<![a-z])[ap]\.? ?m\b|noon|midnight|midday|\b0\d[:.h]?")
_LOOSE = re.compile(r"^(?:a )?(?:(couple)(?: of)?|(few)) (?=\w)|^(?=(?:hundred|thousand)\b)", re.IGNORECASE)
"""Words for a small number, which are taken for two, three and, before "hundred" alone, one."""
_MILITARY = re.compile(r"([01]\d|2[0-3])([0-5]\d)(?: ?h(?:ou)?rs?)?")
"""Four figures without a mark: "0930 hrs"."""
_HALF = re.compile(r"half (?!past|an?\b|hour)(\w+)")
"""British: "half eight" is half past eight."""
_MONTH = "|".join(rf"{name[:3]}(?:{name[3:]})?" for name in MONTHS).replace("sep(", "sept?(")
_DATE = re.compile(
    rf"(?:\b(?P<before>\d{{1,2}})(?:st|nd|rd|th)?\.?(?: of)? )?\b(?P<month>{_MONTH})\b\.?"
    r"(?:(?: the)? (?P<after>\d{1,2})(?:st|nd|rd|th)?\b(?! ?[ap]\.?m|[:.h]\d| o.clock))?"
    r"(?:,? (?P<year>(?:19|20)\d\d)\b(?! ?h|[:.]\d))?"
)
"""A month, the number of a day before or behind it, and the year."""
_FIGURED_DATE = re.compile(r"\b(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)\b")
"""Day, month and year with dots between them: with other marks some begin with the month."""
_FEASTS = {
    "christmas eve": "Dec 24", "christmas day": "Dec 25", "boxing day": "Dec 26",
    "new year's eve": "Dec 31", "new year's day": "Jan 1",
}  # fmt: skip
_NOON = 12
type _Words = Mapping[str, str]
_SPOKEN = re.compile(r"\b(\d{1,2}) ?(h plus|h minus|h|plus|minus)\b(?: ?(\d{1,2})\b)?")
"""An hour, and the minutes after or before it."""
_BESIDE = re.compile(r"\b(\d{1,2}) (past|to) (\d{1,2})\b")
"""Minutes, and the hour they are after or before."""


def name_in(text: str) -> str:
    """A name as programs write it: without article and surrounding punctuation."""
    bare = text.strip(_MARKS)
    if bare.count("(") > bare.count(")"):
        bare = text.strip(_MARKS.replace(")", ""))
        bare += ")" * (bare.count("(") - bare.count(")"))  # the span may lack the closing mark
    return _ARTICLE.sub("", bare, count=1) if _ARTICLE.match(bare) and len(bare.split()) > 1 else bare


def kind_in(text: str) -> str:
    """Words for a kind as programs write them: singular, in lower case."""
    bare = name_in(text)
    small = bare.lower()
    if concepts.lookup(small) is None and not concepts.find_in(small):
        return bare
    single = _one_of(small)
    lead, space, last = small.rpartition(" ")
    return single if single != small else f"{lead}{space}{_one_of(last)}"


def _one_of(kind: str) -> str:
    """The singular of words for a kind, where that is a word for the same kind."""
    many = concepts.lookup(kind)
    for ending, single in (("ies", "y"), ("es", ""), ("s", "")):
        one = concepts.lookup(f"{kind.removesuffix(ending)}{single}") if kind.endswith(ending) else None
        if one is not None and many is not None and one.ids == many.ids:
            return f"{kind.removesuffix(ending)}{single}"
    return kind


def times_in(text: str) -> tuple[str, ...]:
    """The times that words may mean, the likelier first: "Sun 8:00" and "Sun 20:00" of "Sunday at eight".

    Words of other languages are read where the words are no time in English.
    """
    return _english_times(text) or next(filter(None, map(_english_times, times_in_english(text))), ())


def _english_times(text: str) -> tuple[str, ...]:
    date, rest = _date_in(text.lower().replace("’", "'"))
    month = date if is_month(date) else ""
    day, part = date, ""
    for match in reversed(list(_TOKEN.finditer(rest))):
        found = _day(match[0])
        if found:
            day = f"{month} {found}" if month and found in WEEKDAYS else date or found
        if match[0] in _PARTS:
            part = match[0]
        if found is not None or match[0] in _PARTS:
            rest = f"{rest[: match.start()]} {rest[match.end() :]}"
    lead = f"{day} " if day else ""
    said = _bare(rest)
    if not said:
        return (f"{lead}{_PARTS[part]}",) if part else (day,) if day else ()
    clock = _clock(said)
    if clock is None:
        return ()
    return tuple(f"{lead}{hour}:{clock.minute:02d}" for hour in _hours(clock, said, part))


def _date_in(text: str) -> tuple[str, str]:
    """The day of a year that words say, as programs write it, and the rest of them: "Dec 24" of "24th of December"."""
    for name, day in _FEASTS.items():
        if name in text:
            return day, text.replace(name, " ")
    match = _FIGURED_DATE.search(text)
    if match is not None and 1 <= int(match[2]) <= len(MONTHS):
        day = f"{match[3]}-{int(match[2]):02d}-{int(match[1]):02d}"
    elif (match := _DATE.search(text)) is not None:
        month, number = match["month"][:3], match["before"] or match["after"]
        if number and match["year"]:
            numbered = next(at for at, name in enumerate(MONTHS, 1) if name.startswith(month))
            day = f"{match['year']}-{numbered:02d}-{int(number):02d}"
        else:
            day = f"{month.capitalize()} {number or ''}".rstrip()
    else:
        return "", text
    return day, f"{text[: match.start()]} {text[match.end() :]}"


def _day(token: str) -> str | None:
    """A day as programs write it; empty for a word that only says it is today's; None for no day."""
    if token in _RELATIVE:
        return _RELATIVE[token]
    if re.fullmatch(r"\d{4}-\d\d-\d\d", token):
        return token
    single = token.removesuffix("s") if token.removesuffix("s") in _DAYS else token
    return WEEKDAYS[_DAYS.index(single)] if single in _DAYS else _SHORT_DAYS.get(token)


def _bare(text: str) -> str:
    """A text without surrounding small words and punctuation."""
    words = [word for word in text.split() if word.strip(_MARKS)]
    while words and words[0].strip(_MARKS) in _LEADS:
        words.pop(0)
    while words and words[-1].strip(_MARKS) in _LEADS:
        words.pop()
    return " ".join(words).strip(_MARKS)


def _clock(said: str) -> time | None:
    half = _HALF.fullmatch(said)
    if half is not None:
        said = f"half past {half[1]}"
    military = _MILITARY.fullmatch(said)
    if military is not None:
        return time(int(military[1]), int(military[2]))
    for form in (said, f"at {said}"):
        clock = parse_clock(form)
        if clock is not None:
            return clock
    hour = int(said) if said.isdigit() else plain_value(said) if said.isalpha() else None
    return time(int(hour)) if hour is not None and 0 <= hour < 24 else None


def _hours(clock: time, said: str, part: str) -> Iterator[int]:
    """The hours that may be meant: as said, and in the other half of the day."""
    if clock.hour > _NOON or clock.hour == 0 or _SURE.search(said):
        yield clock.hour
    elif part in _LATE_PARTS and clock.hour < _NOON:
        yield clock.hour + _NOON
    else:
        yield clock.hour
        if part != "morning":
            yield (clock.hour + _NOON) % 24


def number_in(text: str) -> str | None:
    """A number without a unit as programs write it; None if the words are not a number."""
    bare = _DECIMAL_COMMA.sub(r"\1.\2", _THOUSANDS.sub("", text.strip(_MARKS)).removesuffix("+"))
    if _FIGURES.fullmatch(bare):
        return f"{float(bare):g}"
    found = plain_value(bare) if bare.replace(" ", "").replace("-", "").isalpha() else None
    return f"{found:g}" if found is not None else None


def amount_in(text: str) -> str | None:
    """A quantity as programs write it: "10 min" of "ten minutes"; None if the words are not a quantity."""
    figures = _DECIMAL_COMMA.sub(r"\1.\2", text.strip(_MARKS))
    figures = _LOOSE.sub(lambda found: "two " if found[1] else "three " if found[2] else "one ", figures)
    readings = map(parse_amount, (figures, *amounts_in_english(figures)))
    found = next((amount for amount in readings if amount is not None), None)
    if found is None:
        return None
    if found.dimension == LENGTH:
        return _length(found)
    if found.dimension == DURATION:
        minutes = found.value / 60
        return f"{minutes / 60:g} h" if minutes >= 60 and minutes % 30 == 0 else f"{minutes:g} min"
    return f"{found.value:g} {'deg' if found.dimension == ANGLE else found.unit}"


def _length(found: Amount) -> str:
    return f"{found.value / 1000:g} km" if found.value >= 1000 else f"{found.value:g} m"


def times_in_english(text: str) -> Iterator[str]:
    """Translations of words for a time, one for each language that has some of them; clock times become digits."""
    for said in _in_english(text, "times"):
        beside = _BESIDE.sub(
            lambda found: _spoken_clock(found[3], found[1], is_before=found[2] == "to"), said
        )
        yield _SPOKEN.sub(
            lambda found: _spoken_clock(found[1], found[3] or "0", is_before="minus" in found[2]), beside
        )


def amounts_in_english(text: str) -> Iterator[str]:
    """Translations of words for an amount, one for each language that has some of them."""
    return _in_english(text, "amounts")


def _spoken_clock(hour: str, minutes: str, *, is_before: bool) -> str:
    if is_before:
        return f"{int(hour) - 1 or 12}h{60 - int(minutes):02d}"
    return f"{hour}h{int(minutes):02d}" if int(minutes) else hour


def _in_english(text: str, topic: str) -> Iterator[str]:
    plain = fold(text.replace("’", "'"))
    for words, pattern in _tongues(topic):
        found = {match[0] for match in pattern.finditer(plain)}
        if not found <= _weak():
            parts = pattern.split(plain)
            yield " ".join(" ".join(words.get(part, part) for part in parts).split())


@lru_cache(maxsize=2)
def _tongues(topic: str) -> tuple[tuple[_Words, re.Pattern[str]], ...]:
    """For each language its folded words for a topic with their English, and a pattern of them, longest first."""
    made = []
    for tongue in (entry for name, entry in _file().items() if name != "rules"):
        words = {
            fold(word.strip()): english
            for lists in (tongue.get("numbers", {}), tongue.get(topic, {}))
            for english, listed in lists.items()
            for word in listed.split(",")
        }
        longest = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        made.append((words, re.compile(rf"(?<![\w-])({longest})(?:(?<=')|(?![\w'-]))")))
    return tuple(made)


@lru_cache(maxsize=1)
def _weak() -> frozenset[str]:
    return frozenset(_file()["rules"]["weak"])


@lru_cache(maxsize=1)
def _file() -> dict[str, Any]:
    return tomllib.loads((files("modules.nlu.data") / "times_and_amounts_abroad.toml").read_text("utf-8"))
