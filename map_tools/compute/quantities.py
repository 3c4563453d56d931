"""Quantities in text: numbers, durations, distances and times of day, parsed, found and formatted.

`parse_*` reads a whole text and gives None if it says anything else; `find_*` scans running text and gives
spans in order; `format_*` writes what `parse_*` reads. Seconds, metres, and `datetime.time`.
"""

from map_tools.compute.clocks import find_clocks, format_clock, parse_clock
from map_tools.compute.distances import find_distances, format_distance, parse_distance_m
from map_tools.compute.durations import find_durations, format_duration, parse_duration_s
from map_tools.compute.numbers import find_numbers, find_ordinals, parse_number, parse_ordinal
from map_tools.compute.text import Span, fold

__all__ = [
    "Span",
    "find_clocks",
    "find_distances",
    "find_durations",
    "find_numbers",
    "find_ordinals",
    "fold",
    "format_clock",
    "format_distance",
    "format_duration",
    "parse_clock",
    "parse_distance_m",
    "parse_duration_s",
    "parse_number",
    "parse_ordinal",
]
