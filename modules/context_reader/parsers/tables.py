"""Tables: rows of places, rows of ways, and matrices of times or distances, whatever stands between the columns."""

import csv
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from map_tools.kinds.concepts import lookup
from map_tools.text import normalise
from map_tools.types import TravelMode
from modules.context_reader.drafts import Entry, Finding, PlaceDraft
from modules.context_reader.fields import field_of, service_in, with_unit
from modules.context_reader.lines import Measures, measures_in, mode_in, plain_text
from modules.context_reader.names import split_pair
from modules.context_reader.parsers.places import is_day
from modules.context_reader.parsers.travel import way
from modules.context_reader.values import put_labelled
from modules.context_reader.vocabulary import words

type Row = list[str]

_RULE = re.compile(r"[\s|:+=_-]*[-=_]{2,}[\s|:+=_-]*")
_LINK = re.compile(r"\[([^\]]+)\]\((\S+?)\)")
_JOINT = re.compile(r"_|(?<=[a-z])(?=[A-Z])")
_GAP = re.compile(r"\s{2,}|\t")
_CELL = re.compile(r"\S+(?: \S+)*")
_HEADING = re.compile(r"[^\t:;,|•]+")
_LEAST_COLUMNS = 3
_ANCHOR = re.compile(r"(?P<what>.*?)\b(?:from|to) (?:the )?(?P<anchor>.+)", re.IGNORECASE)
_MOST_CAPTION_LINES = 2
_MOST_CORNER_WORDS = 4
IDENTIFIERS = frozenset({"id", "code"})
"""The labels of what tables and records call a place among themselves."""
_ENOUGH = 2 / 3
"""The share of the cells of a matrix that hold figures."""


def cut_tables(text: str) -> tuple[str, list[Entry]]:
    """Reads the tables of a text; returns the text without them, and what they say."""
    lines = text.splitlines()
    entries: list[Entry] = []
    kept: list[str] = []
    caption: deque[str] = deque(maxlen=_MOST_CAPTION_LINES)
    at = 0
    while at < len(lines):
        for rows in _runs(lines, at):
            found = list(_read(rows, " ".join(caption)))
            if found:
                entries += found
                kept += _untold(rows, found)
                at += len(rows)
                break
        else:
            kept.append(lines[at])
            if lines[at].strip():
                caption.append(lines[at])
            at += 1
    return ("\n".join(kept) if entries else text), entries


def _untold(rows: Sequence["_Line"], found: Sequence[Entry]) -> list[str]:
    """The rows of a table that nothing was found in; they are read as other lines are."""
    raws = (raw for entry in found for raw in ([entry.raw] if isinstance(entry.raw, str) else entry.raw))
    told = {line.strip() for raw in raws for line in raw.splitlines()}
    return [row.raw for row in rows[1:] if row.cells and row.raw.strip() not in told]


@dataclass(frozen=True, slots=True)
class _Line:
    raw: str
    cells: Row
    """None of a ruled line."""


def _runs(lines: Sequence[str], at: int) -> Iterator[list[_Line]]:
    """The tables that may begin with a line: by each separator, and by the places where the heading's columns begin."""
    separated = list(_separated_runs(lines, at))
    fixed = _fixed_run(lines, at)
    if fixed and all(len(fixed) > len(rows) for rows in separated):
        yield fixed
    yield from separated


def _fixed_run(lines: Sequence[str], at: int) -> list[_Line]:
    """A table whose cells stand below its heading, be there one space between them or some of them empty."""
    begins = [cell.start() for cell in _CELL.finditer(lines[at])]
    if len(begins) < _LEAST_COLUMNS or not _HEADING.fullmatch(lines[at]):
        return []
    begins = [0, *begins[begins[0] == 0 :]]
    before = lines[at - 1] if at else ""
    if len(_CELL.findall(before)) >= _LEAST_COLUMNS and _stands_below(before, begins):
        return []  # a table begins with its first line
    rows = [_Line(lines[at], _below(lines[at], begins))]
    for line in islice(lines, at + 1, None):
        if _RULE.fullmatch(line):
            rows.append(_Line(line, []))
        elif _stands_below(line, begins):
            rows.append(_Line(line, _below(line, begins)))
        else:
            break
    return rows if len(rows) > _LEAST_COLUMNS else []


def _stands_below(line: str, begins: Sequence[int]) -> bool:
    """Whether a line begins with a word, and has a blank before each column."""
    return line[:1].isalnum() and not any(line[begin - 1 : begin].strip() for begin in begins[1:])


def _below(line: str, begins: Sequence[int]) -> Row:
    return [line[begin:end].strip() for begin, end in pairwise([*begins, None])]


def _separated_runs(lines: Sequence[str], at: int) -> Iterator[list[_Line]]:
    """As far as the columns are as many."""
    for split in (_piped, _separated("\t"), _separated(";"), _separated(","), _aligned):
        first = split(lines[at])
        if len(first) < 2 or (at and len(split(lines[at - 1])) == len(first)):
            continue  # a table begins with its first line
        rows = [_Line(lines[at], first)]
        for line in islice(lines, at + 1, None):
            cells = [] if _RULE.fullmatch(line) else split(line)
            if (
                cells
                and len(cells) == len(rows[0].cells) + 1
                and split is _aligned
                and not any(row.cells for row in rows[1:])
            ):
                rows[0].cells.insert(0, "")  # nothing stands in the corner
            if (cells and len(cells) != len(rows[0].cells)) or not line.strip():
                break
            rows.append(_Line(line, cells))
        if sum(bool(row.cells) for row in rows) >= 2:
            yield rows


def _piped(line: str) -> Row:
    return [cell.strip() for cell in line.strip().strip("|").split("|")] if "|" in line else []


def _aligned(line: str) -> Row:
    return _GAP.split(line.strip())


def _separated(mark: str) -> Callable[[str], Row]:
    def split(line: str) -> Row:
        if mark not in line:
            return []
        try:
            rows = list(csv.reader([line], delimiter=mark, skipinitialspace=True))
        except csv.Error:
            return []
        return [cell.strip() for cell in rows[0]] if rows else []

    return split


def _read(rows: list[_Line], caption: str) -> Iterator[Entry]:
    """What a table says; nothing if its heading is none that is understood."""
    lines = [row for row in rows if row.cells]
    header = [plain_text(cell) for cell in lines[0].cells]
    body = [_Line(line.raw, line.cells) for line in lines[1:]]
    if _is_matrix(header, body, caption):
        yield from _matrix(header, body, caption)
    elif any(ways := [read_way(_record(header, line), line.raw, caption) for line in body]):
        yield from (each for one in ways for each in one)
    elif _is_places(header):
        yield from _places(header, body)
    elif _knows([line.cells[0] for line in body]) > len(body) / 2 and len(body) > 1:  # a place a column
        turned = [
            _Line("\n".join(row.raw for row in rows), list(cells))
            for cells in zip(*(line.cells for line in lines), strict=True)
        ]
        yield from _places(["name", *turned[0].cells[1:]], turned[1:])


def _record(header: Row, line: _Line) -> dict[str, str]:
    cells = (plain_text(_LINK.sub(r"\1", cell)) for cell in line.cells)
    return {spelt_out(label): cell for label, cell in zip(header, cells, strict=True)}


def spelt_out(label: str) -> str:
    """A label in words: "walk_min", "walkMin"."""
    return _JOINT.sub(" ", label)


def _knows(labels: Sequence[str]) -> int:
    """How many labels say what stands below them."""
    plain = [label for label in map(plain_text, labels) if not any(map(str.isdigit, label))]
    return sum(bool(field_of(label) or service_in(label) or is_day(label)) for label in plain)


def _is_places(header: Row) -> bool:
    known = _knows(header[1:]) + any(_names(label) for label in header)
    return known >= 2 and all(len(label) <= 60 for label in header)


def _names(label: str) -> bool:
    return field_of(label) == "name" or normalise(label) in IDENTIFIERS


def _places(header: Row, body: Sequence[_Line]) -> Iterator[Entry]:
    named = next((at for at, label in enumerate(header) if field_of(label) == "name"), 0)
    for line in body:
        cell = line.cells[named]
        link = _LINK.search(cell)
        name = plain_text(_LINK.sub(r"\1", cell))
        if not name:
            continue
        draft = PlaceDraft(query=name, raw=[line.raw.strip()])
        for at, (label, value) in enumerate(_record(header, line).items()):
            if at == named or not value:
                continue
            if normalise(label) in IDENTIFIERS:
                draft.aliases.append(value)  # other tables may speak of it so
                continue
            anchored = _ANCHOR.fullmatch(label)
            measures = measures_in(with_unit(label, value)) if anchored else Measures()
            if anchored and measures:
                yield way(anchored["anchor"], name, mode_in(label), measures, line.raw)
            else:
                put_labelled(draft, label, value)
        if lookup(header[named]) is not None:
            put_labelled(draft, "type", header[named])
        draft.put("website", link[2] if link else None)
        yield draft


def read_way(record: Mapping[str, str], raw: str = "", caption: str = "") -> list[Finding]:
    """The travel times of a record that says from where to where, one for each mode; none if it does not."""
    ends: dict[str, str] = {}
    for label, value in record.items():
        end = words().ways.get(normalise(label))
        pair = split_pair(value, "ends", frozenset()) if end == "both" else None
        if pair is not None:
            ends |= {"origin": pair[0], "destination": pair[1]}
        elif end is not None and value:
            ends.setdefault(end, value)
    pair = split_pair(ends.get("origin", ""), "ends", frozenset()) if "destination" not in ends else None
    if pair is not None:  # "between"
        ends |= {"origin": pair[0], "destination": pair[1]}
    if not {"origin", "destination"} <= ends.keys():
        return []
    elsewhere = () if any(map(mode_in, record)) else (*record.values(), caption)
    told = next(filter(None, map(mode_in, (ends.get("mode", ""), *elsewhere))), None)
    found: dict[TravelMode | None, Measures] = {}
    for label, value in record.items():
        if words().ways.get(normalise(label)) in {"origin", "destination", "both"}:
            continue
        figure = with_unit(label, value)
        mode = mode_in(label)
        measures = measures_in(with_unit(f"min {caption}", figure) if mode else figure)
        mode = mode or told
        if measures:
            found[mode] = found.get(mode, Measures()).filled(measures)
    if len(found) > 1 and (length := found.pop(None, None)):  # of the way, by whatever one travels
        found = {mode: measures.filled(length) for mode, measures in found.items()}
    return [way(ends["origin"], ends["destination"], mode, measures, raw) for mode, measures in found.items()]


def _is_matrix(header: Row, body: Sequence[_Line], caption: str) -> bool:
    """True if the first column names what the heading names, and figures fill the rest."""
    names = {normalise(line.cells[0]) for line in body}
    shared = names & set(map(normalise, header[1:]))
    cells = [
        measures_in(_figure(cell, header[0], caption)) or not any(map(str.isalnum, cell))
        for line in body
        for cell in line.cells[1:]
    ]
    corner = (
        {"from", "to"} & set(normalise(header[0]).split())
        if len(header[0].split()) <= _MOST_CORNER_WORDS
        else set()
    )
    return (len(shared) >= 2 or bool(corner and len(header) > 2 and not _knows(header[1:]))) and sum(
        map(bool, cells)
    ) >= _ENOUGH * len(cells)


def _matrix(header: Row, body: Sequence[_Line], caption: str) -> Iterator[Entry]:
    backwards = normalise(header[0]).split()[:1] == ["to"]
    mode = mode_in(header[0]) or mode_in(caption)
    told, back = dict[tuple[str, ...], Finding](), dict[tuple[str, ...], Finding]()
    for line in body:
        for other, cell in zip(header[1:], line.cells[1:], strict=True):
            ends = (plain_text(line.cells[0]), other)
            measures = measures_in(_figure(cell, header[0], caption))
            if not measures or not all(ends) or normalise(ends[0]) == normalise(ends[1]):
                continue
            there = ends[::-1] if backwards else ends
            mode_told = mode_in(cell) or mode
            told[there] = way(*there, mode_told, measures, line.raw)
            back.setdefault(there[::-1], way(*there[::-1], mode_told, measures, line.raw))
    yield from (back | told).values() if _is_half(body) else told.values()


def _is_half(body: Sequence[_Line]) -> bool:
    """Whether a matrix tells each pair once, so that its ways are as long back as there: a triangle."""
    filled = [sum(any(map(str.isdigit, cell)) for cell in line.cells[1:]) for line in body]
    return len(body) > 1 and filled in (sorted(set(filled)), sorted(set(filled), reverse=True))


def _figure(cell: str, corner: str, caption: str) -> str:
    """The cell with its unit: its own, that in the corner, or that in the words above the table."""
    return next((text for label in (corner, caption) if (text := with_unit(label, cell)) != cell), cell)
