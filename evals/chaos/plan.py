"""Which requests are struck, and by what: drawn from a seed, so that a run can be repeated.

A draw depends on the seed, the request and how often it was made before, not on the moment it comes in: the
same requests in another order meet the same faults.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from evals.chaos.faults import FaultKind


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
