"""The parts of a question as a reading for the exact solver: one call of a small model, and then no more."""

from map_tools.compute.geodesy import wind_words
from modules.intents import SIZES, TOTALS
from modules.spatial_database.tools.parse_question import QuestionParts
from modules.spatial_intent import SpatialIntent


def reading_of(parts: QuestionParts, question: str) -> SpatialIntent | None:
    """The reading; None where the parts name neither a place nor a region, or no kind where one is needed.

    Args:
        parts: What ParseQuestion found.
        question: The question's words, which a fact is asked in.
    """
    first, *others = (*parts.anchors, None)
    other = others[0] if parts.metric == "distance" and not parts.feature_type else None
    anchor, region = (None, first) if _is_searched(parts) else (first, parts.region)
    corner = (parts.streets[0], parts.streets[1]) if len(parts.streets) == 2 else None
    if not (anchor or region or corner) or not (parts.feature_type or other):
        return None
    return SpatialIntent(
        what=parts.feature_type,
        anchor=None if corner else anchor,
        other=other,
        toward=parts.toward,
        direction=wind_words(parts.direction) if parts.direction else None,
        corner=corner,
        region=region,
        within_m=parts.radius_m,
        pick=parts.pick,
        ask=parts.metric,
        fact=question if parts.metric == "fact" else "",
    )


def _is_searched(parts: QuestionParts) -> bool:
    """True if the place is the area that is searched: sizes and totals have no other way to need one."""
    told = parts.region or parts.radius_m is not None or parts.direction or parts.toward or parts.streets
    return not told and (parts.pick in SIZES or parts.metric in TOTALS)
