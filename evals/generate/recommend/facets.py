"""What is wished for, and how it is known of a listing (`facets.toml`)."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any

from map_tools.concepts import concept

LOW_SHARE = 1 / 3
"""A price is low if it is among this share of the lowest of its kind and city."""
_FREE = re.compile(r"\s*(?:free|no charge|donation)", re.IGNORECASE)
_AMOUNT = re.compile(r"[$£€]\s?(\d{1,4}(?:\.\d{1,2})?)")
_DENIED = r"(?:\b(?:not|no|never|without|isn['’]t|aren['’]t|far from)\s+(?:\w+\s+)?)?"


@dataclass(frozen=True, slots=True)
class Price:
    """What a listing's field for the price says.

    Attributes:
        free: There is nothing to pay.
        least: The lowest amount in it, in whatever currency the city has; None where there is none.
    """

    free: bool
    least: float | None

    @classmethod
    def read(cls, text: str) -> "Price":
        """Reads "$8 adults; $5 seniors", "Free", "£80 - £175"."""
        amounts = [float(amount) for amount in _AMOUNT.findall(text)]
        return cls(_FREE.match(text) is not None, min(amounts, default=None))


@dataclass(frozen=True, slots=True)
class Facet:
    """Something a place may be like.

    Attributes:
        kinds: The kinds that are asked for it.
        before, after: Its words before the kind, or after it; one of them is empty.
    """

    key: str
    kinds: frozenset[str]
    before: str
    after: str


class Facets:
    """The table of facets, kinds and surroundings."""

    def __init__(self) -> None:
        self._data: dict[str, Any] = tomllib.loads(
            (files("evals.generate.recommend") / "facets.toml").read_text("utf-8")
        )

    @cached_property
    def all(self) -> tuple[Facet, ...]:
        """Every facet, in the order of the table."""
        return tuple(
            Facet(key, frozenset(entry["kinds"]), entry.get("before", ""), entry.get("after", ""))
            for key, entry in self._data["facets"].items()
        )

    @property
    def surroundings(self) -> Mapping[str, Mapping[str, Any]]:
        """What may be around a place: `words`, the `tags` that show it, `within_m`."""
        found: Mapping[str, Mapping[str, Any]] = self._data["surroundings"]
        return found

    def word(self, kind: str) -> str:
        """The word for a kind."""
        return str(self._data["kinds"][kind]["word"])

    def kinds_of(self, source: str, values: Iterable[str]) -> frozenset[str]:
        """The kinds that a source's words state."""
        said = frozenset(values)
        return frozenset(
            kind for kind, entry in self._data["kinds"].items() if not said.isdisjoint(entry[source])
        )

    def tags_of(self, kinds: Iterable[str]) -> dict[str, str]:
        """OpenStreetMap's tags for some kinds; several values of a key are joined by semicolons."""
        tags: dict[str, list[str]] = {}
        for kind in sorted(kinds):
            key, _, value = self._data["kinds"][kind]["tag"].partition("=")
            tags.setdefault(key, []).append(value)
        return {key: ";".join(values) for key, values in tags.items()}

    def of_tags(self, tags: Iterable[str]) -> frozenset[str]:
        """The facets that a listing's tags state."""
        said = frozenset(tags)
        return frozenset(key for key, entry in self._entries() if not said.isdisjoint(entry.get("tags", ())))

    def in_text(self, text: str) -> frozenset[str]:
        """The facets that an English description states without denying them."""
        return frozenset(key for key, pattern in self._patterns.items() if _stated(pattern, text))

    def by_price(self, price: Price, peers: Sequence[Price]) -> frozenset[str]:
        """The facets that a price states.

        Args:
            price: Of the listing.
            peers: Of all listings of its kind and city, itself included.
        """
        amounts = sorted(other.least for other in peers if other.least is not None)
        low = price.least is not None and price.least <= amounts[int(LOW_SHARE * (len(amounts) - 1))]
        holds = {"low": low, "free": price.free}
        return frozenset(key for key, entry in self._entries() if holds.get(entry.get("price", ""), False))

    def masked(self, text: str) -> str:
        """A description without the phrases that state any facet."""
        for pattern in self._patterns.values():
            text = pattern.sub(" ", text)
        return " ".join(text.split())

    @cached_property
    def replaced(self) -> frozenset[str]:
        """The categories of an extract's own places that listings take the place of."""
        found: set[str] = set()
        for category in self._data["replaced"]["categories"]:
            known = concept(category)
            found |= {category, *(known.ids if known is not None else ())}
        return frozenset(found)

    def _entries(self) -> Iterable[tuple[str, Mapping[str, Any]]]:
        entries: Mapping[str, Mapping[str, Any]] = self._data["facets"]
        return entries.items()

    @cached_property
    def _patterns(self) -> Mapping[str, re.Pattern[str]]:
        """What states each facet, with a word that denies it before it as part of the match."""
        return {
            key: re.compile(
                rf"{_DENIED}(?<![\w-])(?:{'|'.join(map(re.escape, _longest_first(entry['says'])))})(?![\w-])",
                re.IGNORECASE,
            )
            for key, entry in self._entries()
            if "says" in entry
        }


def has_tag(tags: Mapping[str, str], wanted: Iterable[str]) -> bool:
    """True if one of the tags ("key=value") is there, alone or in a list of values."""
    pairs = (tag.partition("=") for tag in wanted)
    return any(value in tags.get(key, "").split(";") for key, _, value in pairs)


def _stated(pattern: re.Pattern[str], text: str) -> bool:
    denials = re.compile(r"\b(?:not|no|never|without|isn['’]t|aren['’]t|far from)\b", re.IGNORECASE)
    return any(denials.match(found[0].strip()) is None for found in pattern.finditer(text))


def _longest_first(phrases: Sequence[str]) -> list[str]:
    return sorted(phrases, key=len, reverse=True)
