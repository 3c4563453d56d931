"""What the command line says while something takes long."""

import sys


def show_progress(objects: int) -> None:
    """Says how far the reading of an extract has come."""
    print(f"{objects:,} objects read", file=sys.stderr)
