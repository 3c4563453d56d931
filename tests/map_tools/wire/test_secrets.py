"""No secret reaches any artefact: cache, recording, errors, log, repr."""

import asyncio
import logging
import traceback
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from map_tools.errors import ProviderError
from map_tools.wire.policy import Retention, WirePolicy
from map_tools.wire.recording import Recorder
from map_tools.wire.request import WireRequest
from map_tools.wire.wire import Wire
from tests.support.loopback import Asked, Scripted, json_reply, serving

HEADER, PARAMETER, PASSWORD = "header/Secret+1", "AIzaParameterSecret-2", "password_Secret-3"
SECRETS = (HEADER, PARAMETER, PASSWORD)
POLICY = WirePolicy(name="atlas", title="Atlas", attempts=2, timeout_s=5, keep=Retention.for_ever())


def request(url: str) -> WireRequest:
    return WireRequest(
        url=url.replace("://", f"://user:{PASSWORD}@"),
        params={"q": "tea"},
        secret_headers={"X-Goog-Api-Key": HEADER},
        secret_params={"key": PARAMETER},
    )


def echo(asked: Asked) -> Scripted:
    """A service that repeats the keys it was sent: plain in a message, encoded in a link."""
    key = asked.headers["x-goog-api-key"]
    again = (
        f"https://maps.test/next?key={quote(asked.params['key'][0], safe='')}&header={quote(key, safe='')}"
    )
    return json_reply({"message": f"Key {key} of {asked.headers['authorization']} used.", "next": again})


def forbidden(asked: Asked) -> Scripted:
    return json_reply({"error": f"The key {asked.params['key'][0]} is not allowed here."}, 403)


def page(asked: Asked) -> Scripted:
    return Scripted(body=f"key {asked.headers['x-goog-api-key']} is wrong".encode())


@pytest.mark.parametrize("script", [echo, forbidden, page, lambda _: Scripted(drop=True)])
def test_no_secret_reaches_any_artefact(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, script: Callable[[Asked], Scripted]
) -> None:
    told: list[str] = [repr(request("http://maps.test/"))]

    async def no_wait(_: float) -> None:
        return

    async def ask(url: str, recorder: Recorder) -> None:
        wire = Wire(POLICY, folder=tmp_path, recording=recorder, sleep=no_wait)
        try:
            for _ in range(2):
                reply = await wire.send(request(url))
                told.append(f"{reply!r} {reply.text()}")
        except ProviderError as error:
            told.append("".join(traceback.format_exception(error)))
        told.append(repr(wire.explain(request(url))))
        await wire.close()

    caplog.set_level(logging.DEBUG)
    with serving(script) as server, Recorder(tmp_path / "run.jsonl") as recorder:
        asyncio.run(ask(server.url, recorder))
    assert server.asked[0].headers["x-goog-api-key"] == HEADER
    assert server.asked[0].params["key"] == [PARAMETER]
    files = [file.read_bytes().decode(errors="replace") for file in tmp_path.iterdir()]
    assert files
    artefacts = "\n".join((*told, *files, caplog.text))
    for secret in SECRETS:
        assert secret not in artefacts
        assert secret not in unquote(artefacts)


async def ask_once(wire: Wire, url: str) -> None:
    try:
        await wire.send(request(url))
    finally:
        await wire.close()


def test_a_miss_of_a_replay_tells_no_secret(tmp_path: Path) -> None:
    from map_tools.wire.recording import Player

    with serving(echo) as server:
        with Recorder(tmp_path / "run.jsonl") as recorder:
            asyncio.run(ask_once(Wire(POLICY, recording=recorder), f"{server.url}/a"))
        player = Player(tmp_path / "run.jsonl")
        with pytest.raises(ProviderError) as raised:
            asyncio.run(ask_once(Wire(POLICY, recording=player), f"{server.url}/b"))
    assert "differs in url" in str(raised.value)
    assert not any(secret in str(raised.value) for secret in SECRETS)
