"""Structured data inside a text (JSON, GeoJSON, well-known text, tables): cut out and read record by record.

Shapes that stand alone are called as the headings beside or above them say.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from map_tools.compute.shape_text import geometry_of_json, parse_shape
from map_tools.errors import PlaceNotFoundError
from map_tools.kinds.tag_categories import categories_of
from map_tools.text import normalise
from map_tools.types import Extent, LatLng
from modules.context_reader.drafts import Entry, NearbyDraft, PlaceDraft
from modules.context_reader.fields import field_of, with_unit
from modules.context_reader.lines import measures_in, mode_in
from modules.context_reader.parsers.tables import IDENTIFIERS, cut_tables, read_way, spelt_out
from modules.context_reader.parsers.travel import way
from modules.context_reader.values import put_labelled
from modules.context_reader.vocabulary import words

_BEGINS = re.compile(r"^[ \t]*(?:[^\s{}\[\]][^{}\[\]\n]{0,80}[:=][ \t]*)?(?=[\[{])", re.MULTILINE)
_AROUND = re.compile(r"(?:near|around|from) (?:the )?(?P<anchor>.+?)(?: (?:in|by) \w+)?", re.IGNORECASE)
"""A label of what lies around a place, or of the way from it."""
_MOST_FAILURES = 100
"""So many brackets that begin no JSON mean that the text is none; each attempt may go on to its end."""
_BETWEEN = " ↔ "
"""Stands between the two ends of a way that are told in a list."""
_FIGURES = frozenset({"value", "score", "average", "avg", "mean"})
_COUNTS = frozenset({"count", "total", "number", "n"})
_GEOMETRIES = ("geometry", "wkt", "shape", "geom")
_ADDRESS = (
    (("street", "road", "thoroughfare"), ("housenumber", "house number", "number", "streetnumber")),
    (("postcode", "postal code", "zip", "zip code", "plz"), ("city", "town", "village", "locality")),
)
"""Parts of an address as they stand in one line: each part by the labels it goes by."""

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


def cut_structured(text: str) -> tuple[str, list[Entry]]:
    """Reads the structured parts of a text; returns the text without them, and what they say."""
    entries: list[Entry] = []
    for take in (_cut_json, cut_tables, cut_wkt):
        text, found = take(text)
        entries += found
    return text, entries


def _cut_json(text: str) -> tuple[str, list[Entry]]:
    entries: list[Entry] = []
    kept, at = [], 0
    decoder = json.JSONDecoder()
    failures = 0
    for begin in _BEGINS.finditer(text):
        if begin.end() < at:
            continue
        if failures == _MOST_FAILURES:
            break
        try:
            value, end = decoder.raw_decode(text, begin.end())
        except (ValueError, RecursionError):
            failures += 1
            continue
        before = text[at : begin.end()]
        rest, heading = split_heading(before) if is_geometry(value) else (before, "")
        found = (
            [draft_of_shape(heading, value, text[begin.end() : end])] if heading else list(_records(value))
        )
        if found:
            entries += found
            kept.append(rest)
            at = end
    return (FENCE.sub("", "\n".join([*kept, text[at:]])) if entries else text), entries


def _records(value: Any, key: str = "", above: str = "") -> Iterator[Entry]:
    """The places and ways of a JSON value, however deep they stand; `key`, `above`: the keys it stands under."""
    if isinstance(value, list):
        for each in value:
            yield from _records(each, key, above)
        return
    if not isinstance(value, Mapping):
        return
    if isinstance(value.get("properties"), Mapping):  # a feature of GeoJSON (RFC 7946)
        value = {**value["properties"], "geometry": value.get("geometry")}
    flat = dict(_flat(value))
    ways = read_way({"route": key, **flat}, caption=f"{above} {key}")
    if ways:
        yield from (replace(one, raw=json.dumps(value, ensure_ascii=False)) for one in ways)
        return
    if apart := _apart(value, key):
        yield from apart
        return
    names = [
        text
        for label, text in flat.items()
        if field_of(label.rpartition("/")[2]) == "name" and "/" not in label
    ]
    known = any(field_of(label) not in {None, "name"} for label in flat)
    if names or (key and known and "/" not in key):
        draft = _draft(value, flat, names[0] if names else key, key)
        yield draft
        yield from _told_ways(flat, draft.query, draft.raw[0])
        value = {label: each for label, each in value.items() if isinstance(each, list)}
    for label, each in value.items():
        listed = _figures_from(label, each, key) if _AROUND.fullmatch(spelt_out(label)) else []
        yield from listed
        if not listed and isinstance(each, Mapping | list):
            yield from _records(each, label, key)


def _apart(value: Mapping[str, Any], caption: str) -> list[Entry]:
    """What a table of tables of figures says, place by place; nothing if one of them is none."""
    found = [_figures_from(label, others, caption) for label, others in value.items()]
    return [each for one in found for each in one] if all(found) else []


def _figures_from(label: str, others: object, caption: str) -> list[Entry]:
    """How far places are from one, or how long one takes: figures by name, under "Pier" or "near Pier in metres"."""
    if not isinstance(others, Mapping) or not all(
        isinstance(one, str | int | float) for one in others.values()
    ):
        return []
    if any(field_of(name) or mode_in(name) for name in others):
        return []
    words = spelt_out(label)
    figures = {name: measures_in(with_unit(f"{caption} {words}", str(told))) for name, told in others.items()}
    if not figures or not all(figures.values()):
        return []
    anchored = _AROUND.fullmatch(words)
    anchor = anchored["anchor"] if anchored else words
    mode = mode_in(f"{caption} {words.replace(anchor, '')}")
    raw = json.dumps({label: others}, ensure_ascii=False)
    items = [PlaceDraft(query=name, distance_m=one.distance_m) for name, one in figures.items()]
    if mode is None and all(item.distance_m is not None for item in items):
        return [NearbyDraft(anchor=anchor, what="places", items=items, raw=raw)]
    return [way(anchor, name, mode, one, raw) for name, one in figures.items()]


def _told_ways(flat: Mapping[str, str], name: str, raw: str) -> Iterator[Entry]:
    """The ways that a place's record tells of in tables of their own: {"from_hotel": {"km": 0.5, "walk": 6}}."""
    records: dict[str, dict[str, str]] = {}
    for path, text in flat.items():
        parent, _, label = path.rpartition("/")
        found = _AROUND.fullmatch(parent)
        if found is not None:
            records.setdefault(parent, {"from": found["anchor"], "to": name})[label] = text
    for record in records.values():
        yield from read_way(record, raw)


def _flat(value: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Label and text of all that is no list of records; labels of inner values have their path before them."""
    for label, each in value.items():
        path = f"{above}/{spelt_out(label)}" if above else spelt_out(str(label))
        if isinstance(each, Mapping):
            if label not in _GEOMETRIES:
                yield from _flat(each, path)
        elif isinstance(each, list):
            if all(isinstance(one, str | int | float) for one in each):
                ends = len(each) == 2 and normalise(str(label)) in words().ways
                yield path, (_BETWEEN if ends else ", ").join(map(str, each))
        elif isinstance(each, bool):
            yield path, "yes" if each else "no"
        elif each is not None:
            yield path, str(each)


def _draft(value: Mapping[str, Any], flat: Mapping[str, str], name: str, key: str) -> PlaceDraft:
    draft = PlaceDraft(query=name.strip(), raw=[json.dumps(value, ensure_ascii=False)])
    kinds = categories_of({label: text for label, text in flat.items() if "/" not in label})
    draft.put("categories", kinds or None)
    for geometry in _GEOMETRIES:
        if value.get(geometry):
            put_geometry(draft, value[geometry])
    address = _address(flat)
    if address:
        draft.put("address", address)
    for path, text in flat.items():
        _put_path(draft, path, text)
    if not draft.values.get("categories"):
        put_labelled(draft, "types", key)
    return draft


def _put_path(draft: PlaceDraft, path: str, text: str) -> None:
    """Notes the value that stands under a path of labels."""
    *_, parent, label = ("", *path.split("/"))
    if path.casefold() in IDENTIFIERS:
        draft.aliases.append(text)
        return
    if _AROUND.fullmatch(parent):
        return
    own = label.casefold()
    if own in _FIGURES | _COUNTS and parent:
        label = parent if own in _FIGURES else "review count"
    elif field_of(parent) == "address":
        label = f"addr:{own}"
    if field_of(label) != "name":
        put_labelled(draft, label, text)


def _address(flat: Mapping[str, str]) -> str:
    """The address in one line, of the parts that JSON or OpenStreetMap's tags tell."""
    parts = {
        re.sub(r"[_:/]", " ", path).casefold().removeprefix("address ").removeprefix("addr "): text
        for path, text in flat.items()
    }
    lines = (
        " ".join(next((parts[label] for label in labels if label in parts), "") for labels in line)
        for line in _ADDRESS
    )
    return ", ".join(filter(None, map(str.strip, lines)))


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
