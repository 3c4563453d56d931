"""A plan that strikes each request the first time it is made: asking again always helps."""

import random

from benchmarks.chaos.proxy import FaultKind, Strike


class FirstTime:
    """Strikes with one kind of fault."""

    def __init__(self, kind: FaultKind) -> None:
        self.kind = kind
        self._made: set[bytes] = set()

    def next(self, identity: bytes) -> Strike | None:
        if identity in self._made:
            return None
        self._made.add(identity)
        return Strike(self.kind, random.Random(1))


class Always:
    """Strikes every request with one kind of fault."""

    def __init__(self, kind: FaultKind, seed: int = 0) -> None:
        self.kind = kind
        self._dice = random.Random(seed)

    def next(self, identity: bytes) -> Strike | None:
        return Strike(self.kind, self._dice)
