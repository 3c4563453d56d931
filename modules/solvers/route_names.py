"""Which place of the travel facts the question's words mean.

Facts fetched for a question carry its own words, so they match exactly. Supplied text has names of its own
("Harbour Tower Eye" for "Harbour Tower", "the lake" for "Mirror Lake"), and one name may be part of another.
So all names of a question are assigned together: each to at most one name of the facts, best fit first.
"""

import re
from collections.abc import Iterable, Iterator

from map_tools.concepts import lookup
from map_tools.facts import NoteFact, PlaceFact, RoutesFact, TravelFact
from modules.offline.intents import HERE
from modules.names import SAME_SCORE, normalise, similarity
from modules.view import View

LOOSE_SCORE = 0.4
"""From here on a name is taken for another if nothing else is left to choose from; the user is told."""

TOKEN_WEIGHT = 0.8
"""A name that shares only words with another never scores as the same name: 0.8 < `SAME_SCORE`."""

FILLERS = frozenset(
    ("a", "an", "and", "at", "de", "del", "der", "des", "du", "in", "la", "le", "my", "of", "on", "the", "to")
)
"""Words that two different names often share."""

KIND_WORDS = 2
"""Words that a name tells its kind in, at most ("zoological garden")."""

_HERE_NOTE = re.compile(
    r"\b(?:current location|position)\b[^.]*?\b(?:is|:)\s+(?P<name>[^.\n]+)", re.IGNORECASE
)


class NameBook:
    """Translates the question's place names into those of the travel facts.

    Args:
        view: The facts. While more can be fetched, only names that are surely the same are translated.
        asked: All place names of the question.

    Attributes:
        warnings: One for each name that was matched loosely.
    """

    def __init__(self, view: View, asked: Iterable[str]) -> None:
        self.warnings: list[str] = []
        self._closed = view.closed
        self._table: dict[str, str] = {}
        asked = tuple(dict.fromkeys(asked))
        known = known_names(view)
        here = stated_position(view)
        if HERE in asked and here is not None and view.question.near is None:
            self._table[HERE] = _most_like(here, known)
        self._assign([name for name in asked if name not in self._table and name != HERE], known)

    def of(self, name: str) -> str:
        """The name the facts use for this place; the name itself if they do not speak of it."""
        return self._table.get(name, name)

    def _assign(self, asked: list[str], known: list[str]) -> None:
        free = [name for name in known if name not in self._table.values()]
        for name in [name for name in asked if name in free]:
            self._match(name, name, free)
        waiting = [name for name in asked if name not in self._table]
        pairs = sorted(
            ((_fit(name, other), name, other) for name in waiting for other in free),
            key=lambda pair: -pair[0],
        )
        least = LOOSE_SCORE if self._closed else SAME_SCORE
        for score, name, other in pairs:
            if score >= least and name not in self._table and other in free:
                self._match(name, other, free, loose=score < SAME_SCORE)
        for name in [name for name in asked if name not in self._table]:
            self._repeat(name, known)
        self._eliminate([name for name in asked if name not in self._table], free)

    def _repeat(self, name: str, known: list[str]) -> None:
        """The question may write one place in two ways ("the university", "Harbour University")."""
        best = _most_like(name, known)
        if best in known:
            self._table[name] = best

    def _eliminate(self, left: list[str], free: list[str]) -> None:
        """One name and one place are left over: they belong together, if nothing more can be fetched."""
        if self._closed and self._table and len(left) == 1 and len(free) == 1:
            self._match(left[0], free[0], free, loose=True)

    def _match(self, name: str, other: str, free: list[str], *, loose: bool = False) -> None:
        self._table[name] = other
        free.remove(other)
        if loose:
            self.warnings.append(f"'{name}' was taken to be {other}.")


def known_names(view: View) -> list[str]:
    """The names the travel facts speak of, each once, in the order they first occur."""
    names: dict[str, str] = {}
    for name in _endpoints(view):
        names.setdefault(normalise(name), name)
    return list(names.values())


def stated_position(view: View) -> str | None:
    """Where the supplied text says the user is, if it does."""
    for _, place in view.facts(PlaceFact):
        if place.query == HERE:
            return place.place.name
    for _, note in view.facts(NoteFact):
        found = _HERE_NOTE.search(note.text)
        if found:
            return found["name"].strip()
    return None


def _endpoints(view: View) -> Iterator[str]:
    for _, travel in view.facts(TravelFact):
        yield travel.origin
        yield travel.destination
    for _, routes in view.facts(RoutesFact):
        yield routes.origin
        yield routes.destination


def _most_like(name: str, known: list[str]) -> str:
    best = max(known, key=lambda other: similarity(name, other), default=name)
    return best if similarity(name, best) >= SAME_SCORE else name


def _fit(name: str, other: str) -> float:
    """How well two names fit: as wholes, or by the telling words they share, or the kind they tell."""
    words, others = _telling(name), _telling(other)
    shared = len(words & others) / min(len(words), len(others)) if words and others else 0.0
    if shared < 1 and _tells_kind(name, other):
        shared = 1.0
    return max(similarity(name, other), TOKEN_WEIGHT * shared)


def _tells_kind(name: str, other: str) -> bool:
    """True if a name is no more than a kind that the other one tells in other words ("the zoo")."""
    words = normalise(other).split()
    kind = lookup(" ".join(word for word in normalise(name).split() if word not in FILLERS))
    if kind is None:
        return False
    runs = (" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, i + 1 + KIND_WORDS))
    told = (lookup(run) for run in runs)
    return any(found is not None and not set(found.ids).isdisjoint(kind.ids) for found in told)


def _telling(name: str) -> frozenset[str]:
    return frozenset(normalise(name).split()) - FILLERS
