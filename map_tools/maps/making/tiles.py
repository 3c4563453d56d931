"""Builds the routing tiles of a map with Valhalla's own programs, beside whatever else is going on.

Which program does what: https://valhalla.github.io/valhalla/mjolnir/why_tiles/.
"""

import errno
import json
import os
import shutil
import signal
import subprocess
import threading
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

from map_tools.maps.info import TILES_FOLDER

_PROGRAMS = ("valhalla_build_admins", "valhalla_build_tiles")
_STOP_SECONDS = 5
_LEAST_FREE_BYTES = 16_000_000
"""The programs do not say why they fail. Where less is free than twice what an empty database of admins takes
(7 MB), it was the disk; so it is if they die of writing to a mapped file (SIGBUS)."""


class TileBuild:
    """Routing tiles in the making; leaving the context stops what still runs.

    Args:
        extract: The .osm.pbf file.
        folder: The map's folder; the tiles go to `tiles/` in it.
    """

    def __init__(self, extract: Path, folder: Path) -> None:
        self._extract = extract.resolve()
        self._tiles = folder / TILES_FOLDER
        self._scratch = folder / ".tiles-build"
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._done = False
        self._no_space = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="routing tiles", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._stopped = True
            process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
        self._thread.join()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def wait(self) -> bool:
        """Waits for the tiles; False if there are none (no roads, or Valhalla's programs are missing).

        Raises:
            OSError: There was no space for them.
        """
        self._thread.join()
        if self._no_space:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self._done and any(self._tiles.rglob("*.gph"))

    def _run(self) -> None:
        """The programs one after the other: first the admins (which side one drives on), then the tiles."""
        programs = _programs()
        if not programs:
            return
        self._tiles.mkdir()
        self._scratch.mkdir()
        settings = self._scratch / "valhalla.json"
        settings.write_text(json.dumps(_settings(self._tiles, self._scratch)), "utf-8")
        self._done = all(self._call(program, settings) for program in programs)

    def _call(self, program: Path, settings: Path) -> bool:
        with self._lock:
            if self._stopped:
                return False
            self._process = subprocess.Popen(
                [str(program), "-c", str(settings), str(self._extract)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        code = self._process.wait()
        if code != 0 and (
            code == -signal.SIGBUS or shutil.disk_usage(self._scratch).free < _LEAST_FREE_BYTES
        ):
            self._no_space = True
            return False
        # Without admins the tiles are still good: only the side of driving falls back to the right.
        return code == 0 or program.name == _PROGRAMS[0]


def _programs() -> tuple[Path, ...]:
    """Valhalla's programs inside its package; the wrappers on PATH only work where PATH has them."""
    spec = find_spec("valhalla")
    if spec is None or spec.origin is None:
        return ()
    folder = Path(spec.origin).parent / "bin"
    found = tuple(folder / name for name in _PROGRAMS)
    return found if all(program.is_file() for program in found) else ()


def _settings(tiles: Path, scratch: Path) -> dict[str, object]:
    from valhalla import get_config

    settings: dict[str, object] = get_config(tile_extract="", tile_dir=str(tiles), verbose=False)
    mjolnir = settings["mjolnir"]
    if isinstance(mjolnir, dict):
        mjolnir.update(admin=str(scratch / "admins.sqlite"), timezone="", concurrency=2)
        mjolnir["logging"] = {"type": ""}
    return settings
