"""A real HTTP server on the loopback: its replies are scripted, and it keeps a log of what it was asked."""

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Asked:
    """A request as it arrived; `at_s` on the server's own monotonic clock."""

    method: str
    path: str
    params: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes
    at_s: float


@dataclass(frozen=True)
class Scripted:
    """A reply.

    `delay_s`: wait before it. `drop`: close the connection without a word. `cut`: promise the whole body,
    send so many bytes of it, and close.
    """

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    drop: bool = False
    cut: int | None = None


def json_reply(value: Any, status: int = 200, **headers: str) -> Scripted:
    """A reply with a JSON body; header names are written with underscores."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Scripted(status, json.dumps(value).encode(), {"content-type": "application/json", **named})


type Script = Callable[[Asked], Scripted]


@dataclass
class Loopback:
    """The running server: its address, and its log in the order of arrival."""

    url: str
    asked: list[Asked] = field(default_factory=list)
    most_at_once: int = 0
    at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


def in_turn(*replies: Scripted) -> Script:
    """Each reply once, in order; the last one for ever."""
    left = list(replies)
    lock = threading.Lock()

    def script(_: Asked) -> Scripted:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return script


@contextmanager
def serving(script: Script, certificate: Path | None = None) -> Iterator[Loopback]:
    """Runs the server on a free port while the body runs, over TLS if there is a certificate with its key."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script))
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    scheme = "http" if certificate is None else "https"
    loopback = Loopback(f"{scheme}://127.0.0.1:{server.server_address[1]}")
    server.loopback = loopback  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield loopback
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(script: Script) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 5

        def do_GET(self) -> None:
            at_s = time.monotonic()
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            params = parse_qs(parts.query, keep_blank_values=True)
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, parts.path, params, headers, body, at_s)
            loopback: Loopback = self.server.loopback  # type: ignore[attr-defined]
            with loopback.lock:
                loopback.asked.append(asked)
                loopback.at_once += 1
                loopback.most_at_once = max(loopback.most_at_once, loopback.at_once)
            try:
                self._answer(script(asked))
            finally:
                with loopback.lock:
                    loopback.at_once -= 1

        def do_POST(self) -> None:
            self.do_GET()

        def do_HEAD(self) -> None:
            self.do_GET()

        def _answer(self, reply: Scripted) -> None:
            if reply.delay_s:
                time.sleep(reply.delay_s)
            if reply.drop:
                self.close_connection = True
                return
            try:
                self.send_response_only(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if "content-length" not in reply.headers:
                    self.send_header("content-length", str(len(reply.body)))
                self.end_headers()
                if self.command == "HEAD":
                    return
                self.wfile.write(reply.body if reply.cut is None else reply.body[: reply.cut])
            except ConnectionError:  # the other side has gone
                self.close_connection = True
            if reply.cut is not None:
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            """Stays quiet."""

    return Handler
