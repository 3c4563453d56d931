"""The caches: what they hold, why the latest request missed, and how to clear them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from map_tools.clock import SystemClock
from map_tools.wire.cache import Miss, ReplyCache
from map_tools.wire.request import Difference, canonical_json, first_difference, nearest
from mapagent.llm.cache import ModelCache
from mapagent.llm.open import cache_path
from mapagent.runtime.config import Settings
from mapagent.runtime.opening import SERVICES_FOLDER

EXCERPT_CHARS = 60


@dataclass(frozen=True, slots=True)
class CacheReport:
    """Summary of a cache.

    Attributes:
        name: What it keeps.
        path: Its file.
        entries: How many replies are kept.
        explanation: Lines that say why the latest request was not answered from it.
    """

    name: str
    path: Path
    entries: int
    explanation: tuple[str, ...]


class KnownCache(Protocol):
    """A cache that can be shown and cleared."""

    name: str

    def report(self) -> CacheReport:
        """Its contents, and why the latest request missed it."""
        ...

    def clear(self) -> int:
        """Deletes all replies and returns how many there were."""
        ...


def known_caches(settings: Settings) -> tuple[KnownCache, ...]:
    """The caches of these settings."""
    services = ReplyCache(settings.data_home / SERVICES_FOLDER, SystemClock())
    return (ModelReplies(ModelCache(cache_path(settings))), ServiceReplies(services))


class ModelReplies:
    """The cache of models' replies.

    Args:
        cache: The cache.
    """

    name = "model"

    def __init__(self, cache: ModelCache) -> None:
        self._cache = cache

    def report(self) -> CacheReport:
        """Its contents, and why the latest request missed it."""
        return CacheReport(self.name, self._cache.path, self._cache.entries(), self._explanation())

    def clear(self) -> int:
        """Forgets all replies."""
        return self._cache.clear()

    def _explanation(self) -> tuple[str, ...]:
        miss = self._cache.latest_miss()
        if miss is None:
            return ("No request has missed this cache yet.",)
        key = f"key parts: {_shortened(miss.parts)}"
        near = nearest(miss.parts, miss.stored)
        if near is None:
            return (f"Latest miss, {miss.at}: nothing was kept before it.", key)
        difference = first_difference(miss.parts, near)
        if difference is None:
            return (f"Latest miss, {miss.at}: its reply is kept by now.", key)
        return (
            f"Latest miss, {miss.at}: the nearest kept request differs first in '{difference.field}'.",
            *_both(difference),
            key,
        )


class ServiceReplies:
    """The cache of map services' replies, of all providers together.

    Args:
        cache: The cache.
    """

    name = "map services"

    def __init__(self, cache: ReplyCache) -> None:
        self._cache = cache

    def report(self) -> CacheReport:
        """Its contents, and why each provider's latest request missed it."""
        misses = self._cache.latest_misses()
        lines = tuple(line for miss in misses for line in _explained(miss))
        report = CacheReport(
            self.name,
            self._cache.path,
            self._cache.entries(),
            lines or ("No request has missed this cache yet.",),
        )
        self._cache.close()
        return report

    def clear(self) -> int:
        """Forgets all replies."""
        count = self._cache.clear()
        self._cache.close()
        return count


def _explained(miss: Miss) -> tuple[str, ...]:
    key = f"key parts: {_shortened(json.loads(miss.explanation.request))}"
    return (f"Latest miss of '{miss.provider}', {miss.at.isoformat()}: {miss.explanation.note}", key)


def _both(difference: Difference) -> tuple[str, str]:
    """Excerpts of two values around their first difference."""
    wanted, stored = difference.wanted, difference.stored
    same = next(
        (index for index, (ours, theirs) in enumerate(zip(wanted, stored, strict=False)) if ours != theirs),
        min(len(wanted), len(stored)),
    )
    return f"  wanted: {_around(wanted, same)}", f"  kept:   {_around(stored, same)}"


def _around(text: str, position: int) -> str:
    start = max(0, position - EXCERPT_CHARS // 2)
    part = text[start : start + EXCERPT_CHARS]
    return ("…" if start else "") + part + ("…" if start + EXCERPT_CHARS < len(text) else "")


def _shortened(parts: dict[str, Any]) -> str:
    """The parts as canonical JSON, long texts cut."""
    return canonical_json(json.loads(json.dumps(parts), object_hook=_cut_texts))


def _cut_texts(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: f"{value[:EXCERPT_CHARS]}… ({len(value)} characters)"
        if isinstance(value, str) and len(value) > 2 * EXCERPT_CHARS
        else value
        for name, value in values.items()
    }
