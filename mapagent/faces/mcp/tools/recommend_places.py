"""`recommend_places`: places for a wish with matters of taste."""

from collections.abc import Iterator
from datetime import datetime
from typing import ClassVar

from pydantic import Field

from map_tools.facts import ComputedFact
from map_tools.types import Frozen, LatLng
from mapagent.agent import PROGRAM
from mapagent.answer import Answer
from mapagent.faces.mcp.programs import answer, call, quoted
from mapagent.faces.mcp.replies import Outcome, Reply
from mapagent.faces.mcp.tools.answers import summary_of
from mapagent.faces.mcp.tools.base import PlaceBrief, whole
from mapagent.faces.mcp.workbench import Workbench, sound
from mapagent.facttext import fact_text
from mapagent.question import Question

MAX_WISH_CHARS = 280
"""A text of a program may have little more."""


class RecommendPlacesArguments(Frozen):
    """A wish."""

    wish: str = Field(
        description="What is wanted, in words: the kind of place, what it should be like, and where (near a "
        'place, on the way from one to another, in a district): "a quiet cafe by the station, not a chain".',
        min_length=1,
        max_length=MAX_WISH_CHARS,
    )
    near: LatLng | None = Field(None, description='Where the user is ("near me").')
    at: datetime | None = Field(None, description='The moment that "now" stands for, ISO 8601.')


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
        "romantic, quiet, by the water, not a chain, on the way), with the reasons and what was traded."
    )
    arguments: ClassVar[type[Frozen]] = RecommendPlacesArguments
    result: ClassVar[type[Reply]] = RecommendPlacesReply
    open_world: ClassVar[bool] = True

    async def __call__(self, arguments: RecommendPlacesArguments, bench: Workbench) -> Outcome:
        """The places of a `recommend(…)`."""
        question = Question(text=PROGRAM, near=arguments.near, at=arguments.at)
        program = answer(call("recommend", quoted(arguments.wish)), {})
        found = sound(await bench.query(program, question))
        reply = RecommendPlacesReply(
            summary=summary_of(found),
            status=found.status.value,
            places=tuple(map(PlaceBrief.of, found.places)),
            explanation=_reasons(found),
            reason=found.reason,
            warnings=found.warnings,
            attribution=found.attribution,
        )
        return Outcome(reply, whole(found))


def _reasons(found: Answer) -> str:
    """What the recommender computed of each place, as its evidence says."""
    return "; ".join(fact_text(item.value) for item in found.evidence if isinstance(item.value, ComputedFact))
