"""ResolveLocation: from a place's name or id to coordinates."""

from typing import ClassVar, Literal

from pydantic import Field

from map_tools.spatial_db.features import FeatureInfo, Features
from map_tools.spatial_db.grounding.places import PlaceFinder
from map_tools.spatial_db.memory.engine import MemoryEngine
from modules.spatial_database.tools.base import Arguments, Concept, Result, Role, SpatialTool


class LocationArguments(Arguments):
    """What is to be found.

    Attributes:
        location: A name, perhaps with city and state behind commas, or an OpenStreetMap id (negative for a
            relation).
        city, state: What it must lie in.
        kind: Whether a place to measure from or a region is meant.
    """

    location: str = Field(min_length=1)
    city: str = ""
    state: str = ""
    kind: Literal["place", "region"] = "place"


class LocationResult(Result):
    """The features found.

    Attributes:
        places: All that fit; more than one where the name alone does not tell which is meant. Areas and lines
            stand at their centroid.
        note: What a reader should know about the choice.
    """

    places: tuple[FeatureInfo, ...]
    note: str = ""


class ResolveLocation(SpatialTool[LocationArguments, LocationResult]):
    """Finds places by name (Geo-ReAct, section 4.1.2).

    Args:
        engine: The data.
    """

    name: ClassVar[str] = "ResolveLocation"
    description: ClassVar[str] = (
        "Maps the name or the id of a place to a point. Give city and state if the question has them."
    )
    role: ClassVar[Role] = Role.GROUNDING
    concepts: ClassVar[tuple[Concept, ...]] = (Concept.LOCATION,)
    arguments: ClassVar[type[Arguments]] = LocationArguments

    def __init__(self, engine: MemoryEngine) -> None:
        self._features = Features(engine)
        self._finder = PlaceFinder(engine)

    async def run(self, arguments: LocationArguments) -> LocationResult:
        """Finds the place.

        Raises:
            PlaceNotFoundError: Nothing is called like this.
        """
        words = ", ".join(part for part in (arguments.location, arguments.city, arguments.state) if part)
        found = self._finder.find(words, arguments.kind)
        return LocationResult(places=tuple(map(self._features.info, found.refs)), note=found.note)
