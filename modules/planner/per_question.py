"""What a reasoner remembers of a question while it is being answered, and forgets with it."""

import weakref

from mapagent.ports import Account


class PerQuestion[T]:
    """Values by account: every question has an account of its own, and reasoners serve many at once."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[weakref.ref[Account], T]] = {}

    def get(self, account: Account) -> T | None:
        """What was kept for this question; None if nothing was."""
        kept = self._kept.get(id(account))
        return kept[1] if kept is not None and kept[0]() is account else None

    def put(self, account: Account, value: T) -> None:
        """Keeps a value for as long as the question's account is in use."""
        key = id(account)
        self._kept[key] = (weakref.ref(account, lambda _: self._kept.pop(key, None)), value)

    def __len__(self) -> int:
        return len(self._kept)
