"""`ask_map`: a question in words, answered and verified by the agent."""

from contextlib import nullcontext
from datetime import datetime
from typing import ClassVar

from pydantic import Field

from map_tools.types import Frozen, LatLng
from mapagent.core.conversation import turn_of, with_earlier
from mapagent.core.question import MAX_OPTIONS, Choice, Question
from mapagent.interfaces.mcp.pictures import DESCRIPTION as PICTURE
from mapagent.interfaces.mcp.replies import Outcome, Reply
from mapagent.interfaces.mcp.tools.answers import AnswerReply, answer_reply
from mapagent.interfaces.mcp.tools.base import whole
from mapagent.interfaces.mcp.workbench import Workbench, sound

CHOICE = "The number of the one that is meant of the `candidates` before."


class AskMapArguments(Frozen):
    """A question and what belongs to it."""

    question: str = Field(description="The question in plain words.", min_length=1)
    options: tuple[str, ...] = Field((), description="Answers to choose from.", max_length=MAX_OPTIONS)
    context: str | None = Field(
        None, description="A text with the facts; with it alone no map is asked, unless use_map is true."
    )
    use_map: bool | None = Field(None, description="Whether map tools may be used.")
    image: str | None = Field(None, description=PICTURE)
    near: LatLng | None = Field(None, description='Where the user is ("near me").')
    at: datetime | None = Field(
        None, description='The moment that "now" stands for, ISO 8601; without a zone it is local time there.'
    )
    choice: Choice = Field((), description=CHOICE)
    conversation: str | None = Field(
        None, description="That of an earlier reply, where the question refers to what was asked there."
    )


class AskMap:
    """Answers a question about a map."""

    name: ClassVar[str] = "ask_map"
    title: ClassVar[str] = "Ask the map"
    description: str = (
        "Answers a question about places, distances, directions, routes, opening hours, counts, trips and "
        "schedules on the map, with options to choose from if there are any, or about a map picture. Every "
        "number is computed and the answer verified against the evidence; what the map does not tell comes "
        'back as unanswerable, with the reason. The reply says what was understood ("I understood: ..."): if '
        "that is not what was asked, write the program yourself with run_query."
    )
    arguments: ClassVar[type[Frozen]] = AskMapArguments
    result: ClassVar[type[Reply]] = AnswerReply
    open_world: ClassVar[bool] = True

    async def __call__(self, arguments: AskMapArguments, bench: Workbench) -> Outcome:
        """The agent's answer."""
        asked = arguments
        said = bench.conversations.turns(asked.conversation)
        with bench.picture(asked.image) if asked.image else nullcontext() as image:
            question = Question(
                text=asked.question,
                options=asked.options,
                context=asked.context,
                image=image,
                near=asked.near,
                at=asked.at,
                choice=asked.choice,
            )
            answer = sound(await bench.ask(with_earlier(question, said), use_map=asked.use_map))
        conversation = bench.conversations.add(asked.conversation, turn_of(question, answer))
        reply = answer_reply(answer).model_copy(update={"conversation": conversation})
        return Outcome(reply, whole(answer))
