"""Checks of opening hours."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from map_tools.clock import local_time
from map_tools.types import Hours
from modules.query.values.moment import Moment
from modules.query.values.things import Items, Opening
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import timing
from modules.query.verify.cited import Asked, Check
from modules.query.verify.stated import hours_of


def _timed(name: str, judge: Callable[[Asked, Hours, Moment], Any]) -> Check:
    """A check of what holds at a moment (default now) in the local time of a place."""

    def check(asked: Asked) -> Any:
        here = asked.cited.situation
        moment = asked[name] or (None if here.now is None else Moment(here.now))
        if moment is None:
            return Unknown(Why.UNSUPPORTED, "The present time is not known.")
        hours = hours_of(asked["of"], asked.cited)
        if isinstance(hours, Unknown) or hours.spec is None:
            return Unknown(Why.NOT_STATED, "Its hours are not stated, or cannot be read.")
        zone = asked["of"].place.timezone
        if here.instant is not None and zone is not None and moment.at == here.now and name != "day":
            moment = Moment(local_time(here.instant, zone).replace(tzinfo=None))
        return judge(asked, hours, moment)

    return check


def _is_open(asked: Asked, hours: Hours, moment: Moment) -> Any:
    verdicts = [timing.is_open(hours, one, asked["until"]) for one in timing.on_days(moment)]
    if all(one == verdicts[0] for one in verdicts):
        return verdicts[0]
    lost = next((one for one in verdicts if isinstance(one, Unknown)), None)
    return verdicts.count(True) > len(verdicts) / 2 if lost is None else lost


def _hours(_: Asked, hours: Hours, moment: Moment) -> Any:
    spans = timing.on_day(hours, moment.at.date())
    if not spans and timing.unsaid(hours, moment.at.replace(hour=12)):
        return Unknown(Why.NOT_STATED, "Its hours do not say.")
    since = moment.at
    return Items(tuple(Opening(Moment(a, base=since), Moment(b, base=since)) for a, b in spans))


def _edge(find: Callable[[Hours, Moment], datetime | None]) -> Callable[[Asked, Hours, Moment], Any]:
    def judge(_: Asked, hours: Hours, moment: Moment) -> Any:
        found = [(find(hours, one), one) for one in timing.on_days(moment)]
        known = [Moment(at, base=one.at) for at, one in found if at is not None]
        if not known:
            return Unknown(Why.NONE, "It is closed then.")
        differ = len({one.at.time() for one in known}) > 1
        return Unknown(Why.NOT_STATED, "Its hours differ from day to day.") if differ else known[0]

    return judge


CHECKS: Mapping[str, Check] = {
    "is_open": _timed("at", _is_open),
    "hours": _timed("day", _hours),
    "opens": _timed("after", _edge(timing.opening)),
    "closes": _timed("after", _edge(timing.closing)),
}
