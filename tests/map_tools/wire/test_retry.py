"""Asking again: how often, how long in between, and when not."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest

from map_tools.errors import ProviderError
from map_tools.wire.meter import CallMeter
from map_tools.wire.policy import Verdict, WirePolicy
from map_tools.wire.request import WireReply
from map_tools.wire.retry import NoReplyError, retry_after_s, with_retries

POLICY = WirePolicy(name="atlas", title="Atlas", attempts=4, first_wait_s=0.5, longest_wait_s=60)


def reply(status: int = 200, body: bytes = b"{}", **headers: str) -> WireReply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return WireReply(status=status, headers=named, body=body, received_at=datetime(2030, 5, 4, tzinfo=UTC))


class Service:
    """Answers in turn, and keeps the waits in between."""

    def __init__(self, *outcomes: WireReply | Exception) -> None:
        self.outcomes = list(outcomes)
        self.waits_s: list[float] = []

    async def attempt(self) -> WireReply:
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def sleep(self, seconds: float) -> None:
        self.waits_s.append(seconds)

    def ask(self, policy: WirePolicy = POLICY, meter: CallMeter | None = None) -> WireReply:
        return asyncio.run(
            with_retries(self.attempt, policy=policy, meter=meter or CallMeter(), sleep=self.sleep)
        )


def test_waits_double_until_it_works() -> None:
    service = Service(reply(503), NoReplyError("broke off", "Wait."), reply(500), reply(200))
    meter = CallMeter()
    assert service.ask(meter=meter).status == 200
    assert service.waits_s == [0.5, 1.0, 2.0]
    assert meter.retries == 3


def test_after_the_last_attempt_the_services_own_reply_is_handed_over() -> None:
    service = Service(*[reply(429, b'{"error": {"status": "RESOURCE_EXHAUSTED"}}')] * 9)
    assert service.ask().status == 429
    assert len(service.waits_s) == 3  # four attempts, as the policy says


def test_without_any_reply_it_is_an_error_that_says_how_often() -> None:
    service = Service(*[NoReplyError("did not answer within 10 s", "Try again later.")] * 9)
    with pytest.raises(ProviderError) as raised:
        service.ask()
    assert raised.value.message == "Atlas did not answer within 10 s, tried 4 times."
    assert raised.value.remedy == "Try again later."


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_would_not_help_is_not_tried(status: int) -> None:
    service = Service(reply(status), reply(200))
    assert service.ask().status == status
    assert service.waits_s == []


def test_a_service_that_asks_for_a_longer_wait_gets_it() -> None:
    service = Service(reply(429, retry_after="7"), reply(200))
    assert service.ask().status == 200
    assert service.waits_s == [7.0]


@pytest.mark.parametrize("left_s", [6.9, 0.0])
def test_no_wait_goes_beyond_the_askers_deadline(left_s: float) -> None:
    service = Service(reply(429, retry_after="7"), reply(200))
    assert service.ask(meter=CallMeter(left_s=lambda: left_s)).status == 429
    assert service.waits_s == []


def test_no_wait_is_longer_than_the_policy_allows() -> None:
    service = Service(reply(429, retry_after="3600"), reply(200))
    assert service.ask().status == 429
    assert service.waits_s == []


def test_an_error_inside_a_good_reply_is_tried_again() -> None:
    def judge(answer: WireReply) -> Verdict:
        return Verdict.RETRY if answer.json()["status"] == "UNKNOWN_ERROR" else Verdict.GOOD

    policy = WirePolicy(name="atlas", judge=judge)
    service = Service(reply(body=b'{"status": "UNKNOWN_ERROR"}'), reply(body=b'{"status": "OK"}'))
    assert service.ask(policy).json() == {"status": "OK"}


@pytest.mark.parametrize(
    ("body", "said"), [(b"<html>", "a web page"), (b'{"a": [', "JSON that is cut short or broken")]
)
def test_a_good_status_with_a_broken_body_is_tried_again_and_then_an_error(body: bytes, said: str) -> None:
    assert Service(reply(body=body), reply()).ask().body == b"{}"
    with pytest.raises(ProviderError) as raised:
        Service(*[reply(body=body)] * 9).ask()
    assert raised.value.message == f"Atlas answered with {said} instead of JSON (status 200), tried 4 times."


def test_services_may_answer_with_other_things_than_json() -> None:
    policy = WirePolicy(name="photos", json_replies=False)
    assert Service(reply(body=b"\x89PNG")).ask(policy).body == b"\x89PNG"


def test_cancelling_ends_the_wait() -> None:
    service = Service(*[reply(503)] * 9)

    def waiting_for_ever() -> Callable[[float], Awaitable[None]]:
        async def sleep(_: float) -> None:
            await asyncio.Event().wait()

        return sleep

    async def cancelled() -> bool:
        task = asyncio.create_task(
            with_retries(service.attempt, policy=POLICY, meter=CallMeter(), sleep=waiting_for_ever())
        )
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(cancelled())


@pytest.mark.parametrize(
    ("value", "date", "seconds"),
    [
        ("120", "", 120.0),
        (" 3 ", "", 3.0),
        # The examples of RFC 9110, sections 5.6.7 and 10.2.3; the Date header is the service's own clock.
        ("Fri, 31 Dec 1999 23:59:59 GMT", "Fri, 31 Dec 1999 23:58:29 GMT", 90.0),
        ("Fri, 31 Dec 1999 23:59:59 GMT", "Sat, 01 Jan 2000 00:00:29 GMT", 0.0),
        ("Fri, 31 Dec 1999 23:59:59 GMT", "", 0.0),
        ("", "", None),
        ("soon", "", None),
        ("-5", "", None),
        ("²", "", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str, date: str, seconds: float | None) -> None:
    assert retry_after_s(value, date) == seconds
