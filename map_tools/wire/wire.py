"""The wire: one door for all requests to a service.

A request goes: recording, when replayed → cache → budget → slot and throttle → network, with retries → cache
→ recording, when recorded.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from weakref import WeakKeyDictionary

from map_tools.clock import Clock, SystemClock
from map_tools.errors import ConfigError, ProviderError, UsageError
from map_tools.wire.cache import Explanation, KeptReplies, ReplyCache
from map_tools.wire.http_client import HttpClient
from map_tools.wire.meter import CallMeter, Cost, current_meter
from map_tools.wire.policy import (
    DataKind,
    FreeThrottle,
    ProcessThrottle,
    SharedThrottle,
    Throttle,
    Verdict,
    WirePolicy,
)
from map_tools.wire.recording import Entry, Player, Recorder
from map_tools.wire.request import Identity, WireReply, WireRequest
from map_tools.wire.retry import with_retries

if TYPE_CHECKING:
    import httpx2

type Recording = Recorder | Player


class Wire:
    """Sends requests to one service under its policy; several event loops may use it in turn.

    Args:
        policy: What the service demands.
        folder: Where the cache and the throttle's file live; None: no cache.
        clock: Tells how old kept replies are; default: the recording's if there is one, else the machine's.
        recording: A `Recorder` to write down all that passes, or a `Player` to answer without any network.
        sleep: Waits between attempts; tests give one that does not.
        transport: Another way to the network than HTTP; for tests.

    Raises:
        UsageError: A recording is asked for whose replies the service's terms forbid to keep.
        ConfigError: The policy's rate holds across processes, and there is no folder to share.
    """

    def __init__(
        self,
        policy: WirePolicy,
        *,
        folder: Path | None = None,
        clock: Clock | None = None,
        recording: Recording | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        transport: "httpx2.AsyncBaseTransport | None" = None,
    ) -> None:
        _check_terms(policy, recording)
        self.policy = policy
        self._clock = clock or (recording.clock() if recording else SystemClock())
        self._recording = recording
        self._sleep = sleep
        self._transport = transport
        self._throttle = _throttle(policy, folder)
        cache = ReplyCache(folder, self._clock) if folder is not None else None
        self._replies = KeptReplies(cache, policy)
        self._lanes: WeakKeyDictionary[asyncio.AbstractEventLoop, HttpClient] = WeakKeyDictionary()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def send(
        self, request: WireRequest, *, cost: Cost | None = None, data: DataKind = DataKind.PAYLOAD
    ) -> WireReply:
        """Sends a request, or answers it from the recording or the cache.

        Args:
            request: What to ask.
            cost: What the service bills for it; None: nothing.
            data: What the reply will hold, which decides how long it may be kept.

        Returns:
            The service's reply whatever its status: what an error reply means is the provider's to say.

        Raises:
            ProviderError: No reply: unreachable, too slow, too long, broken; or not in the recording.
            LimitError: The budget does not hold its cost; nothing was sent.
        """
        identity = Identity.of(request, self.policy.name)
        meter = current_meter()
        if isinstance(self._recording, Player):
            return self._played(self._recording.play(identity), cost, meter)
        try:
            reply = await self._replies.get(identity, data) or await self._asked(
                identity, request, cost, data, meter
            )
        except ProviderError as error:
            self._record(Entry(identity, self._clock.now(), error=error))
            raise
        meter.cached += reply.cached
        self._record(Entry(identity, reply.received_at, reply=reply))
        return reply

    def attach(self) -> None:
        """Remembers the running event loop for `send_blocking`; call it before starting the thread."""
        self._loop = asyncio.get_running_loop()

    def send_blocking(self, request: WireRequest, *, cost: Cost | None = None) -> WireReply:
        """`send` for a worker thread, while the event loop it was started from is running.

        Call `attach()` on the loop first. Run the thread in a copy of the context (`contextvars`), so that
        costs reach their account, and in a pool of your own: the loop's default threads also look up the
        names of hosts, and must not all be waiting here.

        Raises:
            ProviderError, LimitError: As `send`; or the loop ended meanwhile.
            RuntimeError: It was called on a thread that runs an event loop, which it would stop for ever.
        """
        _refuse_on_loop()
        loop = self._loop
        if loop is None or not loop.is_running():
            raise ProviderError(
                f"{self.policy.shown_name} was asked from a thread without a running event loop.",
                "Call attach() in the event loop before starting the thread.",
            )
        future = asyncio.run_coroutine_threadsafe(self.send(request, cost=cost), loop)
        try:
            return future.result()
        except CancelledError:
            raise ProviderError(f"The request to {self.policy.shown_name} was cancelled.") from None

    def explain(self, request: WireRequest, *, data: DataKind = DataKind.PAYLOAD) -> Explanation:
        """Why a request is answered from the cache or not."""
        return self._replies.explain(Identity.of(request, self.policy.name), data)

    def clear(self) -> int:
        """Deletes what the cache keeps of this service; returns how many replies that were."""
        return self._replies.clear()

    async def close(self) -> None:
        """Closes connections and the cache; a recording is closed by whoever opened it."""
        http_client = self._lanes.pop(asyncio.get_running_loop(), None)
        if http_client is not None:
            await http_client.close()
        self._replies.close()

    async def _asked(
        self, identity: Identity, request: WireRequest, cost: Cost | None, data: DataKind, meter: CallMeter
    ) -> WireReply:
        meter.spend(cost)
        meter.calls += 1
        http_client = self._http_client()
        reply = await with_retries(
            lambda: http_client.attempt(request, meter.seconds_left),
            policy=self.policy,
            meter=meter,
            sleep=self._sleep,
        )
        # An error is not billed. Whether a reply that was lost on its way was billed is not known: it counts.
        if self.policy.verdict(reply) is not Verdict.GOOD:
            meter.refund(cost)
        else:
            await self._replies.put(identity, data, reply)
        return reply

    def _played(self, entry: Entry, cost: Cost | None, meter: CallMeter) -> WireReply:
        """What came of it, with the same effect on the account as when it was recorded."""
        if entry.reply is not None and entry.reply.cached:
            meter.cached += 1
            return entry.reply
        meter.spend(cost)
        meter.calls += 1
        if entry.reply is None:
            raise entry.error or ProviderError("There was no reply.")
        if self.policy.verdict(entry.reply) is not Verdict.GOOD:
            meter.refund(cost)
        return entry.reply

    def _record(self, entry: Entry) -> None:
        if isinstance(self._recording, Recorder):
            self._recording.add(entry)

    def _http_client(self) -> HttpClient:
        self._loop = loop = asyncio.get_running_loop()
        http_client = self._lanes.get(loop)
        if http_client is None:
            http_client = HttpClient(self.policy, self._throttle, self._clock, self._transport)
            self._lanes[loop] = http_client
        return http_client


def _refuse_on_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("send_blocking was called on an event loop's own thread; await send there")


def _throttle(policy: WirePolicy, folder: Path | None) -> Throttle:
    if policy.requests_per_s is None:
        return FreeThrottle()
    if not policy.across_processes:
        return ProcessThrottle(policy.requests_per_s)
    if folder is None:
        raise ConfigError(
            f"The rate of {policy.shown_name} holds for all processes together; they need a folder to share.",
            "Give the wire a folder.",
        )
    path = folder / f"{quote(policy.name, safe='')}.last-request"
    return SharedThrottle(path, policy.requests_per_s, policy.longest_wait_s if policy.rest_s else 0.0)


def _check_terms(policy: WirePolicy, recording: Recording | None) -> None:
    if not isinstance(recording, Recorder) or recording.allow_payloads:
        return
    if policy.keep.payload_days is not None:
        raise UsageError(
            f"The terms of {policy.shown_name} do not allow keeping its replies, so they are not recorded.",
            "If you take it on yourself, allow payloads (allow_payloads=True) and keep the file to yourself.",
        )
