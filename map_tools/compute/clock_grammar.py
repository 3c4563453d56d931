"""The patterns of times of day in running text.

Each pattern has the groups `hour`, `minute`, ... that `map_tools.compute.clocks` reads. They are tried in the
order of `patterns()`; what one has matched is hidden from the next.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from map_tools.compute.vocabulary import alternatives, load

HOUR_WORDS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)

_START = r"(?<!\w)(?<!\d[.,:/])(?<![$€£.])"
_HALF = r"(?P<half>[ap]\.m\.?|[ap]m)(?!\w)"
_HOURS_12 = r"1[0-2]|0?[1-9]"
_HOURS_24 = r"2[0-4]|1\d|0?\d"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to write a time of day.

    Attributes:
        regex: Over folded text.
        needs_cue: Only a time if a word such as "at" or "by" stands before.
    """

    regex: re.Pattern[str]
    needs_cue: bool = False


@lru_cache(maxsize=1)
def patterns() -> tuple[Pattern, ...]:
    """All patterns, the most specific first."""
    lists = load("quantities")
    words = "|".join(HOUR_WORDS)
    parts = alternatives(lists["day_parts"])
    named = alternatives(lists["named_times"])
    suffix = rf"(?: ?{_HALF}| ?(?P<named>{named})(?!\w)| (?P<part>{parts})(?!\w))"
    o_clock = r" ?o'? ?clock"
    tens = r"(?:twenty|thirty|forty|fifty)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
    minute_words = rf"(?:o'? ?(?:one|two|three|four|five|six|seven|eight|nine)|ten|fifteen|{tens})"
    end = follow_pattern()
    hour = rf"(?P<hour>{words}|{_HOURS_12})"
    digital_tail = rf"(?::(?P<second>[0-5]\d))?(?:{o_clock})?{suffix}?(?![\w:]|[.,]\d)"
    quantity = (
        rf"(?! ?(?:%|/|{alternatives([*lists['duration'], *lists['distance'], 'stars', 'star'])})(?!\w))"
    )
    compiled = (
        (
            rf"{_START}(?P<relation>half|(?:an? )?quarter|(?:five|ten|twenty|twenty[ -]five)|"
            rf"(?:\d{{1,2}}|five|ten|fifteen|twenty|twenty[ -]five) min(?:ute)?s?) (?P<side>past|after|to|till|til|before|of) "
            rf"{hour}(?:{o_clock}{suffix}?|{suffix}|{end})",
            False,
        ),
        (
            rf"{_START}(?P<hour>{_HOURS_24}):(?P<minute>[0-5]\d)(?! ?h(?:(?:ou)?rs?)?(?!\w)){digital_tail}",
            False,
        ),
        (rf"{_START}(?P<hour>{_HOURS_24}):(?P<minute>[0-5]\d) ?h(?:(?:ou)?rs?)?(?!\w)", True),
        (rf"{_START}(?P<hour>{_HOURS_12})\.(?P<minute>[0-5]\d)(?:{o_clock})?{suffix}", False),
        (rf"{_START}(?P<hour>{_HOURS_24})\.(?P<minute>[0-5]\d)(?![\w:]|[.,]\d){quantity}", True),
        (rf"{_START}(?P<hour>{_HOURS_24}) ?h ?(?P<minute>[0-5]\d)?(?![\w:])", True),
        (rf"(?<!\w)(?:12 )?(?P<named>{named})(?!\w)", False),
        (rf"{_START}(?P<hour>2[0-3]|[01]\d)(?P<minute>[0-5]\d) ?h(?:(?:ou)?rs)?(?!\w)", False),
        (rf"{_START}{hour}(?:[ -](?P<minute_words>{minute_words}))?(?:{o_clock}{suffix}?|{suffix})", False),
        (rf"{_START}(?P<hour>{words}|{_HOURS_24})(?:[ -](?P<minute_words>{minute_words}))?{end}", True),
        (rf"{_START}(?P<relation>half) (?P<hour>{words}){end}", True),
    )
    return tuple(Pattern(re.compile(regex), needs_cue) for regex, needs_cue in compiled)


@lru_cache(maxsize=1)
def follow_pattern() -> str:
    """A look-ahead: what may stand after a bare number that is a time of day."""
    followers = alternatives(load("quantities")["clock"]["followers"])
    return rf"(?=\s*(?:$|[,;?!)\]\n-]|[.:](?!\d)|(?:{followers})(?!\w)))"


@lru_cache(maxsize=1)
def cue_before() -> re.Pattern[str]:
    """Matches at the end of a text that closes with a word that announces a time of day."""
    cues = alternatives(load("quantities")["clock"]["cues"])
    vague = alternatives(word for word in load("quantities")["rules"]["approximators"] if word.isalpha())
    return re.compile(rf"(?<!\w)(?:{cues}) ?(?:(?:{vague}) )?$")


@lru_cache(maxsize=1)
def bare_range_start() -> re.Pattern[str]:
    """The first end of a range whose second end carries the half of the day: "9 to", "between 8:30 and"."""
    return re.compile(
        rf"(?P<between>between )?{_START}(?P<hour>{_HOURS_12})(?:[:.](?P<minute>[0-5]\d))?(?: ?(?:-|to|till|until) ?|(?P<and> and ))$"
    )


@lru_cache(maxsize=1)
def bare_range_end() -> re.Pattern[str]:
    """The second end of a range whose first end carries the half of the day: "– 5", "to 5:30"."""
    return re.compile(
        rf" ?(?:-|to|till|until) ?(?P<hour>{_HOURS_12})(?:[:.](?P<minute>[0-5]\d))?{follow_pattern()}"
    )
