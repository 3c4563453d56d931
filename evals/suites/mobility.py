"""Route planning by tools, in the shape of MobilityBench: queries with context, gold tool calls, replayed replies.

A file of records is a JSON array or JSON lines. Files whose tools have names of their own bring a table
`tools.toml` beside them, which says what each of them is here:

    [driving_route]
    tool = "Route"
    fixed = { travel_mode = "driving" }
    names = { from = "origin", to = "destination" }

An answer is judged by five scores, each 0 to 1, and counts as right by its outcome alone:

- instruction: it says what is asked for (a duration, a place, ...), or refuses what has no answer;
- planning: the gold calls are made, and those that need others behind them;
- tool use: their tools and parameters are right (`evals.metrics.calls`);
- outcome: the value is right (`evals.suites.scoring.rules`);
- efficiency: calls, rounds and, where a model is asked, tokens against the gold.

Planning, tool use and efficiency are not counted where no call is needed.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from evals.metrics.calls import Call, Spellings, at_most, calls_of, compare
from evals.metrics.statistics import mean
from evals.ports import Item, OfferRule, Score, Task
from evals.suites.files import AskedText, file_of, read_typed
from evals.suites.scoring.rules import Right, holds
from map_tools.compute.clocks import find_clocks
from map_tools.compute.measures import find_distances, find_durations
from map_tools.errors import InputFileError
from map_tools.providers.base import Provider
from map_tools.tools import INNER_TOOLS, TOOLS
from map_tools.types import LatLng
from map_tools.validation import first_fault
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.llm.chat import text_tokens
from mapagent.runtime.config import Settings

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


WORLD_FILE = "world.json"
"""The recorded replies, beside the queries."""
SCORES = ("instruction", "planning", "tool_use", "outcome", "efficiency")


class Mobility:
    """Queries over the replies that were recorded when they were made."""

    name = "mobility"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """The queries of a file, or of a folder that `mapagent generate mobility` wrote."""
        return tuple(map(item_of, read_mobility(data)))

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """The recorded replies: `world`, else those beside the queries; None where there are none."""
        from map_tools.providers.recorded import RecordedProvider

        beside = (data if data.is_dir() else data.parent) / WORLD_FILE
        path = world or (beside if beside.exists() else None)
        return None if path is None else RecordedProvider.open(path)

    def score(self, item: Item, answer: Answer) -> Score:
        """Instruction and outcome, which the answer alone tells."""
        record = MobilityRecord.model_validate(item.gold)
        refused = answer.status is not Status.ANSWERED
        if refused or not item.answerable:
            right = answer.status in {Status.UNANSWERABLE, Status.AMBIGUOUS} and not item.answerable
            values = {"instruction": float(right), "outcome": float(right)}
            return Score(correct=right, refused=refused, values=values)
        said = said_in(answer)
        right = all(holds(one, said) for one in record.outcome)
        values = {"instruction": float(asked_for(said, record)), "outcome": float(right)}
        return Score(correct=right, values=values)

    def score_run(self, item: Item, answer: Answer, request_context: RequestContext) -> Score:
        """All five scores; the trace tells what was called (`evals.ports.ScoresRuns`)."""
        score = self.score(item, answer)
        record = MobilityRecord.model_validate(item.gold)
        gold = record.tool_calls
        if not gold:
            return score
        made = calls_of(request_context.trace.spans)
        compared = compare(made, gold, Spellings(record.places).same)
        further = {
            "planning": compared.planning,
            "tool_use": compared.tool_use,
            "efficiency": _efficiency(record, len(made), request_context),
        }
        return score.model_copy(update={"values": {**score.values, **further}})

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """The mean of each score, of all queries and by category."""
        groups: dict[str, list[Score]] = defaultdict(list)
        for item, score in judged:
            groups[item.category].append(score)
        return {
            "scores": mean_scores(score.values for _, score in judged),
            "scores_by_category": {
                name: mean_scores(score.values for score in group) for name, group in sorted(groups.items())
            },
        }


def mean_scores(values: Iterable[Mapping[str, float]]) -> dict[str, float | None]:
    """The mean of each score.

    A run that failed has no values, and counts as 0; what has no gold calls is judged by the answer alone.
    """
    told = [one or dict.fromkeys(SCORES, 0.0) for one in values]
    return {name: mean([one[name] for one in told if name in one]) for name in SCORES}


def _efficiency(record: MobilityRecord, made: int, request_context: RequestContext) -> float:
    """The mean over calls, rounds and tokens of gold against made.

    A method that counts no rounds of calls has one with each request to its model. The gold tokens are those of
    the query and the gold calls, which nobody can do without.
    """
    ledger = request_context.ledger
    shares = [
        at_most(len(record.tool_calls), made),
        at_most(max(call.round for call in record.tool_calls), ledger.rounds or ledger.llm_calls),
    ]
    tokens = ledger.prompt_tokens + ledger.completion_tokens
    if tokens:
        told = (record.query, *(call.model_dump_json() for call in record.tool_calls))
        shares.append(at_most(sum(map(text_tokens, told)), tokens))
    return sum(shares) / len(shares)
