"""Whole results kept for a while, so that a reply can be short and point at the rest."""

import json
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from map_tools.errors import UnknownNameError
from map_tools.ids import MADE_OF_OWN_PREFIX, OWN_PREFIX

SCHEME = "mapagent://result/"
"""Addresses of kept results begin so."""
_UNTOLD = (OWN_PREFIX, MADE_OF_OWN_PREFIX)
MAX_RESULTS = 256
MAX_BYTES = 32_000_000
LIFETIME_S = 3600.0
"""Replies of map services may not be stored for long; a conversation needs a result for minutes."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A result as JSON text, and when it goes (on the store's timer)."""

    text: str
    until_s: float


class HandleStore:
    """Keeps results under names nobody can guess; the oldest go first.

    Args:
        max_results: How many are kept.
        max_bytes: How much text they may have together; a larger one is not kept at all.
        lifetime_s: After which time a result is gone.
        timer: Tells seconds, for tests.
    """

    def __init__(
        self,
        *,
        max_results: int = MAX_RESULTS,
        max_bytes: int = MAX_BYTES,
        lifetime_s: float = LIFETIME_S,
        timer: Callable[[], float] = monotonic,
    ) -> None:
        self._max_results = max_results
        self._max_bytes = max_bytes
        self._lifetime_s = lifetime_s
        self._timer = timer
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._bytes = 0

    def keep(self, whole: Mapping[str, Any]) -> str | None:
        """Keeps a result and returns its address.

        None if it is larger than all that may be kept, or tells of places of the user's own: where those are, and
        where a way to them begins, is not for the model that reads it.
        """
        text = json.dumps(whole, ensure_ascii=True, separators=(",", ":"))
        if len(text) > self._max_bytes or any(f'"{prefix}' in text for prefix in _UNTOLD):
            return None
        address = SCHEME + secrets.token_urlsafe(12)
        self._kept[address] = Kept(text, self._timer() + self._lifetime_s)
        self._bytes += len(text)
        self._tidy()
        return address

    def read(self, address: str) -> str:
        """The JSON text of a kept result.

        Raises:
            UnknownNameError: There is none of this address, or no longer.
        """
        self._tidy()
        kept = self._kept.get(address)
        if kept is None:
            raise UnknownNameError(
                f"There is no result '{address[:80]}', or it is no longer kept.", "Call the tool again."
            )
        return kept.text

    def _tidy(self) -> None:
        """Lets go of what is too old or too much; all live equally long, so the first are the oldest."""
        now_s = self._timer()
        while self._kept and (self._too_much() or next(iter(self._kept.values())).until_s <= now_s):
            _, gone = self._kept.popitem(last=False)
            self._bytes -= len(gone.text)

    def _too_much(self) -> bool:
        return len(self._kept) > self._max_results or self._bytes > self._max_bytes
