"""What becomes of each fault of a model server: the real client against a server behind a proxy."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from evals.chaos.faults import FaultKind, ServerKind, kinds_at
from evals.chaos.proxy import ChaosProxy
from evals.chaos.ways import running_oracle
from map_tools.errors import ModelError
from map_tools.providers.osm import OsmProvider
from mapagent.agent import MapAgent
from mapagent.answer import Status
from mapagent.config import Settings
from mapagent.llm.client import OpenAiChat
from mapagent.llm.server import Pace
from mapagent.ports import Account
from modules.planner.tools import tool_cards
from tests.evals.chaos.first_time import Always, FirstTime
from tests.support.chat import Sleeper, chat_model, user
from tests.support.maps import demo_map

QUESTION = "Which cinema is closest to Hotel Arthur?"
IMPATIENT_S = 0.4


def with_model[T](
    plan: FirstTime | Always, use: Callable[[OpenAiChat], Awaitable[T]], sleep: Sleeper | None = None
) -> tuple[T, ChaosProxy]:
    """What comes of using a model whose server stands behind a proxy."""

    async def run() -> tuple[T, ChaosProxy]:
        reader = MapAgent(provider=OsmProvider.open(demo_map()))
        async with reader, running_oracle(reader) as server:
            proxy = ChaosProxy(server, plan, drip_s=2 * IMPATIENT_S)
            async with proxy.running() as base_url:
                pace = Pace(timeout_s=IMPATIENT_S if plan.kind is FaultKind.DRIP else 10.0)
                model = chat_model(f"{base_url}/v1", pace=pace, sleep=sleep)
                try:
                    return await use(model), proxy
                finally:
                    await model.close()

    return asyncio.run(run())


async def written(model: OpenAiChat) -> str:
    """The program that the server writes; a turn without a call is asked for again, as the planner does."""
    for _ in range(2):
        reply = await model.converse(
            user(f"Question: {QUESTION}"), tool_cards("programs"), account=Account(), label="planner"
        )
        if reply.calls:
            break
    (use,) = reply.calls
    return str(use.arguments["program"])


@pytest.mark.parametrize("kind", kinds_at(ServerKind.MODEL, recoverable=True))
def test_a_fault_that_passes_changes_no_reply(kind: FaultKind) -> None:
    program, proxy = with_model(FirstTime(kind), written)
    assert '"Hotel Arthur"' in program
    assert proxy.struck[kind] >= 1


@pytest.mark.parametrize(
    ("kind", "waits_s"),
    [
        (FaultKind.BUSY_TOLD, [1.0]),
        (FaultKind.BUSY, [0.5]),
        (FaultKind.CLOCK_SKEW, [1.0]),
        (FaultKind.WRONG_TYPE, []),
    ],
)
def test_it_waits_as_long_as_asked_by_the_servers_own_clock(kind: FaultKind, waits_s: list[float]) -> None:
    sleep = Sleeper()
    with_model(FirstTime(kind), written, sleep)
    assert sleep.waits_s == waits_s


@pytest.mark.parametrize(
    ("kind", "attempts"), [(FaultKind.FAILURE, 5), (FaultKind.RESET, 5), (FaultKind.WEB_PAGE, 4)]
)
def test_a_server_that_stays_broken_is_given_up(kind: FaultKind, attempts: int) -> None:
    async def fails(model: OpenAiChat) -> None:
        with pytest.raises(ModelError, match=r"http://127\.0\.0\.1"):
            await written(model)

    _, proxy = with_model(Always(kind), fails)
    assert proxy.requests == attempts


def test_a_question_read_through_a_failing_server_is_answered(tmp_path: Path) -> None:
    async def run() -> tuple[Status, str]:
        reader = MapAgent(provider=OsmProvider.open(demo_map()))
        async with reader, running_oracle(reader) as server:
            proxy = ChaosProxy(server, FirstTime(FaultKind.HALF_JSON))
            async with proxy.running() as base_url:
                settings = Settings(
                    data_home=tmp_path, base_url=f"{base_url}/v1", model="oracle", model_cache=False
                )
                async with MapAgent(settings, provider=OsmProvider.open(demo_map())) as agent:
                    answer = await agent.ask(QUESTION)
        return answer.status, answer.text

    status, text = asyncio.run(run())
    assert status is Status.ANSWERED
    assert "Kinopalatsi" in text  # `h03` of evals/smoke/questions.toml
