"""The patterns of times of day in running text.

Each pattern has some of the groups `hour`, `minute`, `minute_words`, `second`, `relation`, `side`, `oclock`,
`half`, `named`, `part` and `day_part` that `map_tools.compute.clocks` reads. They are tried
in the order of `patterns()`; what one has matched is hidden from the next.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from map_tools.compute.vocabulary import alternatives, load

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
