"""The type of place a wish is for: restaurant, hotel or attraction (the paper's appendix F.2)."""

from map_tools.phrases import Phrase
from modules.recommender.vocabulary import target_index, targets


def target_of(text: str) -> str | None:
    """The type of place that is asked for; None if no word speaks for any.

    Food comes first, as in the paper's rules: who stays at a hotel and asks about dinner wants a restaurant.
    A place to stay that is only said to be where somebody is does not count.
    """
    return next((target for target in targets() if _speaks_for(target, text)), None)


def category_of(target: str) -> str:
    """The category id of `map_tools.concepts` that covers a type."""
    return str(targets()[target]["category"])


def _speaks_for(target: str, text: str) -> bool:
    references = target_index(target, "reference").find(text)
    return any(not _within(found, references) for found in target_index(target, "strong").find(text))


def _within(found: Phrase[str], others: list[Phrase[str]]) -> bool:
    return any(other.start <= found.start and found.end <= other.end for other in others)
