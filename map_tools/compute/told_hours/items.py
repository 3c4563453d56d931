"""Joins tokens to what they say together: sets of days, seasons, spans of time, openings and closings."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from map_tools.compute.opening_spec import DAYS, expand_days
from map_tools.compute.told_hours.elements import Clock
from map_tools.compute.told_hours.tokens import Token, unknown_words

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LAST_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_JOINTS = frozenset({"and", "also", "comma", "slash"})
_NO_WORDS = frozenset({"fill", "at"})
_CUES = frozenset({"day", "groups", "open", "closed", "except", "months", "otherwise", "until"})
VALUES = frozenset({"span", "opens", "closes", "closed", "minus", "all_day", "unsure", "time", "parts"})
"""The items that say when a place is open."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that the text says.

    Attributes:
        kind: "days", "season", "span", "opens", "closes", "time", or the type of the token as it is.
        days: The selectors of days: "Mo", "PH", "Sa[1]".
        last: The days behind the last comma of a list, which may begin anew.
        season: The selector of a season: "Apr-Oct".
        clocks: Its times, None for an end that no clock tells.
        value: What else it says.
    """

    kind: str
    days: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    season: str = ""
    clocks: tuple[Clock | None, ...] = ()
    value: str = ""


def items_of(tokens: Sequence[Token]) -> list[Item]:
    """What the tokens say, in order."""
    return _Joiner(tokens).join()


@dataclass(slots=True)
class _Joiner:
    tokens: Sequence[Token]
    at: int = 0
    items: list[Item] = field(default_factory=list)
    cued: bool = False

    def join(self) -> list[Item]:
        self.cued = not unknown_words(self.tokens) or any(token.kind in _CUES for token in self.tokens)
        while self.at < len(self.tokens):
            for reader in (self._aside, self._season, self._days, self._times):
                if reader():
                    break
            else:
                self._other()
        return self.items

    def _kind(self, at: int) -> str:
        return self.tokens[at].kind if 0 <= at < len(self.tokens) else "end"

    def _skip(self, at: int, kinds: frozenset[str] = _NO_WORDS) -> int:
        while self._kind(at) in kinds:
            at += 1
        return at

    def _put(self, item: Item, at: int) -> bool:
        self.items.append(item)
        self.at = at
        return True

    def _aside(self) -> bool:
        """Passes over what is told of something else of the place."""
        if self._kind(self.at) != "asides":
            return False
        at = self.at + 1
        while self._kind(at) not in {"stop", "comma", "end", "open_bracket", "close_bracket"} and not (
            self._kind(at) == "closed" and self._kind(at + 1) == "time" and self._kind(at - 1) == "and"
        ):
            at += 1
        return self._put(Item("aside"), at)

    # -- days

    def _days(self) -> bool:
        first = self._day_set(self.at)
        if first is None:
            return False
        days, at = first
        last: tuple[str, ...] = ()
        while True:
            joint = at
            while self._kind(joint) in _JOINTS | _NO_WORDS:
                joint += 1
            between = {self._kind(index) for index in range(at, joint)}
            comma = "comma" in between
            following = self._day_set(joint)
            if following is None or {"comma", "at"} <= between:
                break
            more, at = following
            days += more
            last = more if comma else (*last, *more) if last else ()
        return self._put(Item("days", days=tuple(dict.fromkeys(days)), last=last), at)

    def _day_set(self, at: int) -> tuple[tuple[str, ...], int] | None:
        """A day, a range or a group of days that begins there, and where it ends."""
        token = self.tokens[at] if at < len(self.tokens) else None
        if token is None:
            return None
        if token.kind == "from" and self._kind(self._skip(at + 1)) == "day":
            return self._day_set(self._skip(at + 1))
        if token.kind == "groups":
            return expand_days(token.value), at + 1
        if token.kind == "dates":
            return None if token.value != "PH" else (("PH",), at + 1)
        if token.kind == "ordinal" and self._kind(at + 1) == "day":
            return self._ordinal_day(at)
        if token.kind != "day" or token.value not in DAYS:
            return None
        to = self._skip(at + 1, frozenset({"fill"}))
        last = self._skip(to + 1, frozenset({"fill", "from"}))
        if self._kind(to) in {"to", "until"} and self._kind(last) == "day":
            return expand_days(f"{token.value}-{self.tokens[last].value}"), last + 1
        return (token.value,), at + 1

    def _ordinal_day(self, at: int) -> tuple[tuple[str, ...], int] | None:
        """A day such as "the first Monday (of the month)"; of what else is not known from the words alone."""
        number, day = self.tokens[at].number or 0, self.tokens[at + 1].value
        end = self._skip(at + 2)
        month = self._kind(end) == "unsure" and self.tokens[end].value in {"month", "months"}
        if not -1 <= number <= 5 or self._kind(end) == "months":
            return None
        return (f"{day}[{number}]",), end + 1 if month else at + 2

    # -- seasons

    def _season(self) -> bool:
        first = self._date(self.at)
        if first is None:
            return False
        begin, end, at = first
        if begin == end == "PH":
            return False
        open_ended = self._kind(self.at - 1) == "from"
        selectors = []
        while True:
            to = self._skip(at, frozenset({"fill"}))
            second = self._date(self._skip(to + 1)) if self._kind(to) in {"to", "until"} else None
            if second is not None:
                selectors.append(_range(begin, second[1]))
                at, open_ended = second[2], False
            elif self._kind(to) in {"to", "until"} and self._kind(self._skip(to + 1)) == "vague_seasons":
                return self._put(Item("unsure", value="whole"), self._skip(to + 1) + 1)
            else:
                selectors.append(_range(begin, end))
            joint = at
            while self._kind(joint) in _JOINTS | _NO_WORDS:
                joint += 1
            following = self._date(joint, listed=begin == end in MONTHS)
            if following is None or following[0] == "PH":
                break
            begin, end, at = following
        if open_ended:
            return self._put(Item("unsure", value="whole"), at)
        dated = [selector for selector in selectors if any(char.isdigit() for char in selector)]
        return self._put(Item("season", season=",".join(selectors), value="dates" if dated else ""), at)

    def _date(self, at: int, *, listed: bool = False) -> tuple[str, str, int] | None:
        """A month or a day of one that begins there: its first day, its last day, where it ends.

        Behind a month without a day ("July and August 21") a number is a time.
        """
        token = self.tokens[at] if at < len(self.tokens) else None
        if token is None:
            return None
        if token.kind == "dates":
            return token.value, token.value, at + 1
        if token.kind == "season_edges" and self._kind(at + 1) == "months":
            return self._edge(at)
        if token.number is not None and token.kind in {"time", "ordinal", "number"}:
            month = self._skip(
                at + 1, frozenset({"fill", "stop"}) if self._kind(at + 2) == "months" else frozenset({"fill"})
            )
            if self._kind(month) == "months" and 0 < token.number <= 31:
                day = f"{self.tokens[month].value} {token.number:02d}"
                return day, day, month + 1
            return self._two_days(at)
        if token.kind != "months":
            return None
        number = self.tokens[at + 1].number if at + 1 < len(self.tokens) else None
        after = self._kind(at + 2)
        if number is not None and not listed and 0 < number <= 31 and self._is_day_number(at + 1, after):
            day = f"{token.value} {number:02d}"
            return day, day, at + 2
        return token.value, token.value, at + 1

    def _is_day_number(self, at: int, after: str) -> bool:
        if self.tokens[at].kind == "ordinal":
            return True
        if after in {"to", "until"}:
            return self._kind(at + 2) == "months"
        return after not in {"and", "parts"}

    def _two_days(self, at: int) -> tuple[str, str, int] | None:
        """Two dates of one month: "1 and 6 January", "3-14 Nov"."""
        first, second = self.tokens[at].number or 0, at + 2
        if self._kind(at + 1) not in {"and", "to"} or self._kind(second + 1) != "months":
            return None
        if self.tokens[second].number is None:
            return None
        month = self.tokens[second + 1].value
        if self._kind(at + 1) == "to":
            return (
                f"{month} {first:02d}",
                f"{month} {first:02d}-{month} {self.tokens[second].number:02d}",
                second + 2,
            )
        return (
            f"{month} {first:02d}",
            f"{month} {first:02d},{month} {self.tokens[second].number:02d}",
            second + 2,
        )

    def _edge(self, at: int) -> tuple[str, str, int]:
        month = self.tokens[at + 1].value
        day = 1 if self.tokens[at].value == "start" else _LAST_DAYS[MONTHS.index(month)]
        return f"{month} {day:02d}", f"{month} {day:02d}", at + 2

    # -- times

    def _times(self) -> bool:
        at = self.at
        kind = self._kind(at)
        if kind in {"from", "open", "between", "until", "closed", "shuts", "at", "to"}:
            return self._led("closed" if kind == "shuts" else kind)
        return kind == "time" and self._from_time(at, "time", cued=False)

    def _led(self, kind: str) -> bool:
        """A time behind "from", "opens at", "closes at", "until"."""
        start = self._skip(
            self.at + 1,
            frozenset({"fill", "at", "from", "only", "until"})
            if kind in {"open", "closed"}
            else _NO_WORDS | {"only"},
        )
        led_from = any(self._kind(index) == "from" for index in range(self.at, start))
        until = any(self._kind(index) == "until" for index in range(self.at, start))
        if self._kind(start) != "time" or (kind == "closed" and self._date(start) is not None):
            if kind == "until" and self._kind(start) in {
                "word",
                "vague_ends",
                "unsure",
                "vague_seasons",
                "closed",
                "shuts",
                "number",
            }:
                return self._put(Item("closes", clocks=(None,)), start + 1)
            return False
        if kind == "closed":
            return self._closed(start, led_from=led_from, until=until)
        if kind in {"until", "to"} or until:
            if kind == "to" and not (
                self.items and self.items[-1].kind in {"close_bracket", "open_bracket", "days", "season"}
            ):
                return False
            return self._put(Item("closes", clocks=(self.tokens[start].clock,)), start + 1)
        return self._from_time(
            start, "time" if kind == "at" else "opens", cued=True, between=kind == "between"
        )

    def _closed(self, start: int, *, led_from: bool, until: bool) -> bool:
        end = self._range_end(start, between=True)
        if end is not None:
            last, at = end
            return self._put(Item("minus", clocks=(self.tokens[start].clock, last)), at)
        if until:
            return self._put(Item("opens", clocks=(self.tokens[start].clock,)), start + 1)
        following = self._skip(start + 1)
        if led_from and self._kind(following) in {"to", "until"}:
            return self._put(Item("unsure", value="closed"), start + 1)
        return self._put(Item("closes", clocks=(self.tokens[start].clock,)), start + 1)

    def _range_end(self, start: int, *, between: bool) -> tuple[Clock | None, int] | None:
        """The end of a range whose first time stands there: its time (None: no clock tells it), where it ends."""
        to = self._skip(start + 1, frozenset({"fill", "only"}))
        if self._kind(to) not in {"to", "until"} and not (between and self._kind(to) == "and"):
            return None
        last = self._skip(to + 1, frozenset({"fill", "at", "until", "from"}))
        if self._kind(last) == "time":
            return self.tokens[last].clock, last + 1
        if self._kind(last) in {"vague_ends", "closed", "shuts"} or (
            self._kind(last) == "unsure" and self.tokens[last].value == "when"
        ):
            return None, last + 1
        if self._kind(to) == "until" or self.tokens[to].value in {"until", "bis"}:
            return (None, last + 1) if self._kind(last) not in {"day", "groups", "months"} else None
        return None

    def _from_time(self, at: int, kind: str, *, cued: bool, between: bool = False) -> bool:
        clock = self.tokens[at].clock
        end = self._range_end(at, between=between)
        if end is None and self._kind(at + 1) in {"to", "until"} and self._kind(at + 2) == "day":
            return self._put(Item("unsure", value="whole"), at + 3)
        if end is None:
            if kind == "time" and clock is not None and clock.bare and not cued and not self.cued:
                return self._put(Item("word"), at + 1)
            return self._put(Item(kind, clocks=(clock,)), at + 1)
        last, after = end
        if last is not None and not self._is_time_range(at, clock, last, after, cued=cued):
            letter = self._kind(at - 1) == "word" and len(self.tokens[at - 1].value) == 1
            return self._put(Item("unsure" if letter else "word", value="whole" if letter else ""), after)
        return self._put(Item("span", clocks=(clock, last)), after)

    def _is_time_range(self, at: int, clock: Clock | None, last: Clock, after: int, *, cued: bool) -> bool:
        """False for a range of bare numbers where nothing speaks of hours."""
        if clock is None or not (clock.bare and last.bare):
            return self.cued or self._kind(at - 1) != "word"
        if not self.cued:
            return False
        before = self._kind(at - 1)
        if before in {"word", "number"}:
            return False
        return (
            cued
            or before in {"day", "groups", "parts", "open"}
            or self._kind(after) not in {"word", "number"}
        )

    def _other(self) -> None:
        token = self.tokens[self.at]
        self.at += 1
        if token.kind in {"fill", "at", "from", "to", "between", "open", "number", "ordinal", "season_edges"}:
            self.items.append(Item("fill" if token.kind != "open" else "open"))
            return
        kind = {
            "vague_seasons": "unsure",
            "until": "fill",
            "shuts": "fill",
            "day": "word",
            "vague_ends": "word",
        }.get(token.kind, token.kind)
        self.items.append(Item(kind, value=token.value if token.kind != "vague_seasons" else "whole"))


def _range(begin: str, end: str) -> str:
    """The selector from one date or month to another."""
    if begin == end or "," in end or end.startswith(f"{begin}-"):
        return end
    dated = any(char.isdigit() for char in begin + end) or "easter" in begin + end
    if not dated:
        return f"{begin}-{end}"
    first = f"{begin} 01" if begin in MONTHS else begin
    last = f"{end} {_LAST_DAYS[MONTHS.index(end)]:02d}" if end in MONTHS else end
    whole = first.endswith(" 01") and last in {
        f"{m} {d:02d}" for m, d in zip(MONTHS, _LAST_DAYS, strict=True)
    }
    whole = whole or (first.endswith(" 01") and last == "Feb 28")
    if whole:
        return f"{first[:3]}-{last[:3]}" if first[:3] != last[:3] else first[:3]
    return f"{first}-{last}"
