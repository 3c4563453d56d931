"""Places as a model names them: one field may hold two at once ("A and B")."""

import re
from collections.abc import Iterable, Iterator

from mapagent.question import Question
from modules.names import normalise
from modules.offline.analyser import analyse

CAPITALS = 0.9
"""Strength of a mention that is written as a name (`modules.offline.marks.Mention`)."""
_JOINT = re.compile(r"\s*(?:,|;|&|\band\b|→|->)\s*", re.IGNORECASE)


def single_places(names: Iterable[str], question: Question) -> tuple[str, ...]:
    """The names in their order, each once, with lists taken apart.

    A name is a list where each of its parts is a place of the question by itself ("Old Mill and Pier Café"
    for "from Old Mill to Pier Café"); "Salt & Smoke", which the question names as a whole, stays whole.
    """
    known = _mentioned(question)
    found = (part for name in names for part in _parts(" ".join(name.split()), known))
    return tuple(dict.fromkeys(part for part in found if part))


def named_places(question: Question) -> tuple[str, ...]:
    """The places the question names, each once: words in quotes or with capitals."""
    mentions = analyse(question.text).mentions
    names = (part.place for mention in mentions if mention.strength >= CAPITALS for part in mention.split())
    return tuple(dict.fromkeys(names))


def _parts(name: str, known: frozenset[str]) -> Iterator[str]:
    parts = [part for part in _JOINT.split(name) if part]
    apart = len(parts) > 1 and all(normalise(part) in known for part in parts)
    yield from parts if apart and normalise(name) not in known else (name,)


def _mentioned(question: Question) -> frozenset[str]:
    """The places the question names, taken one by one."""
    mentions = analyse(question.text).mentions
    return frozenset(normalise(part.text) for mention in mentions for part in mention.split())
