"""The hand-written world of the tests."""

from pathlib import Path

from map_tools.providers.recorded import RecordedProvider

HARBOUR = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "harbour.json"


def harbour() -> RecordedProvider:
    return RecordedProvider.open(HARBOUR)
