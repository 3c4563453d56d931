"""Proxies and certificates of the environment: providers, published files and model servers heed them alike."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from map_tools.downloads.fetching import Fetcher
from map_tools.errors import ConfigError, DownloadError, MapAgentError, ProviderError
from map_tools.wire.meter import Cost
from map_tools.wire.policy import WirePolicy
from map_tools.wire.request import WireRequest
from map_tools.wire.wire import Wire
from mapagent.llm.failures import ServerError, Target, Trouble
from mapagent.llm.server import ModelServer
from tests.support.certificates import self_signed
from tests.support.loopback import Loopback, json_reply, serving

ELSEWHERE = "http://maps.example/v1"
"""A server that is not of this machine, which only a proxy could reach."""
PASSWORD = "open-sesame"
HELLO = json_reply({"hello": "world"})
VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def ask_provider(url: str) -> object:
    async def run() -> object:
        wire = Wire(
            WirePolicy(name="atlas", title="Atlas", timeout_s=5, attempts=3, user_agent="atlas-tests")
        )
        try:
            return (await wire.send(WireRequest(url=url), cost=Cost("Search", 0.03))).json()
        finally:
            await wire.close()

    return asyncio.run(run())


def fetch_file(url: str) -> object:
    with Fetcher(pause_s=0.0) as fetcher:
        return fetcher.read(url, "the index", limit_bytes=1_000)


def ask_model(url: str) -> object:
    async def run() -> object:
        server = ModelServer(Target(url, "small", SecretStr("sk-test")))
        try:
            return await server.get("/models")
        finally:
            await server.close()

    return asyncio.run(run())


FACES: dict[str, Callable[[str], object]] = {
    "provider": ask_provider,
    "file": fetch_file,
    "model": ask_model,
}


@pytest.fixture(params=FACES)
def ask(request: pytest.FixtureRequest) -> Callable[[str], object]:
    return FACES[request.param]


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    return self_signed(tmp_path / "server.pem")


def served(ask: Callable[[str], object], certificate: Path) -> Loopback:
    """A server with a certificate after it was asked."""
    with serving(lambda _: HELLO, certificate) as server:
        ask(server.url)
    return server


def test_a_certificate_that_nobody_vouches_for_is_refused_with_the_way_out(
    ask: Callable[[str], object], certificate: Path
) -> None:
    with pytest.raises(MapAgentError, match="CERTIFICATE_VERIFY_FAILED") as caught:
        served(ask, certificate)
    assert isinstance(caught.value, ProviderError | DownloadError | ServerError)
    assert "SSL_CERT_FILE" in caught.value.remedy
    if isinstance(caught.value, ServerError):
        assert caught.value.trouble is Trouble.UNTRUSTED


def test_the_environment_vouches_for_a_certificate(
    ask: Callable[[str], object], certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for a server of this machine, which no proxy stands before."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert len(served(ask, certificate).asked) == 1


@pytest.mark.parametrize("fault", [{"host": "atlas.example"}, {"ends": timedelta(hours=-1)}])
def test_a_certificate_for_another_host_or_time_is_refused(
    ask: Callable[[str], object],
    fault: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bad = self_signed(tmp_path / "bad.pem", **fault)  # type: ignore[arg-type]
    monkeypatch.setenv("SSL_CERT_FILE", str(bad))
    with pytest.raises(MapAgentError, match="CERTIFICATE_VERIFY_FAILED"):
        served(ask, bad)


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_certificates_that_cannot_be_read_are_told(
    ask: Callable[[str], object],
    content: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "authority.pem"
    if content is not None:
        file.write_text(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with pytest.raises(ConfigError, match="SSL_CERT_FILE") as caught:
        ask(ELSEWHERE)
    assert "PEM" in caught.value.remedy


@pytest.mark.parametrize(
    "address",
    [f"ftp://me:{PASSWORD}@127.0.0.1:1", f"http://me:{PASSWORD}@[::1", f"socks5://me:{PASSWORD}@127.0.0.1:1"],
)
def test_a_proxy_that_is_none_is_told_without_its_password(
    ask: Callable[[str], object], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", address)
    with pytest.raises(ConfigError, match="HTTP_PROXY") as caught:
        ask(ELSEWHERE)
    assert PASSWORD not in str(caught.value)


def test_a_proxy_that_is_down_is_told(ask: Callable[[str], object], monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda _: HELLO) as server:
        gone = server.url
    monkeypatch.setenv("HTTP_PROXY", gone)
    with pytest.raises(MapAgentError, match="cannot be reached"):
        ask(ELSEWHERE)


def test_what_is_elsewhere_goes_through_the_proxy(
    ask: Callable[[str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(lambda _: HELLO) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        ask(ELSEWHERE)
    assert [asked.headers["host"] for asked in proxy.asked] == ["maps.example"]


def test_a_model_of_this_machine_is_asked_without_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda _: HELLO) as proxy, serving(lambda _: HELLO) as server:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        ask_model(server.url)
    assert (len(server.asked), len(proxy.asked)) == (1, 0)
