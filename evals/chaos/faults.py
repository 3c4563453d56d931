"""The faults of `faults.toml`: their kinds, and what the product must make of each."""

import tomllib
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files

from map_tools.types import Frozen


class FaultKind(StrEnum):
    """What goes wrong."""

    BUSY_TOLD = "busy_told"
    BUSY = "busy"
    FAILURE = "failure"
    UNAVAILABLE = "unavailable"
    RESET = "reset"
    DRIP = "drip"
    HALF_JSON = "half_json"
    WEB_PAGE = "web_page"
    WRONG_TYPE = "wrong_type"
    DUPLICATE_FIELDS = "duplicate_fields"
    CLOCK_SKEW = "clock_skew"
    EMPTY_LIST = "empty_list"
    MISSING_FIELDS = "missing_fields"
    STALE_ID = "stale_id"


class ServerKind(StrEnum):
    """Whose server it is."""

    MAP = "map"
    MODEL = "model"


class FaultCard(Frozen):
    """What is known of a fault.

    Attributes:
        kind: The fault.
        looks: What it looks like from outside.
        strikes: The servers at which it is tried.
        recoverable: The servers at which asking again brings the truth.
        must: What the product must make of it.
    """

    kind: FaultKind
    looks: str
    strikes: tuple[ServerKind, ...]
    recoverable: tuple[ServerKind, ...]
    must: str


@lru_cache(maxsize=1)
def fault_cards() -> tuple[FaultCard, ...]:
    """All faults in the file's order."""
    text = files("evals.chaos").joinpath("faults.toml").read_text(encoding="utf-8")
    return tuple(FaultCard.model_validate(one) for one in tomllib.loads(text)["fault"])


def kinds_at(server: ServerKind, *, recoverable: bool) -> tuple[FaultKind, ...]:
    """The faults that are tried at a server; `recoverable`: only those that asking again makes good."""
    return tuple(
        card.kind for card in fault_cards() if server in (card.recoverable if recoverable else card.strikes)
    )
