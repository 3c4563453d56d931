"""Operators, checked one by one: what a call claims against what its arguments and the facts it cites give."""

from collections.abc import Mapping

from modules.query.verify import searching, timed_trips
from modules.query.verify.checks import lists, lookup, space, travel, trip
from modules.query.verify.cited import Check

CHECKS: Mapping[str, Check] = {
    **lookup.CHECKS,
    **travel.CHECKS,
    **space.CHECKS,
    **trip.CHECKS,
    **lists.CHECKS,
    "places": searching.places,
    "nearest": searching.nearest,
    "departures": timed_trips.departures,
}
"""The check of each operator."""
