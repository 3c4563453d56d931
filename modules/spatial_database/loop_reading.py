"""The parts of a question as a reading for the exact solver: one call of a small model, and then no more."""

from map_tools.compute.geodesy import wind_words
from modules.names import normalise
from modules.spatial_database.tools.parse_question import QuestionParts
from modules.offline.spatial_intent import BESIDE_M, SIZES, TOTALS, Ask, SpatialIntent

_NO_KIND = frozenset({"amenity", "amenities", "facility", "facilities"})
"""Words for kinds of every kind."""


def reading_of(parts: QuestionParts, question: str) -> SpatialIntent | None:
    """The reading; None where the parts name neither a place nor a region, or no kind where one is needed.

    None too where it would leave out one of the places: half a question is not to be answered.

    Args:
        parts: What ParseQuestion found.
        question: The question's words, which a fact is asked in.
    """
    ask = _asked(parts)
    first, *others = (*parts.anchors, None)
    between = ask == "distance" and len(others) > 1 and not _is_kind_said(parts, question)
    other = others[0] if between or (ask == "distance" and not parts.feature_type) else None
    if not set(parts.anchors) <= {first, other, parts.region}:
        return None
    anchor, region = (None, first) if _is_searched(parts) else (first, parts.region)
    corner = (parts.streets[0], parts.streets[1]) if len(parts.streets) == 2 else None
    kindless = ask in {"kind", "kinds"}
    if not (anchor or region or corner) or not (parts.feature_type or other or kindless):
        return None
    beside = parts.pick == "beside"
    return SpatialIntent(
        what="" if kindless or between else parts.feature_type,
        anchor=None if corner else anchor,
        other=other,
        toward=parts.toward,
        direction=wind_words(parts.direction) if parts.direction else None,
        corner=corner,
        region=region,
        within_m=parts.radius_m or (BESIDE_M if beside else None),
        pick="any" if parts.pick == "beside" else parts.pick,
        ask="names" if beside and ask == "name" else ask,
        fact=question if ask == "fact" else "",
    )


def _is_kind_said(parts: QuestionParts, question: str) -> bool:
    """True if the kind stands in the question apart from the names: small models take one for another."""
    rest = f" {normalise(question)} "
    for anchor in parts.anchors:
        rest = rest.replace(f" {normalise(anchor)} ", "  ")
    kind = normalise(parts.feature_type).removesuffix("s")
    return bool(kind) and f" {kind}" in rest


def _asked(parts: QuestionParts) -> Ask:
    """What is asked; of "amenities" their kinds ("which are there?") or that of a place ("what is X?")."""
    if parts.metric not in {"name", "names"} or parts.feature_type.casefold() not in _NO_KIND:
        return parts.metric
    return "kind" if parts.radius_m is None and parts.region is None else "kinds"


def _is_searched(parts: QuestionParts) -> bool:
    """True if the place is the area that is searched: sizes and totals have no other way to need one."""
    told = parts.region or parts.radius_m is not None or parts.direction or parts.toward or parts.streets
    return not told and (parts.pick in SIZES or parts.metric in TOTALS)
