"""The port of external knowledge: an encyclopedia that is searched and read.

Two templates of GS-QA need one (T7 asks for a fact that no map has, T8 describes its place by one; section
3.2), and Geo-ReAct's problem allows for it (section 3).
"""

import re
from typing import Protocol

from map_tools.text import normalise
from map_tools.types import Frozen

WIKIPEDIA = "https://en.wikipedia.org/w/api.php"
"""The encyclopedia that is asked where no other is named."""
MIN_WORD_CHARS = 4
"""Shorter words ("the", "how") tell nothing about a sentence."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“\"(])")


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
