"""Where maps live: one folder for each below a home folder, built beside and renamed into place."""

import fcntl
import os
import re
import secrets
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from map_tools.errors import MapStoreError, UnknownNameError, UsageError
from map_tools.maps.info import INFO_FILE

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_BUILDING = ".building-"
_REPLACED = ".replaced-"
_REMOVED = ".removed-"
_LOCK_FILE = ".lock"


def default_root(environment: Mapping[str, str] | None = None) -> Path:
    """`$XDG_DATA_HOME/mapagent/maps`, by default below `~/.local/share`.

    See https://specifications.freedesktop.org/basedir-spec/latest/.
    """
    variables = os.environ if environment is None else environment
    base = variables.get("XDG_DATA_HOME", "")
    data_home = Path(base) if base.startswith("/") else Path.home() / ".local" / "share"
    return data_home / "mapagent" / "maps"


def check_name(name: str) -> str:
    """Returns the name if it is a valid name of a map.

    Raises:
        UsageError: It is not.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"'{name}' cannot be the name of a map.",
            "Use small letters, digits, '-' and '_', beginning with a letter or digit.",
        )
    return name


def name_from_file(path: Path) -> str:
    """A map's name made of a file's name: "Vaduz 2022.osm.pbf" becomes "vaduz-2022"."""
    stem = path.name.split(".", 1)[0].lower()
    return check_name(re.sub(r"[^a-z0-9_-]+", "-", stem).strip("-_")[:64] or "map")


class MapHome:
    """The folder of all maps.

    Args:
        root: The folder; made when the first map is built.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def list(self) -> tuple[str, ...]:
        """Names of the maps, in alphabetical order."""
        return tuple(sorted(self._ages()))

    def path(self, name: str) -> Path:
        """Folder of a map.

        Raises:
            UnknownNameError: There is no such map; says which there are.
            UsageError: The name is not one a map can have.
        """
        folder = self.root / check_name(name)
        if not _is_map(folder):
            self._settle()
        if not _is_map(folder):
            raise self._unknown(name)
        return folder

    def remove(self, name: str) -> None:
        """Removes a map; whoever has it open can go on reading.

        Raises:
            UnknownNameError: There is no such map.
        """
        folder = self.path(name)
        grave = self._scratch(_REMOVED, name)
        try:
            with self._locked():
                folder.rename(grave)
        except FileNotFoundError as error:  # somebody else has just removed it
            raise self._unknown(name) from error
        shutil.rmtree(grave, ignore_errors=True)

    def last_added(self) -> str | None:
        """Name of the map that was built last, None if there is none."""
        ages = self._ages()
        return max(ages, key=lambda name: ages[name], default=None)

    def _ages(self) -> dict[str, int]:
        """When each map was built, in nanoseconds."""
        if not self.root.is_dir():
            return {}
        self._settle()
        with _shared(self.root):
            maps = [path for path in self.root.iterdir() if _is_map(path)]
            return {path.name: (path / INFO_FILE).stat().st_mtime_ns for path in maps}

    @contextmanager
    def building(self, name: str) -> Iterator[Path]:
        """A new folder to build a map in; on leaving it becomes the map, replacing an older one of this name.

        If the block raises, or the process is killed, nothing remains (what a killed process left is removed
        when the next map is built).

        Raises:
            UsageError: The name is not one a map can have.
            MapStoreError: The folder cannot be written: no space, no permission.
        """
        check_name(name)
        folder = self._scratch(_BUILDING, name)
        descriptor = None
        try:
            descriptor = self._claim(folder)
            yield folder
            with self._locked():
                old = self._put(folder, name)
            shutil.rmtree(old, ignore_errors=True)
        except (OSError, sqlite3.Error) as error:
            raise MapStoreError(
                f"The map '{name}' cannot be written below {self.root}: {_reason(error)}.",
                "Make sure that there is space and that you may write there; nothing was changed.",
            ) from error
        finally:
            if descriptor is not None:
                os.close(descriptor)
            shutil.rmtree(folder, ignore_errors=True)

    def _claim(self, folder: Path) -> int:
        """Makes a folder to build in and locks it, before anybody can take it for an abandoned one."""
        self.root.mkdir(parents=True, exist_ok=True)
        with self._locked():
            self._clean()
            folder.mkdir()
            descriptor = os.open(folder / _LOCK_FILE, os.O_CREAT | os.O_RDWR, 0o644)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        return descriptor

    def _put(self, folder: Path, name: str) -> Path:
        """Puts a new map in its place; returns where the old one has gone, if there was one."""
        (folder / _LOCK_FILE).unlink()
        target, old = self.root / name, self._scratch(_REPLACED, name)
        if target.exists():
            target.rename(old)
        folder.rename(target)
        return old

    def _clean(self) -> None:
        """Removes what killed processes left; puts back a map whose replacement was cut in the middle.

        The caller holds the lock.
        """
        for path in list(self.root.iterdir()):
            if path.name.startswith(_REPLACED):
                self._bury(path)
            elif path.name.startswith(_REMOVED) or _is_abandoned(path):
                shutil.rmtree(path, ignore_errors=True)

    def _settle(self) -> None:
        """Waits for a replacement under way, and puts back a map whose replacement was cut in the middle."""
        lost = [path for path in self.root.glob(f"{_REPLACED}*") if not _is_map(self._place_of(path))]
        if not lost:
            return
        with suppress(OSError), self._locked():  # who may not write here reads what there is
            for path in lost:
                self._bury(path)

    def _bury(self, path: Path) -> None:
        """Puts a replaced map back where the new one never came, else removes it."""
        target = self._place_of(path)
        if (path / INFO_FILE).is_file() and _NAME.fullmatch(target.name) and not target.exists():
            path.rename(target)
        else:
            shutil.rmtree(path, ignore_errors=True)

    def _place_of(self, replaced: Path) -> Path:
        return self.root / replaced.name.removeprefix(_REPLACED).rpartition(".")[0]

    def _scratch(self, prefix: str, name: str) -> Path:
        return self.root / f"{prefix}{name}.{secrets.token_hex(6)}"

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Holds the lock of the home folder: renaming is done by one process at a time."""
        descriptor = os.open(self.root / _LOCK_FILE, os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _unknown(self, name: str) -> UnknownNameError:
        names = self.list()
        there_are = f"There are: {', '.join(names)}." if names else "There is none yet."
        return UnknownNameError(f"There is no map '{name}'.", f"{there_are} `mapagent map add` builds one.")


@contextmanager
def undisturbed(folder: Path) -> Iterator[None]:
    """While a map is being opened nobody replaces or removes it; once open it can be read in any case."""
    with _shared(folder.parent):
        yield


@contextmanager
def _shared(root: Path) -> Iterator[None]:
    """Holds the lock of a home folder together with other readers."""
    try:
        descriptor = os.open(root / _LOCK_FILE, os.O_RDONLY)
    except OSError:  # a folder outside a home, or one that nobody may write in
        yield
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


def _is_map(folder: Path) -> bool:
    return _NAME.fullmatch(folder.name) is not None and (folder / INFO_FILE).is_file()


def _reason(error: OSError | sqlite3.Error) -> str:
    if isinstance(error, sqlite3.Error):
        return str(error)
    # A write that the disk took only a part of has no words of the system.
    return error.strerror or f"the disk is full ({error})"


def _is_abandoned(folder: Path) -> bool:
    """True for a folder to build in that no living process holds: its lock is free."""
    if not folder.name.startswith(_BUILDING):
        return False
    try:
        descriptor = os.open(folder / _LOCK_FILE, os.O_RDWR)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True
