"""The probe: on a real server, and on the answers other servers document."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import respx

from map_tools.clock import FrozenClock
from mapagent.llm.failures import Target, Trouble
from mapagent.llm.probe import Probe, ProbeResult
from mapagent.llm.profile import MAX_AGE, ProfileStore, ServerProfile
from mapagent.llm.request import OutputMode
from mapagent.llm.server import ModelServer
from mapagent.llm.structured import FallbackChain
from tests.support import httpx2_mock  # noqa: F401 - registers the mocker
from tests.support.chat import Sleeper, completion, openai_error

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
HOST = "http://gpu-box:8000"


async def _probe(base_url: str, model: str = "small") -> ProbeResult:
    server = ModelServer(Target(base_url, model), sleep=Sleeper())
    try:
        return await Probe(server, clock=FrozenClock(NOW)).run()
    finally:
        await server.close()


class Cloud:
    """A server as it is documented, with the given abilities."""

    def __init__(self, models: dict[str, Any], **abilities: bool) -> None:
        self._models = models
        self._abilities = abilities
        self.bodies: list[dict[str, Any]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/models":
            return httpx.Response(200, json=self._models)
        if request.url.path != "/v1/chat/completions":
            return httpx.Response(404, text="404 page not found")
        body = json.loads(request.content)
        self.bodies.append(body)
        if "response_format" in body:
            return self._schema()
        if "tools" in body:
            return self._tools(body)
        if isinstance(body["messages"][0]["content"], list):
            return httpx.Response(200, json=completion("Red."))
        return httpx.Response(200, json=completion("Hello."))

    def _schema(self) -> httpx.Response:
        obeyed = self._abilities.get("schema")
        return httpx.Response(
            200, json=completion('{"river": "wide", "bridges": 2}' if obeyed else "Rain, rain.")
        )

    def _tools(self, body: dict[str, Any]) -> httpx.Response:
        if not self._abilities.get("tools"):
            return httpx.Response(400, json=openai_error("small does not support tools"))
        call = ("weather", '{"city": "Lima"}')
        both = (call, ("weather", '{"city": "Oslo"}')) if self._abilities.get("parallel") else (call,)
        forced = "tool_choice" in body and not self._abilities.get("choice")
        calls = () if forced else both if body.get("parallel_tool_calls") else (call,)
        return httpx.Response(200, json=completion(None if calls else "Hello.", calls=calls))


async def test_vllm() -> None:
    """https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html"""
    card = {"id": "small", "object": "model", "owned_by": "vllm", "max_model_len": 4096}
    cloud = Cloud({"object": "list", "data": [card]}, schema=True, tools=True, choice=True, parallel=True)
    with respx.mock(using="httpx2") as router:
        router.route().mock(side_effect=cloud)
        found = (await _probe(f"{HOST}/v1")).profile
    assert (found.server, found.context_tokens) == ("vllm", 4096)
    assert (found.schema_obeyed, found.tools_called, found.tool_choice_obeyed) == (True, True, True)
    assert (found.parallel_calls, found.vision) == (True, True)
    assert not [body for body in cloud.bodies if "tools" in body and "response_format" in body]


async def test_ollama() -> None:
    """https://github.com/ollama/ollama/blob/main/docs/api.md"""
    listed = {"object": "list", "data": [{"id": "small", "object": "model", "owned_by": "library"}]}
    shown = {
        "parameters": 'num_ctx                        8192\nstop    "<end>"',
        "model_info": {"llama.context_length": 131072},
        "capabilities": ["completion", "tools"],
    }
    with respx.mock(using="httpx2") as router:
        router.post(f"{HOST}/api/show").mock(return_value=httpx.Response(200, json=shown))
        router.get(f"{HOST}/api/ps").mock(return_value=httpx.Response(200, json={"models": []}))
        router.route().mock(side_effect=Cloud(listed, schema=True, tools=True))
        found = (await _probe(f"{HOST}/v1")).profile
    assert (found.server, found.context_tokens, found.vision) == ("ollama", 8192, False)
    assert (found.tools_called, found.tool_choice_obeyed, found.parallel_calls) == (True, False, False)


async def test_a_server_of_nothing_but_text() -> None:
    cloud = Cloud({"data": [{"id": "small"}]})
    with respx.mock(using="httpx2") as router:
        router.route().mock(side_effect=cloud)
        result = await _probe(f"{HOST}/v1")
    found = result.profile
    assert (found.server, found.context_tokens) == ("", None)
    assert (found.schema_obeyed, found.tools_called, found.tool_choice_obeyed) == (False, False, None)
    fallback_chain = FallbackChain(found, lambda _output_mode, _words: None)
    ((output_mode, reason),) = fallback_chain.output_modes()
    assert output_mode is OutputMode.TEXT
    assert reason.startswith("the probe of 2026-11-22 found that schema does not work")


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (
            {"return_value": httpx.Response(401, json=openai_error("Incorrect API key provided."))},
            Trouble.KEY,
        ),
        ({"side_effect": httpx.ConnectError}, Trouble.UNREACHABLE),
    ],
)
async def test_a_server_that_cannot_be_used(answer: dict[str, Any], trouble: Trouble) -> None:
    with respx.mock(using="httpx2") as router:
        router.route().mock(**answer)
        result = await _probe(f"{HOST}/v1")
    assert result.error is not None
    assert result.error.trouble is trouble
    assert result.profile.schema_obeyed is None


async def test_a_web_page_at_the_address() -> None:
    with respx.mock(using="httpx2") as router:
        router.route().mock(return_value=httpx.Response(200, html="<html>Welcome</html>"))
        result = await _probe(f"{HOST}")
    assert result.error is not None
    assert "is no chat completion (it sent a web page (HTML))" in result.error.message


def test_profiles_are_kept_whole_and_grow_old(tmp_path: Path) -> None:
    store = ProfileStore(tmp_path / "models")
    profile = ServerProfile(base_url=HOST, model="a/b:c", found_at=NOW, probed=True, vision=False)
    assert store.load(HOST, "a/b:c", now=NOW) is None
    store.save(profile)
    assert store.load(HOST, "a/b:c", now=NOW) == profile
    assert store.load(HOST, "other", now=NOW) is None
    assert store.load(HOST, "a/b:c", now=NOW + MAX_AGE + timedelta(seconds=1)) is None
    assert store.load(HOST, "a/b:c", now=NOW - MAX_AGE - timedelta(seconds=1)) is None, "a clock set back"
    path = store.path(HOST, "a/b:c")
    assert [item.name for item in store.folder.iterdir()] == [path.name]
    for damaged in ("{", "[]", '{"version": 99}', '{"version": 1, "model": 3}'):
        path.write_text(damaged)
        assert store.load(HOST, "a/b:c", now=NOW) is None
