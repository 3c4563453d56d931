"""How a place is given by its id instead of its name."""

ID_PREFIX = "id:"
"""A place may be given by its id: "id:osm:n123". Ids stand in the places tools return."""
