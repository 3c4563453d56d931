"""Cuts a text of opening hours into tokens by type: days, times in all notations, words that join or close."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from map_tools.compute.scanning import alternatives, load
from map_tools.compute.told_hours.elements import Clock, Phrase, day_words, lexemes, longest_phrase

_NUMBER = re.compile(
    r"(?<![$€£¥\d])(?P<hour>\d{1,2})(?:(?P<sign>[:.]| ?h ?|u)(?P<minute>[0-5]\d)(?!\d))?"
    r"(?P<ish>ish)?(?:(?P<half> ?[ap]\.? ?m\b\.?|[ap]\b)|(?P<unit> ?(?:h|hs|hrs?|uhr|u|uur|horas|heures|ore)\b)"
    r"|(?P<clock> ?o' ?clock\b))?(?![\w%€$£°])(?![.,:]\d)"
)
_MILITARY = re.compile(
    r"(?P<hour>[01]\d|2[0-4])(?P<minute>[0-5]\d)(?P<unit> ?h(?:ou)?rs?\b| ?h\b)?(?![\w%€$£°])(?![.,:]\d)"
)
_ORDINAL = re.compile(r"(?P<number>\d{1,2})(?:st|nd|rd|th)\b")
_BREAKS = {".": "stop", ";": "stop", "\n": "stop", "|": "stop", "·": "stop", "•": "stop", "!": "stop",
    "?": "stop", ",": "comma", "(": "open_bracket", ")": "close_bracket", "/": "slash", ":": "fill"}  # fmt: skip
_SHORT_DAY = 2
_NEIGHBOURS = frozenset(
    {
        "day",
        "groups",
        "to",
        "and",
        "comma",
        "stop",
        "slash",
        "time",
        "closed",
        "except",
        "fill",
        "until",
        "from",
        "only",
        "all_day",
        "open_bracket",
        "close_bracket",
        "between",
        "otherwise",
        "but",
    }
)
_SUN_MINUTES = {"dawn": 5 * 60, "sunrise": 6 * 60, "sunset": 18 * 60, "dusk": 19 * 60}
_PREFERENCE = ("closed", "except", "from", "until", "to", "and", "at")
"""Which of several lists that share a word it is of, where its neighbours do not tell."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text: its type, and what it says."""

    kind: str
    value: str = ""
    clock: Clock | None = None
    number: int | None = None
    """The number of a bare number or an ordinal, which may be of a date."""


def tokens_of(folded: str) -> list[Token]:
    """The tokens of a folded text; words that are not known are of the type "word"."""
    return _Scanner(folded).scan()


@lru_cache(maxsize=1)
def _units() -> re.Pattern[str]:
    lists = load("quantities")
    others = load("told_hours")["counted"]["words"]
    durations = [unit for unit in lists["duration"] if unit not in {"h", "hr", "hrs"}]
    return re.compile(rf"\s?(?:{alternatives([*durations, *lists['distance'], *others])})(?!\w)")


class _Scanner:
    """Reads a text once from left to right."""

    def __init__(self, folded: str) -> None:
        self._text = folded
        self._words = lexemes(folded)
        self._days = day_words(self._words)
        self._unit = _units()
        self._tokens: list[Token] = []

    def scan(self) -> list[Token]:
        at = 0
        while at < len(self._words):
            at += self._step(at)
        return self._tokens

    def _step(self, at: int) -> int:
        """Notes the token that begins there; the number of its lexemes."""
        word = self._words[at]
        length, meanings = longest_phrase(self._words, at)
        if length and meanings[0].kind == "all_day" and self._previous() == "to":
            length = 0  # "0-24 h"
        if length:
            return self._known(at, length, meanings)
        if word.text.isdecimal():
            return self._number(at)
        spoken = self._spoken(at) if word.text.isalpha() else None
        if spoken is not None:
            return spoken
        self._tokens.append(
            Token(_BREAKS.get(word.text, "word" if word.text.isalnum() else "fill"), word.text)
        )
        if word.text in ".:" and len(self._tokens) > 1:
            self._drop_dot(at)
        return 1

    def _drop_dot(self, at: int) -> None:
        """A dot behind an abbreviation ends no sentence."""
        before, dot = self._words[at - 1], self._words[at]
        ends = at + 1 == len(self._words) or (self._words[at + 1].start > dot.end and len(before.text) > 5)
        if dot.text == "." and before.end == dot.start and not ends and self._tokens[-2].kind in {
            "day", "months", "except", "closed", "groups", "unsure",
        }:  # fmt: skip
            self._tokens.pop()

    def _previous(self) -> str:
        return self._tokens[-1].kind if self._tokens else "stop"

    def _known(self, at: int, length: int, meanings: tuple[Phrase, ...]) -> int:
        spoken = self._spoken(at) if length == 1 else None
        if spoken is not None:
            return spoken
        text = " ".join(word.text for word in self._words[at : at + length])
        meaning = self._meaning(at, length, meanings)
        match meaning.kind:
            case "day":
                self._tokens.append(Token("day", self._days.get(text, "")))
            case "named_times":
                hour, minute = meaning.value.split(":")
                self._tokens.append(Token("time", clock=Clock(int(hour) * 60 + int(minute), fixed=True)))
            case "sun":
                self._tokens.append(
                    Token("time", clock=Clock(_SUN_MINUTES[meaning.value], sun=meaning.value))
                )
            case "ordinals":
                self._tokens.append(Token("ordinal", number=int(meaning.value)))
            case "parts" if self._previous() == "time" and not (self._tokens[-1].clock or Clock(0)).half:
                self._say_half(meaning.value)
            case _:
                self._tokens.append(Token(meaning.kind, meaning.value or text))
        return length

    def _say_half(self, half: str) -> None:
        clock = self._tokens[-1].clock
        if clock is not None:
            self._tokens[-1] = Token("time", clock=replace(clock, half=half, bare=False))

    def _meaning(self, at: int, length: int, meanings: tuple[Phrase, ...]) -> Phrase:
        """Which of its meanings a phrase has here."""
        text = self._words[at].text
        kinds = {meaning.kind: meaning for meaning in meanings}
        if "day" in kinds and not (length == 1 and len(text) <= _SHORT_DAY and not self._among_days(at)):
            clear = "months" not in kinds or self._previous() in {"day"} or self._day_follows(at)
            if (
                clear
                and (len(text) > 2 or len(kinds) == 1 or self._among_days(at))
                and text not in {"son", "die", "mit", "sam", "ons"}
            ):
                return kinds["day"]
            if clear and self._among_days(at):
                return kinds["day"]
        kinds.pop("day", None)
        if not kinds:
            return Phrase("word")
        if "to" in kinds and self._previous() in {"day", "groups", "time", "months", "dates"}:
            return kinds["to"]
        if "until" in kinds:
            return kinds["until"]
        if "fill" in kinds and "to" in kinds:
            return kinds["fill"]
        return next((kinds[kind] for kind in _PREFERENCE if kind in kinds), next(iter(kinds.values())))

    def _day_follows(self, at: int) -> bool:
        return any(word.text in self._days and len(word.text) <= 3 for word in self._words[at + 1 : at + 3])

    def _among_days(self, at: int) -> bool:
        """True if a short word has only days, times and marks beside it."""
        if self._previous() not in _NEIGHBOURS or (at and self._words[at - 1].text == "'"):
            return False
        if at + 1 == len(self._words):
            return self._previous() not in {"fill"}
        following = self._words[at + 1].text
        if following.isdecimal() or following in self._days or not following.isalnum():
            return True
        _, meanings = longest_phrase(self._words, at + 1)
        return any(meaning.kind in _NEIGHBOURS - {"fill"} for meaning in meanings)

    def _number(self, at: int) -> int:
        start = self._words[at].start
        ordinal = _ORDINAL.match(self._text, start)
        if ordinal is not None:
            self._tokens.append(Token("ordinal", number=int(ordinal["number"])))
            return self._lexemes_until(at, ordinal.end())
        match = _MILITARY.match(self._text, start) or _NUMBER.match(self._text, start)
        before = self._text[start - 1 : start]
        if (
            match is None
            or int(match["hour"]) > 24
            or self._text[max(0, start - 2) : start].strip(" ")[-1:] in {"$", "€", "£", "¥"}
        ):
            self._tokens.append(Token("number", number=int(self._words[at].text[:4])))
            return 1
        groups = match.groupdict()
        if before in {".", ":"} or self._unit.match(self._text, match.end()):
            self._tokens.append(Token("number", number=int(groups["hour"])))
            return self._lexemes_until(at, match.end())
        if self._over_60_half(groups):
            self._tokens.append(Token("number", number=int(groups["hour"])))
            return self._lexemes_until(at, match.end())
        relation = self._spoken(at)
        if relation is not None:
            return relation
        self._tokens.append(_time(groups, match.group(), vague=self._vague()))
        return self._lexemes_until(at, match.end())

    @staticmethod
    def _over_60_half(groups: dict[str, str | None]) -> bool:
        return bool(groups.get("half")) and not 0 < int(groups["hour"] or 0) <= 12

    def _lexemes_until(self, at: int, end: int) -> int:
        count = 0
        while at + count < len(self._words) and self._words[at + count].start < end:
            count += 1
        return count

    def _vague(self) -> bool:
        """True behind "about", which is taken into the time."""
        if (
            self._tokens
            and self._tokens[-1].kind == "unsure"
            and self._tokens[-1].value in load("told_hours")["about"]["words"]
        ):
            self._tokens.pop()
            return True
        return False

    def _spoken(self, at: int) -> int | None:
        """Notes a time in words ("half past five", "ten to five", "half nine", "six-thirty", "nine")."""
        words = [word.text for word in self._words[at : at + 6]]
        lead = 1 if words[0] in {"a", "an"} and len(words) > 1 else 0
        offset = {
            "half": 30,
            "halb": -30,
            "quarter": 15,
            "five": 5,
            "ten": 10,
            "twenty": 20,
            "5": 5,
            "10": 10,
            "20": 20,
            "25": 25,
        }.get(words[lead])
        if offset is not None:
            used = lead + 1
            if words[lead] == "twenty" and words[used : used + 1] == ["five"]:
                offset, used = 25, used + 1
            if words[used : used + 1] == ["minutes"]:
                used += 1
            side = words[used] if used < len(words) else ""
            minute = self._side(words[lead], side, offset, has_minutes="minutes" in words[:used])
            hour_at = used + (side in {"past", "after", "to", "till", "before", "of"})
            hour = self._hour(at + hour_at)
            if minute is not None and hour is not None:
                return self._put_spoken(at, hour_at, hour, minute)
        if lead or words[0].isdecimal():
            return None
        hour = _figures("hours").get(words[0])
        if hour is None:
            return None
        used = 1
        gap = 1 if words[1:2] == ["-"] else 0
        minute = _figures("minutes").get(words[1 + gap] if len(words) > 1 + gap else "")
        if minute is not None and not (gap and minute == 10) and words[1 + gap] != "five":
            used += gap + 1
        else:
            minute = 0
        return self._put_spoken(at, used - 1, hour, minute)

    def _side(self, relation: str, side: str, offset: int, *, has_minutes: bool) -> int | None:
        """Minutes past the hour that a relation to it says; None if it is none ("from ten to two")."""
        if side in {"past", "after"}:
            return abs(offset)
        if relation in {"half", "halb"}:
            return offset if side not in {"to", "till", "before", "of"} else None
        if side in {"to", "till", "before", "of"}:
            sure = relation in {"quarter", "twenty"} or has_minutes or self._previous() in {"until", "at"}
            return -offset if sure else None
        return None

    def _hour(self, at: int) -> int | None:
        if at >= len(self._words):
            return None
        text = self._words[at].text
        if text in {"midnight", "noon"}:
            return 0 if text == "midnight" else 12
        if text.isdecimal():
            following = self._text[self._words[at].end : self._words[at].end + 2]
            return int(text) if 0 < int(text[:3]) <= 12 and not re.match(r"[:.h]\d", following) else None
        return _figures("hours").get(text)

    def _put_spoken(self, at: int, skipped: int, hour: int, minute: int) -> int:
        named = self._words[at + skipped].text in {"midnight", "noon"}
        total = hour * 60 + minute
        vague = self._vague()
        used = self._lexemes_until(at, self._words[min(at + skipped, len(self._words) - 1)].end)
        end = self._words[at + used - 1].end
        suffix = re.compile(
            r"(?P<half> ?[ap]\.? ?m\b\.?)|(?P<clock> ?o' ?clock\b)|(?P<ish> ?- ?ish\b)"
        ).match(self._text, end)
        half = ""
        if suffix is not None:
            half = "" if suffix["half"] is None else suffix["half"].strip()[0] + "m"
            vague = vague or suffix["ish"] is not None
            used += self._lexemes_until(at + used, suffix.end())
        if not named:
            total = total % (12 * 60) if total < 60 or total >= 13 * 60 else total
            total = total or 12 * 60
            total = total + 12 * 60 if total < 60 else total
        bare = not minute and skipped == 0 and suffix is None
        self._tokens.append(
            Token(
                "time",
                clock=Clock(total % (24 * 60), half, named, bare, vague),
                number=hour if bare else None,
            )
        )
        return used


@lru_cache(maxsize=2)
def _figures(kind: str) -> dict[str, int]:
    """The words for "hours" or "minutes" with what they say."""
    return {word: int(figure) for figure, listed in load("told_hours")[kind].items() for word in listed}


def _time(groups: dict[str, str | None], text: str, *, vague: bool) -> Token:
    hour, minute = int(groups["hour"] or 0), int(groups.get("minute") or 0)
    half = groups.get("half")
    sign = (groups.get("sign") or "").strip()
    unit = groups.get("unit")
    military = "sign" not in groups
    fixed = half is None and (
        hour == 0
        or hour > 12
        or military
        or (groups["hour"] or "").startswith("0")
        or sign in {"h", "u"}
        or unit is not None
    )
    bare = (
        half is None
        and not minute
        and unit is None
        and not sign
        and not military
        and groups.get("clock") is None
    )
    told = Clock(
        hour * 60 + minute,
        half.strip()[0] + "m" if half else "",
        fixed,
        bare,
        vague or groups.get("ish") is not None,
    )
    return Token("time", text, told, hour if bare else None)


def unknown_words(tokens: Sequence[Token]) -> bool:
    """True if some word is of no list."""
    return any(token.kind in {"word", "number"} for token in tokens)
