"""The soak itself, with few questions: what it asks, what it counts, and that it ends."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
import pytest

from benchmarks.chaos.proxy import FaultKind
from benchmarks.chaos.soak import (
    Outcome,
    Run,
    RunOutcome,
    Soak,
    SoakPlan,
    as_json,
    broken_promises,
    fault_table,
    outcome_of,
    run_outcome,
    run_table,
)
from benchmarks.chaos.ways import WAYS, SoakQuestion, open_ground, running_oracle, soak_questions
from map_tools.errors import ModelError
from map_tools.providers.osm import OsmProvider
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from tests.support.evidence import evidence, failure_fact
from tests.support.maps import demo_map

PLAN = SoakPlan(shares=(0.3,), ways=(WAYS[3],), seed=3, attempt_s=6.0)


def soaked(plan: SoakPlan, questions: tuple[SoakQuestion, ...], folder: Path) -> list[Run]:
    async def run() -> list[Run]:
        async with open_ground(demo_map()) as ground:
            return [one async for one in Soak(plan, questions, folder).runs(ground)]

    return asyncio.run(run())


def test_a_short_soak_keeps_what_is_promised(tmp_path: Path) -> None:
    questions = soak_questions(demo_map(), written=1, generated=5, seed=3)
    runs = soaked(PLAN, questions, tmp_path)
    weathers = [(run.share, run.recoverable) for run in runs]
    assert weathers == [(0.0, True), (0.3, True), (0.3, False)]
    assert all(len(run.outcomes) == 6 and run.requests >= 12 for run in runs)
    assert [run.struck.total() > 0 for run in runs] == [False, True, True]
    assert {run.usual_right for run in runs} == {6}
    assert not any(
        run_outcome in {RunOutcome.HUNG, RunOutcome.CRASHED}
        for run in runs
        for run_outcome in run.run_outcomes().values()
    )
    assert broken_promises(runs) == ()


def test_the_questions_have_truths_of_their_own() -> None:
    questions = soak_questions(demo_map(), written=3, generated=7, seed=3)
    assert [one.id for one in questions] == ["h01", "h02", "h03", *(f"g{number}" for number in range(1, 8))]
    assert soak_questions(demo_map(), written=3, generated=7, seed=3)[5].question == questions[5].question


class Stuck(MapAgent):
    """An agent that never answers."""

    async def ask(self, *_: object, **__: object) -> Answer:
        await asyncio.Event().wait()
        raise AssertionError


class Broken(MapAgent):
    """An agent with a defect."""

    async def ask(self, *_: object, **__: object) -> Answer:
        raise KeyError("place")


@pytest.mark.parametrize(
    ("agent", "hung", "crash"), [(Stuck, True, ""), (Broken, False, "KeyError('place')")]
)
def test_what_hangs_and_what_crashes_is_counted(
    agent: type[MapAgent], hung: bool, crash: str, tmp_path: Path
) -> None:
    question = SoakQuestion("q", Question(text="?"), lambda _: True)

    async def ask() -> Outcome:
        return await outcome_of(agent(Settings(data_home=tmp_path)), question, 0.05)

    outcome = asyncio.run(ask())
    assert (outcome.hung, outcome.crash, outcome.right) == (hung, crash, False)


USUAL = Outcome("q", right=True, answered=True, said="Quay Inn", warnings=frozenset({"In beta."}))
REFUSED = Answer(status=Status.UNANSWERABLE, text="", reason="Nothing is known of the Mill.")


@pytest.mark.parametrize(
    ("outcome", "usual", "expected"),
    [
        (USUAL, USUAL, RunOutcome.RIGHT),
        (Outcome("q", hung=True), USUAL, RunOutcome.HUNG),
        (Outcome("q", crash="KeyError()", right=True), USUAL, RunOutcome.CRASHED),
        (Outcome("q", said="Google is down."), USUAL, RunOutcome.REFUSED),
        (Outcome("q", said=""), USUAL, RunOutcome.REFUSED_UNNAMED),
        (Outcome("q", said="Sorry.", unnamed=("Mill: down",)), USUAL, RunOutcome.REFUSED_UNNAMED),
        (Outcome("q", answered=True, said="Mill", warnings=USUAL.warnings), USUAL, RunOutcome.SILENT),
        (
            Outcome("q", answered=True, said="Mill", warnings=frozenset({"In beta.", "Inn lost."})),
            USUAL,
            RunOutcome.FLAGGED,
        ),
        (
            Outcome("q", answered=True, said="Mill"),
            Outcome("q", answered=True, said="Mill"),
            RunOutcome.AS_USUAL,
        ),
        (Outcome("q", said="Not known."), Outcome("q", said="Not known."), RunOutcome.AS_USUAL),
    ],
)
def test_how_a_question_ended(outcome: Outcome, usual: Outcome, expected: RunOutcome) -> None:
    assert run_outcome(outcome, usual) is expected


def test_a_loss_is_named_by_its_subject_or_its_message() -> None:
    found = evidence(
        failure_fact("Mill", "It is down.", code="provider"),
        failure_fact("Inn → Mill", "It is down.", code="provider"),
        failure_fact("Tower", "Nothing is known of the Mill.", code="provider"),
    )
    answer = REFUSED.model_copy(update={"evidence": found})
    assert Outcome.of_answer("q", answer, right=False, seconds=1).unnamed == ("Inn → Mill: It is down.",)


def test_a_module_that_broke_is_a_crash() -> None:
    broke = evidence(failure_fact("", "The module 'x' failed: KeyError", code="module"))
    answer = REFUSED.model_copy(update={"evidence": broke})
    assert Outcome.of_answer("q", answer, right=False, seconds=1).crash == "The module 'x' failed: KeyError"


def test_an_error_of_the_product_is_a_refusal_with_its_sentence() -> None:
    outcome = Outcome.of_error("q", ModelError("The model server failed.", "Ask again."), 1.0)
    assert run_outcome(outcome, USUAL) is RunOutcome.REFUSED


def run(share: float, *outcomes: Outcome, recoverable: bool = True) -> Run:
    usual = {one.id: Outcome(one.id, right=True, answered=True) for one in outcomes}
    return Run(
        way="osm",
        share=share,
        recoverable=recoverable,
        outcomes={one.id: one for one in outcomes},
        usual=usual,
        requests=10,
        struck=Counter({FaultKind.BUSY: 3}),
    )


def right(number: int) -> Outcome:
    return Outcome(str(number), right=True, answered=True)


LOST = Outcome("lost", said="Google is down.")
SILENT = Outcome("silent", answered=True, said="Mill")


def losses(count: int) -> list[Outcome]:
    return [Outcome(f"lost {number}", said="Google is down.") for number in range(count)]


def test_three_points_may_be_lost() -> None:
    assert broken_promises([run(0.3, *map(right, range(97)), *losses(3))]) == ()
    assert broken_promises([run(0.3, *map(right, range(96)), *losses(4))]) == (
        "osm, 30% recoverable faults: 4 fewer of 100 are right (at most 3)",
    )


def test_one_question_may_be_lost_however_few_are_asked() -> None:
    assert broken_promises([run(0.3, *map(right, range(9)), *losses(1))]) == ()
    assert len(broken_promises([run(0.3, *map(right, range(8)), *losses(2))])) == 1


def test_nothing_wrong_may_be_said_in_silence_while_faults_are_recoverable() -> None:
    many = tuple(map(right, range(99)))
    (problem,) = broken_promises([run(0.3, *many, SILENT)])
    assert "wrong, not flagged (silent)" in problem
    assert broken_promises([run(0.3, *many, SILENT, recoverable=False)]) == ()


@pytest.mark.parametrize("bad", [Outcome("x", hung=True), Outcome("x", crash="E"), Outcome("x")])
def test_no_hang_no_crash_no_loss_without_a_name_whatever_fails(bad: Outcome) -> None:
    many = tuple(map(right, range(99)))
    assert len(broken_promises([run(0.3, *many, bad, recoverable=False)])) == 1


def test_a_soak_in_which_nothing_is_right_anyway_proves_nothing() -> None:
    assert broken_promises([run(0.0, right(1))]) == ()
    (problem,) = broken_promises([run(0.0, right(1), LOST)])
    assert "only 50% are right" in problem


def test_beyond_a_third_of_the_requests_nothing_is_promised() -> None:
    assert broken_promises([run(0.5, LOST, SILENT)]) == ()


def test_the_table_counts_every_end() -> None:
    table = run_table([run(0.3, right(1), LOST, SILENT, recoverable=False)])
    row = [cell.strip() for cell in table.splitlines()[2].strip("|").split("|")]
    assert row == ["osm", "30% and lies", "3 of 10", "3", "1 (33.3%)", "1", "0", "0", "1", "0", "0", "0 s"]


def test_the_record_names_the_questions() -> None:
    record = as_json([run(0.3, right(1), LOST)], ["a promise"], {"seed": 4})
    assert record["broken_promises"] == ["a promise"]
    (told,) = record["runs"]
    assert told["fates"] == {"right": 1, "refused": 1}
    assert told["ids"]["refused"] == ["lost"]
    assert (told["accuracy"], told["struck"]) == (0.5, {"busy": 3})


QUESTION = "Which cinema is closest to Hotel Arthur?"
ASKED = {"role": "user", "content": f"Question: {QUESTION}"}
TOOLS = {"tools": [{"type": "function", "function": {"name": "run_query", "parameters": {"type": "object"}}}]}


def said(path: str, *messages: dict[str, Any], **body: Any) -> tuple[int, dict[str, Any]]:
    """The status, and the message or the whole reply."""

    async def post() -> tuple[int, dict[str, Any]]:
        async with (
            MapAgent(provider=OsmProvider.open(demo_map())) as agent,
            running_oracle(agent) as base_url,
            httpx2.AsyncClient(trust_env=False) as client,
        ):
            reply = await client.post(f"{base_url}{path}", json={"messages": list(messages), **body})
        told: dict[str, Any] = reply.json()
        return reply.status_code, told["choices"][0]["message"] if "choices" in told else told

    return asyncio.run(post())


def test_a_program_comes_as_the_call_of_a_tool() -> None:
    _, message = said("/v1/chat/completions", ASKED, **TOOLS)
    (call,) = message["tool_calls"]
    assert call["function"]["name"] == "run_query"
    assert '"Hotel Arthur"' in json.loads(call["function"]["arguments"])["program"]


def test_or_in_words_where_no_tools_are_offered() -> None:
    status, message = said("/v1/chat/completions", ASKED)
    told = json.loads(message["content"])
    assert (status, told["tool"]) == (200, "run_query")
    assert 'nearest("cinema"' in told["arguments"]["program"]


@pytest.mark.parametrize("role", ["tool", "assistant"])
def test_after_a_result_it_is_content_with_it(role: str) -> None:
    _, message = said(
        "/v1/chat/completions", ASKED, {"role": role, "content": "Result 1: Kinopalatsi"}, **TOOLS
    )
    (call,) = message["tool_calls"]
    assert call["function"]["name"] == "finish"
    assert json.loads(call["function"]["arguments"]) == {"outcome": "computed"}


def test_what_it_cannot_read_it_refuses() -> None:
    _, message = said("/v1/chat/completions", {"role": "user", "content": "Question: ?"})
    told = json.loads(message["content"])
    assert (told["tool"], told["arguments"]["outcome"]) == ("finish", "unanswerable")


def test_it_has_one_path() -> None:
    assert said("/v1/models", ASKED)[0] == 404


PAGE = Path(__file__).resolve().parents[3] / "docs" / "reliability.md"


def test_the_table_of_faults_is_the_one_of_the_data() -> None:
    assert fault_table() in PAGE.read_text(encoding="utf-8")
