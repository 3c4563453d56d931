"""Times of day: "9:15 AM", "9 pm", "21:30", "noon", "half past nine", "a quarter to 10", "17h30".

Without a half of the day a time is read on the 24-hour clock ("9:15" is in the morning). In a range the half
is borrowed so that the range is as short as can be: "11:30 – 2:30 PM" begins at 11:30 in the morning, "1:00 –
2:30 PM" at 13:00, "9 to 5 pm" at 9:00.

Each pattern has some of the groups `hour`, `minute`, `minute_words`, `second`, `relation`, `side`, `oclock`,
`half`, `named`, `part` and `day_part`. They are tried in the order of `patterns()`; what one has matched is
hidden from the next.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime, time
from functools import lru_cache

from map_tools.compute.measures import strip_approximation
from map_tools.compute.scanning import Span, alternatives, load, lowered, plain_value

_DAY_MIN = 24 * 60
_HOUR_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
HOUR_WORDS = tuple(_HOUR_WORDS.split("|"))
_START = r"(?<!\w)(?<!\d[.,:/])(?<![$€£.])"
_HOURS_12 = r"1[0-2]|0?[1-9]"
_HOURS_24 = r"2[0-4]|1\d|0?\d"
_HOURS_LABEL = r" ?h(?:(?:ou)?rs?)?(?!\w)"
_O_CLOCK = r"(?P<oclock> ?o'? ?clock)?"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_MINUTE_WORDS = (
    rf"(?P<minute_words>o'? ?(?:{_ONES})|ten|fifteen|(?:twenty|thirty|forty|fifty)(?:[ -](?:{_ONES}))?)"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_FEW = "five|ten|twenty|twenty[ -]five"
_RELATION = (
    rf"(?P<relation>half|(?:an? )?quarter|"
    rf"(?:\d{{1,2}}|fifteen|{_FEW}) min(?:ute)?s?|{_FEW}|\d{{1,2}}(?= past))"
    r" (?P<side>past|after|to|till|til|before|of) "
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to write a time of day.

    Attributes:
        regex: Over folded text.
        needs_cue: Only a time if a word such as "at" or "by" stands before.
        needs_mark: Only a time with "o'clock", "pm", "noon", "in the evening" after it.
        needs_end: Only a time if marked like that, or if what follows leaves it one (`follow`).
    """

    regex: re.Pattern[str]
    needs_cue: bool = False
    needs_mark: bool = False
    needs_end: bool = False


@dataclass(frozen=True, slots=True)
class _Hit:
    """A time of day found in a text; `half` is "am", "pm", "night" or None if nothing is said."""

    start: int
    end: int
    hour: int
    minute: int
    second: int = 0
    half: str | None = None

    @property
    def minutes(self) -> int:
        """Minutes after midnight."""
        return self.hour_24 * 60 + self.minute

    @property
    def hour_24(self) -> int:
        """The hour on the 24-hour clock."""
        if self.half is None or self.hour > 12:
            return self.hour % 24
        if self.half == "night":
            return (self.hour % 12) + (12 if 5 <= self.hour < 12 else 0)
        return self.hour % 12 + (12 if self.half == "pm" else 0)


def find_clocks(text: str) -> list[Span[time]]:
    """All times of day in running text, in order; 24:00 is given as 00:00.

    A bare number is a time only after "at", "by", "until" and the like, or in a range with a full time.
    """
    return [
        Span(hit.start, hit.end, time(hit.hour_24, hit.minute, hit.second), text[hit.start : hit.end])
        for hit in _hits(lowered(text))
    ]


def parse_clock(text: str) -> time | None:
    """The time of day a whole text says, None if it says anything else. A bare number ("9") says none."""
    body = _without_cue(strip_approximation(text))
    if body.isdigit() or body in HOUR_WORDS:
        return None
    lead = "at "
    hits = _hits(lead + body)
    if len(hits) != 1 or (hits[0].start, hits[0].end) != (len(lead), len(lead) + len(body)):
        return None
    return time(hits[0].hour_24, hits[0].minute, hits[0].second)


def format_clock(value: time | datetime, *, hours_24: bool = False) -> str:
    """A time of day for showing: "9:15 AM", or "09:15" with `hours_24`; seconds are not shown."""
    if hours_24:
        return f"{value.hour:02d}:{value.minute:02d}"
    return f"{value.hour % 12 or 12}:{value.minute:02d} {'AM' if value.hour < 12 else 'PM'}"


def _without_cue(body: str) -> str:
    first, _, rest = body.partition(" ")
    return rest if rest and first in load("quantities")["clock"]["cues"] else body


def _hits(folded: str) -> list[_Hit]:
    found: list[_Hit] = []
    masked = folded
    for pattern in patterns():
        for match in pattern.regex.finditer(masked):
            hit = _hit(match, folded) if _admissible(pattern, match, folded) else None
            if hit is not None:
                found.append(hit)
                masked = masked[: hit.start] + "\0" * (hit.end - hit.start) + masked[hit.end :]
    return _borrow(folded, sorted(found, key=lambda hit: hit.start))


def _admissible(pattern: Pattern, match: re.Match[str], folded: str) -> bool:
    """True if the words around the match are those the pattern needs."""
    groups = match.groupdict()
    cued = cue_before().search(folded, max(0, match.start() - 24), match.start()) is not None
    marked = any(groups.get(name) for name in ("oclock", "half", "named", "part"))
    marked = marked or (cued and bool(groups.get("day_part")))  # "a table for 4 on Friday evening" is none
    ended = marked or follow().match(folded, match.end()) is not None
    return (
        (cued or not pattern.needs_cue)
        and (marked or not pattern.needs_mark)
        and (ended or not pattern.needs_end)
    )


def _hit(match: re.Match[str], folded: str) -> _Hit | None:
    groups = match.groupdict()
    if groups.get("hour") is None:
        return _Hit(match.start(), match.end(), load("quantities")["named_times"][groups["named"]], 0)
    hour = _hour(groups["hour"])
    minute = _minute(groups)
    if hour == 24 and minute:
        return None
    if groups.get("relation"):
        return _relative(match, folded, hour)
    second = int(groups.get("second") or 0)
    return _Hit(match.start(), match.end(), hour, minute, second, _half(match, folded))


def _hour(text: str) -> int:
    return HOUR_WORDS.index(text) + 1 if text in HOUR_WORDS else int(text)


def _minute(groups: dict[str, str | None]) -> int:
    words = groups.get("minute_words")
    if words:
        return int(plain_value(re.sub(r"^o'? ?", "", words)) or 0)
    return int(groups.get("minute") or 0)


def _half(match: re.Match[str], folded: str) -> str | None:
    groups = match.groupdict()
    if groups.get("half"):
        return (groups["half"] or "").replace(".", "")
    if groups.get("named"):
        return "pm" if groups["named"] != "midnight" else "am"
    if groups.get("part"):
        return str(load("quantities")["day_parts"][groups["part"]])
    part = groups.get("day_part") or _part_before(match, folded)
    return str(load("quantities")["parts_of_a_day"][part]) if part else None


def _part_before(match: re.Match[str], folded: str) -> str | None:
    """The part of a day said right before a time ("Friday evening at 7")."""
    before = part_before().search(folded, max(0, match.start() - 32), match.start())
    return before["part"] if before else None


def _relative(match: re.Match[str], folded: str, hour: int) -> _Hit | None:
    """A time said by its distance from the hour ("ten to five"); None if the words mean something else."""
    groups = match.groupdict()
    relation = match["relation"].removeprefix("a ").removeprefix("an ")
    side = groups.get("side") or "past"
    offset = _offset(relation, side, folded[: match.start()])
    if offset is None:
        return None
    backwards = side not in {"past", "after"}
    total = (hour % 12 * 60 + (-offset if backwards else offset)) % (12 * 60)
    half = _half(match, folded)
    if backwards and hour == 12 and half in {"am", "pm"}:  # a quarter to 12 pm is in the morning
        half = "am" if half == "pm" else "pm"
    return _Hit(match.start(), match.end(), total // 60 or 12, total % 60, 0, half)


def _offset(relation: str, side: str, before: str) -> int | None:
    """Minutes past or to the hour; None if this is no time ("half to six", "from five to six")."""
    if relation == "half":
        return 30 if side == "past" else None
    if relation == "quarter":
        return 15
    if side not in {"past", "to"} or ("min" not in relation and before.endswith(("from ", "between "))):
        return None
    minutes = int(plain_value(relation.partition(" min")[0]) or 0)
    return minutes if 0 < minutes < 60 else None


def _borrow(folded: str, hits: list[_Hit]) -> list[_Hit]:
    """Gives the other end of a range the half of the day that its one end carries."""
    by_start = {hit.start: hit for hit in hits}
    for hit in hits:
        if hit.half not in {"am", "pm"}:
            continue
        before = bare_range_start().search(folded, max(0, hit.start - 24), hit.start)
        if before is not None and bool(before["and"]) <= bool(before["between"]):
            _settle(by_start, before, hit, sign=-1)
        after = bare_range_end().match(folded, hit.end)
        if after is not None:
            _settle(by_start, after, hit, sign=1)
    return sorted(by_start.values(), key=lambda hit: hit.start)


def _settle(by_start: dict[int, _Hit], match: re.Match[str], fixed: _Hit, sign: int) -> None:
    """Adds or completes the other end of a range, with the half of the day that makes the range short.

    `sign` is 1 if that other end is the later one, -1 if it is the earlier one.
    """
    start = match.start("hour")
    known = by_start.get(start)
    if known is not None and (known.half is not None or known.hour > 12):
        return
    end = match.end("minute") if match["minute"] else match.end("hour")
    plain = known or _Hit(start, end, int(match["hour"]), int(match["minute"] or 0))
    options = [replace(plain, half=half) for half in ("am", "pm")]
    by_start[start] = min(options, key=lambda it: sign * (it.minutes - fixed.minutes) % _DAY_MIN or _DAY_MIN)


@lru_cache(maxsize=1)
def patterns() -> tuple[Pattern, ...]:
    """All patterns, the most specific first."""
    lists = load("quantities")
    named = rf"(?P<named>{alternatives(lists['named_times'])})(?!\w)"
    half = r"(?P<half>[ap]\.m\.?|[ap]m)(?!\w)"
    part = rf" (?P<part>{alternatives(lists['day_parts'])})(?!\w)"
    later = (
        rf"(?= (?:on )?(?:an? |the )?{_WEEKDAY} (?P<day_part>{alternatives(lists['parts_of_a_day'])})(?!\w))"
    )
    suffix = rf"{_O_CLOCK}(?: ?{half}| ?{named}|{part}|{later})?"
    units = alternatives([*lists["duration"], *lists["distance"], "stars", "star"])
    not_more = r"(?!\w|[:.,]\d)"
    not_quantity = rf"(?! ?(?:%|/|(?:{units})(?!\w)))"
    words = _HOUR_WORDS
    hour = rf"(?P<hour>{words}|{_HOURS_12})"
    any_hour = rf"(?P<hour>{words}|{_HOURS_24})"
    digits = rf"(?P<hour>{_HOURS_24})"
    minute = r"(?P<minute>[0-5]\d)"
    return (
        Pattern(_compile(rf"{_RELATION}{hour}{suffix}(?!\w|[:.]\d)"), needs_end=True),
        Pattern(_compile(rf"{digits}:{minute}(?!{_HOURS_LABEL})(?::(?P<second>[0-5]\d))?{suffix}{not_more}")),
        Pattern(_compile(rf"{digits}:{minute}{_HOURS_LABEL}"), needs_cue=True),
        Pattern(_compile(rf"(?P<hour>{_HOURS_12})\.{minute}{suffix}(?!\w)"), needs_mark=True),
        Pattern(_compile(rf"{digits}\.{minute}{not_more}{not_quantity}"), needs_cue=True),
        Pattern(_compile(rf"{digits} ?h ?{minute}?(?!\w|:\d)"), needs_cue=True),
        Pattern(_compile(rf"(?:12 )?{named}")),
        Pattern(_compile(rf"(?P<hour>2[0-3]|[01]\d){minute}{_HOURS_LABEL}")),
        Pattern(_compile(rf"{hour}(?:[ -]{_MINUTE_WORDS})?{suffix}(?!\w)"), needs_mark=True),
        Pattern(_compile(rf"{any_hour}(?:[ -]{_MINUTE_WORDS})?(?!\w)"), needs_cue=True, needs_end=True),
        Pattern(_compile(rf"(?P<relation>half) (?P<hour>{words})(?!\w)"), needs_cue=True, needs_end=True),
    )


@lru_cache(maxsize=1)
def follow() -> re.Pattern[str]:
    """What may stand after a bare number that is a time of day ("at 9, ...", "by 6 on Monday")."""
    followers = alternatives(load("quantities")["clock"]["followers"])
    return re.compile(rf"\s*(?:$|[,;?!)\]\n-]|[.:](?!\d)|(?:{followers})(?!\w))")


@lru_cache(maxsize=1)
def cue_before() -> re.Pattern[str]:
    """Matches at the end of a text that closes with a word that announces a time of day."""
    cues = alternatives(load("quantities")["clock"]["cues"])
    vague = alternatives(word for word in load("quantities")["rules"]["approximators"] if word.isalpha())
    return re.compile(rf"(?<!\w)(?:{cues}) ?(?:(?:{vague}) )?$")


@lru_cache(maxsize=1)
def part_before() -> re.Pattern[str]:
    """Matches at the end of a text that closes with a part of a day and "at" ("on Friday evening at")."""
    parts = alternatives(load("quantities")["parts_of_a_day"])
    return re.compile(rf"(?:{_WEEKDAY}|this|tomorrow|in the) (?P<part>{parts}),? (?:at |around )?$")


@lru_cache(maxsize=1)
def bare_range_start() -> re.Pattern[str]:
    """The first end of a range whose second end carries the half of the day: "9 to", "between 8:30 and"."""
    first = rf"(?P<between>between )?{_START}(?P<hour>{_HOURS_12})(?:[:.](?P<minute>[0-5]\d))?"
    return re.compile(rf"{first}(?: ?(?:-|to|till|until) ?|(?P<and> and ))$")


@lru_cache(maxsize=1)
def bare_range_end() -> re.Pattern[str]:
    """The second end of a range whose first end carries the half of the day: "– 5", "to 5:30"."""
    second = rf"(?P<hour>{_HOURS_12})(?:[:.](?P<minute>[0-5]\d))?(?!\w|[:.,]\d)"
    return re.compile(rf" ?(?:-|to|till|until) ?{second}(?={follow().pattern})")


def _compile(body: str) -> re.Pattern[str]:
    return re.compile(_START + body)
