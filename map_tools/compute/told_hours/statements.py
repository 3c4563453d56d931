"""Sorts what a text says into statements: of which days and which season, and when the place is open then."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from map_tools.compute.told_hours.elements import Clock, Statement
from map_tools.compute.told_hours.items import VALUES, Item

_PASSED = frozenset({"fill", "only", "open", "word", "also"})
_BREAKS = frozenset({"comma", "stop", "and", "slash", "but", "open_bracket", "close_bracket", "aside"})


def statements_of(items: Sequence[Item]) -> list[Statement]:
    """The statements of a text, in order."""
    return _Sorter(items).sort()


@dataclass(slots=True)
class _Sorter:
    items: Sequence[Item]
    done: list[Statement] = field(default_factory=list)
    season: str = ""
    excepting: bool = False
    at: int = 0
    half: str = ""
    """Which end of the hours the last time alone told."""
    vaguely: bool = False
    """Words that are not known stand between "except" and the days."""
    adding: bool = False
    """ "also" stands before the next hours."""
    stopped: bool = False
    """A sentence has ended since the last days or hours."""

    @property
    def current(self) -> Statement:
        return self.done[-1]

    def sort(self) -> list[Statement]:
        self.done.append(Statement())
        for at, item in enumerate(self.items):
            self.at = at
            self._take(item)
        for one in self.done:
            if one.part and one.days and not one.valued:  # "Sunday mornings only"
                one.part_closed, one.part = True, "pm" if one.part == "am" else "am"
        return [one for one in self.done if one.valued or one.dated or one.excepted or one.season]

    def _next(self) -> Item | None:
        """The next item that says something, if no break stands before it."""
        for item in self.items[self.at + 1 :]:
            if item.kind not in _PASSED:
                return None if item.kind in _BREAKS else item
        return None

    def _before(self) -> Item | None:
        """The item before, if no break stands between."""
        for item in reversed(self.items[max(0, self.at - 6) : self.at]):
            if item.kind not in _PASSED:
                return None if item.kind in _BREAKS else item
        return None

    def _new(self) -> Statement:
        self.done.append(Statement(season=self.season))
        return self.current

    def _take(self, item: Item) -> None:
        stopped = self.stopped
        if item.kind in VALUES - {"unsure"} or item.kind in {"days", "season"}:
            self.stopped = False
        if item.kind in {"except", "also"} or (item.kind == "word" and self.excepting):
            self._await(item.kind)
            return
        if item.kind == "season":
            self._take_season(item, stopped=stopped)
        elif item.kind == "parts":
            self._part(item, stopped=stopped)
        else:
            self._take_plain(item)
        if item.kind not in {"fill", "open", "only"}:
            self.excepting = self.vaguely = False

    def _await(self, kind: str) -> None:
        """Notes words that change what the next days or hours mean."""
        self.excepting = self.excepting or kind == "except"
        self.vaguely = self.vaguely or kind == "word"
        self.adding = self.adding or kind == "also"

    def _take_plain(self, item: Item) -> None:
        match item.kind:
            case "days":
                self._days(item)
            case "excepted":
                self._postponed_exception()
            case "otherwise":
                self._otherwise()
            case "span" | "all_day":
                self._span(item)
            case "opens" | "closes":
                self._half(item.kind, item.clocks[0])
            case "time":
                self._time(item)
            case "minus":
                self._target(fresh=self.current.closed).minus.append((item.clocks[0], item.clocks[1]))
            case _:
                self._take_state(item)

    def _take_state(self, item: Item) -> None:
        match item.kind:
            case "closed":
                self._closed()
            case "unsure":
                self._unsure(item)
            case "only":
                self.current.only = self.current.only or not self.current.valued or bool(self.current.days)
            case "stop":
                self.stopped = True

    def _days(self, item: Item) -> None:
        following = self._next()
        bound = following is not None and following.kind in VALUES
        but = self._led_by_but()
        if self.vaguely:
            self._new().days = item.days
            self.current.unsure = True
            return
        if self.excepting or (but and not bound):
            if not (self.current.valued and bound and following is not None and following.kind != "closed"):
                self.current.excepted += item.days
                return
            self._new().days = item.days
            return
        previous = self._before()
        tight = previous is not None and previous.kind in VALUES
        waiting = self.current.closed and not self.current.dated
        told = previous is not None and previous.kind in {"span", "opens", "closes", "all_day"}
        begins = following is not None and following.kind in {"span", "opens", "all_day"}
        if item.last and ((bound and told) or (begins and waiting) or (waiting and len(item.last) > 2)):
            rest = tuple(day for day in item.days if day not in item.last)
            if rest:
                self._attach(rest)
                self._new().days = item.last
                return
        opposed = following is not None and following.kind in {"closed", "unsure"}
        if self.current.unsure and not self.current.dated and previous is None:
            self._new().days = item.days
        elif self.current.valued and not self.current.dated and (not bound or (tight and not opposed)):
            self._attach(item.days)
        elif self.current.valued or self.current.others:
            self._new().days = item.days
        else:
            self._attach(item.days)

    def _led_by_but(self) -> bool:
        for item in reversed(self.items[: self.at]):
            if item.kind == "but":
                return True
            if item.kind not in {"fill", "open"}:
                return False
        return False

    def _attach(self, days: tuple[str, ...]) -> None:
        self.current.days = (*(self.current.days or ()), *days)

    def _postponed_exception(self) -> None:
        """Of "Wednesdays excepted": the days before it are none of those."""
        current = self.current
        if current.days is None:
            return
        days, current.days = current.days, None
        if current.valued:
            current.excepted += days
        elif len(self.done) > 1:
            self.done.pop()
            self.current.excepted += days
        else:
            current.excepted += days

    def _take_season(self, item: Item, *, stopped: bool) -> None:
        following = self._next()
        bound = following is not None and following.kind in VALUES | {"days"}
        if self.excepting or (self._led_by_but() and not bound and item.value == "dates"):
            if item.value == "dates":
                self.done.insert(max(0, len(self.done) - 1), Statement(season=item.season, closed=True))
            else:
                self.done.insert(
                    max(0, len(self.done) - 1),
                    Statement(
                        season=item.season, unsure=not self._dated_exception(), closed=self._dated_exception()
                    ),
                )
            return
        current = self.current
        if current.closed and current.dated and self._joined():
            self.done.append(Statement(season=item.season, closed=True))
            return
        if current.valued and not current.season and not bound and not stopped:
            current.season = item.season
            return
        if current.valued or current.season:
            self._new()
        self.season = self.current.season = item.season

    def _joined(self) -> bool:
        """True if "and" stands right before."""
        before = [
            item for item in self.items[max(0, self.at - 4) : self.at] if item.kind not in {"fill", "word"}
        ]
        return bool(before) and before[-1].kind == "and"

    def _dated_exception(self) -> bool:
        return not self.current.closed

    def _otherwise(self) -> None:
        following = self._next()
        bound = following is not None and following.kind in VALUES | {"days"}
        seasonal = any(one.season for one in self.done) and not any(one.dated for one in self.done)
        if self.current.valued and not self.current.dated and not bound and not self.current.season:
            self.current.others = not seasonal
            return
        self.season = "" if seasonal else self.season
        if self.current.valued or self.current.dated or self.current.season:
            self._new()
        self.current.season = self.season
        self.current.others = not seasonal

    def _target(self, *, fresh: bool) -> Statement:
        """The statement a value goes to: a new one if the current one has its value."""
        return self._new() if fresh else self.current

    def _span(self, item: Item) -> None:
        current = self.current
        if self._swallowed() or (
            item.kind == "all_day" and item.value.startswith("never") and any(one.spans for one in self.done)
        ):
            return
        more = bool(current.spans) and self._goes_on()
        target = self._target(fresh=current.valued and not more)
        if item.kind == "all_day":
            target.all_day = True
        else:
            target.spans.append((item.clocks[0], item.clocks[1]))
        target.also = target.also or self.adding
        self.adding = False
        self.half = ""

    def _swallowed(self) -> bool:
        """True if the hours are of days of which it is not understood what holds on them."""
        before = self._before()
        current = self.current
        return (
            current.unsure
            and current.dated
            and not current.spans
            and before is not None
            and before.kind in {"days", "unsure"}
        )

    def _goes_on(self) -> bool:
        """True if only joints stand between this span and the one before."""
        for item in reversed(self.items[: self.at]):
            if item.kind == "span":
                return True
            if item.kind not in {"fill", "comma", "and", "slash", "also", "parts", "open", "only", "word"}:
                return False
        return False

    def _half(self, kind: str, clock: Clock | None) -> None:
        if self._swallowed():
            return
        current = self.current
        if current.closed and current.days and self._before_is_days():
            current.closed, kind = False, "opens"  # "closed Fri till 14h"
        self.half = kind
        other = "closes" if kind == "opens" else "opens"
        if current.valued and (
            current.told != {other} or (kind == "opens" and current.dated and self._next_is_days())
        ):
            current = self._new()
        current.told.add(kind)
        self._set(current, kind, clock)
        if kind == "closes":
            for earlier in self.done[:-1]:
                if earlier.told == {"opens"} and (not current.dated or "opens" in current.told):
                    earlier.told.add("closes")
                    earlier.closes = clock

    @staticmethod
    def _set(statement: Statement, kind: str, clock: Clock | None) -> None:
        if kind == "opens":
            statement.opens = clock
        else:
            statement.closes = clock

    def _time(self, item: Item) -> None:
        """A time alone: the same end of the hours as the time before, or a beginning if an end follows."""
        clock = item.clocks[0]
        following = next((one for one in self.items[self.at + 1 :] if one.kind in VALUES), None)
        if self.half and ((self.current.days and not self.current.valued) or self._next_is_days()):
            self._half(self.half, clock)
        elif (
            not self.half
            and following is not None
            and following.kind == "closes"
            and "opens" not in self.current.told
        ):
            self._half("opens", clock)
        elif (self.current.days and not self.current.valued) or (self.current.spans and self._goes_on()):
            self.current.unsure = True

    def _before_is_days(self) -> bool:
        before = self._before()
        return before is not None and before.kind == "days"

    def _next_is_days(self) -> bool:
        following = self._next()
        return following is not None and following.kind == "days"

    def _closed(self) -> None:
        following = self._next()
        current = self.current
        ahead = following is not None and following.kind in {"days", "season", "otherwise"}
        previous = self._before()
        if (
            not ahead
            and current.excepted
            and (previous is None or previous.kind == "days")
            and current.valued
        ):
            return  # "except Monday, when it is shut"
        since = (one.kind for one in reversed(self.items[: self.at]))
        bracketed = "close_bracket" in takewhile(lambda kind: kind != "days", since)
        if not ahead and current.dated and not current.valued and not (bracketed and current.days):
            current.closed, current.part_closed = not current.part, bool(current.part)
        elif not ahead and current.season and not current.valued:
            current.closed = True
        elif current.valued or current.dated or current.excepted:
            self._new().closed = True
        else:
            current.closed = True

    def _unsure(self, item: Item) -> None:
        following = self._next()
        current = self.current
        if item.value == "whole":
            self.done.insert(0, Statement(unsure=True))
        elif current.days and not current.valued:
            current.unsure = True
        elif following is not None and following.kind == "days" and current.valued:
            self._new().unsure = True
        elif self.stopped and current.valued:
            if any(one.kind in {"except", "only", "closed"} for one in self.items[self.at - 3 : self.at]):
                self._new().unsure = True
        else:
            current.unsure = True

    def _part(self, item: Item, *, stopped: bool) -> None:
        following = self._next()
        current = self.current
        if stopped and current.valued:
            current = self._new()
        if current.closed:
            current.closed, current.part_closed, current.part = False, True, item.value
        elif following is not None and following.kind in {"span", "opens", "closes", "time", "days"}:
            if current.valued and following.kind != "days" and not current.spans:
                current = self._new()
            if current.spans and current.part != item.value:
                self.done.append(Statement(days=current.days, season=current.season, part=item.value))
                return
            current.part = item.value
        elif current.spans or current.told:
            if current.days and current.spans and self._before() is None:
                self._new().unsure = True
                return
            current.part = item.value
        else:
            current.part = item.value
