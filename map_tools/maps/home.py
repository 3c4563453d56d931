"""Where maps live: each is a link to one of its builds, and a build never changes.

    maps/
    ├── helsinki → .builds/helsinki.1f2e3d4c5b6a
    └── .builds/
        └── helsinki.1f2e3d4c5b6a/   map.json, features.sqlite, index/, tiles/, .lock,
                                      and extract.osm.pbf where it is kept

A new build is made beside the old one and the link is replaced in one step: a kill leaves nothing half-made.
Whoever has a map open holds a shared lock on its build; a build is deleted when nothing links to it and
nobody holds it, at the latest when the next map is built.
"""

import fcntl
import os
import re
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from map_tools.errors import MapStoreError, UnknownNameError, UsageError, did_you_mean
from map_tools.maps.info import INFO_FILE

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_BUILDS = ".builds"
_LINK = ".link-"
_LOCK_FILE = ".lock"
_PIN_ATTEMPTS = 5
"""A map would have to be replaced so often between two steps of its opening."""


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
            raise self._unknown(name)
        return folder

    def remove(self, name: str) -> None:
        """Removes a map; whoever has it open can go on reading.

        Raises:
            UnknownNameError: There is no such map.
            MapStoreError: The folder cannot be written.
        """
        link = self.path(name)
        try:
            with self._locked():
                if not _is_map(link):  # somebody else has just removed it
                    raise self._unknown(name)
                if not link.is_symlink():
                    self._take_in(link)
                link.unlink(missing_ok=True)
                self._clean()
        except OSError as error:
            raise MapStoreError(
                f"The map '{name}' cannot be removed from {self.root}: {_reason(error)}.",
                "Make sure that you may write there.",
            ) from error

    def last_added(self) -> str | None:
        """Name of the map that was built last, None if there is none."""
        ages = self._ages()
        return max(ages, key=lambda name: ages[name], default=None)

    def _ages(self) -> dict[str, int]:
        """When each map was built, in nanoseconds."""
        ages: dict[str, int] = {}
        for path in self.root.iterdir() if self.root.is_dir() else ():
            with suppress(FileNotFoundError):  # removed meanwhile
                if _is_map(path):
                    ages[path.name] = (path / INFO_FILE).stat().st_mtime_ns
        return ages

    @contextmanager
    def building(self, name: str, *, in_place_of: Path | None = None) -> Iterator[Path]:
        """A new folder to build a map in; on leaving it becomes the map, replacing an older one of this name.

        If the block raises, or the process is killed, nothing remains (what a killed process left is removed
        when the next map is built).

        Args:
            name: The map's name.
            in_place_of: The build that this one is made from and takes the place of, also among the maps by
                age; None for a map that is added.

        Raises:
            UsageError: The name is not one a map can have.
            MapStoreError: The folder cannot be written: no space, no permission; or the map is no longer the
                build it was to take the place of.
        """
        check_name(name)
        build = self.root / _BUILDS / f"{name}.{secrets.token_hex(6)}"
        descriptor = None
        try:
            descriptor = self._claim(build)
            yield build
            with self._locked():
                self._date(build / INFO_FILE, name, in_place_of)
                self._put(build, name)
                os.close(descriptor)
                descriptor = None
                self._clean()
        except (OSError, sqlite3.Error) as error:
            raise MapStoreError(
                f"The map '{name}' cannot be written below {self.root}: {_reason(error)}.",
                "Make sure that there is space and that you may write there; nothing was changed.",
            ) from error
        finally:
            if descriptor is not None:
                shutil.rmtree(build, ignore_errors=True)
                os.close(descriptor)

    def tidy(self) -> None:
        """Removes what no map is made of and nobody reads; what cannot be removed goes with the next build."""
        with suppress(OSError), self._locked():
            self._clean()

    def _claim(self, build: Path) -> int:
        """Makes a folder to build in and locks it, before anybody can take it for an abandoned one."""
        build.parent.mkdir(parents=True, exist_ok=True)
        with self._locked():
            self._clean()
            build.mkdir()
            descriptor = os.open(build / _LOCK_FILE, os.O_CREAT | os.O_RDWR, 0o644)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        return descriptor

    def _put(self, build: Path, name: str) -> None:
        """Makes a build the map of this name, in one step."""
        target, link = self.root / name, self.root / f"{_LINK}{build.name}"
        if target.is_dir() and not target.is_symlink():
            self._take_in(target)
        link.symlink_to(Path(_BUILDS) / build.name)
        link.replace(target)

    def _date(self, info: Path, name: str, in_place_of: Path | None) -> None:
        """Gives a build its age: that of the one it takes the place of, or the newest."""
        if in_place_of is None:
            self._make_newest(info)
            return
        if (self.root / name).resolve() != in_place_of.resolve():
            raise MapStoreError(
                f"The map '{name}' was replaced or removed by another process meanwhile.",
                "Nothing was changed.",
            )
        age = (in_place_of / INFO_FILE).stat().st_mtime_ns
        os.utime(info, ns=(age, age))

    def _make_newest(self, info: Path) -> None:
        """Dates a build after all others: the clock may have been set back since they were made."""
        newest = max(self._ages().values(), default=0) + 1
        if info.is_file() and info.stat().st_mtime_ns < newest:
            os.utime(info, ns=(newest, newest))

    def _take_in(self, folder: Path) -> None:
        """Puts a folder that stands where a link should (copied there by hand) among the builds."""
        build = self.root / _BUILDS / f"{folder.name}.{secrets.token_hex(6)}"
        build.parent.mkdir(exist_ok=True)
        folder.rename(build)

    def _clean(self) -> None:
        """Removes builds that nothing links to and nobody holds, and links that a killed process left.

        The caller holds the lock of the home.
        """
        paths = list(self.root.iterdir())
        linked = {path.resolve() for path in paths if path.is_symlink() and _NAME.fullmatch(path.name)}
        for path in paths:
            if path.name.startswith(_LINK):
                path.unlink()
        for build in list((self.root / _BUILDS).glob("*")):
            if build.resolve() not in linked:
                _discard(build)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Holds the lock of the home: links are changed and builds removed by one process at a time."""
        descriptor = os.open(self.root / _LOCK_FILE, os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _unknown(self, name: str) -> UnknownNameError:
        names = self.list()
        there_are = f"There are: {', '.join(names)}." if names else "There is none yet."
        remedy = f"{did_you_mean(name, names)} {there_are} `mapagent map add` builds one.".lstrip()
        return UnknownNameError(f"There is no map '{name}'.", remedy)


class Pin:
    """A build that stays as long as this is open, whatever becomes of the map's name.

    Args:
        folder: A map's folder, usually the link in its home.

    Attributes:
        folder: The build itself.
    """

    def __init__(self, folder: Path) -> None:
        self._descriptor: int | None = None
        for _ in range(_PIN_ATTEMPTS):
            self.folder = folder.resolve()
            try:
                self._descriptor = os.open(self.folder / _LOCK_FILE, os.O_RDONLY)
            except OSError:  # a folder outside a home, or one that has just been replaced
                if _is_build(self.folder) or self.folder == folder.resolve():
                    return
                continue
            fcntl.flock(self._descriptor, fcntl.LOCK_SH)
            if _is_build(self.folder):
                return
            self.close()  # it was replaced and deleted before the lock was taken

    def close(self) -> None:
        """Lets the build go; may be called again."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _discard(build: Path) -> None:
    """Deletes a build unless somebody is making or reading it."""
    try:
        descriptor = os.open(build / _LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(build, ignore_errors=True)
    except BlockingIOError:
        return
    finally:
        os.close(descriptor)


def _is_map(folder: Path) -> bool:
    return _NAME.fullmatch(folder.name) is not None and _is_build(folder)


def _is_build(folder: Path) -> bool:
    return (folder / INFO_FILE).is_file()


def _reason(error: OSError | sqlite3.Error) -> str:
    if isinstance(error, sqlite3.Error):
        return str(error)
    # A write that the disk took only a part of has no words of the system.
    return error.strerror or f"the disk is full ({error})"
