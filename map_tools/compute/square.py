"""Areas in running text: "1.2 km²", "3 hectares", "450 square metres"."""

import re

_NUMBER = r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e\+?\d+)?)"
_SQUARE = r"(?:square|sq\.?)[\s-]*"
_UNITS = (
    (rf"{_SQUARE}(?:kilomet(?:er|re)s?|kms?)|km\s?(?:²|\^?2)", 1e6),
    (rf"{_SQUARE}(?:miles?|mi)|mi\s?(?:²|\^?2)", 2_589_988.110336),
    (r"hectares?|ha\b", 1e4),
    (r"acres?", 4_046.8564224),
    (rf"{_SQUARE}(?:feet|foot|ft)|ft\s?(?:²|\^?2)", 0.09290304),
    (rf"{_SQUARE}(?:met(?:er|re)s?|m\b)|m\s?(?:²|\^?2)", 1.0),
)
"""Units and their size in square metres; those of the international mile of 1959 (1609.344 m); an acre is
1/640 square mile."""
_SCALED = r"(?:\s*(?P<scale>thousand|million|billion))?"
_AREAS = tuple(
    (re.compile(rf"{_NUMBER}{_SCALED}\s*(?:{unit})", re.IGNORECASE), size) for unit, size in _UNITS
)
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}


def find_areas_m2(text: str) -> tuple[float, ...]:
    """All areas in square metres, in the order of the text; numbers are in digits."""
    found = [
        (match.start(), _value(match) * size) for pattern, size in _AREAS for match in pattern.finditer(text)
    ]
    return tuple(value for _, value in sorted(found))


def parse_area_m2(text: str) -> float | None:
    """The area a whole text says, None if it says anything else ("5 Acre Park")."""
    whole = (
        _value(match) * size
        for pattern, size in _AREAS
        if (match := pattern.fullmatch(text.strip())) is not None
    )
    return next(whole, None)


def _value(match: re.Match[str]) -> float:
    return float(match["number"].replace(",", "")) * _SCALES.get((match["scale"] or "").casefold(), 1.0)
