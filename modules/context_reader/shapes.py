"""Shapes inside a text that stand alone, as GeoJSON geometries or well-known text, and the headings that name them."""

import re
from collections.abc import Mapping

from map_tools.compute.shape_text import geometry_of_json, parse_shape
from map_tools.errors import PlaceNotFoundError
from map_tools.types import Extent, LatLng
from modules.context_reader.drafts import Entry, PlaceDraft

_WKT = re.compile(
    r"\b(?:MULTI)?(?:POINT|LINESTRING|POLYGON)\s*(?:Z|M|ZM)?\s*\([()\d\s.,eE+-]*\)", re.IGNORECASE
)
FENCE = re.compile(r"^[ \t]*(?:```|~~~)\w*[ \t]*$", re.MULTILINE)
"""The line that begins or ends a block of code or data in Markdown."""
_TYPES = frozenset(
    {
        "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
    }
)  # fmt: skip
"""The geometries of GeoJSON: https://datatracker.ietf.org/doc/html/rfc7946#section-3.1."""
_EDGE = " \t:;,|=-–—\"'#*•"
_LONGEST_HEADING = 120
_QUALIFIED = re.compile(r"(?P<label>[^()]+?)\s*\((?P<name>.+)\)")
"""A label and in brackets what it stands for: "Geometry A (harbour basin)"."""
_ARTICLE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)


def is_geometry(value: object) -> bool:
    """Whether a JSON value is a geometry of GeoJSON by itself, neither a feature nor part of a record."""
    return isinstance(value, Mapping) and value.get("type") in _TYPES and "properties" not in value


def split_heading(before: str) -> tuple[str, str]:
    """Parts the text before a shape into what goes on being text, and the heading of the shape.

    The heading is what stands before the shape in its line, else the line above it, past a fence and an empty line.
    """
    lines = before.split("\n")
    last = len(lines) - 1
    while last >= 0 and (not lines[last].strip() or FENCE.fullmatch(lines[last])):
        last -= 1
    heading = lines[last].strip(_EDGE) if last >= 0 else ""
    if not heading or len(heading) > _LONGEST_HEADING:
        return before, ""
    return "\n".join(lines[:last]), heading


def draft_of_shape(heading: str, value: object, raw: str) -> PlaceDraft:
    """The place that a shape is: called as its heading says, "Site 4 (old mill)" by both names."""
    name, *others = names_of(heading)
    draft = PlaceDraft(query=name, aliases=others, raw=[raw])
    put_geometry(draft, value)
    if draft.location is not None:
        draft.put("extent", Extent(kind="point"))
    return draft


def names_of(heading: str) -> list[str]:
    """The names that a heading gives, the one that tells most first: "Geometry A (the old mill)", "Option: Kiasma"."""
    label, _, told = (part.strip(_EDGE) for part in heading.partition(":"))
    named = told or label
    names = [named]
    found = _QUALIFIED.fullmatch(named)
    if found is not None:
        names = [found["name"], found["label"], named]
        within = _QUALIFIED.fullmatch(found["name"])
        names += [within["label"]] if within else []
    return list(
        dict.fromkeys(_ARTICLE.sub("", name, count=1) if _ARTICLE.match(name) else name for name in names)
    )


def put_geometry(draft: PlaceDraft, value: object) -> None:
    """Notes a position or a shape, given as GeoJSON or well-known text; what is none on Earth is left out."""
    try:
        found = parse_shape(value) if isinstance(value, str) else geometry_of_json(value)
    except PlaceNotFoundError:
        return
    if found is None:
        return
    if isinstance(found, LatLng):
        draft.put("location", found)
        return
    draft.put("extent", Extent(kind=found.kind))
    import shapely

    middle = shapely.from_wkt(found.wkt).representative_point()
    draft.shape = found
    draft.put("location", LatLng(lat=middle.y, lng=middle.x))


def cut_wkt(text: str) -> tuple[str, list[Entry]]:
    """Reads well-known text with the name beside it, in whatever order, or in the line above."""
    entries: list[Entry] = []
    kept: list[str] = []
    for line in text.splitlines():
        found = _WKT.search(line)
        name = (line[: found.start()] + line[found.end() :]).strip(_EDGE) if found else ""
        if found is not None and not name:
            rest, name = split_heading("\n".join(kept))
            kept = rest.split("\n") if name else kept
        if found is None or not name:
            kept.append(line)
            continue
        entries.append(draft_of_shape(name, found.group(), line.strip()))
    return ("\n".join(kept) if entries else text), entries
