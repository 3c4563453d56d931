"""The HTTP face on a real port of the loopback: uvicorn in a thread, or the command in a process of its own."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from mapagent.interfaces.conversations import Conversations
from mapagent.interfaces.http.app import create_app
from mapagent.interfaces.http.options import ServeOptions
from mapagent.interfaces.http.process import Impatient
from mapagent.runtime.config import Settings
from tests.support.cli import start

START_S = 20.0
STOP_S = 30.0
SETTINGS = ("model", "base_url", "provider", "map", "deadline_s")


@dataclass(frozen=True)
class Event:
    """A server-sent event, its data read as JSON."""

    name: str
    data: Any


class Client(httpx2.Client):
    """An HTTP client that knows how questions are asked."""

    def ask(self, question: str, **more: Any) -> httpx2.Response:
        return self.post("/api/ask", json={"question": question, **more})

    def events(self, question: str, **more: Any) -> list[Event]:
        """All events of a question that is watched to its end."""
        with self.stream("POST", "/api/ask/stream", json={"question": question, **more}) as reply:
            assert reply.headers["content-type"].startswith("text/event-stream"), reply.read()
            return read_events("".join(reply.iter_text()))


def read_events(text: str) -> list[Event]:
    """The events of a whole stream (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":") and line)
        if "data" in fields:
            found.append(Event(fields.get("event", "message"), json.loads(fields["data"])))
    return found


@contextmanager
def serving(data_home: Path, *, state: Path | None = None, **options: Any) -> Iterator[Client]:
    """Serves a data home while the body runs; yields a client.

    Args:
        data_home: The folder with `maps` in it.
        state: Folder of the history; default: inside the data home.
        options: Of `ServeOptions`; those named like a setting (`model`, `provider`) are settings instead.
    """
    named = {name: options.pop(name) for name in SETTINGS if name in options}
    settings = Settings(data_home=data_home, **named)
    served = ServeOptions(state=state or data_home / "serve", **options)
    app = create_app(settings, served, Conversations())
    config = uvicorn.Config(
        app, port=0, log_level="critical", ws="none", http=Impatient, timeout_keep_alive=served.patience_s
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        with Client(base_url=_address(server), timeout=30) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(START_S)


@contextmanager
def served(*arguments: str, data_home: Path, memory_kb: int | None = None) -> Iterator[Client]:
    """`mapagent serve` as a process on a free port; it must end by itself on SIGINT."""
    process = start("serve", "--port", "0", *arguments, data_home=data_home, memory_kb=memory_kb)
    assert process.stderr is not None
    try:
        told = process.stderr.readline()
        assert told.startswith("mapagent is at http://127.0.0.1:"), told + process.stderr.read()
        address, _, token = told.split()[-1].partition("#token=")
        with Client(base_url=address, timeout=30) as client:
            client.headers |= {"authorization": f"Bearer {token}"} if token else {}
            yield client
    finally:
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=STOP_S)
    assert (out, err) == ("", "")
    assert process.returncode in {0, 130, -signal.SIGINT}


def _address(server: uvicorn.Server) -> str:
    end = time.monotonic() + START_S
    while not server.started:
        assert time.monotonic() < end, "the server did not start"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    return f"http://127.0.0.1:{port}"
