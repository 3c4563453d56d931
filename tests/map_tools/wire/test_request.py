"""Requests keep secrets apart; replies say what is wrong with them."""

from datetime import UTC, datetime

import pytest

from map_tools.errors import ProviderError
from map_tools.wire.request import WireReply, WireRequest

URL = "https://ann:secret-word@maps.test:8443/places/json?q=t%C3%A9a&key=K123456&q=2"


def reply(body: bytes, status: int = 200) -> WireReply:
    moment = datetime(2030, 5, 4, tzinfo=UTC)
    return WireReply(status=status, headers={}, body=body, received_at=moment, address="https://maps.test/a")


def test_a_whole_address_is_taken_apart() -> None:
    request = WireRequest.from_url(URL, secret_names=("key",))
    assert request.pairs() == (("q", "téa"), ("q", "2"))
    assert request.secret_params == {"key": "K123456"}
    assert request.address == "https://maps.test:8443/places/json"
    assert request.bare_url == "https://ann:secret-word@maps.test:8443/places/json"
    assert request.secrets() == {"K123456", "ann:secret-word", "secret-word"}


def test_a_query_in_the_address_counts_as_parameters() -> None:
    request = WireRequest(url="https://maps.test/a?b=2", params={"a": "1"})
    assert request.pairs() == (("a", "1"), ("b", "2"))


def test_no_secret_is_printed() -> None:
    request = WireRequest(url=URL, secret_headers={"X-Key": "header-secret"})
    assert repr(request) == "WireRequest(GET https://maps.test:8443/places/json)"


@pytest.mark.parametrize(
    ("body", "nature"),
    [
        (b"<html>Sign in</html>", "a web page"),
        (b'{"places": [{"na', "JSON that is cut short or broken"),
        (b"", "an empty body"),
        (b"busy, come back", "'busy, come back'"),
        (b"\xff\xfe", "'"),
    ],
)
def test_what_is_not_json_is_named(body: bytes, nature: str) -> None:
    with pytest.raises(ProviderError) as raised:
        reply(body).json()
    assert f"https://maps.test/a answered with {nature}" in raised.value.message
    assert raised.value.remedy


def test_success_is_2xx() -> None:
    assert [status for status in (199, 200, 204, 299, 300, 404, 503) if reply(b"", status).ok] == [
        200,
        204,
        299,
    ]
