"""`recommend_places`: places for a wish with matters of taste."""

from collections.abc import Iterator
from datetime import datetime
from typing import ClassVar

from pydantic import Field

from map_tools.facts import NearbyFact, PlaceFact
from map_tools.types import Frozen, LatLng, NearbyPlace
from mapagent.answer import Answer, NameSet
from mapagent.faces.mcp.replies import Outcome, Reply
from mapagent.faces.mcp.tools.ask_map import sound, summary_of
from mapagent.faces.mcp.tools.base import PlaceBrief
from mapagent.faces.mcp.workbench import Workbench
from mapagent.plan import Plan, Step
from mapagent.question import Question

PLAN = Plan(
    steps=(
        Step(id="recommend", subgoal="Recommend places for the wish", module="recommender"),
        Step(
            id="answer",
            subgoal="Verify the recommendation against the evidence",
            module="answer_generator",
            depends_on=("recommend",),
        ),
    )
)


class RecommendPlacesArguments(Frozen):
    """A wish."""

    wish: str = Field(
        description="What is wanted, in words: the kind of place, what it should be like, and where (near a "
        'place, on the way from one to another, in a district): "a quiet cafe by the station, not a chain".',
        min_length=1,
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
    description: ClassVar[str] = (
        "Recommends a few places for a wish that weighs where a place lies against what it is like (cosy, "
        "romantic, quiet, by the water, not a chain, on the way), with the reasons and what was traded."
    )
    arguments: ClassVar[type[Frozen]] = RecommendPlacesArguments
    result: ClassVar[type[Reply]] = RecommendPlacesReply
    open_world: ClassVar[bool] = True

    async def __call__(self, arguments: RecommendPlacesArguments, bench: Workbench) -> Outcome:
        """The recommender's answer."""
        question = Question(text=arguments.wish, near=arguments.near, at=arguments.at)
        answer = sound(await bench.ask(question, PLAN))
        reply = RecommendPlacesReply(
            summary=summary_of(answer),
            status=answer.status.value,
            places=_places(answer),
            explanation=answer.explanation,
            reason=answer.reason,
            warnings=answer.warnings,
            attribution=answer.attribution,
        )
        return Outcome(reply, {"answer": answer.model_dump(mode="json", exclude_none=True)})


def _places(answer: Answer) -> tuple[PlaceBrief, ...]:
    """The named places as the evidence has them."""
    if not isinstance(answer.value, NameSet):
        return ()
    known = {item.place.name: item for item in _evident(answer)}
    found = (known.get(name) for name in answer.value.names)
    return tuple(PlaceBrief.of(item.place, item.distance_m) for item in found if item is not None)


def _evident(answer: Answer) -> Iterator[NearbyPlace]:
    for item in answer.evidence:
        if isinstance(item.value, PlaceFact):
            yield NearbyPlace(place=item.value.place, distance_m=None)
        if isinstance(item.value, NearbyFact):
            yield from item.value.items
