"""What may be kept for how long, and what is done with a reply."""

from datetime import UTC, datetime, timedelta

import pytest

from map_tools.errors import ConfigError
from map_tools.wire.policy import DataKind, Retention, Verdict, WirePolicy
from map_tools.wire.request import WireReply

# https://cloud.google.com/maps-platform/terms/maps-service-terms: place ids for ever, coordinates 30 days.
GOOGLE = Retention(ids_days=None, coordinates_days=30)


def reply(status: int, body: bytes = b"{}") -> WireReply:
    return WireReply(status=status, headers={}, body=body, received_at=datetime(2030, 5, 4, tzinfo=UTC))


@pytest.mark.parametrize(
    ("kind", "days", "allowed"),
    [
        (DataKind.IDS, 4000, True),
        (DataKind.COORDINATES, 30, True),
        (DataKind.COORDINATES, 30.001, False),
        (DataKind.PAYLOAD, 0, False),
    ],
)
def test_terms_tell_kinds_of_data_apart(kind: DataKind, days: float, allowed: bool) -> None:
    assert GOOGLE.allows(kind, timedelta(days=days)) is allowed


@pytest.mark.parametrize(("across", "each_per_s"), [(False, 0.5), (True, 3.0)])
def test_processes_side_by_side_divide_the_rate(across: bool, each_per_s: float) -> None:
    """Twelve on two machines; those of a machine keep a rate together that holds across processes."""
    policy = WirePolicy(name="atlas", requests_per_s=6.0, across_processes=across)
    assert policy.shared(12, 2).requests_per_s == each_per_s
    assert policy.shared(1, 1) == policy
    assert WirePolicy(name="atlas").shared(12, 2).requests_per_s is None


def test_nothing_is_kept_unless_a_provider_says_so() -> None:
    assert not any(Retention().allows(kind) for kind in DataKind)


def test_the_user_may_take_payloads_on_himself() -> None:
    chosen = GOOGLE.with_payloads(7)
    assert chosen.allows(DataKind.PAYLOAD, timedelta(days=7))
    assert not chosen.allows(DataKind.PAYLOAD, timedelta(days=8))
    assert chosen.coordinates_days == 30


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (200, Verdict.GOOD),
        (302, Verdict.FINAL),
        (404, Verdict.FINAL),
        (429, Verdict.RETRY),
        (503, Verdict.RETRY),
    ],
)
def test_the_status_decides(status: int, verdict: Verdict) -> None:
    assert WirePolicy(name="atlas").verdict(reply(status)) is verdict


def test_a_service_may_report_errors_inside_good_replies() -> None:
    def judge(answer: WireReply) -> Verdict:
        return Verdict.RETRY if answer.json()["status"] == "UNKNOWN_ERROR" else Verdict.GOOD

    policy = WirePolicy(name="atlas", judge=judge)
    assert policy.verdict(reply(200, b'{"status": "UNKNOWN_ERROR"}')) is Verdict.RETRY
    assert policy.verdict(reply(200, b'{"status": "OK"}')) is Verdict.GOOD
    assert policy.verdict(reply(403, b"not even JSON")) is Verdict.FINAL


def test_senseless_policies_are_refused() -> None:
    with pytest.raises(ConfigError, match="attempts"):
        WirePolicy(name="atlas", attempts=0)
    with pytest.raises(ConfigError, match="no request at all"):
        WirePolicy(name="atlas", requests_per_s=0)
