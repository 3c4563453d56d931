"""The check of each operator."""

from collections.abc import Mapping

from modules.query.verify import reaching, searching, timed_trips
from modules.query.verify.checks import hours, lists, names, space, trips, ways
from modules.query.verify.cited import Check

CHECKS: Mapping[str, Check] = {
    **names.CHECKS,
    **ways.CHECKS,
    **space.CHECKS,
    **hours.CHECKS,
    **trips.CHECKS,
    **lists.CHECKS,
    "places": searching.places,
    "nearest": searching.nearest,
    "reachable": reaching.reachable,
    "departures": timed_trips.departures,
}
