"""The faults of `faults.toml`, what the product must make of each, and the plan which requests they strike.

A plan is drawn from a seed, so that a run can be repeated.

A draw depends on the seed, the request and how often it was made before, not on the moment it comes in: the
same requests in another order meet the same faults.
"""

import hashlib
import random
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Protocol

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
    text = files("benchmarks.chaos").joinpath("faults.toml").read_text(encoding="utf-8")
    return tuple(FaultCard.model_validate(one) for one in tomllib.loads(text)["fault"])


def kinds_at(server: ServerKind, *, recoverable: bool) -> tuple[FaultKind, ...]:
    """The faults that are tried at a server; `recoverable`: only those that asking again makes good."""
    return tuple(
        card.kind for card in fault_cards() if server in (card.recoverable if recoverable else card.strikes)
    )


@dataclass(frozen=True, slots=True)
class Strike:
    """A fault that strikes a request; `dice` makes whatever the fault leaves to chance."""

    kind: FaultKind
    dice: random.Random


class Plan(Protocol):
    """Decides what strikes which request."""

    def next(self, identity: bytes) -> Strike | None:
        """What strikes the next request of this identity, if anything does."""
        ...


class ChaosPlan:
    """Draws the fault of each request.

    Args:
        kinds: The faults, all equally likely.
        share: The share of requests that are struck (0 to 1).
        seed: Equal seeds draw equal faults.
    """

    def __init__(self, kinds: Sequence[FaultKind], share: float, seed: int) -> None:
        self._kinds = tuple(kinds)
        self._share = share
        self._seed = seed
        self._made: Counter[bytes] = Counter()

    def next(self, identity: bytes) -> Strike | None:
        """What strikes the next request of this identity, if anything does."""
        key = hashlib.blake2b(identity, digest_size=16).digest()
        self._made[key] += 1
        dice = random.Random(f"{self._seed} {self._made[key]} {key.hex()}")  # noqa: S311 (repeatable, not secret)
        if not self._kinds or dice.random() >= self._share:
            return None
        return Strike(dice.choice(self._kinds), dice)
