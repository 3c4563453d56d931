"""Facts → field masks, and the price tier that a mask falls into.

A request is billed at the highest tier any of its fields belongs to, so nothing is asked for that is not
wanted. Fields and tiers: https://developers.google.com/maps/documentation/places/web-service/data-fields.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum


class Tier(IntEnum):
    """Price tiers of requests about places, cheapest first."""

    PRO = 0
    ENTERPRISE = 1
    ATMOSPHERE = 2

    @property
    def suffix(self) -> str:
        """How the tier's prices are called in `google_prices.toml` ("pro")."""
        return self.name.lower()


BASE = ("id", "displayName", "types", "primaryType", "location", "formattedAddress", "businessStatus")
"""Asked for in every request: without name and position a result cannot be told from another (tier Pro)."""

SERVICE_FIELDS: Mapping[str, str] = {
    "takeout": "takeaway",
    "delivery": "delivery",
    "dineIn": "dine_in",
    "curbsidePickup": "curbside_pickup",
    "reservable": "reservable",
    "servesBreakfast": "serves_breakfast",
    "servesBrunch": "serves_brunch",
    "servesLunch": "serves_lunch",
    "servesDinner": "serves_dinner",
    "servesBeer": "serves_beer",
    "servesWine": "serves_wine",
    "servesCocktails": "serves_cocktails",
    "servesCoffee": "serves_coffee",
    "servesDessert": "serves_dessert",
    "servesVegetarianFood": "serves_vegetarian",
    "outdoorSeating": "outdoor_seating",
    "liveMusic": "live_music",
    "goodForChildren": "good_for_children",
    "goodForGroups": "good_for_groups",
    "allowsDogs": "allows_dogs",
    "restroom": "restroom",
}
"""Yes/no fields of a place and the service each tells of."""

GROUPED_SERVICES: Mapping[str, Mapping[str, str]] = {
    "accessibilityOptions": {"wheelchairAccessibleEntrance": "wheelchair"},
    "paymentOptions": {"acceptsCreditCards": "credit_cards"},
}
"""Fields that hold several yes/no facts, with those that tell of a service."""

FACT_FIELDS: Mapping[str, tuple[Tier, tuple[str, ...]]] = {
    "attributes": (Tier.PRO, ("postalAddress",)),
    "hours": (Tier.ENTERPRISE, ("regularOpeningHours", "currentOpeningHours")),
    "phone": (Tier.ENTERPRISE, ("internationalPhoneNumber",)),
    "price_level": (Tier.ENTERPRISE, ("priceLevel",)),
    "rating": (Tier.ENTERPRISE, ("rating", "userRatingCount")),
    "rating_count": (Tier.ENTERPRISE, ("userRatingCount",)),
    "website": (Tier.ENTERPRISE, ("websiteUri",)),
    "services": (Tier.ATMOSPHERE, (*SERVICE_FIELDS, *GROUPED_SERVICES)),
    "reviews": (Tier.ATMOSPHERE, ("reviews",)),
}


def place_fields(facts: Iterable[str]) -> tuple[str, ...]:
    """The fields of a place that bring these facts, in a fixed order (masks are part of cache keys)."""
    wanted = set(facts)
    added = (name for fact, (_, names) in FACT_FIELDS.items() if fact in wanted for name in names)
    return tuple(dict.fromkeys((*BASE, *added)))


def tier_of(facts: Iterable[str]) -> Tier:
    """The tier that a request for these facts is billed at."""
    return max((FACT_FIELDS[fact][0] for fact in facts if fact in FACT_FIELDS), default=Tier.PRO)


def details_mask(facts: Iterable[str]) -> str:
    """The mask of a request for one place."""
    return ",".join(place_fields(facts))


def search_mask(facts: Iterable[str], *, paged: bool) -> str:
    """The mask of a search; `paged`: it may have further pages."""
    names = [f"places.{name}" for name in place_fields(facts)]
    return ",".join([*names, "nextPageToken"] if paged else names)


ROUTE_FIELDS = (
    "distanceMeters",
    "duration",
    "description",
    "warnings",
    "polyline.encodedPolyline",
    "legs.distanceMeters",
    "legs.duration",
    "legs.steps.distanceMeters",
    "legs.steps.staticDuration",
    "legs.steps.startLocation",
    "legs.steps.navigationInstruction",
    "legs.steps.travelMode",
)
"""https://developers.google.com/maps/documentation/routes/choose_fields"""
TRANSIT_FIELDS = ("legs.steps.transitDetails",)

MATRIX_MASK = "originIndex,destinationIndex,status,condition,distanceMeters,duration"
"""`status` must be asked for: without it every element looks fine
(https://developers.google.com/maps/documentation/routes/compute_route_matrix)."""


def routes_mask(*, transit: bool) -> str:
    """The mask of a request for routes."""
    return ",".join(f"routes.{name}" for name in (*ROUTE_FIELDS, *(TRANSIT_FIELDS if transit else ())))


__all__ = [
    "GROUPED_SERVICES",
    "MATRIX_MASK",
    "SERVICE_FIELDS",
    "Tier",
    "details_mask",
    "place_fields",
    "routes_mask",
    "search_mask",
    "tier_of",
]
