"""The facts a solver still needs: the map-tool agent turns each into a call."""

from typing import Annotated, Literal

from pydantic import Field

from map_tools.types import Frozen, TravelMode
from modules.offline.intents import What


class PlaceNeed(Frozen):
    """A place to be found by its name."""

    kind: Literal["place"] = "place"
    text: str


class NearbyNeed(Frozen):
    """Places of a kind around (or inside) an anchor.

    `everything`: the full list is needed, for a count. `details`: facts are needed that lists seldom tell.
    """

    kind: Literal["nearby"] = "nearby"
    what: What
    anchor: str
    radius_m: float | None = None
    inside: bool = False
    everything: bool = False
    details: bool = False


class RoutesNeed(Frozen):
    """Routes with their steps; alternatives too if `alternatives`."""

    kind: Literal["routes"] = "routes"
    origin: str
    destination: str
    mode: TravelMode
    waypoints: tuple[str, ...] = ()
    alternatives: bool = False


class TravelNeed(Frozen):
    """Time and distance from origin to destination."""

    kind: Literal["travel"] = "travel"
    origin: str
    destination: str
    mode: TravelMode


Need = Annotated[PlaceNeed | NearbyNeed | RoutesNeed | TravelNeed, Field(discriminator="kind")]
