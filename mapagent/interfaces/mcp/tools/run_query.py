"""`run_query`: a program of the query language, for models that write it themselves."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from pydantic import Field

from map_tools.types import Frozen, LatLng
from mapagent.core.agent import PROGRAM
from mapagent.core.question import MAX_OPTIONS, Choice, Question
from mapagent.interfaces.mcp.replies import Outcome, Reply
from mapagent.interfaces.mcp.tools.answers import AnswerReply, answer_reply
from mapagent.interfaces.mcp.tools.ask_map import CHOICE
from mapagent.interfaces.mcp.tools.base import whole
from mapagent.interfaces.mcp.workbench import Workbench, sound

EXAMPLES = 6
"""Worked examples behind the operator card: they cost every conversation tokens."""
INTRODUCTION = (
    "Runs a small program over the map and gives its answer, verified: one call for what takes many of the "
    "other tools, such as conditions, nesting, counting, arithmetic on times and whole trips. A program that "
    "cannot be run comes back with its line, what is wrong and what to write instead.\n\n"
)


class RunQueryArguments(Frozen):
    """A program and what it is about."""

    program: str = Field(description="The program.", min_length=1)
    position: LatLng | None = Field(None, description="`here`: where the user is.")
    moment: datetime | None = Field(
        None, description="`now`, ISO 8601; without a zone it is local time there."
    )
    options: tuple[str, ...] = Field((), description="`options`, to choose from.", max_length=MAX_OPTIONS)
    text: str | None = Field(None, description="A text with the facts; the map is then not asked.")
    choice: Choice = Field((), description=CHOICE)


@dataclass(frozen=True, slots=True)
class RunQuery:
    """Runs a program.

    Attributes:
        card: The operator card with worked examples (`MapAgent.describe`): how programs are written.
    """

    card: str

    name: ClassVar[str] = "run_query"
    title: ClassVar[str] = "Run a map query"
    arguments: ClassVar[type[Frozen]] = RunQueryArguments
    result: ClassVar[type[Reply]] = AnswerReply
    open_world: ClassVar[bool] = True

    @property
    def description(self) -> str:
        """What it does, and the language."""
        return INTRODUCTION + self.card

    async def __call__(self, arguments: RunQueryArguments, bench: Workbench) -> Outcome:
        """The program's answer."""
        asked = arguments
        question = Question(
            text=PROGRAM,
            options=asked.options,
            context=asked.text,
            near=asked.position,
            at=asked.moment,
            choice=asked.choice,
        )
        answer = sound(await bench.query(asked.program, question))
        return Outcome(answer_reply(answer), whole(answer))
