"""Records of the suite `mobility`, and what of an answer is asked for and right.

A file of records is a JSON array or JSON lines. Files whose tools have names of their own bring a table
`tools.toml` beside them, which says what each of them is here:

    [driving_route]
    tool = "Route"
    fixed = { travel_mode = "driving" }
    names = { from = "origin", to = "destination" }
"""

import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from evals.metrics.calls import Call
from evals.ports import Item, Task
from evals.suites.files import AskedText, file_of, read_typed
from evals.suites.scoring.rules import Right, holds
from map_tools.compute.clocks import find_clocks
from map_tools.compute.measures import find_distances, find_durations
from map_tools.errors import InputFileError
from map_tools.tools import INNER_TOOLS, TOOLS
from map_tools.types import LatLng
from map_tools.validation import first_fault
from mapagent.core.answer import Answer
from mapagent.core.question import Question

FILE_NAMES = ("dataset.json", "dataset.jsonl")
TOOLS_FILE = "tools.toml"
UNANSWERABLE = "unanswerable"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Context(_Strict):
    """What is known of the asker.

    Attributes:
        position: Where he stands.
        moment: When he asks, as the clocks of the place show it.
        preferences: What he wants of every way, in sentences.
    """

    position: LatLng | None = None
    moment: datetime | None = None
    preferences: tuple[str, ...] = ()


class MobilityRecord(_Strict):
    """One query.

    Attributes:
        category: The class it is counted under; `UNANSWERABLE` if nothing is the right answer.
        tool_calls: The gold calls; none where there is no answer.
        outcome: What the answer has to say, all of it.
        choices: Of an outcome that is a name: the names that an answer of this kind could say.
        places: Other ways to write the places of the calls (id, position), by name.
    """

    id: Annotated[str, Field(min_length=1)]
    category: Annotated[str, Field(min_length=1)]
    query: AskedText
    context: Context = Context()
    tool_calls: tuple[Call, ...] = ()
    outcome: tuple[Right, ...] = ()
    choices: tuple[str, ...] = ()
    places: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _answered(self) -> "MobilityRecord":
        if (self.category == UNANSWERABLE) != (not self.outcome):
            raise ValueError(f"`outcome` is empty if, and only if, the category is {UNANSWERABLE}")
        if self.outcome and not self.tool_calls:
            raise ValueError("a query with an outcome has gold calls")
        return self


class _Foreign(_Strict):
    """What a tool of another set is here: the tool, the parameters it implies, and its names for the others."""

    tool: str
    fixed: Mapping[str, Any] = Field(default_factory=dict)
    names: Mapping[str, str] = Field(default_factory=dict)

    def call(self, foreign: Call) -> Call:
        """The call in our words."""
        told = {self.names.get(name, name): value for name, value in foreign.parameters.items()}
        return foreign.model_copy(update={"tool": self.tool, "parameters": {**told, **self.fixed}})


def read_mobility(data: Path) -> tuple[MobilityRecord, ...]:
    """The records of a file, or of the file in a folder, their calls in our words.

    Raises:
        InputFileError: A record is malformed, repeats an id or names a tool that is unknown, or the table of
            tools cannot be read; the message names the line.
    """
    path = file_of(data, FILE_NAMES)
    table = _table(path.with_name(TOOLS_FILE))
    known = {*table, *TOOLS, *INNER_TOOLS}

    def flaw(record: MobilityRecord) -> str:
        strange = [call.tool for call in record.tool_calls if call.tool not in known]
        return f"there is no tool '{strange[0]}', here or in {TOOLS_FILE}" if strange else ""

    return tuple(_ours(record, table) for record in read_typed(path, MobilityRecord, (), flaw=flaw))


def _ours(record: MobilityRecord, table: Mapping[str, _Foreign]) -> MobilityRecord:
    calls = (table[call.tool].call(call) if call.tool in table else call for call in record.tool_calls)
    return record.model_copy(update={"tool_calls": tuple(calls)})


def _table(path: Path) -> Mapping[str, _Foreign]:
    if not path.exists():
        return {}
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        table = TypeAdapter(dict[str, _Foreign]).validate_python(data)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputFileError(f"{path} cannot be read: {error}.", "Correct it.") from error
    except ValidationError as error:
        fault = first_fault(error)
        raise InputFileError(f"{path}: {fault.where}: {fault.reason}.", "Correct it.") from error
    strange = next((name for name, one in table.items() if one.tool not in {*TOOLS, *INNER_TOOLS}), None)
    if strange is not None:
        raise InputFileError(
            f"{path}: {strange} stands for '{table[strange].tool}', which is no tool.",
            f"Known: {', '.join(TOOLS)}.",
        )
    return table


def item_of(record: MobilityRecord) -> Item:
    """The record as a question; preferences are said in front of it."""
    context = record.context
    text = " ".join((*context.preferences, record.query))
    return Item(
        id=record.id,
        category=record.category,
        task=Task(question=Question(text=text, near=context.position, at=context.moment)),
        gold=record.model_dump(mode="json", exclude_none=True),
        answerable=bool(record.outcome),
        group=record.id,
    )


def said_in(answer: Answer) -> str:
    """All that an answer says, one part after the other."""
    return "; ".join((answer.text, *(part.text for part in answer.parts.values())))


def asked_for(said: str, record: MobilityRecord) -> bool:
    """Whether an answer says what the query asks for, right or wrong: a duration, a length, a time, a name."""
    return all(_of_kind(one, said, record.choices) for one in record.outcome)


def _of_kind(right: Right, said: str, choices: Sequence[str]) -> bool:
    if right.minutes is not None:
        return bool(find_durations(said))
    if right.metres is not None:
        return bool(find_distances(said))
    if right.clock is not None:
        return bool(find_clocks(said))
    if right.names or right.one_of:
        return holds(Right(one_of=(*choices, *right.names, *right.one_of)), said)
    return holds(right, said)
