"""Spans of opening from two times of day whose halves of the day may not be said: "9:30-5:30", "6pm-1", "11 to 11"."""

from dataclasses import dataclass, replace

from map_tools.compute.opening_spec import DAY_MIN

_NOON = DAY_MIN // 2
_EARLY = 5 * 60
"""A place that opens before, as the clock says with no half of the day, opens in the afternoon."""
_SURELY_MORNING = 8 * 60
_LATE_MORNING = 9 * 60
_SHORT = 5 * 60
"""A span shorter than this from an hour before eight may be one of the morning or of the evening."""
_NIGHT = 4 * 60
_LONGEST = 18 * 60


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day as told.

    Attributes:
        minutes: After midnight as the numbers say.
        half: "am", "pm", "night" or "" if nothing is said.
        fixed: It is told on the 24-hour clock.
        bare: An hour alone, with nothing that marks it as a time.
        vague: "about two", "threeish".
        sun: An event of the sun instead ("sunset"); `minutes` says about when, only to bring spans in order.
    """

    minutes: int
    half: str = ""
    fixed: bool = False
    bare: bool = False
    vague: bool = False
    sun: str = ""

    def readings(self) -> list[int]:
        """The minutes after midnight it may mean."""
        if self.fixed or self.sun or self.minutes > _NOON + 59:
            return [self.minutes]
        early = self.minutes % _NOON
        match self.half:
            case "am":
                return [early]
            case "pm":
                return [early + _NOON]
            case "night":
                return [early + _NOON] if early >= _EARLY else [early]
            case _:
                plain = self.minutes
                return [plain, early if plain >= _NOON else plain + _NOON]

    def leaning(self, half: str) -> "Clock":
        """It with a half of the day that the words beside it say, if it has none."""
        return (
            replace(self, half=half) if half and not self.half and not self.fixed and not self.sun else self
        )


def span_of(
    opens: Clock, closes: Clock, part: str, *, clock_24: bool, after: int | None
) -> tuple[int, int] | None:
    """From one time to another in minutes after midnight of the day, a closing past midnight over 1440.

    None if the words leave open what is meant.

    Args:
        opens: When it begins.
        closes: When it ends.
        part: The half of the day that words around it say.
        clock_24: Other times beside it are told on the 24-hour clock.
        after: When the span before it on the same day ends.
    """
    if opens.vague or closes.vague:
        return None
    if opens.minutes == DAY_MIN:
        opens = replace(opens, minutes=0)  # from midnight
    if part:
        return _in_part(opens, closes, part, after)
    firsts, lasts = opens.readings(), closes.readings()
    if len(firsts) == 1 or len(lasts) == 1:
        return _half_told(opens, closes, clock_24=clock_24, after=after)
    first, last = firsts[0], lasts[0]
    if clock_24 and first < last:
        return first, last
    bumped = after is not None and first < after
    if bumped or (after is None and first < _EARLY and not clock_24):
        first += _NOON
    if (
        after is None
        and not clock_24
        and _EARLY <= first < _SURELY_MORNING
        and 0 < last - first < _SHORT
        and last < _NOON
    ):
        return (first + _NOON, last + _NOON) if first < _EARLY + 60 else None
    while last <= first:
        last += _NOON
    return (first, last) if last - first <= (_SHORT + 30 if bumped else _LONGEST) else None


def _in_part(opens: Clock, closes: Clock, part: str, after: int | None) -> tuple[int, int] | None:
    """A span of which words around it say that it lies in a half of the day."""
    start = opens.leaning(part).readings()[0]
    if opens.minutes // 60 in {11, 12} and not opens.half and part == "pm":
        start = opens.minutes  # lunch from half past eleven
    if after is not None and start < after:
        return None
    return _closing(start, closes, 13 * 60)


def _half_told(opens: Clock, closes: Clock, *, clock_24: bool, after: int | None) -> tuple[int, int] | None:
    firsts, lasts = opens.readings(), closes.readings()
    if len(firsts) > 1 and (closes.fixed or closes.minutes > _NOON + 59) and not closes.half:
        firsts = firsts[:1]  # "9-20": both on the 24-hour clock
    if len(firsts) > 1 and closes.sun:
        firsts = firsts[:1]
    if len(firsts) > 1 and clock_24:
        firsts = firsts[:1]
    spans = [
        (first, last if last > first else last + DAY_MIN)
        for first in firsts
        if after is None or first >= after
        for last in lasts
    ]
    if len(lasts) > 1 and opens.sun:
        spans = [span for span in spans if span[1] <= DAY_MIN]
    if not spans:
        return None
    best = min(spans, key=lambda span: span[1] - span[0])
    told_am = opens.half == "am" or (opens.fixed and opens.minutes < _LATE_MORNING)
    if (
        len(lasts) > 1
        and told_am
        and not clock_24
        and closes.minutes < _NOON
        and 0 < closes.minutes - opens.minutes < _SHORT
    ):
        return None  # "7am-10": in the morning or at night
    if len(firsts) > 1 and len(lasts) == 1 and best[1] > DAY_MIN and best[1] - best[0] < _NIGHT:
        return None  # "11 to 2 at night": from eleven in the morning or at night
    return best


def _closing(start: int, closes: Clock, longest: int) -> tuple[int, int] | None:
    ends = [last if last > start else last + DAY_MIN for last in closes.readings()]
    end = min(ends)
    return (start, end) if end - start <= longest else None


def near(clock: Clock, known: int, *, over: int | None = None, under: int | None = None) -> int | None:
    """The minute a time means beside a known one of the same kind: "Fri till 4" where others close at 17:30.

    Args:
        clock: The time.
        known: When the place else opens or closes.
        over: It comes after this.
        under: It comes before this.
    """
    if clock.vague:
        return None
    readings = [minute + day for minute in clock.readings() for day in (0, DAY_MIN)]
    fit = [
        minute
        for minute in readings
        if (over is None or over < minute <= over + DAY_MIN) and (under is None or minute < under)
    ]
    return min(fit, key=lambda minute: (abs(minute - known), minute)) if fit else None
