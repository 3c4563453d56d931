"""The public API: `await MapAgent(...).ask(...)` and its blocking twin."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from map_tools.clock import Clock, SystemClock
from map_tools.errors import LimitError
from map_tools.providers.base import ANY_BASE_MAP, Provider
from map_tools.tools.base import ToolContext
from map_tools.types import LatLng
from mapagent.answer import Answer, Status
from mapagent.config import Settings, load_settings
from mapagent.executor import Executor
from mapagent.images import check_image
from mapagent.ledger import Ledger
from mapagent.losses import with_losses
from mapagent.notices import travel_notices
from mapagent.outcome import honest
from mapagent.plan import Plan
from mapagent.planner import PICTURE_SOLVER, RECOGNIZER, check_plan, make_plan
from mapagent.plugins import Plugins
from mapagent.ports import (
    Account,
    Closable,
    Module,
    ModuleFactory,
    NameHints,
    Reasoner,
    Understanding,
)
from mapagent.providers import open_provider
from mapagent.question import Question
from mapagent.reasoners import open_reasoner
from mapagent.recordings import open_recording
from mapagent.runstate import RunState
from mapagent.telemetry import observed, open_telemetry
from mapagent.toolbox import ToolBox
from mapagent.trace import Trace


class MapAgent:
    """Answers map questions with verified evidence.

    Args:
        settings: Default: what the environment says (`mapagent.config.load_settings`).
        provider: A provider object; default: opened from the settings on first use.
        reasoner: A reasoner object; default: the one the settings' model names.
        modules: Further modules by name, registered in process.
        clock: Tells "now"; default: the machine's clock.

    Use as an async context manager, or call `close` at the end.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        provider: Provider | None = None,
        reasoner: Reasoner | None = None,
        modules: Mapping[str, Module] | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.settings = settings if settings is not None else load_settings().settings
        self._provider = provider
        self._reasoner = reasoner
        self._plugins = Plugins("mapagent.modules", "module", modules)
        self._modules: dict[str, Module] = {}
        self._recording = open_recording(self.settings, clock)
        self._clock = clock or (self._recording.clock() if self._recording else SystemClock())
        self._telemetry = open_telemetry(self.settings)
        self.last_trace: Trace | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes modules, reasoner, provider and recording: all of them, even if one fails."""
        async with AsyncExitStack() as last_first:
            if self._recording is not None:
                last_first.callback(self._recording.close)
            if self._provider is not None:
                last_first.push_async_callback(self._provider.close)
                self._provider = None
            if isinstance(self._reasoner, Closable):
                last_first.push_async_callback(self._reasoner.close)
            last_first.push_async_callback(self.close_modules)

    async def close_modules(self) -> None:
        """Closes what modules hold, for callers who keep provider and reasoner for themselves."""
        async with AsyncExitStack() as open_ones:
            for module in self._modules.values():
                if isinstance(module, Closable):
                    open_ones.push_async_callback(module.close)
            self._modules.clear()

    async def ask(
        self,
        text: str | Question,
        *,
        options: tuple[str, ...] = (),
        context: str | None = None,
        image: Path | None = None,
        near: LatLng | None = None,
        at: datetime | None = None,
        plan: Plan | None = None,
        use_provider: bool | None = None,
        account: Account | None = None,
    ) -> Answer:
        """Answers a question.

        Args:
            text: The question, or a whole `Question`.
            options: The answers to choose from.
            context: Text with the facts. With it alone no provider is asked, unless `use_provider` is True.
            image: A map picture.
            near: The user's position.
            at: The moment that "now" stands for.
            plan: A saved or edited plan to run instead of a fresh one.
            use_provider: Whether map tools may be used; default: yes, unless a context is given.
            account: What the work is charged to and traced in; default: one of its own for each question.

        Raises:
            UsageError: The question itself is wrong (empty, too many options), its picture cannot be used, or
                it names unknown things.
            LimitError: The deadline passed while the question was read.
            MapStoreError: The map is damaged.
        """
        question = (
            text
            if isinstance(text, Question)
            else Question(text=text, options=options, context=context, image=image, near=near, at=at)
        )
        wants_map = use_provider if use_provider is not None else question.context is None
        account = account or Account(Ledger(self.settings.limits()), Trace())
        self.last_trace = account.trace
        observing = observed(account.trace, self._telemetry)
        with observing, account.trace.span("ask", question=question.text) as asked:
            answer = await self._ask(question, plan, account, wants_map=wants_map)
            asked.attributes |= {"status": answer.status.value, "answer": answer.text}
            return answer

    def ask_blocking(self, text: str | Question, **arguments: Any) -> Answer:
        """The blocking twin of `ask`, for scripts; must not be called from a running event loop."""
        return asyncio.run(self.ask(text, **arguments))

    async def _ask(
        self, question: Question, plan: Plan | None, account: Account, *, wants_map: bool
    ) -> Answer:
        if question.image is not None:
            await asyncio.to_thread(check_image, question.image)
        provider = self.open_provider() if wants_map else None
        reasoner = self._open_reasoner()
        understanding = await self._understand(question, reasoner, provider, account)
        names = frozenset(self._plugins.names())
        blind = question.image is not None and not names.issuperset((RECOGNIZER, PICTURE_SOLVER))
        if blind and plan is None and understanding.plan is None:
            question, understanding = _sightless(question, reasoner)
        if provider is not None:
            # A map is asked at this moment; a supplied text does not say when it holds.
            understanding = understanding.model_copy(update={"now": self._clock.now()})
        if plan is not None:
            check_plan(plan, names)
        chosen = plan or make_plan(
            question,
            understanding,
            has_provider=provider is not None,
            modules=names,
            trace=account.trace,
        )
        run = RunState(
            question=question,
            reasoner=reasoner,
            understanding=understanding,
            provider=provider,
            tools=ToolBox(provider, ToolContext(here=question.near, near=question.near)),
            clock=self._clock,
            account=account,
            extras=self.settings.modules,
        )
        await Executor(self._load(chosen)).run(chosen, run)
        return self._finish(run, chosen)

    async def _understand(
        self, question: Question, reasoner: Reasoner, provider: Provider | None, account: Account
    ) -> Understanding:
        hints = provider if isinstance(provider, NameHints) and provider.capabilities.cheap_names else None
        deadline_s = self.settings.deadline_s
        with account.trace.span("plan", reasoner=reasoner.name) as planning:
            try:
                async with asyncio.timeout(deadline_s):
                    understanding = await reasoner.plan(question, names=hints, account=account)
            except TimeoutError as error:
                raise LimitError(
                    f"The deadline of {deadline_s:g} s passed while the question was read.",
                    "Raise deadline_s.",
                ) from error
            planning.attributes["intent"] = getattr(understanding.intent, "kind", None)
        return understanding

    def _finish(self, run: RunState, plan: Plan) -> Answer:
        answer = with_losses(honest(run.answer or _no_answer(run), run.evidence), run.evidence)
        provider = run.provider
        notices = travel_notices(run.evidence, provider.terms if provider else None)
        return answer.model_copy(
            update={
                "warnings": tuple(dict.fromkeys((*answer.warnings, *notices))),
                "evidence": run.evidence,
                "plan": plan,
                "usage": run.account.ledger.usage(),
                "model": self.settings.model,
                "provider": provider.name if provider else "",
                "map": provider.map_name if provider else None,
                "attribution": provider.terms.attribution if provider else "",
                "base_map": provider.terms.base_map if provider else ANY_BASE_MAP,
            }
        )

    def _load(self, plan: Plan) -> dict[str, Module]:
        for step in plan.steps:
            if step.module not in self._modules:
                loaded = self._plugins.load(step.module)
                self._modules[step.module] = _made(loaded, self.settings)
        return self._modules

    def open_provider(self) -> Provider:
        """The map provider, opened from the settings on first use and closed with the agent.

        Raises:
            UsageError: What it needs (a map, a path, a key) is missing or wrong.
            MapStoreError: The map is damaged.
        """
        if self._provider is None:
            self._provider = open_provider(self.settings, self._recording)
        return self._provider

    def _open_reasoner(self) -> Reasoner:
        if self._reasoner is None:
            self._reasoner = open_reasoner(self.settings)
        return self._reasoner


def _made(loaded: Any, settings: Settings) -> Module:
    """The module that a registered object stands for: a factory, a class, or the module itself."""
    is_module = not isinstance(loaded, type) and hasattr(loaded, "run")
    if isinstance(loaded, ModuleFactory) and not is_module:
        return loaded.from_settings(settings)
    module: Module = loaded() if isinstance(loaded, type) else loaded
    return module


def _sightless(question: Question, reasoner: Reasoner) -> tuple[Question, Understanding]:
    """What is made of a picture that no module looks at: it is never ignored in silence."""
    return question.model_copy(update={"image": None}), Understanding(
        confidence=0.0,
        status=Status.NOT_UNDERSTOOD,
        reason=f"The question comes with a picture, and the model '{reasoner.name}' does not understand "
        "pictures yet. Ask without the picture and say in words what it shows.",
    )


def _no_answer(run: RunState) -> Answer:
    failures = [item.value for item in run.evidence if item.value.kind == "failure"]
    reason = "; ".join(fact.message for fact in failures) or "The plan gave no answer."
    return Answer(status=Status.ERROR, text="", reason=reason)
