"""What the options of a question are: their kind tells what is asked for."""

import re
from collections.abc import Callable
from typing import Literal

from map_tools.compute.quantities import parse_clock, parse_distance_m, parse_duration_s, parse_number

OptionKind = Literal[
    "none", "yes_no", "count", "distance", "duration", "clock", "direction", "order", "via", "pair", "text"
]  # fmt: skip

_DIRECTION = re.compile(
    r"(?:to the )?(?:north|south|east|west|[ns][ew]?|[ew])(?:[- ]?(?:east|west))?(?:ern)?\.?", re.I
)
_ORDER = re.compile(r"->|>|\bthen\b", re.I)
_NAMES = re.compile(r"\s*(?:->|>|→|,|;|\bthen\b)\s*(?:and |then )?", re.I)
_PAIR = re.compile(r"\S\s+(?:and|&|-)\s+\S", re.I)


def kind_of(options: tuple[str, ...]) -> OptionKind:
    """The kind that fits all options (a few strays, such as "None of these", are forgiven)."""
    if not options:
        return "none"
    for kind, fits in _TESTS:
        if sum(fits(option) for option in options) > 0.7 * len(options):
            return kind
    return "text"


def ordered_names(options: tuple[str, ...]) -> tuple[str, ...]:
    """The names that every option puts in an order of its own ("A, B, C" and "B, A, C"); else empty."""
    lists = [tuple(name for name in _NAMES.split(option.strip()) if name) for option in options]
    same = len({frozenset(one) for one in lists}) == 1 and len(set(lists)) == len(lists)
    return lists[0] if len(lists) > 1 and same and len(lists[0]) > 1 else ()


def _is_count(option: str) -> bool:
    number = parse_number(option)
    return option.casefold() == "none" or (number is not None and number == int(number))


def _is_yes_no(option: str) -> bool:
    return re.match(r"(?:yes|no)\b", option, re.I) is not None


def _is_clock(option: str) -> bool:
    return not option.isdigit() and parse_clock(option) is not None


_TESTS: tuple[tuple[OptionKind, Callable[[str], bool]], ...] = (
    ("yes_no", _is_yes_no),
    ("count", _is_count),
    ("distance", lambda option: parse_distance_m(option) is not None),
    ("duration", lambda option: parse_duration_s(option) is not None),
    ("clock", _is_clock),
    ("direction", lambda option: _DIRECTION.fullmatch(option) is not None),
    ("via", lambda option: re.match(r"via\b", option, re.I) is not None),
    ("order", lambda option: _ORDER.search(option) is not None),
    ("pair", lambda option: _PAIR.search(option) is not None),
)
