"""Small words that names begin with and that capitals do not show: "st pauls", "place de la paix"."""

from typing import TYPE_CHECKING

from modules.offline.labels import Label
from modules.offline.lexicon import word_set

if TYPE_CHECKING:
    from modules.offline.analysis import Analysis


def name_start(analysis: "Analysis", labels: list[Label], index: int, free: int) -> int:
    """Where the name that has its first certain word at `index` begins; not before `free`."""
    first = index
    while first > free and labels[first - 1] is Label.OTHER:
        before = analysis.tokens[first - 1].norm
        dotted = before == "." and first - 1 > free
        begins = analysis.tokens[first - 2].norm if dotted else before
        if begins not in word_set("link", "starts"):
            break
        first -= 1
    return _square_start(analysis, first, free)


def _square_start(analysis: "Analysis", first: int, free: int) -> int:
    """Back to the "place" of a Romance square's name ("place d'armes", "place de la paix")."""
    owner = first
    while owner > free and analysis.tokens[owner - 1].norm in word_set("link", "owning"):
        owner -= 1
    owned = owner < first or analysis.tokens[first].norm.split("'")[0] in word_set("link", "owning")
    return owner - 1 if owned and owner > free and analysis.tokens[owner - 1].norm == "place" else first
