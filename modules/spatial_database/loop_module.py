"""The model-driven way: a question is taken apart for the exact solver, or else thought through."""

from collections.abc import Callable
from pathlib import Path

from map_tools.errors import ToolError
from map_tools.knowledge.port import KnowledgeSource
from map_tools.providers.base import Provider
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.spatial_db.port import SpatialDatabase
from mapagent.answer import Solution, Status
from mapagent.config import Settings
from mapagent.llm.chat import ChatModel
from mapagent.plan import Step
from mapagent.ports import Run, StepResult
from mapagent.providers import SERVICES_FOLDER
from modules.spatial_database.answering import Answerer
from modules.spatial_database.features import Features
from modules.spatial_database.findings import Findings
from modules.spatial_database.loop import ReActLoop
from modules.spatial_database.loop_reading import reading_of
from modules.spatial_database.loop_setting import LoopSetting
from modules.spatial_database.loop_solution import evidence_of, solution_of, solve
from modules.spatial_database.sql_setting import open_database, source_of
from modules.spatial_database.tools.parse_question import ParseQuestion, QuestionArguments

OFFLINE = "offline"
NO_MODEL = "The question fits none of the known forms, and there is no language model to think it through."

type OpenModel = Callable[[], ChatModel]


class ModelWay:
    """Answers by thinking step by step; what it opens is kept until it is closed.

    Args:
        settings: Model, prompts, and the module's own part.
        open_model: Opens the model when it is first needed; default: the one that the settings name.
    """

    def __init__(self, settings: Settings, open_model: OpenModel | None = None) -> None:
        self._settings = settings
        self._open_model = open_model or self._settings_model
        self._model: ChatModel | None = None
        self._databases: dict[Path, SpatialDatabase] = {}
        self._described: dict[Path, str] = {}
        self._knowledge: KnowledgeSource | None = None

    async def run(self, step: Step, run: Run, provider: Provider, engine: MemoryEngine) -> StepResult:
        """Thinks a question through.

        Raises:
            ConfigError: The module's settings are wrong, or a package is missing.
            UnsupportedError: The provider's map cannot be had in SQL.
            ModelError: The server cannot be reached or refuses.
        """
        if self._settings.model == OFFLINE:
            return StepResult(solution=Solution(status=Status.NOT_UNDERSTOOD, reason=NO_MODEL))
        from modules.spatial_database.loop_toolkit import Workshop, loop_toolkit

        setting = LoopSetting.of(self._settings)
        if self._model is None:
            self._model = self._open_model()
        if setting.way == "parse":
            parsed = await self._parsed(self._model, step, run, engine)
            if parsed is not None:
                return parsed
        source = source_of(provider)
        database = self._database(source)
        workshop = Workshop(engine, database, setting.sql, self._encyclopedia(setting))
        toolkit = loop_toolkit(
            workshop,
            self._model,
            run.account,
            prompts=self._settings.prompts,
            without=setting.without,
        )
        loop = ReActLoop(
            self._model,
            toolkit,
            run.account,
            described=await self._description(source, database),
            prompts=self._settings.prompts,
            max_steps=setting.max_steps,
        )
        solved = await solve(loop, run.question.text)
        evidence = evidence_of(solved, step, run, provider.name)
        return StepResult(evidence=evidence, solution=solution_of(solved, evidence))

    async def _parsed(
        self, model: ChatModel, step: Step, run: Run, engine: MemoryEngine
    ) -> StepResult | None:
        """What the exact solver makes of the question's parts; None if that is no answer."""
        parse = ParseQuestion(model, run.account, self._settings.prompts)
        try:
            parts = await parse.run(QuestionArguments(question=run.question.text))
        except ToolError as error:
            run.account.trace.event("parse.refused", reason=error.message)
            return None
        reading = reading_of(parts, run.question.text)
        if reading is None:
            run.account.trace.event("parse.refused", reason="The parts make no question over a map.")
            return None
        findings = Findings(step, run, Features(engine))
        solution = await Answerer(engine, findings).solution(reading)
        if solution.status is not Status.ANSWERED:
            run.account.trace.event("parse.refused", reason=solution.reason)
            return None
        return StepResult(evidence=tuple(findings.evidence), solution=solution)

    async def close(self) -> None:
        """Closes model, databases and encyclopedia."""
        if self._model is not None:
            await self._model.close()
        if self._knowledge is not None:
            await self._knowledge.close()
        for database in self._databases.values():
            database.close()
        self._model = self._knowledge = None
        self._databases.clear()

    def _settings_model(self) -> ChatModel:
        from mapagent.llm.open import open_model

        return open_model(self._settings)

    def _database(self, source: Path) -> SpatialDatabase:
        if source not in self._databases:
            self._databases[source] = open_database(self._settings, source)
        return self._databases[source]

    async def _description(self, source: Path, database: SpatialDatabase) -> str:
        from map_tools.spatial_db.describe import describe

        if source not in self._described:
            self._described[source] = await describe(database)
        return self._described[source]

    def _encyclopedia(self, setting: LoopSetting) -> KnowledgeSource | None:
        if setting.knowledge is None:
            return None
        if self._knowledge is None:
            from map_tools.knowledge.mediawiki import MediaWiki, MediaWikiSetting

            self._knowledge = MediaWiki(
                MediaWikiSetting(api_url=setting.knowledge.api_url, contact=self._settings.contact),
                folder=self._settings.data_home / SERVICES_FOLDER,
            )
        return self._knowledge
