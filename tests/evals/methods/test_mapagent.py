"""Ablations take one thing out, by settings, and leave the rest as it is."""

from pathlib import Path

import pytest
from anyio import run

from evals.methods.mapagent import ABLATIONS, MapAgentMethod
from evals.ports import EvalContext, Task
from evals.registry import load_method
from evals.runner.records import ABSTAINED
from evals.suites.mapeval import MapEvalApi, MapEvalTextual
from map_tools.errors import ConfigError, UnknownNameError
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger, Limits
from tests.evals.support import LITTLE


def ask(
    method: str, item: int, *, api: bool, tmp_path: Path, request_context: RequestContext | None = None
) -> Answer:
    async def main() -> Answer:
        suite = MapEvalApi() if api else MapEvalTextual()
        settings = Settings(data_home=tmp_path)
        provider = suite.provider(LITTLE, settings) if api else None
        try:
            task = suite.load(LITTLE, "fair")[item].task
            return await load_method(method).answer(
                task, EvalContext(settings, provider), request_context or RequestContext()
            )
        finally:
            if provider is not None:
                await provider.close()

    return run(main)


def modules(answer: Answer) -> list[str]:
    assert answer.plan is not None
    return [step.module for step in answer.plan.steps]


def test_the_whole_agent(tmp_path: Path) -> None:
    answer = ask("mapagent", 2, api=True, tmp_path=tmp_path)
    assert answer.option == "B"  # 5 min + 16 min = 21 min
    assert modules(answer)[-1] == "answer_generator"
    assert answer.program.startswith("answer(trip(")


def test_what_depends_on_a_first_round_is_not_fetched_in_one(tmp_path: Path) -> None:
    answer = ask("mapagent:one-round", 2, api=True, tmp_path=tmp_path)
    assert answer.status is Status.LIMIT
    assert "max_rounds" in answer.reason
    assert not [item for item in answer.evidence if item.kind == "travel"]


def test_without_verification_the_answer_is_the_same(tmp_path: Path) -> None:
    context = EvalContext(Settings())
    assert ABLATIONS["no-verification"].settings(context) != context.settings
    assert ask("mapagent:no-verification", 2, api=True, tmp_path=tmp_path).option == "B"


def test_context_only_and_tools_only(tmp_path: Path) -> None:
    told = ask("mapagent:context-only", 0, api=False, tmp_path=tmp_path)
    assert {item.source.provider for item in told.evidence} == {"context"}
    assert ask("mapagent:tools-only", 0, api=False, tmp_path=tmp_path).option is None
    assert ask("mapagent:tools-only", 0, api=True, tmp_path=tmp_path).option == "B"


def test_sequential_answers_the_same(tmp_path: Path) -> None:
    assert ask("mapagent:sequential", 2, api=True, tmp_path=tmp_path).option == "B"


def test_an_unknown_ablation_lists_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match=r"no ablation 'mapagent:blindfold'.*one-round.*sequential"):
        load_method("mapagent:blindfold")
    assert {MapAgentMethod().variant(name).name for name in ABLATIONS} == {
        f"mapagent:{name}" for name in ABLATIONS
    }


def test_a_method_without_variants_says_so() -> None:
    with pytest.raises(UnknownNameError, match="'direct' has no variants"):
        load_method("direct:twice")


def test_what_is_not_understood_is_a_refusal_that_remembers_why() -> None:
    async def main() -> tuple[Answer, RequestContext]:
        task = Task(question=Question(text="?", options=("yes", "no"), context="Nothing."))
        request_context = RequestContext()
        return await load_method("mapagent").answer(
            task, EvalContext(Settings()), request_context
        ), request_context

    answer, request_context = run(main)
    assert answer.status is Status.UNANSWERABLE
    assert [span.attributes for span in request_context.trace.spans if span.name == ABSTAINED] == [
        {"status": "not_understood"}
    ]


def test_the_agent_keeps_to_the_limits_of_the_account(tmp_path: Path) -> None:
    request_context = RequestContext(Ledger(Limits(max_tool_calls=0)))
    answer = ask("mapagent", 2, api=True, tmp_path=tmp_path, request_context=request_context)
    assert answer.status is Status.LIMIT


def test_direct_needs_a_model() -> None:
    async def main() -> None:
        await load_method("direct").answer(
            Task(question=Question(text="?")), EvalContext(Settings()), RequestContext()
        )

    with pytest.raises(ConfigError, match="needs a language model"):
        run(main)
