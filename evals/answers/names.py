"""The places that a reply in words names."""

import re

_LINES = re.compile(r"[\n;]+")
_BULLET = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+")
_LAST = re.compile(r",?\s+(?:and|or)\s+", re.IGNORECASE)
_EDGES = " \t*_`\"'“”.,:"


def names_in(text: str) -> tuple[str, ...]:
    """One entry for each place of a list; a sentence or a single name is one entry.

    A list is one entry a line, or separated by semicolons, or by commas with "and" before the last entry.
    Commas alone are no list: they stand in addresses ("City Hall, Main Street, Springfield").
    """
    lines = [_BULLET.sub("", line).strip(_EDGES) for line in _LINES.split(text)]
    lines = [line for line in lines if line]
    return tuple(lines) if len(lines) != 1 else _of_one_line(lines[0])


def _of_one_line(line: str) -> tuple[str, ...]:
    *first, last = _LAST.split(line)
    parts = [part.strip(_EDGES) for part in ",".join(first).split(",")] if len(first) == 1 else []
    # Two entries are no list yet: "Smith and Sons" is one place.
    return (*parts, last.strip(_EDGES)) if len(parts) > 1 and all(parts) else (line,)
