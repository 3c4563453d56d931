"""What map tools cost reaches the question's account, and a spent budget stops the next paid request."""

import asyncio
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from map_tools.clock import FrozenClock
from map_tools.providers.base import Capabilities, Terms
from map_tools.tools.base import ToolContext
from map_tools.types import Candidate, LatLng, Place
from map_tools.wire.meter import Cost
from map_tools.wire.policy import Retention, WirePolicy
from map_tools.wire.request import WireRequest
from map_tools.wire.wire import Wire
from mapagent.core.answer import Evidence, Step
from mapagent.core.ports import RequestContext, ToolCall
from mapagent.core.question import Question
from mapagent.core.runstate import RunState, ToolBox
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger, Limits
from mapagent.runtime.trace import Trace
from tests.support.loopback import Asked, Script, Scripted, json_reply, serving

SECRET = "AIzaSecretOfTheUser"
STEP = Step(id="s", subgoal="find the place", module="map_service")
POLICY = WirePolicy(name="paid", title="Paid Maps", attempts=1, keep=Retention.for_ever())


class PaidProvider:
    """A provider whose searches cost three cents."""

    name = "paid"
    map_name = None
    capabilities = Capabilities(modes=frozenset(), facts=frozenset(), full_candidates=True)
    terms = Terms(attribution="Paid Maps")

    def __init__(self, url: str, folder: Path | None) -> None:
        self._url = url
        self._wire = Wire(POLICY, folder=folder)

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        request = WireRequest(url=self._url, params={"q": text}, secret_params={"key": SECRET})
        reply = await self._wire.send(request, cost=Cost("Text Search Pro", 0.03))
        name = str(reply.json()["name"])
        return (Candidate(place=Place(id="1", name=name, location=LatLng(lat=60, lng=24)), score=1.0),)

    async def close(self) -> None:
        await self._wire.close()


@dataclass(frozen=True)
class Outcome:
    """What came of looking up places, and what the question was charged."""

    evidence: tuple[Evidence, ...]
    request_context: RequestContext

    @property
    def facts(self) -> list[Any]:
        return [item.value for item in self.evidence]

    @property
    def spans(self) -> list[dict[str, Any]]:
        return [span.attributes for span in self.request_context.trace.spans if span.name == "tool"]


def asked(script: Script, *places: str, max_usd: float | None = None) -> Outcome:
    """What comes of looking up these places one after the other, over a new server."""
    with serving(script) as server:
        return looked_up(PaidProvider(server.url, None), *places, max_usd=max_usd)


def looked_up(provider: PaidProvider, *places: str, max_usd: float | None = None) -> Outcome:
    """What comes of looking up these places within one question."""

    async def look_up(run: RunState) -> tuple[Evidence, ...]:
        evidence: list[Evidence] = []
        for place in places:
            call = ToolCall(tool="PlaceInfo", arguments={"location_address": place})
            evidence.extend(await run.call_tool(STEP, call))
        await provider.close()
        return tuple(evidence)

    run = RunState(
        question=Question(text="Where?"),
        settings=Settings(),
        interpreter=None,  # type: ignore[arg-type]
        provider=provider,  # type: ignore[arg-type]
        tools=ToolBox(provider, ToolContext()),  # type: ignore[arg-type]
        clock=FrozenClock(datetime(2030, 5, 4, tzinfo=UTC)),
        request_context=RequestContext(Ledger(Limits(max_usd=max_usd)), Trace()),
    )
    return Outcome(asyncio.run(look_up(run)), run.request_context)


def named(_: Asked) -> Scripted:
    return json_reply({"name": "Tea House"})


def test_costs_and_price_tiers_reach_ledger_and_trace() -> None:
    run = asked(named, "Tea House", "Tea Room")
    assert run.request_context.ledger.usage().cost_usd == pytest.approx(0.06)
    assert run.request_context.ledger.usage().tool_calls == 2
    for span in run.spans:
        assert span["skus"] == {"Text Search Pro": 1}
        assert (span["requests"], span["cached"], span["cost_usd"]) == (1, 0, 0.03)


def test_what_is_kept_costs_nothing(tmp_path: Path) -> None:
    """The memory of a question ends with it; what follows is found in the cache."""
    with serving(named) as server:
        runs = [looked_up(PaidProvider(server.url, tmp_path), "Tea House") for _ in range(2)]
    assert [run.request_context.ledger.usage().cost_usd for run in runs] == [pytest.approx(0.03), 0.0]
    assert [run.spans[0]["cached"] for run in runs] == [0, 1]


def test_a_question_looks_nothing_up_twice() -> None:
    run = asked(named, "Tea House", "Tea House")
    assert run.request_context.ledger.usage().cost_usd == pytest.approx(0.03)
    assert [span.get("requests", 0) for span in run.spans] == [1, 0]


def test_a_spent_budget_is_a_failure_of_the_next_call_and_nothing_is_sent() -> None:
    sent: list[str] = []

    def script(request: Asked) -> Scripted:
        sent.append(request.params["q"][0])
        return named(request)

    run = asked(script, "Tea House", "Tea Room", max_usd=0.05)
    assert sent == ["Tea House"]
    assert [fact.kind for fact in run.facts] == ["place", "failure"]
    assert run.facts[1].code == "limit"
    assert "0.0500 USD" in run.facts[1].message
    assert run.request_context.ledger.cost_usd == pytest.approx(0.03)


def test_an_error_of_the_service_is_not_paid_for() -> None:
    run = asked(lambda _: json_reply({"name": f"the key {SECRET} is blocked"}, 403), "Tea House")
    assert run.request_context.ledger.cost_usd == 0.0


def test_no_secret_is_in_the_trace_or_the_evidence() -> None:
    run = asked(lambda asked: json_reply({"name": f"sent {asked.params['key'][0]}"}), "Tea House")
    trace = json.dumps([span.as_json() for span in run.request_context.trace.spans])
    assert SECRET not in trace + str(run.facts)
    assert run.facts[0].place.name == "sent ***"
