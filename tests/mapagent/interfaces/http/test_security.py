"""Who may ask, and what the replies let a browser do."""

from pathlib import Path

import pytest

from tests.support.http_server import Client, serving

TOKEN = "open-sesame"


def test_every_reply_has_the_security_headers(client: Client) -> None:
    replies = [client.get(path) for path in ("/", "/api/health", "/nothing", "/page/main.js")]
    replies.append(client.ask(" "))
    replies.append(client.get("/api/health", headers={"host": "evil.example"}))
    for reply in replies:
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy, "no other host is named"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in reply.headers


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8321", "10.0.0.1", "[::1", ""]
)
def test_a_foreign_name_does_not_reach_a_local_server(client: Client, host: str) -> None:
    assert client.get("/api/history", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1"])
def test_pages_of_other_origins_are_refused(client: Client, origin: str) -> None:
    reply = client.post("/api/ask", json={"question": "x"}, headers={"origin": origin})
    assert reply.status_code == 403


def test_the_scheme_of_an_origin_counts(client: Client) -> None:
    """A page of another server on this port, read over TLS, is another origin (RFC 6454, section 4)."""
    origin = str(client.base_url).rstrip("/").replace("http:", "https:")
    assert client.post("/api/ask", json={"question": "x"}, headers={"origin": origin}).status_code == 403


def test_the_own_origin_may_ask(client: Client) -> None:
    reply = client.delete("/api/history", headers={"origin": str(client.base_url).rstrip("/")})
    assert reply.status_code == 204


def test_with_a_token_only_its_bearer_is_served(data_home: Path, tmp_path: Path) -> None:
    with serving(data_home, state=tmp_path, token=TOKEN) as client:
        for path in ("/api/setup", "/api/history", "/api/metrics", "/tiles/helsinki/0/0/0.mvt"):
            refused = [
                client.get(path, headers=headers)
                for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"})
            ]
            assert {reply.status_code for reply in refused} == {401}
            assert refused[0].headers["www-authenticate"] == "Bearer"
            assert client.get(path, headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
        for path in ("/", "/page/main.js", "/api/health"):
            assert client.get(path).status_code == 200
