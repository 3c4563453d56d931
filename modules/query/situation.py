"""Where, when and over what a program runs, as the run of a question tells it.

A question is answered from a map, a supplied text, or the text first and then the map.
"""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from map_tools.clock import local_zone
from map_tools.compute.geodesy import OCTANT_DEG
from map_tools.errors import NoRouteError, PlaceNotFoundError, ToolError, UnsupportedError
from map_tools.providers.base import Bounded, HasShapes, HasZone, Provider, Spot, TellsReach, Terms
from map_tools.spatial_db.port import DIRECTIONS, HALVES, HasEngine, SearchesFeatures
from map_tools.types import (
    Candidate,
    LatLng,
    Matrix,
    MatrixCell,
    NearbyPlace,
    Place,
    RankBy,
    Route,
    Shape,
    TravelMode,
)  # fmt: skip
from mapagent.core.ports import NameHints, Run
from mapagent.core.question import Question
from modules.context_reader.port import TextSource
from modules.query.interpreter.context import Situation
from modules.query.values.moment import ANY_MONDAY
from modules.query.values.things import Choice, Thing, point

if TYPE_CHECKING:
    from modules.context_reader.world import TextProvider


HERE_NAME = "your position"


def situation_of(run: Run, *, picture: Any = None) -> Situation:
    """The situation of a run."""
    question, provider = run.question, run.provider
    text = provider if isinstance(provider, TextSource) else None
    now, instant = local_now(run, text)
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
        halves=(capabilities is not None and capabilities.halves)
        or (engine is not None and engine.note.get(DIRECTIONS) == HALVES),
        picture=picture,
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


def local_now(run: Run, text: TextSource | None = None) -> tuple[datetime | None, datetime | None]:
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
    """This weekday (0 is Monday) of an ordinary week; the time of day is not known."""
    day: date = ANY_MONDAY + timedelta(days=weekday)
    return datetime.combine(day, time())


def sources_of(question: Question, provider: Provider | None) -> Provider | None:
    """The provider that a question's facts come from; None if it has neither a text nor a map."""
    if not question.context:
        return provider
    from modules.context_reader.world import TextProvider

    text = TextProvider(question.context)
    return text if provider is None else TextAndMap(text, provider)


class TextAndMap:
    """A supplied text, and a map for what the text does not tell.

    Args:
        text: Asked first.
        map_: Asked for what it does not know.
    """

    only = False

    def __init__(self, text: "TextProvider", map_: Provider) -> None:
        self._text = text
        self._map = map_
        self.name = map_.name
        self.map_name = map_.map_name
        self.terms: Terms = map_.terms
        self.weekday = text.weekday
        own, other = text.capabilities, map_.capabilities
        self.capabilities = other.model_copy(
            update={
                "modes": own.modes | other.modes,
                "facts": own.facts | other.facts,
                "cheap_names": other.cheap_names,
                "timetables": False,
            }
        )

    def here(self) -> Place | None:
        """Where the text says that the asker is."""
        return self._text.here()

    def modes_told(self) -> tuple[TravelMode, ...]:
        """The modes by which the text tells ways."""
        return self._text.modes_told()

    def expect(self, names: Sequence[str]) -> None:
        """Tells the text the names of a program."""

    def score(self, text: str) -> float:
        """How well the best place matches these words, 0 to 1."""
        others = self._map.score(text) if isinstance(self._map, NameHints) else 0.0
        return max(self._text.score(text), others)

    def exact(self, text: str) -> bool:
        """Whether a place has exactly this name."""
        return self._text.exact(text) or (isinstance(self._map, NameHints) and self._map.exact(text))

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """The places of the text that words mean, else those of the map."""
        return await self._text.find_place(text, near=near, limit=limit) or await self._map.find_place(
            text, near=near, limit=limit
        )

    async def place_details(self, place_id: str) -> Place:
        """Everything known of a place."""
        try:
            return await self._text.place_details(place_id)
        except PlaceNotFoundError:
            return await self._map.place_details(place_id)

    async def nearby(
        self,
        center: Spot,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE,
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        """What the text lists or tells of; else what the map has."""
        try:
            found = await self._text.nearby(
                center, radius_m=radius_m, categories=categories, keyword=keyword, rank=rank, limit=limit
            )
        except UnsupportedError:
            found = ()
        if found:
            return found
        return await self._map.nearby(
            center, radius_m=radius_m, categories=categories, keyword=keyword, rank=rank, limit=limit
        )

    async def inside(
        self, area_id: str, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """As the text lists what lies in an area, else as the map has it."""
        try:
            return await self._text.inside(area_id, categories=categories, keyword=keyword)
        except (UnsupportedError, PlaceNotFoundError):
            return await self._map.inside(area_id, categories=categories, keyword=keyword)

    async def directions(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False,
        depart_at: datetime | None = None,
    ) -> tuple[Route, ...]:
        """The ways that the text tells, else those of the map."""
        try:
            return await self._text.directions(
                origin, destination, mode=mode, waypoints=waypoints, alternatives=alternatives
            )
        except (NoRouteError, UnsupportedError):
            return await self._map.directions(
                origin,
                destination,
                mode=mode,
                waypoints=waypoints,
                alternatives=alternatives,
                depart_at=depart_at,
            )

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """The times that the text tells; cells that it leaves open from the map."""
        told = await self._told(origins, destinations, mode)
        if all(cell.duration_s is not None for row in told for cell in row):
            return Matrix(mode=mode, rows=told)
        try:
            mapped = (await self._map.matrix(origins, destinations, mode=mode)).rows
        except ToolError:
            if all(cell.duration_s is None for row in told for cell in row):
                raise
            return Matrix(mode=mode, rows=told)
        rows = tuple(
            tuple(
                own if own.duration_s is not None else other for own, other in zip(row, others, strict=True)
            )
            for row, others in zip(told, mapped, strict=True)
        )
        return Matrix(mode=mode, rows=rows)

    async def _told(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], mode: TravelMode
    ) -> tuple[tuple[MatrixCell, ...], ...]:
        try:
            return (await self._text.matrix(origins, destinations, mode=mode)).rows
        except UnsupportedError:
            open_ = MatrixCell(distance_m=None, duration_s=None)
            return tuple(tuple(open_ for _ in destinations) for _ in origins)

    async def shape(self, place_id: str) -> Shape | None:
        """The outline or course of a place, as the map has it."""
        return await self._map.shape(place_id) if isinstance(self._map, HasShapes) else None

    async def reach(self, origin: Spot, *, within_s: float, mode: TravelMode) -> Shape:
        """What can be reached within a time, as the map has it."""
        if not isinstance(self._map, TellsReach):
            raise UnsupportedError("The map does not tell what can be reached within a time.")
        return await self._map.reach(origin, within_s=within_s, mode=mode)

    async def close(self) -> None:
        """Nothing is held open beside the map, which its owner closes."""
