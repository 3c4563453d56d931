"""The file of the user's own places: `own-places.json` in the data home, for nobody else to read.

Changes are written to a new file that is renamed while a lock is held: a kill leaves the old file or the new one,
and simultaneous commands do not lose each other's changes.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from map_tools.compute.shape_text import parse_position
from map_tools.errors import InputFileError, OutputFileError, PlaceNotFoundError, UnknownNameError, UsageError
from map_tools.files import private_folder, write_json
from map_tools.own_places import MAX_NAME_CHARS, NO_OWN_PLACES, OwnPlace, OwnPlaces, bare_name
from map_tools.text import normalise
from map_tools.tools.base import HERE_WORDS
from map_tools.types import ID_PREFIX, Frozen
from map_tools.validation import first_fault
from mapagent.core.rendering import clean
from mapagent.runtime.config import Settings

FILE = "own-places.json"
MAX_PLACES = 10_000
"""Each command reads all of them; more belong in a map."""
MAX_BYTES = 8_000_000


class _Content(Frozen):
    """The content of the file."""

    version: Literal[1]
    places: tuple[OwnPlace, ...] = ()


def own_places(settings: Settings) -> OwnPlaces:
    """The user's own places, as agents take them.

    Raises:
        InputFileError: Their file cannot be read.
    """
    return CurrentPlaces(settings)()


def no_places() -> OwnPlaces:
    """No own places, for runs that must not know any."""
    return NO_OWN_PLACES


class CurrentPlaces:
    """The user's own places at each question, for long-running processes: the file is read again once it has changed.

    Args:
        settings: They name the data home.
        listed: As for `OwnPlaces`.
    """

    def __init__(self, settings: Settings, *, listed: bool = True) -> None:
        self._file = OwnPlacesFile(settings.data_home)
        self._listed = listed
        self._known: tuple[tuple[int, ...], OwnPlaces] = ((), NO_OWN_PLACES)

    def __call__(self) -> OwnPlaces:
        """The places as they are now; agents may be given this (`MapAgent(own=…)`).

        Raises:
            InputFileError: The file cannot be read, or is damaged.
        """
        stamp = self._file.stamp()  # before it is read: what changes meanwhile is read the next time
        before, known = self._known
        if stamp != before:
            known = OwnPlaces(self._file.read(), self._listed) if stamp else NO_OWN_PLACES
            self._known = (stamp, known)
        return known


def checked_name(text: str, what: str = "name") -> str:
    """Checks a name, or the kind of a list, and returns it in one line.

    Raises:
        UsageError: It cannot be one: empty, only signs, too long, or words that mean something else already.
    """
    name = clean(text)
    if not bare_name(name):
        raise UsageError(f"The {what} '{name}' has no letters or digits.", 'Give one such as "home".')
    if len(name) > MAX_NAME_CHARS:
        raise UsageError(
            f"The {what} '{name[:30]}…' has more than {MAX_NAME_CHARS} characters.", "Shorten it."
        )
    if normalise(name) in HERE_WORDS or name.startswith(ID_PREFIX) or _is_position(name):
        raise UsageError(f"The {what} '{name}' means something else in questions.", "Choose another one.")
    return name


def _is_position(name: str) -> bool:
    try:
        return parse_position(name) is not None
    except PlaceNotFoundError:  # two angles, though not a position on Earth
        return True


class OwnPlacesFile:
    """Reads and changes the file.

    Args:
        data_home: The folder it lies in.
    """

    def __init__(self, data_home: Path) -> None:
        self.path = data_home / FILE

    def stamp(self) -> tuple[int, ...]:
        """A value that changes whenever the file does; empty if there is no file.

        Raises:
            InputFileError: Its metadata cannot be read.
        """
        try:
            seen = self.path.stat()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise self._unreadable(error) from error
        return seen.st_mtime_ns, seen.st_ino, seen.st_size

    def changed_at(self) -> datetime | None:
        """When the file was last changed; None if there is none.

        Raises:
            InputFileError: Its metadata cannot be read.
        """
        stamp = self.stamp()
        return datetime.fromtimestamp(stamp[0] / 1e9, UTC) if stamp else None

    def read(self) -> tuple[OwnPlace, ...]:
        """All places; none where there is no file.

        Raises:
            InputFileError: It cannot be read, or is damaged.
        """
        try:
            with self.path.open("rb") as stream:
                content = stream.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise self._unreadable(error) from error
        try:
            if len(content) > MAX_BYTES:
                raise self._damaged(f"it has more than {MAX_BYTES // 1_000_000} MB")
            return _Content.model_validate_json(content).places
        except ValidationError as error:
            fault = first_fault(error)
            raise self._damaged(f"{fault.where}: {fault.reason}" if fault.where else fault.reason) from error

    def add(self, new: Iterable[OwnPlace]) -> tuple[OwnPlace, ...]:
        """Adds places. One that is in no list replaces another of its name.

        A member of a list that is there already, by name and position, is not added again.

        Returns:
            The places that were replaced.

        Raises:
            UsageError: There would be more than `MAX_PLACES`; nothing is changed then.
            InputFileError: The file is damaged.
            OutputFileError: It cannot be written.
        """
        with self._changing() as kept:
            by_key = {_key(one): one for one in kept}
            replaced = []
            for one in new:
                before = by_key.pop(_key(one), None)
                if before is not None and not one.kind:
                    replaced.append(before)
                by_key[_key(one)] = one
            if len(by_key) > MAX_PLACES:
                raise UsageError(
                    f"There would be {len(by_key)} places of your own; at most {MAX_PLACES} are allowed.",
                    "Nothing was changed. Add fewer, or make a map of them.",
                )
            self._write(tuple(by_key.values()))
        return tuple(replaced)

    def remove(self, name: str | None = None, *, kind: str | None = None) -> tuple[OwnPlace, ...]:
        """Removes all places of a name, all of a list, or, with neither, all.

        Returns:
            What was removed.

        Raises:
            UnknownNameError: There is none of the name, or no such list.
            InputFileError: The file is damaged; with neither name nor list it is removed all the same.
            OutputFileError: It cannot be written.
        """
        if name is None and kind is None:
            return self._clear()
        with self._changing() as kept:
            gone = [
                one
                for one in kept
                if (name is None or bare_name(one.name) == bare_name(name))
                and (kind is None or bare_name(one.kind) == bare_name(kind))
            ]
            if not gone:
                what = f"called '{name}'" if name is not None else f"of the kind '{kind}'"
                raise UnknownNameError(f"You have no place {what}.", "`mapagent places list` shows them.")
            self._write(tuple(one for one in kept if one not in gone))
        return tuple(gone)

    def _clear(self) -> tuple[OwnPlace, ...]:
        try:
            gone = self.read()
        except InputFileError:
            gone = ()
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise self._unwritable(error) from error
        return gone

    @contextmanager
    def _changing(self) -> Iterator[tuple[OwnPlace, ...]]:
        """Yields the current places, locked against changes by others."""
        try:
            private_folder(self.path.parent)
            lock = os.open(self.path.with_name(f".{FILE}.lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield self.read()
        finally:
            os.close(lock)

    def _write(self, places: Sequence[OwnPlace]) -> None:
        content = _Content(version=1, places=tuple(places))
        try:
            write_json(self.path, content.model_dump(mode="json", exclude_defaults=True))
        except OSError as error:
            raise self._unwritable(error) from error

    def _unreadable(self, error: OSError) -> InputFileError:
        return InputFileError(
            f"Your own places in {self.path} cannot be read: {error.strerror}.", "Make the file readable."
        )

    def _damaged(self, why: str) -> InputFileError:
        return InputFileError(
            f"Your own places in {self.path} are damaged: {why}.",
            "Fix the file, or start over with `mapagent places remove --all`.",
        )

    def _unwritable(self, error: OSError) -> OutputFileError:
        return OutputFileError(
            f"Your own places cannot be written to {self.path}: {error.strerror}.",
            "Make sure that there is space and that you may write there; nothing was changed.",
        )


def _key(one: OwnPlace) -> tuple[str, str, str]:
    """The identity of a place: its name, and for a member of a list also its position."""
    return bare_name(one.kind), bare_name(one.name), str(one.location) if one.kind else ""
