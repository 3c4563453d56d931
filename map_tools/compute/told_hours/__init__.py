"""Opening hours as supplied texts tell them: "opens at 10 and closes at 17:30 every day except Monday".

The text becomes tokens (`tokens`), these become days, seasons and spans of time (`items`), these become statements of
what holds when (`statements`), and these the table of a week (`week`). What is not understood is left unknown.
"""

from map_tools.compute.hours import from_osm
from map_tools.compute.scanning import lowered
from map_tools.compute.told_hours.items import items_of
from map_tools.compute.told_hours.statements import statements_of
from map_tools.compute.told_hours.tokens import tokens_of
from map_tools.compute.told_hours.week import spec_of

LONGEST_TEXT = 500
"""Characters of the longest text that is read: what is longer is no statement of hours."""


def told_hours(text: str) -> str | None:
    """The opening hours that words tell, in OpenStreetMap's grammar; None if they tell none.

    Other words may stand between. Days of which nothing is said are closed where others are said to be open,
    and unknown where others are only said to be closed. Days whose hours the words leave open ("half day",
    "until late") are unknown; None if that is so of all.
    """
    if len(text) > LONGEST_TEXT:
        return None
    spec = spec_of(statements_of(items_of(tokens_of(lowered(text)))))
    return (
        spec if spec is not None and from_osm(spec).spec == spec else None
    )  # no "Feb 31", no "Aug 10-Aug 05"
