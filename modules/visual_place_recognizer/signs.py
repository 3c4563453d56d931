"""What the signs of a picture's markers mean: by the vocabulary, else by what its own named labels tell."""

from collections import Counter
from collections.abc import Iterable

from map_tools.vision.boxes import Marker
from map_tools.vision.markers import known_sign, same_sign

LEAST_NAMED = 2
"""So many named labels must share an unknown sign: a single name may mislead."""
MOST = 0.5
"""An unknown sign means the categories that more than this share of its named labels have."""


class Signs:
    """The signs of one picture.

    Args:
        named: Markers of labels, each with the categories that the label's words say for certain.
    """

    def __init__(self, named: Iterable[tuple[Marker, tuple[str, ...]]]) -> None:
        self._named = [(marker, categories) for marker, categories in named if categories]

    def categories(self, marker: Marker | None) -> tuple[str, ...]:
        """What a marker's sign stands for, the surest first; none if that is not known."""
        if marker is None:
            return ()
        sign = known_sign(marker)
        if sign is not None:
            return sign.categories
        alike = [categories for other, categories in self._named if same_sign(marker, other)]
        if len(alike) < LEAST_NAMED:
            return ()
        counted = Counter(category for categories in alike for category in categories)
        return tuple(category for category, times in counted.most_common() if times > MOST * len(alike))
