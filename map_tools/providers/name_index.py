"""Tolerant look-up of names and addresses among places held in memory."""

from collections.abc import Iterable

from rapidfuzz import fuzz, process

from map_tools.text import normalise, same_words, similarity
from map_tools.types import Place

MIN_SCORE = 0.8
"""Below this a wording does not mean the place: one slip in four letters still passes."""
ADDRESS_SCORE = 0.97
"""Score of a name whose further words all stand in the place's address ("X, Main Street"); under an exact
name."""
PART_SCORE, PART_GAIN = 0.8, 0.1
"""A name that is only a part of the words asked for scores from the first to their sum, by its share."""
CONSIDERED = 64
"""Names compared in detail, after a coarse comparison of all."""


class NameIndex:
    """Finds places by name, alias or address.

    Args:
        places: What to search; names are compared as `map_tools.text.similarity` does.
    """

    def __init__(self, places: Iterable[Place]) -> None:
        self._places: list[Place] = []
        self._names: list[str] = []
        self._exact: set[str] = set()
        self._owner: list[int] = []
        self._by_word: dict[str, set[int]] = {}
        for place in places:
            self._add(place)

    def find(self, text: str, *, strict: bool = False) -> list[tuple[Place, float]]:
        """The places these words fit, best first, each with its score (0 to 1).

        Unless `strict`, words that fit no name are looked for once more in other languages' spelling.
        """
        wanted = normalise(text)
        best: dict[int, float] = {}
        for index in self._considered(wanted):
            owner = self._owner[index]
            score = _score(wanted, self._names[index], self._places[owner])
            if score >= MIN_SCORE and score > best.get(owner, 0.0):
                best[owner] = score
        if not best and not strict:
            best = self._in_other_words(text)
        ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
        return [(self._places[owner], score) for owner, score in ranked]

    def _in_other_words(self, text: str) -> dict[int, float]:
        """Places that go by the same words in another language, and lie where the text says, if it does."""
        head, _, area = text.partition(",")
        where = set(normalise(area).split())
        return {
            owner: MIN_SCORE
            for name, owner in zip(self._names, self._owner, strict=True)
            if same_words(head, name)
            and (not where or where & set(normalise(self._places[owner].address or "").split()))
        }

    def has(self, text: str) -> bool:
        """Whether a place has exactly this name, alias or address, as `map_tools.text.normalise` sees it."""
        return normalise(text) in self._exact

    def _add(self, place: Place) -> None:
        owner = len(self._places)
        self._places.append(place)
        for name in (place.name, *place.aliases, place.address or ""):
            plain = normalise(name)
            if not plain:
                continue
            index = len(self._names)
            self._names.append(plain)
            self._exact.add(plain)
            self._owner.append(owner)
            for word in plain.split():
                self._by_word.setdefault(word, set()).add(index)

    def _considered(self, wanted: str) -> set[int]:
        """Names worth a closer look: alike as a whole, or sharing the rarest word they can share."""
        coarse = process.extract(
            wanted, self._names, scorer=fuzz.token_sort_ratio, score_cutoff=60, limit=CONSIDERED
        )
        found = {index for _, _, index in coarse}
        shared = sorted((self._by_word.get(word, set()) for word in set(wanted.split())), key=len)
        for indices in shared:
            if indices and len(found) + len(indices) <= 4 * CONSIDERED:
                found |= indices
        return found


def _score(wanted: str, name: str, place: Place) -> float:
    score = similarity(wanted, name)
    words, own = set(wanted.split()), set(name.split())
    left = words - own
    if own < words and left.issubset(normalise(place.address or "").split()):
        return max(score, ADDRESS_SCORE)
    if own < words:  # words that are neither in the name nor in the address mean some other place
        return min(score, PART_SCORE + PART_GAIN * len(own) / len(words))
    return score
