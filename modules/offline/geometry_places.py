"""The places a question of geometry is about: neither its topic nor the areas they lie in."""

import re

from modules.names import same_name
from modules.offline.analysis import Analysis
from modules.offline.intents import HERE
from modules.offline.marks import SURE, Mention
from modules.offline.slots import listed

_ENDS = 2
"""Places that a distance or a direction has."""
_JOINT = re.compile(r"\s*(?:,|and|or|to|from|-|&|/|->)?\s*(?:the\s+)?", re.IGNORECASE)
_LISTED = re.compile(r"\b(?:and|or)\b")


def places_of(analysis: Analysis) -> list[Mention]:
    """The places named, lists taken apart."""
    return _without_topic(analysis, _surest(listed(analysis.places)))


def _surest(places: list[Mention]) -> list[Mention]:
    """Without unknown words ("to sail from A to B") where two names are beyond doubt."""
    sure = [item for item in places if item.strength >= SURE]
    return sure if len(sure) > 1 else places


def _without_topic(analysis: Analysis, places: list[Mention]) -> list[Mention]:
    """Without the country or city a question about two other places begins with ("Utopia: how far ...")."""
    if len(places) > _ENDS:
        places = [item for item in places if not analysis.text[: item.start].casefold().endswith("map of ")]
    first = places[0] if len(places) > _ENDS else None
    if first is None or not (first.role == "in" or (first.start == 0 and first.role == "subject")):
        return places
    joint = analysis.between(places[0].end, places[1].start)
    return places if _JOINT.fullmatch(joint) else places[1:]


def two_ends(analysis: Analysis, places: list[Mention]) -> tuple[str, str] | None:
    """The two places of a question; the speaker's position is one of them if only one is named."""
    told = [item for item in analysis.by_role("from", "to") if not _LISTED.search(item.text)]
    if [item.role for item in told] == ["from", "to"]:
        return told[0].place, told[1].place  # "from X, City to Y, City" is no list
    if len(places) >= 2:
        return places[0].place, places[1].place
    if len(places) == 1 and (analysis.refers_here or places[0].role not in {"self", "between"}):
        return (HERE, places[0].place) if places[0] is not analysis.here else None
    return None


def is_option(analysis: Analysis, item: Mention) -> bool:
    """True if a name is one of the options."""
    return any(same_name(item.text, option) for option in analysis.options)


def with_area(analysis: Analysis, anchor: Mention) -> Mention:
    """The anchor as the question has it: "X, City" is one place and no list."""
    whole = (item for item in analysis.places if item.start <= anchor.start < item.end)
    return next((item for item in whole if not _LISTED.search(item.text)), anchor)
