"""Who may ask, and what a browser may do with the page.

Headers after the OWASP secure headers project (https://owasp.org/www-project-secure-headers/).
"""

import hmac
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mapagent.interfaces.http.errors import Refusal, refused
from mapagent.interfaces.http.options import ServeOptions, is_loopback

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing from elsewhere, nothing inline; pictures that the page itself holds (`data:`, `blob:`) are shown
(https://www.w3.org/TR/CSP3/)."""

HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(self), camera=(), microphone=()",
}
PUBLIC_PATHS = frozenset({"", "/api/health"})
PUBLIC_PREFIX = "/page/"
"""What is served without the token: the page itself, which holds nothing, and whether the server lives."""
HISTORY_PATH = "/api/history"
"""The list of what was asked. Who has asked knows the id of his answer; only the list tells those of others."""


class Guard:
    """Turns foreign requests away and puts the security headers on every reply (ASGI middleware).

    A server that only this machine can reach answers only to this machine's names, so that no web page can
    reach it through a name of its own (DNS rebinding). A browser's request from another origin is refused.
    """

    def __init__(self, app: ASGIApp, options: ServeOptions) -> None:
        self._app = app
        self._token = options.token
        self._owner_token = options.owner_token
        self._local_only = options.local_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, or answers 401 or 403."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            self._check(scope["scheme"], scope["path"].rstrip("/"), Headers(scope=scope))
        except Refusal as refusal:
            await refused(refusal)(scope, receive, secured)
            return
        await self._app(scope, receive, secured)

    def _check(self, scheme: str, path: str, headers: Headers) -> None:
        host = headers.get("host", "")
        if self._local_only and not is_loopback(_hostname(host)):
            raise Refusal(403, "This server answers only on this machine.", "Open it as http://127.0.0.1.")
        origin = headers.get("origin")
        if origin is not None and origin != f"{scheme}://{host}":
            raise Refusal(403, "Pages of other sites may not use this server.")
        if self._token is None:
            self._check_owner(path, headers)
        elif (
            path not in PUBLIC_PATHS
            and not path.startswith(PUBLIC_PREFIX)
            and not _bears(headers, self._token)
        ):
            raise Refusal(
                401,
                "This server wants a token.",
                "Send it as 'Authorization: Bearer TOKEN'.",
                {"WWW-Authenticate": "Bearer"},
            )

    def _check_owner(self, path: str, headers: Headers) -> None:
        if path == HISTORY_PATH and self._owner_token is not None and not _bears(headers, self._owner_token):
            raise Refusal(
                403,
                "What was asked is for who started this server.",
                "Open the link that `mapagent serve` has printed, or send its token as 'Authorization: Bearer TOKEN'.",
            )


def _bears(headers: Headers, token: str) -> bool:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), token.encode())


def _hostname(host: str) -> str:
    """The name in a Host header, without its port; empty if it is none (RFC 9110, section 7.2)."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
