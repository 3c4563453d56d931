"""What a question says of facts written beneath names: ratings, reviews, classes, prices, hours."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from modules.visual_place_recognizer.words import picture_words

type Wish = Literal[
    "rating_best", "rating_worst", "reviews_most", "price_least", "price_most",
    "rating_of", "reviews_of", "price_of", "open", "closed",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Details:
    """What applies of it; the rest is empty.

    Attributes:
        wishes: Keys of [detail] in `words.toml`: what is to be highest or lowest, or is to be told.
        rating: The rating the thing must have.
        stars: The class of hotel it must be of.
        nights: For how many nights a price is asked.
        budget: Lowest and highest price.
    """

    wishes: frozenset[str] = frozenset()
    rating: float | None = None
    stars: float | None = None
    nights: float = 1.0
    budget: tuple[float, float] | None = None

    def wants(self, wish: Wish) -> bool:
        """True if the question says so."""
        return wish in self.wishes


NO_DETAILS = Details()


def read_details(text: str) -> Details:
    """What a question says of written facts."""
    found = {key: match for key, pattern in _patterns().items() if (match := pattern.search(text))}
    rating, stars, nights = (found.get(key) for key in ("rating_is", "class", "nights"))
    return Details(
        wishes=frozenset(found),
        rating=_number(next(filter(None, rating.groups()))) if rating else None,
        stars=_number(stars["stars"]) if stars else None,
        nights=_number(nights["count"]) if nights else 1.0,
        budget=_range(found["budget"]) if "budget" in found else None,
    )


def _range(found: re.Match[str]) -> tuple[float, float]:
    low, high = (float(part.replace(",", "")) for part in found.groups() if part)
    return min(low, high), max(low, high)


def _number(words: str) -> float:
    spelt: dict[str, float] = picture_words()["numbers"]
    plain = "-".join(words.lower().split())
    return float(spelt[plain]) if plain in spelt else float(words.replace(",", "."))


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re.Pattern[str]]:
    words = picture_words()
    spelt = sorted((word.replace("-", "[- ]") for word in words["numbers"]), key=len, reverse=True)
    number = rf"(?:\d(?:[.,]\d)?|{'|'.join(spelt)})"
    return {
        key: re.compile(re.sub(r"(?<=>)N(?=\))", lambda _: number, pattern), re.IGNORECASE)
        for key, pattern in words["detail"].items()
    }
