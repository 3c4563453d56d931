"""The public API: `await MapAgent(...).ask(...)` and its blocking twin."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from map_tools.clock import Clock, SystemClock
from map_tools.errors import MapAgentError
from map_tools.own_places import NO_OWN_PLACES, OwnPlaces
from map_tools.providers.base import ANY_BASE_MAP, Provider
from map_tools.tools.base import ToolContext
from map_tools.types import LatLng
from mapagent.core.answer import Answer, Status
from mapagent.core.conversation import without_unsaid
from mapagent.core.outcome import honest, travel_notices, with_losses
from mapagent.core.ports import Closable, Interpreter, Module, OperatorInfo, Planner, RequestContext, Run
from mapagent.core.question import Question, check_image
from mapagent.core.runstate import RunState, ToolBox
from mapagent.runtime.config import Settings, load_settings
from mapagent.runtime.ledger import Ledger
from mapagent.runtime.opening import OFFLINE, open_interpreter, open_planner, open_provider, open_recording
from mapagent.runtime.telemetry import observed, open_telemetry
from mapagent.runtime.trace import Trace

PROGRAM = "(a program)"
"""Stands in for the text of a question when only a program is given."""


class MapAgent:
    """Answers map questions with verified evidence.

    Args:
        settings: Default: read from the environment (`mapagent.runtime.config.load_settings`).
        map: Name of the map; overrides the settings.
        provider: A provider object; default: opened from the settings on first use.
        planner: A planner object; default: the one for the model in the settings.
        modules: Further modules by name, registered in process; their operators can be used in programs.
        own: The user's own places, which questions and programs refer to by name, or a callable that returns them
            for each question (`mapagent.runtime.own_places.CurrentPlaces`); default: none.
        clock: Source of the current time; default: the machine's clock.

    Use as an async context manager, or call `close` at the end.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        map: str | None = None,  # noqa: A002 (what users call it)
        provider: Provider | None = None,
        planner: Planner | None = None,
        modules: Mapping[str, Module] | None = None,
        own: OwnPlaces | Callable[[], OwnPlaces] = NO_OWN_PLACES,
        clock: Clock | None = None,
    ) -> None:
        given = settings if settings is not None else load_settings().settings
        self.settings = given if map is None else given.model_copy(update={"map": map})
        self._provider = provider
        self._planner = planner
        self._interpreter: Interpreter | None = None
        self._modules = dict(modules or {})
        self._own = own
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
        """Closes interpreter, planner, provider and recording: all of them, even if one fails."""
        async with AsyncExitStack() as last_first:
            if self._recording is not None:
                last_first.callback(self._recording.close)
            if self._provider is not None:
                last_first.push_async_callback(self._provider.close)
                self._provider = None
            if isinstance(self._planner, Closable):
                last_first.push_async_callback(self._planner.close)
            last_first.push_async_callback(self.close_modules)

    async def close_modules(self) -> None:
        """Closes the modules only, for callers who manage provider and planner themselves."""
        interpreter, self._interpreter = self._interpreter, None
        if isinstance(interpreter, Closable):
            await interpreter.close()

    async def ask(
        self,
        text: str | Question,
        *,
        options: tuple[str, ...] = (),
        context: str | None = None,
        image: Path | None = None,
        near: LatLng | None = None,
        at: datetime | None = None,
        choice: int | tuple[int, ...] = (),
        use_provider: bool | None = None,
        request_context: RequestContext | None = None,
    ) -> Answer:
        """Answers a question.

        Where a name in it fits several places, the answer is `AMBIGUOUS` and lists them as `candidates`; ask
        again with `choice=NUMBER` to say which one is meant.

        Args:
            text: The question, or a whole `Question`.
            options: The answers to choose from.
            context: Text with the facts. With it alone no provider is asked, unless `use_provider` is True. Data that
                was pasted into the question counts as such a text (`Question.with_data_apart`).
            image: A map picture.
            near: The user's position.
            at: The moment that "now" stands for.
            choice: The number of the candidate that is meant, from 1; several numbers for several ambiguous
                names, in the order in which they came up.
            use_provider: Whether map tools may be used; default: yes, unless a context is given.
            request_context: Ledger, trace and watcher of the question; default: new ones for each question.

        Raises:
            UsageError: The question itself is wrong (empty, too many options), its picture cannot be used,
                it names unknown things, or there are fewer candidates than the chosen number.
            ModelError: The model cannot be reached, and nothing else can answer.
            MapStoreError: The map is damaged.
        """
        question = (
            text
            if isinstance(text, Question)
            else Question(text=text, options=options, context=context, image=image, near=near, at=at)
        )
        return await self._observed(
            _chosen(question, choice).with_data_apart(),
            self._open_planner().answer,
            use_provider,
            request_context,
        )

    async def query(
        self,
        program: str,
        *,
        question: Question | None = None,
        choice: int | tuple[int, ...] = (),
        use_provider: bool | None = None,
        request_context: RequestContext | None = None,
    ) -> Answer:
        """Runs a program of the query language (`docs/language.md`).

        Where a name in it fits several places, the answer is `AMBIGUOUS` and lists them as `candidates`; run
        it again with `choice=NUMBER`.

        Args:
            program: Its text.
            question: The question it answers: its options, supplied text, picture, position and moment are used.
            choice: As for `ask`.
            use_provider: As for `ask`.
            request_context: As for `ask`.

        Raises:
            ProgramError: The program cannot be run; the message says which line and how to mend it.
            UsageError: There are fewer candidates than the chosen number.
            MapStoreError: The map is damaged.
        """
        question = _chosen(question or Question(text=PROGRAM), choice)
        return await self._observed(question, lambda run: run.execute(program), use_provider, request_context)

    def ask_blocking(self, text: str | Question, **arguments: Any) -> Answer:
        """The blocking twin of `ask`, for scripts; must not be called from a running event loop."""
        return asyncio.run(self.ask(text, **arguments))

    def describe(self, *, picture: bool = False, examples: int = 0) -> str:
        """Describes the query language for models and other programs: the operator card.

        Args:
            picture: Whether to include the operators that look at pictures.
            examples: Number of worked examples below the card.

        Raises:
            ConfigError: Two modules bring operators of the same name, or a module's settings are wrong.
        """
        return self._open_interpreter().describe(picture=picture, examples=examples)

    @property
    def operators(self) -> Mapping[str, OperatorInfo]:
        """The operators that programs may call, by name: the built-in ones and those of plug-ins."""
        return self._open_interpreter().operators

    async def _observed(
        self,
        question: Question,
        work: Callable[[Run], Awaitable[Answer]],
        use_provider: bool | None,  # noqa: FBT001 (internal; passed through)
        request_context: RequestContext | None,
    ) -> Answer:
        wants_map = use_provider if use_provider is not None else question.context is None
        request_context = request_context or RequestContext(Ledger(self.settings.limits()), Trace())
        self.last_trace = request_context.trace
        observing = observed(request_context.trace, self._telemetry)
        with observing, request_context.trace.span("ask", question=question.text) as asked:
            run = await self._begin(question, request_context, wants_map=wants_map)
            answer = self._finish(run, await self._within_deadline(run, work))
            asked.attributes |= {"status": answer.status.value, "answer": answer.text}
            return answer

    async def _begin(
        self, question: Question, request_context: RequestContext, *, wants_map: bool
    ) -> RunState:
        """Builds the state that the question is answered with."""
        if question.image is not None:
            await asyncio.to_thread(check_image, question.image)
        interpreter = self._open_interpreter()
        provider = interpreter.sources(question, self.open_provider() if wants_map else None)
        own = await self._own_places()
        return RunState(
            question=question if own.listed else without_unsaid(question, own),
            provider=provider,
            tools=ToolBox(
                provider,
                ToolContext(here=question.near, near=question.near, own=own if wants_map else NO_OWN_PLACES),
            ),
            clock=self._clock,
            request_context=request_context,
            settings=self.settings,
            interpreter=interpreter,
        )

    async def _within_deadline(self, run: RunState, work: Callable[[Run], Awaitable[Answer]]) -> Answer:
        deadline_s = self.settings.deadline_s
        try:
            async with asyncio.timeout(deadline_s) as deadline:
                return await work(run)
        except TimeoutError:
            if not deadline.expired():
                raise
            late = f"The deadline of {deadline_s:g} s passed before there was an answer. Raise deadline_s."
            return Answer(status=Status.LIMIT, reason=late)
        except MapAgentError:
            raise
        except Exception as error:  # noqa: BLE001 (the boundary of planners, which anybody may write)
            broken = f"The planner failed: {type(error).__name__}: {error}. See the trace; the planner is defective."
            run.request_context.trace.event("failure", code="planner", message=broken)
            return Answer(status=Status.ERROR, reason=broken)

    def _finish(self, run: RunState, answer: Answer) -> Answer:
        cut_short = answer.status in {Status.LIMIT, Status.ERROR}
        evidence = run.evidence if cut_short else answer.evidence or run.evidence
        answer = with_losses(honest(answer, evidence), evidence)
        provider = run.provider
        notices = travel_notices(evidence, provider.terms if provider else None)
        return answer.model_copy(
            update={
                "warnings": tuple(dict.fromkeys((*answer.warnings, *notices))),
                "evidence": evidence,
                "usage": run.request_context.ledger.usage(),
                "model": self.settings.model,
                "provider": provider.name if provider else "",
                "map": provider.map_name if provider else None,
                "attribution": provider.terms.attribution if provider else "",
                "base_map": provider.terms.base_map if provider else ANY_BASE_MAP,
            }
        )

    def open_provider(self) -> Provider:
        """The map provider, opened from the settings on first use and closed with the agent.

        Raises:
            UsageError: What it needs (a map, a path, a key) is missing or wrong.
            MapStoreError: The map is damaged.
        """
        if self._provider is None:
            self._provider = open_provider(self.settings, self._recording)
        return self._provider

    async def _own_places(self) -> OwnPlaces:
        """The user's own places, without lists of them where a language model may read the output."""
        embedded = self.settings.model == OFFLINE and (self._planner is None or self._planner.name == OFFLINE)
        own = await asyncio.to_thread(self._own) if callable(self._own) else self._own
        return own if embedded or not own.listed else replace(own, listed=False)

    def _open_planner(self) -> Planner:
        if self._planner is None:
            self._planner = open_planner(self.settings)
        return self._planner

    def _open_interpreter(self) -> Interpreter:
        if self._interpreter is None:
            self._interpreter = open_interpreter(self.settings, self._modules)
        return self._interpreter


def _chosen(question: Question, choice: int | tuple[int, ...]) -> Question:
    """The question with a choice among candidates; without one, its own choice stays."""
    numbers = (choice,) if isinstance(choice, int) else tuple(choice)
    return Question.model_validate({**dict(question), "choice": numbers}) if numbers else question
