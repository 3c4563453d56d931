"""Requests keep secrets apart; replies say what is wrong with them; which requests are the same."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from map_tools.errors import ProviderError
from map_tools.wire.request import Identity, WireReply, WireRequest, first_difference, nearest

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


BASE = WireRequest(
    method="POST",
    url="https://maps.test/v1/search",
    params={"b": "2", "a": "1"},
    headers={"X-Goog-FieldMask": "places.id", "Accept-Language": "en"},
    json={"textQuery": "tea", "circle": {"radius": 500, "center": [60.1, 24.9]}},
    secret_headers={"X-Goog-Api-Key": "first-secret"},
    secret_params={"key": "other-secret"},
)


def key(request: WireRequest, provider: str = "atlas") -> str:
    return Identity.of(request, provider).key


def test_the_canonical_form_is_written_out() -> None:
    request = WireRequest(url="https://maps.test/a?c=3", params=(("b", "2"), ("b", "1"), ("a", "é")))
    canonical = (
        '{"headers":{},"method":"GET","params":{"a":"\\u00e9","b":["2","1"],"c":"3"},'
        '"provider":"atlas","url":"https://maps.test/a"}'
    )
    identity = Identity.of(request, "atlas")
    assert identity.canonical == canonical
    assert identity.key == hashlib.sha256(canonical.encode()).hexdigest()


@pytest.mark.parametrize(
    "other",
    [
        replace(BASE, params={"a": "1", "b": "2"}),
        replace(BASE, headers={"accept-language": "en", "x-goog-fieldmask": "places.id"}),
        replace(BASE, json={"circle": {"center": [60.1, 24.9], "radius": 500}, "textQuery": "tea"}),
        replace(BASE, secret_headers={"X-Goog-Api-Key": "another"}, secret_params={"key": "another"}),
        replace(BASE, url="https://ann:word@maps.test/v1/search", method="post"),
    ],
)
def test_equal_requests_have_equal_keys(other: WireRequest) -> None:
    assert key(other) == key(BASE)


@pytest.mark.parametrize(
    "other",
    [
        replace(BASE, method="GET"),
        replace(BASE, url="https://maps.test/v1/searchNearby"),
        replace(BASE, url="http://maps.test/v1/search"),
        replace(BASE, params={"a": "1", "b": "3"}),
        replace(BASE, headers={"X-Goog-FieldMask": "places.id,places.location", "Accept-Language": "en"}),
        replace(BASE, headers={"X-Goog-FieldMask": "places.id", "Accept-Language": "fi"}),
        replace(BASE, json={"textQuery": "tea", "circle": {"radius": 501, "center": [60.1, 24.9]}}),
        replace(BASE, json={"textQuery": "tea", "circle": {"radius": 500, "center": [24.9, 60.1]}}),
        replace(BASE, json=None),
        replace(BASE, json=None, form={"data": "node(1);"}),
    ],
)
def test_whatever_changes_a_reply_changes_the_key(other: WireRequest) -> None:
    assert key(other) != key(BASE)


def test_providers_do_not_share_replies() -> None:
    assert key(BASE, "atlas") != key(BASE, "globe")


def test_no_secret_is_in_the_identity() -> None:
    canonical = Identity.of(replace(BASE, url="https://ann:hidden-word@maps.test/"), "atlas").canonical
    assert not any(word in canonical for word in ("first-secret", "other-secret", "hidden-word"))


def test_an_unmarked_parameter_named_like_a_secret_tells_requests_apart_without_being_told() -> None:
    cafes, parks = (
        WireRequest(url="https://tags.test/", params={"key": value}) for value in ("amenity", "leisure")
    )
    assert key(cafes) != key(parks)
    assert "amenity" not in Identity.of(cafes, "atlas").canonical


def test_the_first_difference_is_named_with_both_values() -> None:
    wanted = Identity.of(BASE, "atlas").fields
    other = Identity.of(
        replace(BASE, params={"a": "1", "b": "2", "c": "é"}, json={"textQuery": "coffee"}), "atlas"
    ).fields
    assert str(first_difference(wanted, other)) == 'params.c: wanted (absent), stored "é"'
    assert first_difference(wanted, wanted) is None


def test_the_nearest_request_differs_least() -> None:
    far = Identity.of(replace(BASE, params={}, json={"textQuery": "coffee"}), "atlas").fields
    near = Identity.of(replace(BASE, params={"a": "1", "b": "7"}), "atlas").fields
    assert nearest(Identity.of(BASE, "atlas").fields, [far, near]) == near
    assert nearest(Identity.of(BASE, "atlas").fields, []) is None
