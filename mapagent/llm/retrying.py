"""When a model server is asked again, and how long to wait before."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from mapagent.llm.failures import ServerError, Trouble

if TYPE_CHECKING:
    from tenacity import AsyncRetrying, RetryCallState

type Sleep = Callable[[float], Awaitable[None]]

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 8.0
"""Waits double from the first to the longest, as OpenAI's cookbook advises
(https://cookbook.openai.com/examples/how_to_handle_rate_limits)."""

MAX_ATTEMPTS: dict[Trouble, float] = {
    Trouble.BUSY: 5,
    Trouble.BROKEN: 5,
    Trouble.DROPPED: 5,
    Trouble.SLOW: 2,
    Trouble.GARBLED: 4,
    Trouble.LOADING: float("inf"),  # a large file takes minutes; the deadline ends it
}
"""How often a request is sent in all; trouble that is not named here would only come again."""


def retrying(
    *, left_s: Callable[[], float], sleep: Sleep, note: Callable[[ServerError, float], None]
) -> "AsyncRetrying":
    """The attempts for one request; the last error is raised as it is.

    Args:
        left_s: Seconds left before the deadline: a wait that would pass it is not begun.
        sleep: Waits.
        note: Told of each error that is tried again, and of the wait before it.
    """
    from tenacity import AsyncRetrying, retry_if_exception_type

    def stop(state: "RetryCallState") -> bool:
        error = _error(state)
        return state.attempt_number >= MAX_ATTEMPTS.get(error.trouble, 1) or state.upcoming_sleep >= left_s()

    def before_sleep(state: "RetryCallState") -> None:
        note(_error(state), state.upcoming_sleep)

    return AsyncRetrying(
        retry=retry_if_exception_type(ServerError),
        wait=wait_s,
        stop=stop,
        before_sleep=before_sleep,
        sleep=sleep,
        reraise=True,
    )


def wait_s(state: "RetryCallState") -> float:
    """Seconds before the next attempt: what the server asks for, else doubling.

    https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
    """
    asked = _error(state).retry_after_s
    if asked is not None:
        return asked
    return float(min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (state.attempt_number - 1)))


def _error(state: "RetryCallState") -> ServerError:
    error = state.outcome.exception() if state.outcome is not None else None
    if not isinstance(error, ServerError):  # pragma: no cover - only these are retried
        raise TypeError(f"not a server's failure: {error!r}")
    return error
