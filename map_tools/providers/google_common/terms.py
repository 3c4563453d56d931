"""What Google's terms ask of everybody who shows or keeps its results.

Sources: https://cloud.google.com/maps-platform/terms (3.2.3: no scraping, no caching beyond what is allowed),
https://cloud.google.com/maps-platform/terms/maps-service-terms (what may be cached: place ids for ever,
coordinates for up to 30 days) and https://developers.google.com/maps/documentation/places/web-service/policies
(attribution; results on a map only on a Google map).
"""

from map_tools.providers.base import Terms
from map_tools.types import TravelMode

_BETA = "Google's {mode} routes are in beta: they may lack clear sidewalks, pedestrian paths or cycle paths."
"""Must be shown with such routes (https://developers.google.com/maps/documentation/routes/policies, and the
note on WALK and BICYCLE in https://developers.google.com/maps/documentation/routes/vehicles)."""

TERMS = Terms(
    attribution="Google Maps",
    attribution_url="https://cloud.google.com/maps-platform/terms",
    keep_payload_days=0,
    base_map="Google",
    travel_warnings={
        TravelMode.WALKING: _BETA.format(mode="walking"),
        TravelMode.BICYCLING: _BETA.format(mode="cycling"),
    },
)

COORDINATE_DAYS = 30
"""Consecutive calendar days for which coordinates may be kept."""

NO_AREAS = ("Google Maps does not tell what lies inside an area.", "Search within a radius instead.")
"""The sentence and the remedy where an outline is needed."""
