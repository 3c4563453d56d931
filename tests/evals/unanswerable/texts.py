"""A text about invented places, its lines counted by hand."""

NORHAVEN = """\
Information of <b>Tidal Museum</b>:
- Location: 4 Quay Road, Norhaven(54.1234, 8.5678).
- Open: Monday: 9:00 AM – 5:00 PM, Tuesday: 9:00 AM – 5:00 PM.
- Rating: 4.5. (120 ratings).

Information of <b>Glass Garden</b>:
- Location: 9 Elm Lane, Norhaven(54.1434, 8.5878).
- Rating: 4.1. (80 ratings).

Travel Time from Tidal Museum to Glass Garden by car is 12 mins (5.1 km).
Travel Time from Glass Garden to Tidal Museum by car is 13 mins (5.2 km).
Travel Time from Tidal Museum to Glass Garden on foot is 58 mins (4.6 km).
Travel Time from Glass Garden to Salt Tower by car is 20 mins (9.0 km).
Travel Time from Salt Tower to Glass Garden by car is 21 mins (9.0 km).

Nearby Restaurants of Tidal Museum are (sorted by distance in ascending order):
1. <b>Rusty Anchor</b> (1 Quay Road)
2. <b>Blue Plaice</b> (7 Quay Road)
"""


def without(text: str, *numbers: int) -> str:
    """The text without some lines, counted from 1."""
    return "\n".join(line for number, line in enumerate(text.splitlines(), 1) if number not in numbers)
