"""What the tables of `schema.sql` hold, and how the numbers in them are made."""

from importlib.resources import files

SCHEMA = "mapagent"
LAYOUT = "mapagent maps, layout 6"
"""The comment on the schema; tables of another layout are not read."""

TABLES = ("features", "places", "names", "bearers", "addresses")
"""The tables with a partition for each region."""

SWAP_LOCK = 0x6D61_7061
"""Key of the advisory lock that readers share and that whoever changes the regions holds alone."""

KINDS = ("n", "w", "r")
_ROW_BITS = 32


def row_number(region: int, row: int) -> int:
    """The row of a feature among all regions."""
    return region << _ROW_BITS | row


def region_of(row: int) -> int:
    """The number of the region that a row belongs to."""
    return row >> _ROW_BITS


def thing_number(kind: str, osm_id: int) -> int:
    """An OpenStreetMap object as one number."""
    return osm_id * len(KINDS) + KINDS.index(kind)


def thing_named(thing: int) -> tuple[str, int]:
    """Kind and id of an object: the inverse of `thing_number`."""
    return KINDS[thing % len(KINDS)], thing // len(KINDS)


def statements(name: str) -> str:
    """The SQL of a file of this package."""
    return (files(__package__) / f"{name}.sql").read_text("utf-8")
