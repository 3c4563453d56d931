"""Which facts of a place Google knows, and which of them are asked for."""

from map_tools.providers.base import COSTLY_FACTS

FACTS = frozenset(
    {"address", "attributes", "categories", "hours", "location", "phone", "price_level", "rating"}
    | {"rating_count", "reviews", "services", "timezone", "website"}
)
"""What Google knows of places, as attributes of `Place`; the time zone follows from the position."""
USUAL = FACTS - COSTLY_FACTS
"""What the details of a place bring if nobody says what is wanted."""
