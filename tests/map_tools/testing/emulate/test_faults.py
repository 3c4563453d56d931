"""Faults on purpose: each in the shape of its generation, and on the requests it was meant for."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import IncompleteRead
from typing import Any
from urllib.request import Request

import googlemaps
import pytest
from googlemaps.exceptions import ApiError

from map_tools.clock import SystemClock
from map_tools.errors import ConfigError
from map_tools.providers.recorded import RecordedProvider
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.endpoints import NAMES
from map_tools.testing.emulate.faults import Fault, FaultKind, FaultPlan, read_fault
from map_tools.testing.emulate.server import running
from tests.map_tools.testing.emulate.conftest import HARBOUR, Answered, Asker, circle

TEXT, MATRIX = "/v1/places:searchText", "/distanceMatrix/v2:computeRouteMatrix"


@contextmanager
def faulty(*texts: str, seed: int = 0) -> Iterator[Asker]:
    backend = Backend(RecordedProvider.open(HARBOUR), SystemClock(), page_size=2, token_delay_s=0, seed=seed)
    with running(backend, [read_fault(text, NAMES) for text in texts]) as base:
        yield Asker(base)


def text_search(asker: Asker, query: str = "Tides Coffee") -> Answered:
    return asker.post(TEXT, {"textQuery": query}, "places.displayName.text")


@pytest.mark.parametrize(
    ("kind", "status", "words"),
    [
        ("zero_results", "ZERO_RESULTS", None),
        ("over_query_limit", "OVER_QUERY_LIMIT", "quota"),
        ("resource_exhausted", "OVER_QUERY_LIMIT", "quota"),
        ("request_denied", "REQUEST_DENIED", "key"),
        ("not_enabled", "REQUEST_DENIED", "not enabled"),
        ("unknown_error", "UNKNOWN_ERROR", None),
    ],
)
def test_legacy_faults_are_statuses(kind: str, status: str, words: str | None) -> None:
    with faulty(kind) as asker:
        reply = asker.legacy("place/textsearch", query="Tides Coffee")
    assert (reply.status, reply.json["status"], reply.json["results"]) == (200, status, [])
    assert (words in reply.json["error_message"]) if words else ("error_message" not in reply.json)


@pytest.mark.parametrize(
    ("kind", "code", "status", "reason"),
    [
        ("over_query_limit", 429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED"),
        ("resource_exhausted", 429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED"),
        ("request_denied", 400, "INVALID_ARGUMENT", "API_KEY_INVALID"),
        ("not_enabled", 403, "PERMISSION_DENIED", "SERVICE_DISABLED"),
        ("unknown_error", 503, "UNAVAILABLE", None),
    ],
)
def test_new_faults_are_errors(kind: str, code: int, status: str, reason: str | None) -> None:
    with faulty(kind) as asker:
        reply = text_search(asker)
    error = reply.json["error"]
    assert (reply.status, error["code"], error["status"]) == (code, code, status)
    if reason:
        assert error["details"][0]["reason"] == reason
        assert error["details"][0]["metadata"]["service"] == "places.googleapis.com"


def test_a_disabled_service_is_named() -> None:
    with faulty("not_enabled") as asker:
        assert "Routes API" in asker.post(MATRIX, {}, "status").json["error"]["message"]
        assert (
            "Directions API" in asker.legacy("directions", origin="a", destination="b").json["error_message"]
        )


def test_zero_results_in_the_new_generation() -> None:
    with faulty("zero_results") as asker:
        assert text_search(asker).json == {}
        assert asker.post(MATRIX, {}, "status").json == []
        assert asker.get("/v1/places/ChIJx", "id").status == 404


def test_googles_client_reads_the_faults() -> None:
    with faulty("over_query_limit@textsearch", "request_denied@details") as asker, asker.client() as client:
        with pytest.raises(googlemaps.exceptions._OverQueryLimit):
            client.places("Tides Coffee")
        with pytest.raises(ApiError, match="REQUEST_DENIED"):
            client.place("ChIJx")
        assert client.places_nearby(location=(-12.5, 130.75), radius=9000)["status"] == "OK"


def test_broken_replies() -> None:
    with faulty("half_json") as asker, pytest.raises(json.JSONDecodeError):
        text_search(asker)
    with faulty("html") as asker, pytest.raises(json.JSONDecodeError):
        text_search(asker)
    with faulty("dropped") as asker, pytest.raises((IncompleteRead, ConnectionError)):
        text_search(asker)


def test_slow_replies_are_whole() -> None:
    with faulty("slow:seconds=0.2") as asker:
        start = time.monotonic()
        reply = text_search(asker)
    assert time.monotonic() - start >= 0.2
    assert len(reply.json["places"]) == 2


def test_page_tokens_are_refused() -> None:
    body: dict[str, Any] = {
        "textQuery": "restaurant",
        "locationBias": circle(-12.5, 130.75, 500),
        "pageSize": 1,
    }
    with faulty("stale_token") as asker:
        first = asker.legacy("place/nearbysearch", location="-12.5,130.75", radius="9000").json
        assert first["status"] == "OK"
        second = asker.legacy("place/nearbysearch", pagetoken=first["next_page_token"]).json
        assert second["status"] == "INVALID_REQUEST"
        token = asker.post(TEXT, body, "nextPageToken").json["nextPageToken"]
        assert asker.post(TEXT, body | {"pageToken": token}, "places.id").status == 400


def test_every_third_request() -> None:
    with faulty("zero_results@searchText:every=3") as asker:
        empty = [text_search(asker).json == {} for _ in range(9)]
        assert asker.legacy("place/textsearch", query="Tides Coffee").json["status"] == "OK"
    assert empty == [False, False, True] * 3


def test_shares_follow_the_seed() -> None:
    def hits(seed: int) -> list[bool]:
        with faulty("zero_results:share=0.3", seed=seed) as asker:
            return [text_search(asker).json == {} for _ in range(60)]

    first = hits(1)
    assert first == hits(1)
    assert first != hits(2)
    assert 8 <= sum(first) <= 30  # 18 expected; the bounds are more than three deviations away


def test_random_faults_are_of_all_kinds() -> None:
    plan = FaultPlan([Fault(FaultKind.RANDOM, share=0.5)], seed=7)
    drawn = [plan.next("searchText", str(number).encode()) for number in range(2000)]
    kinds = {fault.kind for fault in drawn if fault}
    assert kinds == set(FaultKind) - {FaultKind.RANDOM}
    assert sum(fault is not None for fault in drawn) == pytest.approx(1000, abs=80)


def test_a_repeated_request_is_drawn_anew() -> None:
    plan = FaultPlan([Fault(FaultKind.SLOW, share=0.5)], seed=7)
    drawn = {plan.next("searchText", b"the same") is None for _ in range(40)}
    assert drawn == {True, False}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("flood", "no fault 'flood'"),
        ("slow@nowhere", "no endpoint 'nowhere'"),
        ("slow:share=2", "share=2"),
        ("slow:every=0", "every=0"),
        ("slow:often", "often"),
        ("slow:seconds=x", "seconds=x"),
    ],
)
def test_wrong_faults_are_named(text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as error:
        read_fault(text, NAMES)
    assert error.value.remedy


def test_faults_are_read() -> None:
    assert read_fault("slow@details:share=0.25:seconds=5", NAMES) == Fault(
        FaultKind.SLOW, "details", share=0.25, seconds=5.0
    )


def test_no_other_paths_are_served() -> None:
    with faulty() as asker:
        request = Request(f"{asker.base}/maps/api/staticmap")
        with pytest.raises(json.JSONDecodeError):
            asker.send(request)
