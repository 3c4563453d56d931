"""Asking again: a bounded number of times, and never beyond the asker's deadline."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from map_tools.errors import ProviderError
from map_tools.wire.meter import CallMeter
from map_tools.wire.policy import Verdict, WirePolicy
from map_tools.wire.request import WireReply


class NoReplyError(Exception):
    """An attempt that brought no usable reply; asking again may help.

    Args:
        problem: What the service did, to follow its name ("did not answer within 10 s").
        remedy: What the user can do.
    """

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy


class _Busy(Exception):  # noqa: N818 (not an error: a reply that says "later")
    def __init__(self, reply: WireReply) -> None:
        super().__init__(reply.status)
        self.reply = reply


async def with_retries(
    attempt: Callable[[], Awaitable[WireReply]],
    *,
    policy: WirePolicy,
    meter: CallMeter,
    sleep: Callable[[float], Awaitable[None]],
) -> WireReply:
    """The reply of the first attempt that brings one worth having, or else the last reply there was.

    The wait doubles from attempt to attempt, without chance: it is the throttle that keeps processes apart. A
    service that asks for a longer wait (Retry-After) gets it. No wait goes beyond the policy's longest or the
    asker's deadline.

    Args:
        attempt: Asks once; raises `NoReplyError` where there is no reply.
        policy: How often and how long.
        meter: Knows the deadline, counts the retries.
        sleep: Waits.

    Raises:
        ProviderError: The last attempt brought no reply.
    """
    from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type

    def wait(state: RetryCallState) -> float:
        wait_s = min(policy.first_wait_s * 2.0 ** (state.attempt_number - 1), policy.longest_wait_s)
        error = state.outcome.exception() if state.outcome else None
        return max(wait_s, asked_wait_s(error.reply)) if isinstance(error, _Busy) else wait_s

    def hopeless(state: RetryCallState) -> bool:
        too_long = state.upcoming_sleep > min(policy.longest_wait_s, meter.seconds_left())
        return too_long or state.attempt_number >= policy.attempts

    def count(_: RetryCallState) -> None:
        meter.retries += 1

    async def judged() -> WireReply:
        reply = await attempt()
        if reply.ok and policy.json_replies:
            _check_json(reply)
        if policy.verdict(reply) is Verdict.RETRY:
            raise _Busy(reply)
        return reply

    retrying = AsyncRetrying(
        retry=retry_if_exception_type((NoReplyError, _Busy)),
        stop=hopeless,
        wait=wait,
        before_sleep=count,
        sleep=sleep,
        reraise=True,
    )
    try:
        return await retrying(judged)
    except _Busy as busy:
        return busy.reply
    except NoReplyError as error:
        tried = retrying.statistics.get("attempt_number", 1)
        times = f", tried {tried} times" if tried > 1 else ""
        raise ProviderError(f"{policy.shown_name} {error.problem}{times}.", error.remedy) from None


def retry_after_s(value: str, date: str = "") -> float | None:
    """The seconds a Retry-After header asks for (RFC 9110, section 10.2.3); None if it says nothing sensible.

    Args:
        value: Seconds, or a date.
        date: The reply's Date header: the service's own clock, from which a date is counted.
    """
    if value.strip().isascii() and value.strip().isdigit():
        return float(value)
    until = _http_date(value)
    if until is None:
        return None
    return max(0.0, (until - (_http_date(date) or datetime.now(UTC))).total_seconds())


def _http_date(value: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def asked_wait_s(reply: WireReply) -> float:
    """The seconds a reply asks to wait before the next request (Retry-After); 0 if it asks for none."""
    return float(reply.headers.get("retry-after", "0"))


def _check_json(reply: WireReply) -> None:
    try:
        reply.json()
    except ProviderError as error:
        # The sentence of the error names the address; here the service is named.
        problem = error.message.partition(" answered with ")[2].removesuffix(".")
        raise NoReplyError(f"answered with {problem}", error.remedy) from None
