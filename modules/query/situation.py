"""Where, when and over what a program runs, as the run of a question tells it."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from map_tools.compute.geodesy import OCTANT_DEG
from map_tools.compute.zone import local_zone
from map_tools.providers.base import Bounded, HasZone
from map_tools.providers.features import SearchesFeatures
from map_tools.spatial_db.sources import DIRECTIONS, HALVES, HasEngine
from mapagent.core.ports import Run
from modules.context_reader.port import TextSource
from modules.query.interpreter.context import Situation
from modules.query.values.moment import ANY_MONDAY
from modules.query.values.things import Choice, Thing, point

HERE_NAME = "your position"


def situation_of(run: Run, *, picture: Any = None, bindings: Mapping[str, Any] | None = None) -> Situation:
    """The situation of a run."""
    question, provider = run.question, run.provider
    text = provider if isinstance(provider, TextSource) else None
    now, instant = _now(run, text)
    capabilities = provider.capabilities if provider is not None else None
    engine = provider.engine if isinstance(provider, HasEngine) else None
    return Situation(
        now=now,
        instant=instant,
        here=_here(run, text),
        options=tuple(Choice(index, option) for index, option in question.live_options()),
        text=question.context or "",
        facts=capabilities.facts if capabilities is not None else None,
        full=capabilities.full_candidates if capabilities is not None else True,
        timetables=capabilities is not None and capabilities.timetables,
        bounded=isinstance(provider, Bounded),
        map_name=provider.map_name or "" if provider is not None else "",
        database=isinstance(provider, SearchesFeatures),
        side_deg=OCTANT_DEG if engine is None else OCTANT_DEG / 2,
        halves=engine is not None and engine.note.get(DIRECTIONS) == HALVES,
        picture=picture,
        bindings=bindings or {},
    )


def _here(run: Run, text: TextSource | None) -> Thing | None:
    if run.question.near is not None:
        place = point(run.question.near, HERE_NAME).place
        return Thing(place.model_copy(update={"id": "here"}))
    told = text.here() if text is not None else None
    return None if told is None else Thing(told)


def zone_of(run: Run) -> str | None:
    """The IANA zone of the map, else of where the asker is; None where neither is known."""
    if isinstance(run.provider, HasZone):
        return run.provider.timezone
    if run.question.near is not None:
        return local_zone(run.question.near)
    return None


def _now(run: Run, text: TextSource | None) -> tuple[datetime | None, datetime | None]:
    """The present moment in the map's local time, and as an instant where the map has no one zone."""
    at = run.question.at
    if at is not None and at.tzinfo is None:
        return at, None
    if text is not None and text.only:
        if at is not None:
            return at.replace(tzinfo=None), None
        return (None, None) if text.weekday is None else (_on_weekday(text.weekday), None)
    instant, zone = at or run.clock.now(), zone_of(run)
    if zone is not None:
        return instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None), instant
    return instant.replace(tzinfo=None), instant


def _on_weekday(weekday: int) -> datetime:
    """Such a day of an ordinary week; the time of day is not known."""
    day: date = ANY_MONDAY + timedelta(days=weekday)
    return datetime.combine(day, time())
