"""A hand-made world in which every check of the contract has something to look at."""

from map_tools.compute.shapes import buffer_m
from map_tools.errors import LimitError, NoRouteError, UnsupportedError
from map_tools.providers.base import Spot, position_of
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import build_world
from map_tools.providers.world_file import WorldFile
from map_tools.testing.contract import ContractSample
from map_tools.testing.contract.checking import NOWHERE
from map_tools.types import LatLng, Shape, TravelMode

CAFES = 30
MUSEUM = LatLng(lat=-12.5, lng=45.25)
"""Asymmetric, and a position on Earth with its axes swapped as well."""
PACE_M_S = 1.4
LONGEST_REACH_S = 7_200.0
STATION = LatLng(lat=-12.49, lng=45.27)
"""2.4 km from museum and gate."""

WORLD = {
    "format": "mapagent-world",
    "version": 1,
    "name": "kit",
    "attribution": "© The kit's mapmakers",
    "attribution_url": "https://example.org/terms",
    "places": [
        {
            "name": "Lighthouse Museum",
            "location": [MUSEUM.lat, MUSEUM.lng],
            "categories": ["museum"],
            "website": "https://museum.example.org",
            "phone": "+269 555",
            "rating": 4.6,
        },
        {"name": "Lighthouse Museum Shop", "location": [-12.5001, 45.2501], "categories": ["gift_shop"]},
        {"name": "Harbour Gate", "location": [-12.499, 45.251], "categories": ["city_gate"]},
        {"name": "Old Station", "location": [STATION.lat, STATION.lng], "categories": ["station"]},
        {"name": "Fish Market", "location": [-12.496, 45.262], "categories": ["marketplace"]},
        {
            "name": "Old Town",
            "categories": ["suburb"],
            "location": [-12.5, 45.26],
            "shape": "POLYGON((45.24 -12.51, 45.27 -12.51, 45.27 -12.49, 45.24 -12.49, 45.24 -12.51))",
        },
        *(
            {"name": f"Cafe {number}", "location": [-12.5 - 0.0002 * number, 45.2503], "categories": ["cafe"]}
            for number in range(1, CAFES + 1)
        ),
        {"name": "Cafe Far Away", "location": [-12.52, 45.25], "categories": ["cafe"]},
    ],
    "nearby": [{"anchor": "Old Town", "what": "museums", "inside": True, "items": ["Lighthouse Museum"]}],
    "routes": [
        {
            "origin": "Harbour Gate",
            "destination": "Old Station",
            "mode": "driving",
            "routes": [
                {"summary": "Pier Road", "distance": 3000, "duration": 300},
                {"summary": "Coast Road", "distance": 3600, "duration": 330},
            ],
        },
        {
            "origin": "Harbour Gate",
            "destination": "Old Station",
            "mode": "driving",
            "waypoints": ["Fish Market"],
            "routes": [
                {
                    "summary": "Market Road",
                    "distance": 3400,
                    "duration": 400,
                    "legs": [{"distance": 1700, "duration": 200}, {"distance": 1700, "duration": 200}],
                }
            ],
        },
        {
            "origin": "Harbour Gate",
            "destination": "Old Station",
            "mode": "walking",
            "routes": [{"summary": "Steps", "distance": 2800, "duration": 2100}],
        },
    ],
    "travel_times": [
        {"origin": "Old Station", "destination": "Harbour Gate", "distance": 4200, "duration": 540}
    ],
}

SAMPLE = ContractSample(
    place="Lighthouse Museum",
    position=MUSEUM,
    facts=frozenset({"website", "rating", "location"}),
    category="cafe",
    at_least=CAFES,
    radius_m=1_000,
    origin="Harbour Gate",
    destination="Old Station",
    modes=frozenset({TravelMode.DRIVING, TravelMode.WALKING}),
    via="Fish Market",
    area="Old Town",
    area_category="museum",
)


class Kit(RecordedProvider):
    """The recorded provider over this world."""

    def __init__(self) -> None:
        super().__init__(build_world([WorldFile.model_validate(WORLD)]))

    async def reach(self, origin: Spot, *, within_s: float, mode: TravelMode) -> Shape:
        """As if there were a road in every direction."""
        if mode not in self.capabilities.modes:
            raise UnsupportedError(f"There are no ways by {mode.value}.")
        if position_of(origin) == NOWHERE:
            raise NoRouteError("No way begins there.")
        if within_s > LONGEST_REACH_S:
            raise LimitError("Two hours are enough.")
        return self.round_about(origin, within_s)

    def round_about(self, origin: Spot, within_s: float) -> Shape:
        """Where one is after so long, in every direction."""
        return buffer_m(position_of(origin), PACE_M_S * within_s)
