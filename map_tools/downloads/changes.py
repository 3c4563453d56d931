"""OpenStreetMap's own diffs: what changed since an extract was made, fetched, checked and merged into it.

A replication server has numbered change files, each with a state (https://wiki.openstreetmap.org/wiki/Osmosis/Replication).
pyosmium knows where they lie and reads them; here every change must be there, in order and whole, and of bounded
size, or none is applied.
"""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from map_tools.downloads.fetching import Fetcher
from map_tools.errors import DownloadError, InputFileError, LimitError, MapStoreError, UsageError

Fetched = Callable[[int, int], None]
"""Called with the number of changes that have been fetched and of those that there are."""

TIME_FORMAT: Final = "%Y-%m-%dT%H:%M:%SZ"
_BASE_URL: Final = "osmosis_replication_base_url"
_SEQUENCE: Final = "osmosis_replication_sequence_number"
_TIMESTAMP: Final = "osmosis_replication_timestamp"
_SORTING: Final = "sorting"
_SORTED: Final = "Type_then_ID"

_WORLD: Final = frozenset({"planet.openstreetmap.org", "planet.osm.org"})
"""These servers have the changes of the whole planet, which would all end up in the extract."""
_STATE_BYTES = 10_000
_MOST_CHANGES = 2_000
"""Five years of days, three months of hours."""
_MOST_UNPACKED_BYTES = 1_000_000_000
"""Of one change: a day of a continent has a few hundred megabytes."""
_BATCH_BYTES = 250_000_000
"""So much is kept in memory before it is merged."""
_LEAST_FETCHED_BYTES = 50_000_000
_ANEW = "Fetch the region anew: `mapagent map add --region REGION --name NAME`."


@dataclass(frozen=True, slots=True)
class Position:
    """Up to where an extract or a server is.

    Attributes:
        sequence: Number of the last change.
        time: Until when changes are contained; None if nobody says.
    """

    sequence: int
    time: datetime | None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the changes of an extract are published, and the last one that it contains."""

    url: str
    position: Position


def origin_of(extract: Path, name: str) -> Origin:
    """What an extract's header says of its changes.

    Args:
        extract: The .osm.pbf file.
        name: The map's name, for sentences.

    Raises:
        InputFileError: The file is damaged.
        UsageError: It does not say where its changes are, or those are of the whole planet.
    """
    from osmium.replication.utils import get_replication_header

    try:
        header = get_replication_header(str(extract))
    except RuntimeError as error:
        raise InputFileError(f"The extract kept with the map '{name}' is damaged.", _ANEW) from error
    if header.url is None or header.sequence is None:
        raise UsageError(
            f"The map '{name}' cannot be updated: its extract does not say where its changes are published.",
            "Extracts of Geofabrik do; otherwise add a newer extract under the same name.",
        )
    parts = urlsplit(header.url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UsageError(
            f"The map '{name}' cannot be updated: '{header.url}' in its extract is no web address.", _ANEW
        )
    if parts.hostname in _WORLD:
        raise UsageError(
            f"The map '{name}' cannot be updated: its extract names {parts.hostname}, "
            "which has the changes of the whole planet and not of this region.",
            "Add a newer extract under the same name.",
        )
    return Origin(header.url, Position(header.sequence, header.timestamp))


class ChangeServer:
    """A replication server.

    Args:
        fetcher: What fetches.
        url: Its address.
    """

    def __init__(self, fetcher: Fetcher, url: str) -> None:
        self._fetcher = fetcher
        self._url = url
        self._server = _server(fetcher, url)

    def newest(self, since: Position) -> Position:
        """The newest change that there is.

        Raises:
            DownloadError: The server says nothing sensible, or is behind the extract.
            LimitError: There are too many.
        """
        found = self._state(None, since)
        if found.sequence < since.sequence:
            raise DownloadError(
                f"The server {self._url} is at change {found.sequence}, "
                f"before the extract's {since.sequence}: it counts anew, or is another one's.",
                _ANEW,
            )
        if found.sequence - since.sequence > _MOST_CHANGES:
            raise LimitError(
                f"{found.sequence - since.sequence:,} changes are missing, more than the {_MOST_CHANGES:,} that are "
                "applied at once.",
                _ANEW,
            )
        return found

    def apply(
        self, extract: Path, since: Position, newest: Position, target: Path, fetched: Fetched | None = None
    ) -> Position:
        """Writes an extract with all changes up to the newest.

        Args:
            extract: The old one, which stays as it is.
            since: The last change that it contains.
            newest: The last change that is wanted.
            target: The new one; intermediate ones lie beside it for a while.
            fetched: Told how far it is.

        Returns:
            The position of the new extract.

        Raises:
            DownloadError: A change is missing, out of order or damaged.
            LimitError: They are larger than fetching the extract anew.
            MapStoreError: They cannot be merged: the old extract is damaged or not in order, no space.
        """
        _check_order(extract)
        limit = max(_LEAST_FETCHED_BYTES, extract.stat().st_size)
        source, reached = extract, since
        while reached.sequence < newest.sequence:
            merged = target.with_name(f"{reached.sequence}-{target.name}")
            changes = _Batch()
            while reached.sequence < newest.sequence and changes.size_bytes < _BATCH_BYTES:
                reached = self._state(reached.sequence + 1, reached)
                packed = self._packed(reached.sequence, limit)
                limit -= len(packed)
                changes.add(packed, reached.sequence)
                if fetched is not None:
                    fetched(reached.sequence - since.sequence, newest.sequence - since.sequence)
            changes.merge(source, merged, Origin(self._url, reached))
            if source != extract:
                source.unlink()
            source = merged
        source.rename(target)
        return reached

    def _packed(self, sequence: int, limit_bytes: int) -> bytes:
        try:
            return self._fetcher.read(
                self._server.get_diff_url(sequence), f"change {sequence}", limit_bytes=limit_bytes
            )
        except DownloadError as error:
            if error.missing:
                raise self._gone(sequence, error) from error
            raise
        except LimitError as error:
            raise LimitError("The changes together are larger than the extract itself.", _ANEW) from error

    def _state(self, sequence: int | None, after: Position) -> Position:
        """The state of a change, or the newest one; it must not be older than the one before."""
        told = "the newest change" if sequence is None else f"change {sequence}"
        try:
            state = self._server.get_state_info(sequence)
        except ValueError:  # numbers and letters that are none
            state = None
        except DownloadError as error:
            if error.missing and sequence is not None:
                raise self._gone(sequence, error) from error
            raise
        if state is None:
            raise DownloadError(
                f"What {self._server.get_state_url(sequence)} says of {told} cannot be read.",
                "Try again later; nothing was changed.",
            )
        if sequence is not None and state.sequence != sequence:
            raise DownloadError(
                f"The changes of {self._url} are out of order: in place of change {sequence} there is "
                f"{state.sequence}.",
                "Try again later; nothing was changed.",
            )
        if after.time is not None and state.sequence > after.sequence and state.timestamp < after.time:
            raise DownloadError(
                f"The changes of {self._url} are out of order: {told} is of {state.timestamp:{TIME_FORMAT}}, "
                f"the one before it of {after.time:{TIME_FORMAT}}.",
                "Try again later; nothing was changed.",
            )
        return Position(state.sequence, state.timestamp)

    def _gone(self, sequence: int, error: DownloadError) -> DownloadError:
        return DownloadError(
            f"Change {sequence} is missing on the server {self._url}: nothing was changed. {error.message}",
            _ANEW,
        )


def _server(fetcher: Fetcher, url: str) -> Any:
    """What pyosmium has for replication servers, with every request going through our fetcher."""
    from osmium.replication.server import ReplicationServer

    class Server(ReplicationServer):
        @contextmanager
        def open_url(self, url: Any) -> Iterator[io.BytesIO]:
            address = url.get_full_url()
            yield io.BytesIO(fetcher.read(address, "the state of the changes", limit_bytes=_STATE_BYTES))

    return Server(url)


class _Batch:
    """Changes that are kept in memory until they are merged."""

    def __init__(self) -> None:
        import osmium

        self.size_bytes = 0
        self._changes = osmium.MergeInputReader()

    def add(self, packed: bytes, sequence: int) -> None:
        """Takes a change as it came.

        Raises:
            DownloadError: It is damaged or too large.
        """
        import osmium

        damages = (OSError, EOFError, zlib.error, RuntimeError, ValueError, osmium.InvalidLocationError)
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
                unpacked = stream.read(_MOST_UNPACKED_BYTES + 1)
            if len(unpacked) <= _MOST_UNPACKED_BYTES:
                self._changes.add_buffer(unpacked, "osc")
        except damages as error:
            raise DownloadError(
                f"Change {sequence} is damaged ({error}).", "Try again later; nothing was changed."
            ) from error
        if len(unpacked) > _MOST_UNPACKED_BYTES:
            raise LimitError(
                f"Change {sequence} is unpacked larger than {_MOST_UNPACKED_BYTES / 1e6:,g} MB.", _ANEW
            )
        self.size_bytes += len(unpacked)

    def merge(self, source: Path, target: Path, origin: Origin) -> None:
        """Writes an extract with these changes; its header says where it stands.

        Raises:
            MapStoreError: It cannot be read or written.
        """
        import osmium

        try:
            with osmium.io.Reader(str(source)) as reader:
                header = _header(reader.header(), origin)
                with closing(osmium.io.Writer(str(target), header)) as writer:
                    self._changes.apply_to_reader(reader, writer)
        except RuntimeError as error:
            raise MapStoreError(
                f"The changes cannot be merged into the extract: {error}.",
                "Make sure that there is space; nothing was changed.",
            ) from error


def _header(old: Any, origin: Origin) -> Any:
    import osmium

    header = osmium.io.Header()
    if old.box().valid():
        header.add_box(old.box())
    header.set("generator", "mapagent")
    header.set(_SORTING, _SORTED)
    header.set(_BASE_URL, origin.url)
    header.set(_SEQUENCE, str(origin.position.sequence))
    if origin.position.time is not None:
        header.set(_TIMESTAMP, origin.position.time.strftime(TIME_FORMAT))
    return header


def _check_order(extract: Path) -> None:
    """Changes are merged into an extract as it is read: it must go by nodes, ways, relations, and their numbers.

    Raises:
        InputFileError: It is damaged.
        UsageError: It is in another order.
    """
    import osmium

    try:
        with osmium.io.Reader(str(extract), osmium.osm.NOTHING) as reader:
            if reader.header().get(_SORTING) == _SORTED:
                return
        last = (0, 0)
        for item in osmium.FileProcessor(str(extract)):
            place = ("nwr".index(item.type_str()), item.id)
            if place < last:
                raise UsageError("The extract is in another order than changes are.", _ANEW)
            last = place
    except RuntimeError as error:
        raise InputFileError("The extract kept with the map is damaged.", _ANEW) from error
