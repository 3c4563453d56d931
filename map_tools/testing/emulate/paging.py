"""Pages of results and the tokens that ask for the next one.

A token holds the whole search and where to go on, so the server keeps nothing between two requests.
"""

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

_MAX_JSON_CHARS = 20_000
"""A token longer than this is none of ours (a bomb of zeros, say)."""


@dataclass(frozen=True, slots=True)
class PageToken:
    """Where a search goes on.

    Attributes:
        search: The parameters of the search.
        offset: How many results were given already.
        issued: When the token was made.
    """

    search: Mapping[str, Any]
    offset: int
    issued: datetime

    def text(self) -> str:
        """The token as a client sees it."""
        body = json.dumps([dict(self.search), self.offset, self.issued.isoformat()], sort_keys=True)
        return base64.urlsafe_b64encode(zlib.compress(body.encode())).decode().rstrip("=")

    def is_ready(self, now: datetime, delay_s: float) -> bool:
        """True once the token may be used."""
        return now - self.issued >= timedelta(seconds=delay_s)


def read_token(text: str) -> PageToken | None:
    """A token a client sent; None for one that this emulator never gave."""
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        body = zlib.decompressobj().decompress(packed, _MAX_JSON_CHARS)
        search, offset, issued = json.loads(body)
        token = PageToken(dict(search), int(offset), datetime.fromisoformat(issued))
    except (zlib.error, ValueError, TypeError, RecursionError):
        return None
    return token if token.offset >= 0 and token.issued.tzinfo is not None else None
