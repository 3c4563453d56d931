"""Tasks and desks for the tests of methods: a recorded world by the sea, or no map at all."""

import asyncio
from pathlib import Path
from typing import Any

from evals.ports import EvalContext, Method, Task
from map_tools.providers.base import Provider
from map_tools.providers.recorded import RecordedProvider
from map_tools.spatial_db.port import SpatialDatabase
from mapagent.core.answer import Answer
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger
from tests.support.chat import ScriptedModel

WORLD = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "harbour.json"


def harbour() -> Provider:
    """The hand-written world of `tests/fixtures/worlds/harbour.json`."""
    return RecordedProvider.open(WORLD)


def task(text: str, *options: str, may_refuse: bool = True, **question: Any) -> Task:
    """A question with its options."""
    return Task(question=Question(text=text, options=options, **question), may_refuse=may_refuse)


def run(
    method: Method,
    asked: Task,
    model: ScriptedModel | None,
    *,
    provider: Provider | None = None,
    database: SpatialDatabase | None = None,
    **settings: Any,
) -> tuple[Answer, RequestContext]:
    """The method's answer with the account of its work."""
    chosen = Settings(model="scripted", **settings)
    request_context = RequestContext(ledger=Ledger(limits=chosen.limits()))
    context = EvalContext(settings=chosen, provider=provider, model=model, database=database)
    return asyncio.run(method.answer(asked, context, request_context)), request_context


def calls_of(request_context: RequestContext) -> list[tuple[str, dict[str, Any]]]:
    """The map calls in the trace, in the order they were made."""
    return [
        (span.attributes["tool"], span.attributes["arguments"])
        for span in request_context.trace.spans
        if span.name == "tool"
    ]
