"""Questions for a part of a route: how long or how far one stays on one street."""

from modules.offline.analysis import Analysis
from modules.offline.route_grammar_names import says, slots, street_like


def stretch_asked(analysis: Analysis) -> str | None:
    """The street whose stretch is measured ("how far do I drive on the A5"); None for a whole route."""
    text = analysis.text
    streets = (slot for role in ("at", "along") for slot in slots(analysis, role) if street_like(slot.text))
    return next((slot.text for slot in streets if says(text[: slot.start], "pattern", "stretch")), None)
