"""Valhalla's service: the engine itself, which the embedded router runs as well, with its own replies."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from map_tools.maps.routing import make_actor

if TYPE_CHECKING:
    from valhalla import Actor

CALLS = {"route": "route", "sources_to_targets": "matrix"}
"""Paths of the service, and the engine's methods."""


class ValhallaEngine:
    """The engine over a map's tiles, in a thread of its own.

    Args:
        tiles: Folder of the tiles.
    """

    def __init__(self, tiles: Path) -> None:
        self._tiles = tiles
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="valhalla")
        self._actor: Actor | None = None

    async def answer(self, call: str, request: bytes) -> tuple[int, bytes]:
        """HTTP status and body for a request to one of the paths of `CALLS`."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, call, request)

    async def close(self) -> None:
        """Ends the thread."""
        await asyncio.to_thread(self._thread.shutdown)

    def _answer(self, call: str, request: bytes) -> tuple[int, bytes]:
        from valhalla import ValhallaError

        if self._actor is None:
            self._actor = make_actor(self._tiles)
        try:
            return 200, getattr(self._actor, CALLS[call])(request.decode()).encode()
        except ValhallaError as error:
            told: dict[str, Any] = {
                "error_code": error.code,
                "error": error.message,
                "status_code": error.http_code,
                "status": error.http_message,
            }
            return error.http_code, json.dumps(told).encode()
