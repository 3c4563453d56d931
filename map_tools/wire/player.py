"""Answers from a recording, without any network."""

import threading
from pathlib import Path

from map_tools.clock import FrozenClock
from map_tools.errors import ProviderError
from map_tools.wire.identity import Identity, first_difference, nearest
from map_tools.wire.recording import Entry, read


class Player:
    """Plays a recording to all wires it is given to.

    A request that was answered differently over time gets these answers in turn; the last one stays.

    Args:
        path: A file that a `Recorder` wrote.

    Raises:
        InputFileError: The file cannot be read or is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._clock, self._entries = read(path)
        self._next: dict[str, int] = {}
        self._lock = threading.Lock()

    def clock(self) -> FrozenClock:
        """The clock frozen at the moment of the recording: run the agent with it."""
        return self._clock

    def close(self) -> None:
        """Nothing to close: the file was read at once."""

    def play(self, identity: Identity) -> Entry:
        """What came of this request.

        Raises:
            ProviderError: It is not in the recording; the message names the nearest request that is.
        """
        entries = self._entries.get(identity.key)
        if entries is None:
            raise self._miss(identity)
        with self._lock:
            number = self._next.get(identity.key, 0)
            self._next[identity.key] = number + 1
        return entries[min(number, len(entries) - 1)]

    def _miss(self, identity: Identity) -> ProviderError:
        near = nearest(identity.fields, [entries[0].identity.fields for entries in self._entries.values()])
        remedy = "Record the run again, or ask what was recorded."
        if near is None:
            return ProviderError(
                f"The recording {self.path} is empty; {identity.shown} is not in it.", remedy
            )
        return ProviderError(
            f"{identity.shown} is not in the recording {self.path}; the nearest recorded request is "
            f"{Identity(near).shown}, which differs in {first_difference(identity.fields, near)}.",
            remedy,
        )
