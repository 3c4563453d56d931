"""Questions for a part of a route: how long or how far one stays on one street."""

from modules.offline.analysis import Analysis
from modules.offline.route_grammar_names import slots
from modules.offline.route_vocabulary import says, street_like, words


def stretch_asked(analysis: Analysis) -> str | None:
    """The street whose stretch is measured ("how far do I drive on the A5"); None for a whole route."""
    text = analysis.text
    streets = (slot for role in ("at", "along") for slot in slots(analysis, role) if _is_named(slot.text))
    return next((slot.text for slot in streets if says(text[: slot.start], "pattern", "stretch")), None)


def _is_named(street: str) -> bool:
    """True for the name of a street, not for "the road" alone."""
    return street_like(street) and street.casefold() not in words("street")
