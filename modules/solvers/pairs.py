"""Options that name two places each ("A and B", "A - B", "A & B")."""

import re
from collections.abc import Iterator

from modules.solvers.choices import Choice
from modules.solvers.common import Trail
from modules.view import CannotTellError, View

JOINT = re.compile(r"\s+(?:and|&|to|vs\.?|–|—|-|→|↔)\s+|\s*[,;/]\s*", re.IGNORECASE)


def option_pairs(view: View, trail: Trail) -> tuple[Choice, ...]:
    """The pairs the options name; asks for the places not yet known. Empty while the view waits.

    An option is split where both halves are places: names may contain "and" or a dash themselves.

    Raises:
        CannotTellError: No option can be read as a pair of known places.
    """
    options = view.question.live_options()
    pairs = [(index, text, _pair(view, text, index)) for index, text in options]
    if view.waiting:
        return ()
    known = tuple(pair for _, _, pair in pairs if pair is not None)
    missing = [text for _, text, pair in pairs if pair is None]
    if not known:
        raise CannotTellError(f"No option names two known places: {'; '.join(missing) or 'there are none'}.")
    if missing:
        trail.warn(f"Not understood as pairs of known places and left out: {'; '.join(missing)}.")
    return known


def splits(text: str) -> Iterator[tuple[str, str]]:
    """All ways to cut a text into two names, at each joining word or sign."""
    for hit in JOINT.finditer(text):
        left, right = text[: hit.start()].strip(), text[hit.end() :].strip()
        if left and right:
            yield left, right


def _pair(view: View, text: str, index: int) -> Choice | None:
    for left, right in splits(text):
        first, second = view.try_place(left), view.try_place(right)
        if first is not None and second is not None and first.place.id != second.place.id:
            return Choice((first, second), index)
    return None
