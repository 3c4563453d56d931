"""The method `geo-react`: a language model thinks a question through with the concept tools (Geo-ReAct).

What can be set of its loop is `[modules.spatial_database]` of a configuration file.

Variants leave tools out, each with all before it, as in the paper's table 5: `geo-react:no-parse-question`,
`no-calculate-metric`, `no-get-region-geometry`, `no-get-poi-filter`, `no-resolve-location`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from evals.methods.database import database_of
from evals.methods.geo_react.answer import Judged, judge
from evals.methods.geo_react.loop import MAX_STEPS, End, Outcome, ReActLoop
from evals.methods.geo_react.metric import Workshop, loop_toolkit
from evals.ports import EvalContext, Task
from map_tools.errors import UnknownNameError, UsageError
from map_tools.knowledge import WIKIPEDIA, MediaWiki, MediaWikiSetting
from map_tools.spatial_db.describe import describe
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.spatial_db.memory.opening import engine_of
from map_tools.spatial_db.port import CACHE_FOLDER
from map_tools.types import Frozen
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import RequestContext
from mapagent.runtime.config import Settings, read_section
from mapagent.runtime.opening import SERVICES_FOLDER
from modules.spatial_database.database import MODULE, SqlSetting

ToolName = Literal[
    "ParseQuestion",
    "ResolveLocation",
    "GetRegionGeometry",
    "GetPOIFilter",
    "CalculateMetric",
    "GenerateSQL",
    "RefineSQL",
    "InspectSchema",
]


class KnowledgeSetting(Frozen):
    """The encyclopedia; `api_url` is the address of a wiki's api.php."""

    api_url: str = Field(default=WIKIPEDIA, pattern="^https?://")


class LoopSetting(Frozen):
    """What can be set.

    Attributes:
        max_steps: K of the loop.
        without: Tools that are taken away, for ablations.
        sql: How queries are run.
        knowledge: The encyclopedia for facts that no map has; None: there is none.
    """

    max_steps: Annotated[int, Field(ge=1, le=50)] = MAX_STEPS
    without: tuple[ToolName, ...] = ()
    sql: SqlSetting = SqlSetting()
    knowledge: KnowledgeSetting | None = None

    @classmethod
    def of(cls, settings: Settings) -> "LoopSetting":
        """What the settings say.

        Raises:
            ConfigError: A value is unknown or wrong.
        """
        return read_section(cls, settings, MODULE, see="docs/geo-react.md")


PARSER: ToolName = "ParseQuestion"
NO_SUPPORT = "The model's answer is not supported by what the tools observed."
REMOVED: dict[str, ToolName] = {
    "no-parse-question": PARSER,
    "no-calculate-metric": "CalculateMetric",
    "no-get-region-geometry": "GetRegionGeometry",
    "no-get-poi-filter": "GetPOIFilter",
    "no-resolve-location": "ResolveLocation",
}
"""Variants in the order of table 5: each goes without its tool and those before it."""


@dataclass(frozen=True, slots=True)
class Solved:
    """What a question came to.

    Attributes:
        status: As in `Answer`.
        reason: Why there is no answer.
        judged: The typed value with its support.
        outcome: The loop's calls and last words.
    """

    status: Status
    reason: str
    judged: Judged
    outcome: Outcome

    def answer(self) -> Answer:
        """The answer in the kernel's terms."""
        return Answer(
            status=self.status,
            text=self.outcome.answer if self.status is Status.ANSWERED else "",
            value=self.judged.value,
            reason=self.reason,
            explanation="; ".join(seen.move.tool for seen in self.outcome.seen),
        )


class GeoReact:
    """Asks the loop; engine and description of the tables are made once for a map.

    Args:
        without: Tools that are left out beside those that the settings leave out.
        name: The method's name with its variant.
    """

    uses_database = True

    def __init__(self, without: Sequence[ToolName] = (), name: str = "geo-react") -> None:
        self.name = name
        self._without = frozenset(without)
        self._engine: MemoryEngine | None = None
        self._described: str | None = None
        self._knowledge: MediaWiki | None = None

    def variant(self, variant: str) -> "GeoReact":
        """The loop without a tool and all before it in table 5.

        Raises:
            UnknownNameError: There is no such variant.
        """
        order = list(REMOVED)
        if variant not in order:
            raise UnknownNameError(
                f"The method 'geo-react' has no variant '{variant}'.", f"Known: {', '.join(order)}."
            )
        removed = [REMOVED[name] for name in order[: order.index(variant) + 1]]
        return GeoReact(removed, f"geo-react:{variant}")

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """Answers one task.

        Raises:
            UsageError: There is no database, no map or no model.
            ModelError: The server cannot be reached or refuses.
        """
        database = database_of(self.name, context)
        if context.provider is None or context.model is None:
            raise UsageError(f"The method '{self.name}' needs a map and a language model.", "Name both.")
        setting = LoopSetting.of(context.settings)
        if self._engine is None:
            self._engine = engine_of(context.provider, context.settings.data_home / CACHE_FOLDER)
        if self._described is None:
            self._described = await describe(database)
        loop = ReActLoop(
            context.model,
            loop_toolkit(
                Workshop(self._engine, database, setting.sql, self._encyclopedia(setting, context)),
                context.model,
                request_context,
                prompts=context.settings.prompts,
                without=self._without.union(setting.without),
            ),
            request_context,
            described=self._described,
            prompts=context.settings.prompts,
            max_steps=setting.max_steps,
        )
        solved = await solve(loop, task.question.text)
        return solved.answer()

    async def close(self) -> None:
        """Closes the encyclopedia."""
        if self._knowledge is not None:
            await self._knowledge.close()
            self._knowledge = None

    def _encyclopedia(self, setting: LoopSetting, context: EvalContext) -> MediaWiki | None:
        if setting.knowledge is not None and self._knowledge is None:
            self._knowledge = MediaWiki(
                MediaWikiSetting(api_url=setting.knowledge.api_url, contact=context.settings.contact),
                folder=context.settings.data_home / SERVICES_FOLDER,
            )
        return self._knowledge


async def solve(loop: ReActLoop, question: str) -> Solved:
    """Runs a loop; an answer that nothing supports is told to the model once, and then refused.

    Raises:
        ModelError: The server cannot be reached or refuses.
    """
    outcome = await loop.run(question)
    judged = _judged(outcome)
    if judged.problem and outcome.end is End.FINISHED:
        outcome = await loop.again(judged.problem)
        judged = _judged(outcome)
    if judged.value is not None:
        return Solved(Status.ANSWERED, "", judged, outcome)
    if outcome.end is End.LIMIT:
        return Solved(Status.LIMIT, outcome.reason, judged, outcome)
    reason = NO_SUPPORT if judged.problem else _why(outcome)
    return Solved(Status.UNANSWERABLE, reason, judged, outcome)


def _judged(outcome: Outcome) -> Judged:
    """The last words against what was observed; what only repeats the question supports nothing."""
    return judge(
        outcome.answer,
        [
            seen.observation.model_copy(update={"ok": seen.observation.ok and seen.move.tool != PARSER})
            for seen in outcome.seen
        ],
    )


def _why(outcome: Outcome) -> str:
    """The last thing that went wrong, else that the model found no answer."""
    failures = [seen.observation.text for seen in outcome.seen if not seen.observation.ok]
    return " ".join(("The model found no answer.", *failures[-1:]))
