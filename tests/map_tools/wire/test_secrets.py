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
from map_tools.wire.request import WireRequest, is_secret_name, redact, redact_bytes, redact_known
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


KEY = "Zx81+Atlas/Key=="


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("GET https://maps.test/a?q=tea&key=abc123", "GET https://maps.test/a?q=tea&key=***"),
        ("https://maps.test/a?access_token=t0k3n&q=tea", "https://maps.test/a?access_token=***&q=tea"),
        ("https://ann:pw@maps.test/a", "https://***@maps.test/a"),
        ("Authorization: Bearer abc.def", "Authorization: ***"),
        ("{'X-Goog-Api-Key': 'abc', 'q': 1}", "{'X-Goog-Api-Key': '***', 'q': 1}"),
        ("the key AIzaSyA1234567890abcdefghijk is wrong", "the key *** is wrong"),
        ("Take the key turn at Keynes Road", "Take the key turn at Keynes Road"),
        ("https://maps.test/a?keyword=tea", "https://maps.test/a?keyword=tea"),
    ],
)
def test_what_looks_like_a_credential_is_masked(text: str, clean: str) -> None:
    assert redact(text) == clean


def test_known_secrets_vanish_in_every_form() -> None:
    encoded = "Zx81%2BAtlas%2FKey%3D%3D"  # RFC 3986, section 2.1: + is %2B, / is %2F, = is %3D
    assert redact(f"a {KEY} b {encoded} c", [KEY]) == "a *** b *** c"
    assert redact_bytes(f'{{"said": "{KEY} {encoded}"}}'.encode(), [KEY]) == b'{"said": "*** ***"}'


def test_data_keeps_its_own_parameters() -> None:
    website = "https://tea.test/?key=menu"
    assert redact_known(f"{website} {KEY}", [KEY]) == f"{website} ***"


@pytest.mark.parametrize(
    ("text", "secret", "clean"),
    [
        ("a banana", "a", "a banana"),
        ("a banana", "anana", "a banana"),
        ("a banana", "banana", "a ***"),
    ],
)
def test_a_secret_too_short_to_be_one_does_not_spoil_texts(text: str, secret: str, clean: str) -> None:
    assert redact(text, [secret]) == clean


@pytest.mark.parametrize(
    "name", ["key", "X-Goog-Api-Key", "api_key", "access_token", "Authorization", "signature"]
)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["keyword", "X-Goog-FieldMask", "query", "tokenizer"])
def test_names_of_other_things(name: str) -> None:
    assert not is_secret_name(name)
