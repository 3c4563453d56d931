"""`recommend_places`: places for a wish with matters of taste."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from map_tools.facts import ComputedFact
from map_tools.tools.nearby import MAX_RADIUS_M
from map_tools.types import Frozen
from mapagent.core.answer import Answer
from mapagent.core.rendering import fact_text
from mapagent.interfaces.mcp.programs import answer, call, quoted
from mapagent.interfaces.mcp.replies import Outcome, Reply
from mapagent.interfaces.mcp.tools.answers import summary_of
from mapagent.interfaces.mcp.tools.base import PlaceBrief, notes_of, whole
from mapagent.interfaces.mcp.tools.route import Mode
from mapagent.interfaces.mcp.workbench import Workbench, sound

MAX_WISH_CHARS = 280
"""A text of a program may have little more."""


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

    async def __call__(self, arguments: RecommendPlacesArguments, bench: Workbench) -> Outcome:
        """The places of a `recommend(…)`."""
        found = sound(await bench.query(_program(arguments)))
        reply = RecommendPlacesReply(
            summary=summary_of(found),
            status=found.status.value,
            places=tuple(map(PlaceBrief.of, found.places)),
            explanation=_reasons(found),
            reason=found.reason,
            warnings=notes_of(found),
            attribution=found.attribution,
        )
        return Outcome(reply, whole(found))


def _program(asked: RecommendPlacesArguments) -> str:
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
