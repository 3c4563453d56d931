"""Checks of what is looked up: places, areas, lines by their names, facts of them, opening hours, words of a text."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from map_tools.clock import local_time
from map_tools.text import normalise
from map_tools.types import OPEN_NOW, Hours, LatLng, Place
from modules.query.values.moment import Moment
from modules.query.values.things import Items, Opening, Thing
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import measuring, searching, timing
from modules.query.verify.cited import Asked, Check, Cited, Fault, looked_up
from modules.query.verify.fields import hours_of, place_field


def look_up(role: str, words: str, given: Mapping[str, Any], cited: Cited, claimed: Any) -> Any:
    """A place, area or line by its name; a position is read from the words."""
    here = cited.situation
    if role == "area" and here.bounded and normalise(words) == normalise(here.map_name):
        return Thing(Place(id=searching.WHOLE_MAP, name=here.map_name), role="area")
    found = looked_up(words, role, given, cited, claimed)
    degrees = [part.strip().removeprefix("-") for part in words.split(",")]
    if (
        isinstance(found, Thing)
        and len(degrees) == 2
        and all(one.replace(".", "", 1).isdigit() for one in degrees)
    ):
        lat, lng = map(float, words.split(","))
        at = found.place.location
        if at is None or measuring.inverse(at, LatLng(lat=lat, lng=lng))[0] > 1.0:
            return Fault(f"the position {words}")
    return found


def _looked_up(role: str) -> Check:
    return lambda asked: look_up(role, asked["name"], asked.arguments, asked.cited, asked.claimed)


def _quote(asked: Asked) -> Any:
    """Words that stand in the text; what they are said of stands before them or in their line."""
    text = " ".join(asked.cited.situation.text.casefold().split())
    at = text.rfind(" ".join(asked["words"].casefold().split()))
    about = normalise(asked["about"] or "")
    said = at >= 0 and (not about or about in normalise(text[: at + 300]))
    if isinstance(asked.claimed, Unknown):
        lines = map(normalise, asked.cited.situation.text.splitlines())
        denied = not any(normalise(asked["words"]) in line and about in line for line in lines)
        return asked.claimed if denied else asked["words"]
    return asked["words"] if said else Fault("nothing: the text does not say so")


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


def _open_now(asked: Asked) -> Any:
    """As `_timed`; of a place that only tells whether it is open, that."""
    told = asked["of"].place.attributes.get(OPEN_NOW)
    if told in {"yes", "no"} and asked["at"] is None and asked["until"] is None:
        return told == "yes"
    return _timed("at", _is_open)(asked)


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
    "place": _looked_up("place"),
    "area": _looked_up("area"),
    "line": _looked_up("line"),
    "fact": lambda asked: place_field(asked["of"], asked["key"], asked.cited),
    "quote": _quote,
    "is_open": _open_now,
    "hours": _timed("day", _hours),
    "opens": _timed("after", _edge(timing.opening)),
    "closes": _timed("after", _edge(timing.closing)),
}
