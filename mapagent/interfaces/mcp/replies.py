"""What tools answer: a sentence first, short lists, an address for the rest, within a budget of tokens.

Whole results are kept for a while, so that a reply can be short and point at the rest.
"""

import json
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, ClassVar

from pydantic import Field

from map_tools.errors import UnknownNameError
from map_tools.types import MADE_OF_OWN_PREFIX, OWN_PREFIX, Frozen
from mapagent.core.answer import Answer
from mapagent.core.rendering import clean
from mapagent.llm.chat import text_tokens

STRUCTURED_SHARE = 2
"""Structured content, which programs read, may be so many times as long as the text, which models read."""
LONGEST_TEXT = 240
"""Characters of one text inside a list; a longer one is cut and stands whole behind the handle."""
SCHEME = "mapagent://result/"
"""Addresses of kept results begin so."""
_UNTOLD = (OWN_PREFIX, MADE_OF_OWN_PREFIX)
MAX_RESULTS = 256
MAX_BYTES = 32_000_000
LIFETIME_S = 3600.0
"""Replies of map services may not be stored for long; a conversation needs a result for minutes."""


class Reply(Frozen):
    """What every tool answers. Subclasses add their lists and texts.

    Attributes:
        shortened: Names of the lists and texts that are cut to fit the budget, the least important first.
    """

    shortened: ClassVar[tuple[str, ...]] = ()

    summary: str = Field(description="The result in a sentence or two.")
    warnings: tuple[str, ...] = Field((), description="What must be known, or shown, with this result.")
    omitted: int = Field(0, description="Entries of lists left out to keep this reply short.")
    handle: str | None = Field(
        None, description="Resource with the whole result, geometry included; kept for an hour."
    )
    attribution: str = Field("", description="Whose data it is; show it with the result.")

    def lines(self) -> Iterator[str]:
        """What the text form says below the summary, one line each."""
        yield from ()

    def text(self) -> str:
        """The reply for readers that do not take structured content.

        It is what a model reads, so it says what matters once: the address of the whole result stands in it
        only where something was left out.
        """
        lines = [self.summary, *self.lines()]
        lines += [f"Note: {warning}" for warning in self.warnings]
        if self.omitted:
            whole = f" The whole result: {self.handle}" if self.handle else ""
            lines.append(f"{self.omitted} more entries are left out here.{whole}")
        if self.attribution:
            lines.append(self.attribution)
        return "\n".join(map(clean, lines))

    def structured(self) -> dict[str, Any]:
        """The reply as plain data; what has no value is left out."""
        return self.model_dump(mode="json", exclude_none=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A tool's reply, the whole result that its handle will point at (None: the reply is all), the answer to draw."""

    reply: Reply
    whole: Mapping[str, Any] | None = None
    answer: Answer | None = None


def tokens(reply: Reply) -> int:
    """About how many tokens of its budget a reply takes: its text, or half of its structured content."""
    data = json.dumps(reply.structured(), ensure_ascii=False, separators=(",", ":"))
    return max(-(-text_tokens(data) // STRUCTURED_SHARE), text_tokens(reply.text()))


def fitted[R: Reply](reply: R, max_tokens: int) -> R:
    """The reply with its lists and long texts cut until it fits; entries left out are counted."""
    for name in (*reply.shortened, "warnings", "summary"):
        if tokens(reply) <= max_tokens:
            break
        reply = _cut(reply, name, max_tokens)
    return reply


def clipped(text: str, most: int = LONGEST_TEXT) -> str:
    """A text of foreign origin on one line, with at most so many characters."""
    text = clean(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def _cut[R: Reply](reply: R, name: str, max_tokens: int) -> R:
    """The longest beginning of a list or text with which the reply fits, none of it if it never does."""
    fewest, most = 0, len(getattr(reply, name))
    while fewest < most:
        middle = (fewest + most + 1) // 2
        if tokens(_with_first(reply, name, middle)) <= max_tokens:
            fewest = middle
        else:
            most = middle - 1
    return _with_first(reply, name, fewest)


def _with_first[R: Reply](reply: R, name: str, count: int) -> R:
    value: str | tuple[Any, ...] = getattr(reply, name)
    if isinstance(value, str):
        return reply.model_copy(update={name: clipped(value, count) if count else ""})
    omitted = reply.omitted + max(0, len(value) - count)
    return reply.model_copy(update={name: value[:count], "omitted": omitted})


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
