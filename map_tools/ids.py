"""How a place is given by its id instead of its name, and what ids say."""

ID_PREFIX = "id:"
"""A place may be given by its id: "id:osm:n123". Ids stand in the places tools return."""
OWN_PREFIX = "own:"
"""Ids of the user's own places (`map_tools.own_places`) begin so."""
_OF_NO_MAP = ("here", "point:", "made:", OWN_PREFIX)


def is_own(place_id: str) -> bool:
    """Whether it is the id of one of the user's own places."""
    return place_id.startswith(OWN_PREFIX)


def is_of_no_map(place_id: str) -> bool:
    """Whether no source can be asked for this id: a position, an area that a program made, a place of the user's."""
    return place_id.startswith(_OF_NO_MAP)
