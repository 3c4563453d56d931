"""What people think of a place, as tags. OpenStreetMap has none of them; only synthetic maps hold these."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from map_tools.types import Review

PREFIX = "synthetic:"
_RATING, _COUNT, _PRICE, _REVIEWS = (f"{PREFIX}{name}" for name in ("rating", "count", "price", "reviews"))
FACTS = ("rating", "rating_count", "price_level", "reviews")
"""The attributes of `Place` that the tags fill."""


def to_tags(
    *, rating: float | None, rating_count: int | None, price_level: int | None, reviews: Sequence[Review]
) -> dict[str, str]:
    """The tags for attributes of a place; none for what is not known."""
    said = [review.model_dump(mode="json") for review in reviews]
    values = {
        _RATING: rating,
        _COUNT: rating_count,
        _PRICE: price_level,
        _REVIEWS: json.dumps(said, ensure_ascii=False) if said else None,
    }
    return {tag: str(value) for tag, value in values.items() if value is not None}


def from_tags(tags: Mapping[str, str]) -> dict[str, Any]:
    """Attributes of a place by name, as far as the tags of a synthetic map tell them."""
    found: dict[str, Any] = {}
    if _RATING in tags:
        found["rating"] = float(tags[_RATING])
    if _COUNT in tags:
        found["rating_count"] = int(tags[_COUNT])
    if _PRICE in tags:
        found["price_level"] = int(tags[_PRICE])
    if _REVIEWS in tags:
        found["reviews"] = tuple(map(Review.model_validate, json.loads(tags[_REVIEWS])))
    return found
