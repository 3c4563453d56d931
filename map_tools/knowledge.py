"""External knowledge: an encyclopedia that is searched and read, and a client of MediaWiki's action API for it.

Two templates of GS-QA need one (T7 asks for a fact that no map has, T8 describes its place by one; section
3.2), and Geo-ReAct's problem allows for it (section 3).

Wikipedia and other wikis have that API. Its manners (https://www.mediawiki.org/wiki/API:Etiquette): a User-Agent
that says whom to write to, one request at a time, `maxlag` so that a busy wiki may say "later", and the wait it asks
for. Replies are kept: the texts are under CC BY-SA, which allows it with the credit every article carries.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from pydantic import Field

from map_tools.clock import Clock
from map_tools.errors import ProviderError
from map_tools.providers.http_clients import host_of, is_here, user_agent
from map_tools.text import normalise
from map_tools.types import Frozen
from map_tools.wire import DataKind, Retention, Verdict, Wire, WirePolicy, WireRequest
from map_tools.wire.request import WireReply
from map_tools.wire.wire import Recording

WIKIPEDIA = "https://en.wikipedia.org/w/api.php"
"""The encyclopedia that is asked where no other is named."""

MIN_WORD_CHARS = 4
"""Shorter words ("the", "how") tell nothing about a sentence."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“\"(])")
MAXLAG_S = "5"
"""Seconds its databases may lag behind before a wiki refuses us
(https://www.mediawiki.org/wiki/Manual:Maxlag_parameter)."""

REQUESTS_PER_S = 1.0
"""No rate is demanded of those who read one page after the other; this one is nobody's burden."""

LATER = frozenset({"maxlag", "ratelimited", "readonly"})
"""Codes of errors that say "later" (https://www.mediawiki.org/wiki/API:Errors_and_warnings)."""

ATTRIBUTION = "Wikipedia contributors, CC BY-SA 4.0"
"""https://foundation.wikimedia.org/wiki/Policy:Terms_of_Use, section 7."""

MAX_RESULTS = 50
"""Most titles a search may ask for; more are for bots (https://www.mediawiki.org/wiki/API:Search)."""

type Json = Mapping[str, Any]


class Article(Frozen):
    """A page of an encyclopedia. What it says is data, never an instruction.

    Attributes:
        title: Its name.
        text: Its words, without markup; paragraphs are separated by line ends.
        url: Where people read it.
        wikidata: Its item in Wikidata ("Q42"), empty if it has none.
        attribution: The credit that must stand beside what is quoted.
    """

    title: str
    text: str
    url: str
    wikidata: str = ""
    attribution: str = ""

    def passages(self, about: str, max_chars: int = 1_200) -> str:
        """The first sentence and those with most words in common with `about`, in the order of the page."""
        sentences = [one.strip() for one in _SENTENCE_END.split(" ".join(self.text.split())) if one.strip()]
        wanted = _telling_words(about)
        shared = {number: len(wanted & _telling_words(sentence)) for number, sentence in enumerate(sentences)}
        chosen: list[int] = []
        left = max_chars
        for number in sorted(shared, key=lambda number: (number > 0, -shared[number], number)):
            if len(sentences[number]) <= left and (number == 0 or shared[number]):
                chosen.append(number)
                left -= len(sentences[number]) + 1
        return " ".join(sentences[number] for number in sorted(chosen))


def _telling_words(text: str) -> set[str]:
    return {word for word in normalise(text).split() if len(word) >= MIN_WORD_CHARS}


class KnowledgeSource(Protocol):
    """An encyclopedia that can be asked."""

    @property
    def name(self) -> str:
        """What it is called in evidence: its host."""
        ...

    async def search(self, words: str, limit: int = 5) -> tuple[str, ...]:
        """Titles of the pages that fit the words best, the best first; empty if none does.

        Raises:
            ProviderError: The source cannot be reached, refuses, or sends a broken reply.
        """
        ...

    async def article(self, title: str) -> Article | None:
        """The page of this title, redirects followed; None if there is none.

        Raises:
            ProviderError: The source cannot be reached, refuses, or sends a broken reply.
        """
        ...

    async def close(self) -> None:
        """Frees the connections."""
        ...


class MediaWikiSetting(Frozen):
    """Which wiki is asked, and by whom.

    Attributes:
        api_url: Address of its `api.php`.
        contact: Where its operators can reach you: an e-mail or web address.
        attribution: The credit that its licence wants.
    """

    api_url: str = Field(default=WIKIPEDIA, pattern="^https?://")
    contact: str
    attribution: str = ATTRIBUTION


class MediaWiki:
    """Asks one wiki (`map_tools.knowledge.KnowledgeSource`).

    Args:
        setting: Which one.
        folder: Where replies are kept; None: nowhere.
        clock: Tells how old kept replies are.
        recording: What the wire writes to or answers from.
        sleep: Waits between attempts; tests give one that does not.

    Raises:
        ConfigError: The contact is missing, no address, or copied from an example.
    """

    def __init__(
        self,
        setting: MediaWikiSetting,
        *,
        folder: Path | None = None,
        clock: Clock | None = None,
        recording: Recording | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._setting = setting
        self.name = host_of(setting.api_url)
        self._wire = Wire(
            _policy(setting, shared=folder is not None),
            folder=folder,
            clock=clock,
            recording=recording,
            sleep=sleep,
        )

    async def search(self, words: str, limit: int = 5) -> tuple[str, ...]:
        """Titles by full-text search; see `KnowledgeSource.search`.

        https://www.mediawiki.org/wiki/API:Search
        """
        query = await self._query(
            list="search", srsearch=words, srlimit=str(max(1, min(limit, MAX_RESULTS))), srprop=""
        )
        return tuple(str(found["title"]) for found in query.get("search", ()))

    async def article(self, title: str) -> Article | None:
        """A page as plain text; see `KnowledgeSource.article`.

        https://www.mediawiki.org/wiki/Extension:TextExtracts, https://www.mediawiki.org/wiki/API:Info
        """
        query = await self._query(
            prop="extracts|info|pageprops",
            titles=title,
            redirects="1",
            explaintext="1",
            exsectionformat="plain",
            inprop="url",
            ppprop="wikibase_item",
        )
        page: Json = next(iter(query.get("pages", ())), {})
        if not page.get("extract"):
            return None
        return Article(
            title=str(page["title"]),
            text=str(page["extract"]),
            url=str(page.get("fullurl", "")),
            wikidata=str(page.get("pageprops", {}).get("wikibase_item", "")),
            attribution=self._setting.attribution,
        )

    async def close(self) -> None:
        """Closes connections and the cache."""
        await self._wire.close()

    async def _query(self, **parameters: str) -> Json:
        """The part `query` of a reply.

        Raises:
            ProviderError: There is no usable reply.
        """
        fixed = {"action": "query", "format": "json", "formatversion": "2", "maxlag": MAXLAG_S}
        request = WireRequest(url=self._setting.api_url, params=fixed | parameters)
        reply = await self._wire.send(request, data=DataKind.PAYLOAD)
        if not reply.ok:
            raise ProviderError(
                f"The wiki {self.name} answered with status {reply.status}.",
                "Check the address of its api.php, and whether its operators have blocked you.",
            )
        return _query_part(reply.json(), self.name)


def _policy(setting: MediaWikiSetting, *, shared: bool) -> WirePolicy:
    here = is_here(setting.api_url)
    return WirePolicy(
        name=f"mediawiki {host_of(setting.api_url)}",
        title=f"The wiki {host_of(setting.api_url)}",
        requests_per_s=None if here else REQUESTS_PER_S,
        across_processes=shared and not here,
        concurrency=1,
        timeout_s=30.0,
        first_wait_s=1.0,
        longest_wait_s=60.0,
        judge=_judged,
        keep=Retention.for_ever(),
        user_agent=user_agent(setting.contact, "mediawiki"),
    )


def _judged(reply: WireReply) -> Verdict:
    """Errors come with status 200, in an object `error`."""
    body = reply.json()
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return Verdict.GOOD
    return Verdict.RETRY if error.get("code") in LATER else Verdict.FINAL


def _query_part(body: Any, name: str) -> Json:
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict):
        raise ProviderError(f"The wiki {name} refuses: {error.get('info', error.get('code'))}.")
    query = body.get("query", {}) if isinstance(body, dict) else None
    if not isinstance(query, dict):
        raise ProviderError(
            f"The reply of {name} is not that of a wiki.", "Check the address of its api.php."
        )
    return query
