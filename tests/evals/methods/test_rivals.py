"""What all rival agents owe: the same end, the same limits, stable prompts, a clear error without a model."""

import asyncio
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from evals.methods.agents import Chameleon, OctoTools, React
from evals.methods.llm_compiler import LlmCompiler
from evals.methods.loop import MAX_MODEL_CALLS
from evals.ports import Method
from map_tools.errors import LimitError, ModelError, ModelReplyError, UnsupportedError, UsageError
from map_tools.types import LatLng
from mapagent.core.answer import Status
from mapagent.core.prompts import load_prompt
from mapagent.llm.chat import ChatMessage, ChatReply
from mapagent.runtime.plugins import Plugins
from tests.evals.methods.context import calls_of, harbour, run, task
from tests.support.chat import Reply, ScriptedModel

RIVALS: tuple[Method, ...] = (React(), LlmCompiler(), Chameleon(), OctoTools())
ASKED = task("Where is the museum?", "Pier Road", "Quay Lane")
each = pytest.mark.parametrize("method", RIVALS, ids=lambda method: method.name)


def acting(prompt: str) -> str:
    """Words that every method reads as a call of PlaceInfo, another one each time."""
    call = f'{{"location_address": "Nowhere {len(prompt)}"}}'
    return (
        f'Modules: ["PlaceInfo"]\nSub-Goal: look\nTool: PlaceInfo\nCommand: {call}\n'
        f"1. PlaceInfo({call})\n2. join()\nAction: PlaceInfo[{call}]"
    )


class _Silent(ScriptedModel):
    """Never says anything."""

    async def complete(self, messages: tuple[ChatMessage, ...], **more: Any) -> ChatReply:
        await asyncio.Event().wait()
        raise AssertionError


@each
def test_is_registered(method: Method) -> None:
    assert Plugins("mapagent.methods", "method").load(method.name) is type(method)


@each
@pytest.mark.parametrize(
    "words", ["", "?", "Action: Replan[again]", "Conclusion: CONTINUE", "no " * 2000, acting], ids=range(6)
)
def test_endless_rubbish_ends_after_six_calls_without_an_answer(method: Method, words: Reply) -> None:
    model = ScriptedModel(*[words] * (MAX_MODEL_CALLS + 3))
    answer, _ = run(method, ASKED, model, provider=harbour())
    assert len(model.asked) <= MAX_MODEL_CALLS
    assert answer.option_index is None
    assert answer.status is Status.NOT_UNDERSTOOD


@each
def test_useless_replies_are_taken_for_empty_ones(method: Method) -> None:
    model = ScriptedModel(*[ModelReplyError("The model repeats itself.")] * MAX_MODEL_CALLS)
    answer, request_context = run(method, ASKED, model, provider=harbour())
    assert answer.status is Status.NOT_UNDERSTOOD
    assert any(span.name == "useless reply" for span in request_context.trace.spans)


@each
def test_a_spent_budget_keeps_what_was_found(method: Method) -> None:
    spent = LimitError("The budget of 0.0100 USD is spent.", "Raise --max-usd.")
    model = ScriptedModel(acting, acting, spent)
    answer, request_context = run(method, ASKED, model, provider=harbour())
    assert answer.status is Status.LIMIT
    assert "0.0100 USD" in answer.reason
    assert len(answer.evidence) == len(calls_of(request_context)) > 0


@each
def test_the_budget_of_map_calls_is_the_same_as_for_all_methods(method: Method) -> None:
    model = ScriptedModel(*[acting] * 2, *["^^1^^"] * 4)
    answer, request_context = run(method, ASKED, model, provider=harbour(), max_tool_calls=0)
    assert request_context.ledger.tool_calls == 0
    assert answer.status is Status.LIMIT
    assert "limit of 0 map calls" in answer.reason
    assert answer.option_index == 0


@each
def test_the_deadline_ends_a_question(method: Method) -> None:
    answer, _ = run(method, ASKED, _Silent(), provider=harbour(), deadline_s=0.05)
    assert answer.status is Status.LIMIT
    assert "deadline" in answer.reason


@each
def test_a_dead_server_is_an_error(method: Method) -> None:
    with pytest.raises(ModelError, match="cannot be reached"):
        run(
            method,
            ASKED,
            ScriptedModel(ModelError("The model server cannot be reached.")),
            provider=harbour(),
        )


@each
def test_without_a_model_it_says_so(method: Method) -> None:
    with pytest.raises(UsageError, match="needs a language model"):
        run(method, ASKED, None, provider=harbour())


@each
def test_a_picture_is_not_ignored(method: Method, tmp_path: Path) -> None:
    asked = task("What is shown?", image=tmp_path / "map.png")
    with pytest.raises(UnsupportedError, match="does not look at pictures"):
        run(method, asked, ScriptedModel())


@each
def test_a_context_stands_in_every_prompt_and_no_tools_are_offered(method: Method) -> None:
    asked = task(
        "When does it open?", "8 am", "9 am", context="The mill opens at 9 am.", near=LatLng(lat=1, lng=2)
    )
    model = ScriptedModel(*["So it is.\nAction: Finish[^^2^^]\nConclusion: STOP"] * MAX_MODEL_CALLS)
    answer, request_context = run(method, asked, model)
    assert answer.option_index == 1
    assert calls_of(request_context) == []
    for system, user in model.asked:
        assert "There are no map tools here" in system.text
        assert "PlaceInfo (" not in system.text
        assert user.text.startswith("Context:\nThe mill opens at 9 am.\n")
        assert "0. Unanswerable" in user.text
        assert "The user is at 1.000000,2.000000." in user.text


@each
def test_no_refusal_is_offered_where_it_is_no_choice(method: Method) -> None:
    asked = task("Where is it?", "Pier Road", "Quay Lane", may_refuse=False)
    model = ScriptedModel(*["Action: Finish[^^2^^]\nConclusion: STOP"] * MAX_MODEL_CALLS)
    run(method, asked, model, provider=harbour())
    assert all("Unanswerable" not in user.text for _, user in model.asked)


@each
def test_an_open_question_is_answered_in_words(method: Method) -> None:
    model = ScriptedModel(*["Action: Finish[Answer: Pier Road]\nConclusion: STOP"] * MAX_MODEL_CALLS)
    answer, _ = run(method, task("Which street is the museum in?"), model, provider=harbour())
    assert (answer.status, answer.option) == (Status.ANSWERED, None)
    assert answer.text.startswith("Pier Road")


@each
def test_prompts_only_grow_at_their_end(method: Method) -> None:
    model = ScriptedModel(*[acting] * MAX_MODEL_CALLS)
    run(method, ASKED, model, provider=harbour())
    assert len({system.text for system, _ in model.asked}) == 1
    users = [user for _, user in model.asked]
    for earlier, later in pairwise(users):
        journal = earlier.text[: earlier.text.rindex(_opening(earlier.prompt))]
        assert later.text.startswith(journal)


@each
def test_system_prompts_are_the_same_for_all_questions(method: Method) -> None:
    first, second = (ScriptedModel(*["^^1^^\nAction: Finish[^^1^^]\nConclusion: STOP"] * 6) for _ in range(2))
    run(method, ASKED, first, provider=harbour())
    run(method, task("How far is it?", "1 km"), second, provider=harbour())
    assert first.asked[0][0] == second.asked[0][0]


@each
def test_prompts_can_be_replaced(method: Method, tmp_path: Path) -> None:
    own = tmp_path / "evals.methods"
    own.mkdir()
    name = method.name.replace("-", "_")
    (own / f"{name}.md").write_text("Ours. {{tools}}", encoding="utf-8")
    model = ScriptedModel(*["^^1^^\nConclusion: STOP"] * MAX_MODEL_CALLS)
    run(method, ASKED, model, provider=harbour(), prompts=tmp_path)
    assert model.asked[0][0].text.startswith("Ours. ")


def _opening(mark: str) -> str:
    """How the instruction begins that a prompt's mark ("name@hash") stands for."""
    return "\n" + load_prompt("evals.methods", mark.partition("@")[0]).text.partition("{{")[0]
