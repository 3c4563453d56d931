"""One thing that was looked at."""

from enum import StrEnum

from map_tools.errors import MapAgentError
from map_tools.types import Frozen


class State(StrEnum):
    """How a thing stands."""

    OK = "ok"
    """It works."""
    NO = "no"
    """It is not there, and nothing that was asked for needs it."""
    FAIL = "fail"
    """It was asked for and does not work."""


class Finding(Frozen):
    """What was found out about one thing.

    Attributes:
        area: Where it belongs: "model", "provider", "maps", "postgis", "ocr".
        name: The thing.
        state: How it stands.
        detail: What was seen.
        remedy: What to do, empty if nothing.
    """

    area: str
    name: str
    state: State
    detail: str = ""
    remedy: str = ""


def failed(area: str, name: str, error: MapAgentError) -> Finding:
    """What an error says about a thing that was asked for."""
    return Finding(area=area, name=name, state=State.FAIL, detail=error.message, remedy=error.remedy)
