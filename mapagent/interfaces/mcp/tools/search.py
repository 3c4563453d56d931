"""`find_nearby`: places of a kind, with conditions, around a place, inside an area or on a street.

`recommend_places`: places for a wish with matters of taste.
"""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from map_tools.errors import UsageError
from map_tools.facts import ComputedFact
from map_tools.tools.nearby import MAX_RADIUS_M
from map_tools.types import Frozen, Place
from mapagent.core.answer import Answer, Part, Quantity, YesNo
from mapagent.core.rendering import clean, fact_text
from mapagent.interfaces.mcp.replies import Outcome, Reply
from mapagent.interfaces.mcp.tools.answers import summary_of
from mapagent.interfaces.mcp.tools.base import PlaceBrief, answer, call, condition, notes_of, quoted, whole
from mapagent.interfaces.mcp.tools.travel import Mode
from mapagent.interfaces.mcp.workbench import Workbench, sound

NEARBY_RADIUS_M = 1_000
"""A walk of about a quarter of an hour: the paper's 20 km is too much for a reply that a model reads."""
MOST = 200
"""So many places may be asked for."""
NOT_STATED = 5
"""So many of those are named of which a condition is not stated."""
MAX_WISH_CHARS = 280
"""A text of a program may have little more."""


class FindNearbyArguments(Frozen):
    """What to look for, and where."""

    query: str = Field(
        description='A kind ("cafe", "italian restaurant"), a brand, a name, or a tag ("amenity=bench").',
        min_length=1,
    )
    near: str | None = Field(
        None, description='The place to search around: a name or address, "LAT,LON", or an id.', min_length=1
    )
    radius: Annotated[float, Field(gt=0, le=MAX_RADIUS_M)] | None = Field(
        None, description=f"Metres around `near`; {NEARBY_RADIUS_M} unless `inside` or `on` is given."
    )
    inside: str | None = Field(
        None,
        description="Only in this area: a district, a park. Of a district without an outline on the map a circle "
        "around its middle is taken, which the reply says.",
        min_length=1,
    )
    on: str | None = Field(None, description="Only along this street.", min_length=1)
    having: tuple[str, ...] = Field(
        (),
        max_length=8,
        description='Conditions: "wifi", "wheelchair", "cuisine=italian", "fee=no", "stars>=4", any key of '
        "OpenStreetMap. Places of which the map does not state it are counted, never taken for a no.",
    )
    open_at: str | None = Field(
        None, description='Open then: "now", "Sun 20:00", "2026-12-24 18:00", or a day.', min_length=1
    )
    limit: Annotated[int, Field(ge=1, le=MOST)] = Field(20, description="How many places at most.")


class FindNearbyReply(Reply):
    """Places, nearest first."""

    shortened: ClassVar[tuple[str, ...]] = ("not_stated", "places")

    anchor: PlaceBrief | None = Field(None, description="What `near` was found to be.")
    places: tuple[PlaceBrief, ...] = Field((), description="Nearest first, with distances in metres.")
    total: int = Field(0, description="How many there are, listed here or not.")
    complete: bool = Field(default=True, description="False if there may be more than `total`.")
    not_stated: tuple[PlaceBrief, ...] = Field((), description="The nearest of which it is not stated.")
    not_stated_total: int = Field(
        0, description="Of how many it is not stated whether they fulfil all conditions."
    )
    kind: str = Field("", exclude=True)

    def lines(self) -> Iterator[str]:
        """One place a line, then those of which it is not stated."""
        yield from (f"{number}. {one.line(self.kind)}" for number, one in enumerate(self.places, start=1))
        if self.not_stated:
            named = ", ".join(one.brief() for one in self.not_stated)
            more = self.not_stated_total - len(self.not_stated)
            yield f"Not stated of {named}{f' and {more} more' if more > 0 else ''}"


class FindNearby:
    """Lists places of a kind, nearest first."""

    name: ClassVar[str] = "find_nearby"
    title: ClassVar[str] = "Find places nearby"
    description: str = (
        "Lists places of a kind around a place, in a district or park, or on a street, nearest first, with "
        "straight-line distances and what the map knows of each; with conditions (properties, opening hours) "
        "if wanted. Says how many there are, and what lies nearest where there is none."
    )
    arguments: ClassVar[type[Frozen]] = FindNearbyArguments
    result: ClassVar[type[Reply]] = FindNearbyReply
    open_world: ClassVar[bool] = True
    drawn: ClassVar[bool] = True

    async def __call__(self, arguments: FindNearbyArguments, bench: Workbench) -> Outcome:
        """The places of a `places(…)`, measured from the anchor."""
        found = await bench.compute(*_search_program(arguments))
        parts = found.parts
        anchor = parts["anchor"].places[0] if parts.get("anchor") and parts["anchor"].places else None
        away = _metres(parts.get("away"))
        unstated = parts["unstated"]
        reply = FindNearbyReply(
            summary=_summary(arguments, found, anchor),
            anchor=PlaceBrief.of(anchor) if anchor else None,
            places=tuple(map(PlaceBrief.of, found.places[: arguments.limit], away)),
            total=len(found.places),
            complete=_is_complete(found),
            not_stated=tuple(map(PlaceBrief.of, unstated.places[:NOT_STATED], _metres(parts.get("off")))),
            not_stated_total=len(unstated.places),
            kind=_commonest(found.places),
            warnings=notes_of(found),
            attribution=found.attribution,
        )
        return Outcome(reply, whole(found), found)


def _search_program(asked: FindNearbyArguments) -> tuple[str, ...]:
    """The search as a program.

    Raises:
        UsageError: It says nowhere where to search.
    """
    if not (asked.near or asked.inside or asked.on):
        raise UsageError("Where? The search has no place.", "Give near, inside or on.")
    bounded = asked.radius is not None or not (asked.inside or asked.on)
    search = call(
        "places",
        quoted(asked.query),
        near="anchor" if asked.near else None,
        within=quoted(f"{asked.radius or NEARBY_RADIUS_M:g} m") if bounded and asked.near else None,
        inside=call("area", quoted(asked.inside)) if asked.inside else None,
        on=call("line", quoted(asked.on)) if asked.on else None,
        where=_where(asked),
    )
    parts = {"complete": "found.complete", "unstated": "found.unstated"}
    lines = [f"found = {search}"]
    if asked.near:
        lines.insert(0, f"anchor = {call('place', quoted(asked.near))}")
        away = "[distance(anchor, p) for p in {}[:{}]]"
        parts |= {
            "anchor": "anchor",
            "away": away.format("found", asked.limit),
            "off": away.format("found.unstated", NOT_STATED),
        }
    return (*lines, answer("found", parts))


def _where(asked: FindNearbyArguments) -> str | None:
    tests = [condition(text) for text in asked.having]
    if asked.open_at is not None:
        moment = "now" if asked.open_at.strip().lower() == "now" else quoted(asked.open_at)
        tests.append(call("is_open", "p", moment))
    return f"lambda p: {' and '.join(tests)}" if tests else None


def _metres(part: Part | None) -> list[float | None]:
    """The lengths of a list, None where one is not known; where there is no list, nothing but None."""
    if part is None:
        return [None] * MOST
    members = part.members or (part,)
    return [one.value.value if isinstance(one.value, Quantity) else None for one in members]


def _is_complete(found: Answer) -> bool:
    """Whether the source listed all there are."""
    value = found.parts["complete"].value
    return isinstance(value, YesNo) and value.value


def _commonest(places: tuple[Place, ...]) -> str:
    """The kind that most of a list have, which need not be said of each."""
    kinds = [place.categories[0].replace("_", " ") for place in places if place.categories]
    return max(kinds, key=kinds.count) if kinds else ""


def _summary(asked: FindNearbyArguments, found: Answer, anchor: Place | None) -> str:
    """How many there are, where, and of how many it is not stated."""
    bounds = _bounds(asked, anchor)
    tests = [*asked.having, *([f"open {asked.open_at}"] if asked.open_at else [])]
    wanted = f"{asked.query} ({', '.join(tests)})" if tests else asked.query
    unstated = len(found.parts["unstated"].places)
    if not found.places:
        around = found.text.partition(". ")[2]
        return f"No {wanted} {bounds}{' is known' if unstated else ''}. {around}".strip()
    shown, more = min(len(found.places), asked.limit), "" if _is_complete(found) else " or more"
    first = f", the first {shown}" if shown < len(found.places) else ""
    return f"{wanted}: {len(found.places)}{more} {bounds}{first}."


def _bounds(asked: FindNearbyArguments, anchor: Place | None) -> str:
    """Where was searched; places are called as they were found, not as they were asked for."""
    parts = []
    if anchor is not None:
        name = clean(anchor.name) or asked.near or ""
        radius = (
            None if asked.radius is None and (asked.inside or asked.on) else asked.radius or NEARBY_RADIUS_M
        )
        parts.append(f"by distance from {name}" if radius is None else f"within {radius:g} m of {name}")
    if asked.inside:
        parts.append(f"in {asked.inside}")
    if asked.on:
        parts.append(f"on {asked.on}")
    return " ".join(parts)


class RecommendPlacesArguments(Frozen):
    """A wish, and where. Places are names, addresses, "LAT,LON", or ids from other replies."""

    wish: str = Field(
        description="What is wanted, in words: the kind of place and what it should be like, not where: "
        '"a quiet cafe with a terrace, not a chain".',
        min_length=1,
        max_length=MAX_WISH_CHARS,
    )
    near: str | None = Field(None, description="Near this place.", min_length=1)
    inside: str | None = Field(None, description="Only in this area: a district, a park.", min_length=1)
    along: tuple[str, ...] = Field(
        (), max_length=2, description="Along this street, or on the way from the first place to the second."
    )
    mode: Mode = Field("walk", description="How one travels on that way.")
    radius: Annotated[float, Field(gt=0, le=MAX_RADIUS_M)] | None = Field(
        None, description="Metres from `near` or `along`; left out, the wish tells how far near reaches."
    )


class RecommendPlacesReply(Reply):
    """A few places, best first, with reasons."""

    shortened: ClassVar[tuple[str, ...]] = ("explanation", "places", "reason")

    status: str = Field(description="answered, or why there is no recommendation; see `reason`.")
    places: tuple[PlaceBrief, ...] = Field((), description="The best first.")
    explanation: str = Field("", description="The reasons for each, and what was traded for what.")
    reason: str = ""

    def lines(self) -> Iterator[str]:
        """The places, then the reasons."""
        yield from (f"{number}. {place.line()}" for number, place in enumerate(self.places, 1))
        if self.explanation:
            yield self.explanation


class RecommendPlaces:
    """Recommends places."""

    name: ClassVar[str] = "recommend_places"
    title: ClassVar[str] = "Recommend places"
    description: str = (
        "Recommends a few places for a wish that weighs where a place lies against what it is like (cosy, "
        "romantic, quiet, by the water, not a chain) near a place, in an area or along a way, with the reasons and "
        "what was traded."
    )
    arguments: ClassVar[type[Frozen]] = RecommendPlacesArguments
    result: ClassVar[type[Reply]] = RecommendPlacesReply
    open_world: ClassVar[bool] = True
    drawn: ClassVar[bool] = True

    async def __call__(self, arguments: RecommendPlacesArguments, bench: Workbench) -> Outcome:
        """The places of a `recommend(…)`."""
        found = sound(await bench.query(_wish_program(arguments)))
        reply = RecommendPlacesReply(
            summary=summary_of(found),
            status=found.status.value,
            places=tuple(map(PlaceBrief.of, found.places)),
            explanation=_reasons(found),
            reason=found.reason,
            warnings=notes_of(found),
            attribution=found.attribution,
        )
        return Outcome(reply, whole(found), found)


def _wish_program(asked: RecommendPlacesArguments) -> str:
    """The wish as a program."""
    along = None
    if len(asked.along) == 2:
        along = call("travel", *map(quoted, asked.along), quoted(asked.mode))
    elif asked.along:
        along = call("line", quoted(asked.along[0]))
    found = call(
        "recommend",
        quoted(asked.wish),
        near=quoted(asked.near) if asked.near else None,
        within=quoted(f"{asked.radius:g} m") if asked.radius is not None else None,
        inside=quoted(asked.inside) if asked.inside else None,
        along=along,
    )
    return answer(found, {})


def _reasons(found: Answer) -> str:
    """What the recommender computed of each place, as its evidence says."""
    return "; ".join(fact_text(item.value) for item in found.evidence if isinstance(item.value, ComputedFact))
