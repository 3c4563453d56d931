"""How a place is given by its id instead of its name, and what ids say."""

ID_PREFIX = "id:"
"""A place may be given by its id: "id:osm:n123". Ids stand in the places tools return."""
OWN_PREFIX = "own:"
"""Ids of the user's own places (`map_tools.own_places`) begin so."""
MADE_PREFIX = "made:"
"""Ids of areas and lines that a program makes begin so."""
MADE_OF_OWN_PREFIX = f"{MADE_PREFIX}{OWN_PREFIX}"
"""Ids of those that it makes from the user's own places begin so: where such an area is tells where they are."""
_OF_NO_MAP = ("here", "point:", MADE_PREFIX, OWN_PREFIX)


def is_own(place_id: str) -> bool:
    """Whether it is the id of one of the user's own places."""
    return place_id.startswith(OWN_PREFIX)


def tells_own(place_id: str) -> bool:
    """Whether its position is not to be told: one of the user's own places, or made from one."""
    return place_id.startswith((OWN_PREFIX, MADE_OF_OWN_PREFIX))


def is_of_no_map(place_id: str) -> bool:
    """Whether no source can be asked for this id: a position, an area that a program made, a place of the user's."""
    return place_id.startswith(_OF_NO_MAP)
