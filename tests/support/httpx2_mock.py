"""respx on httpx2: respx patches only httpx, and the `openai` package speaks through httpx2.

Use it as `respx.mock(using="httpx2", base_url=...)`; importing this module registers it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import httpx2
from respx.mocks import AbstractRequestMocker


class Httpx2Mocker(AbstractRequestMocker):
    """Answers where httpx2 would open a connection."""

    name = "httpx2"
    targets = (
        "httpx2._transports.default.HTTPTransport",
        "httpx2._transports.default.AsyncHTTPTransport",
    )
    target_methods = ("handle_request", "handle_async_request")

    @classmethod
    def to_httpx_request(cls, **kwargs: Any) -> httpx.Request:
        request: httpx2.Request = kwargs["request"]
        return httpx.Request(
            request.method, str(request.url), headers=request.headers.raw, stream=request.stream
        )

    @classmethod
    def prepare_sync_request(
        cls, httpx_request: httpx.Request, **kwargs: Any
    ) -> tuple[httpx.Request, dict[str, Any]]:
        httpx_request.read()
        return httpx_request, kwargs

    @classmethod
    async def prepare_async_request(
        cls, httpx_request: httpx.Request, **kwargs: Any
    ) -> tuple[httpx.Request, dict[str, Any]]:
        await httpx_request.aread()
        return httpx_request, kwargs

    @classmethod
    def from_sync_httpx_response(
        cls, httpx_response: httpx.Response, target: Any, **_: Any
    ) -> httpx2.Response:
        return httpx2.Response(
            httpx_response.status_code, headers=httpx_response.headers.raw, content=httpx_response.content
        )

    @classmethod
    async def from_async_httpx_response(
        cls, httpx_response: httpx.Response, target: Any, **more: Any
    ) -> httpx2.Response:
        return cls.from_sync_httpx_response(httpx_response, target, **more)

    @classmethod
    def _send_sync_request(cls, httpx_request: httpx.Request, **more: Any) -> Any:
        with _as_httpx2():
            return super()._send_sync_request(httpx_request, **more)

    @classmethod
    async def _send_async_request(cls, httpx_request: httpx.Request, **more: Any) -> Any:
        with _as_httpx2():
            return await super()._send_async_request(httpx_request, **more)


@contextmanager
def _as_httpx2() -> Iterator[None]:
    """A mocked failure of httpx becomes the failure of the same name of httpx2."""
    try:
        yield
    except httpx.TransportError as error:
        raise getattr(httpx2, type(error).__name__)(str(error)) from error
