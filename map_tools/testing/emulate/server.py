"""The emulator as something that runs, in an event loop or beside a program that has none, and answers requests.

Its handler finds the endpoint, checks the key, lets faults strike and writes errors as documented. Google's
providers can be checked over it without network and key.
"""

import asyncio
import json
import logging
import secrets
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from pydantic import SecretStr

from map_tools.clock import SystemClock
from map_tools.errors import ConfigError, LimitError, MapAgentError, ToolError
from map_tools.providers.base import ProviderFactory, ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.testing.contract.checking import Rehearsal
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.endpoints import LegacyEndpoint, NewEndpoint, endpoint_at
from map_tools.testing.emulate.faults import WEB_PAGE, Fault, FaultKind, FaultPlan, legacy_fault, new_fault
from map_tools.testing.emulate.google.envelope import INVALID_ARGUMENT, RpcError, rpc_error_of
from map_tools.testing.emulate.google_legacy.envelope import LegacyStatusError, Parameters, status_of
from map_tools.testing.emulate.http import HttpServer, Reply, Request

HOST = "127.0.0.1"
"""The emulator serves this machine alone."""
_LOG = logging.getLogger(__name__)


class Emulator:
    """Google's map services on a port of this machine.

    Args:
        backend: What is emulated from; its provider is not closed.
        faults: What goes wrong on purpose.
    """

    def __init__(self, backend: Backend, faults: Sequence[Fault] = ()) -> None:
        self._server = HttpServer(GoogleApi(backend, FaultPlan(faults, backend.seed)))

    async def start(self, port: int = 0) -> str:
        """Begins to serve; port 0 is any free one.

        Returns:
            The base address, "http://127.0.0.1:PORT".

        Raises:
            ConfigError: The port is taken or not allowed.
        """
        try:
            bound = await self._server.start(HOST, port)
        except (OSError, OverflowError) as error:
            raise ConfigError(f"Port {port} cannot be used: {error}.", "Choose another one.") from error
        return f"http://{HOST}:{bound}"

    async def close(self) -> None:
        """Ends all connections."""
        await self._server.close()


@contextmanager
def running(backend: Backend, faults: Sequence[Fault] = ()) -> Iterator[str]:
    """An emulator in a thread of its own, for blocking clients and tests; gives its base address."""
    emulator = Emulator(backend, faults)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="emulator", daemon=True)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(emulator.start(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(emulator.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


class GoogleApi:
    """The handler of the emulator's server.

    Args:
        backend: What is emulated from.
        plan: Which requests go wrong.
    """

    def __init__(self, backend: Backend, plan: FaultPlan) -> None:
        self._backend = backend
        self._plan = plan

    async def __call__(self, request: Request) -> Reply:
        """Answers one request."""
        endpoint = endpoint_at(request.method, request.path)
        if endpoint is None:
            return Reply(
                404, f"There is no {request.method} {request.path}.\n".encode(), "text/plain; charset=utf-8"
            )
        fault = self._fault(endpoint, request)
        if fault is not None and fault.kind is FaultKind.SLOW:
            await asyncio.sleep(fault.seconds)
        status, body = await self._answer(endpoint, request, fault)
        reply = Reply(status, _json(body), headers=self._credits())
        return _broken(reply, fault.kind) if fault is not None else reply

    def _fault(self, endpoint: LegacyEndpoint | NewEndpoint, request: Request) -> Fault | None:
        query = sorted((name, value) for name, value in request.query.items() if name != "key")
        identity = json.dumps([request.path, query]).encode() + request.body
        fault = self._plan.next(endpoint.name, identity)
        if fault is not None and fault.kind is FaultKind.STALE_TOKEN and not _has_token(request):
            return None
        return fault

    async def _answer(
        self, endpoint: LegacyEndpoint | NewEndpoint, request: Request, fault: Fault | None
    ) -> tuple[int, Any]:
        """HTTP status and JSON."""
        if isinstance(endpoint, LegacyEndpoint):
            return 200, await self._legacy(endpoint, request, fault)
        try:
            return 200, await self._new(endpoint, request, fault)
        except RpcError as error:
            return error.code, error.body()

    async def _legacy(self, endpoint: LegacyEndpoint, request: Request, fault: Fault | None) -> Any:
        try:
            return await self._legacy_result(endpoint, request, fault)
        except LegacyStatusError as error:
            status = error
        except (ToolError, LimitError) as error:
            status = status_of(error)
        except MapAgentError as error:
            _LOG.warning("%s: %s", endpoint.name, error)
            status = LegacyStatusError("UNKNOWN_ERROR", error.message)
        message = {endpoint.message_field: status.message} if status.message else {}
        return {**endpoint.empty, **message, "status": status.status}

    async def _legacy_result(self, endpoint: LegacyEndpoint, request: Request, fault: Fault | None) -> Any:
        if not request.query.get("key") and not request.query.get("client"):
            raise LegacyStatusError("REQUEST_DENIED", "You must use an API key: the parameter 'key'.")
        if fault is not None:
            legacy_fault(endpoint, fault.kind)
        return await endpoint.handler(self._backend, Parameters(request.query))

    async def _new(self, endpoint: NewEndpoint, request: Request, fault: Fault | None) -> Any:
        if not request.headers.get("x-goog-api-key") and not request.query.get("key"):
            raise RpcError(
                "PERMISSION_DENIED",
                "Unregistered callers may not use this method. Use an API key with this API.",
            )
        mask = (
            request.headers.get("x-goog-fieldmask")
            or request.query.get("$fields")
            or request.query.get("fields", "")
        )
        argument = request.path.removeprefix(endpoint.path) if endpoint.prefix else _body(request)
        try:
            if fault is not None and new_fault(endpoint, fault.kind):
                return [] if endpoint.name == "computeRouteMatrix" else {}
            return await endpoint.handler(self._backend, argument, mask)
        except (ToolError, LimitError) as error:
            raise rpc_error_of(error) from error
        except MapAgentError as error:
            _LOG.warning("%s: %s", endpoint.name, error)
            raise RpcError("INTERNAL", error.message) from error

    def _credits(self) -> dict[str, str]:
        """Headers that say whose data it is."""
        terms = self._backend.provider.terms
        headers = {"Server": "mapagent emulator"}
        if terms.attribution:
            headers["X-Map-Attribution"] = terms.attribution.replace("©", "(c)")
        if terms.attribution_url:
            headers["Link"] = f'<{terms.attribution_url}>; rel="license"'
        return headers


def _body(request: Request) -> Any:
    try:
        body = json.loads(request.body or b"{}")
        json.dumps(body, ensure_ascii=False).encode()  # JSON can hold halves of characters; text cannot
    except (ValueError, RecursionError) as error:
        raise RpcError(INVALID_ARGUMENT, "Invalid JSON payload received.") from error
    return body


def _has_token(request: Request) -> bool:
    return (
        bool(request.query.get("pagetoken"))
        or b'"pageToken"' in request.body
        or b'"page_token"' in request.body
    )


def _broken(reply: Reply, kind: FaultKind) -> Reply:
    """The reply as a fault spoils it."""
    if kind is FaultKind.HTML:
        return Reply(200, WEB_PAGE, "text/html; charset=utf-8")
    if kind is FaultKind.HALF_JSON:
        return Reply(reply.status, reply.body[: len(reply.body) // 2], headers=reply.headers)
    if kind is FaultKind.DROPPED:
        return Reply(reply.status, reply.body, headers=reply.headers, cut=True)
    return reply


def _json(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False, indent=1).encode() + b"\n"


@asynccontextmanager
async def google_rehearsal(factory: ProviderFactory, setting: ProviderSetting) -> AsyncIterator[Rehearsal]:
    """A provider that takes an emulator over the chosen map for Google.

    Args:
        factory: `GoogleProvider` or `GoogleLegacyProvider`.
        setting: With a map; key and address are made up.

    Raises:
        ConfigError: There is no map.
    """
    if setting.map_path is None:
        raise ConfigError(
            f"The provider '{setting.name}' is checked over a map, and there is none yet.",
            "Add one with `mapagent map add FILE.osm.pbf`, or check the real service with --live.",
        )
    world = OsmProvider.open(setting.map_path)
    emulator = Emulator(Backend(world, SystemClock(), token_delay_s=0))
    key = f"rehearsal-{secrets.token_hex(8)}"
    try:
        base_url = await emulator.start()
        provider = factory.from_setting(
            setting.model_copy(update={"key": SecretStr(key), "base_url": base_url, "cache_folder": None})
        )
        # An area is nothing to Google, whose searches know no outlines.
        sample = (await world.contract_sample()).model_copy(update={"area": None})
        yield Rehearsal(provider=provider, sample=sample, secrets=(key,))
        await provider.close()
    finally:
        await emulator.close()
        await world.close()
