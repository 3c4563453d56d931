"""What the command line says while something takes long."""

import sys

_STEPS = 20
_STEP_BYTES = 10_000_000
"""Where nobody says how much there will be."""


def show_progress(objects: int) -> None:
    """Says how far the reading of an extract has come."""
    print(f"{objects:,} objects read", file=sys.stderr)


class FetchProgress:
    """Says how far a download has come, at most twenty times where its size is known."""

    def __init__(self) -> None:
        self._next = 0

    def arrived(self, done_bytes: int, total_bytes: int | None) -> None:
        """Tells bytes of a file."""
        if done_bytes >= self._next or done_bytes == total_bytes:
            self._next = done_bytes + (total_bytes // _STEPS if total_bytes else _STEP_BYTES)
            of = f" of {total_bytes / 1e6:,.1f}" if total_bytes else ""
            print(f"{done_bytes / 1e6:,.1f}{of} MB fetched", file=sys.stderr)

    def changes(self, done: int, total: int) -> None:
        """Tells files of changes."""
        if done >= self._next or done == total:
            self._next = done + max(1, total // _STEPS)
            print(f"{done:,} of {total:,} changes fetched", file=sys.stderr)
