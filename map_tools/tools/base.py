"""What a map tool is: typed parameters in, typed facts out, over any provider."""

from typing import ClassVar, Protocol

from map_tools.facts import Fact
from map_tools.providers.base import Provider
from map_tools.types import Frozen, LatLng


class ToolContext(Frozen):
    """Where and for whom a tool runs.

    Attributes:
        here: The user's own position, for "here" and "me" as a place.
        near: Bias for names: prefer the candidate nearest to it.
    """

    here: LatLng | None = None
    near: LatLng | None = None


class MapTool(Protocol):
    """One of the map tools. Failures come back as `FailureFact`, so one missing place loses nothing else."""

    name: ClassVar[str]
    description: ClassVar[str]
    parameters: ClassVar[type[Frozen]]

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """Runs the tool; `arguments` is an instance of `parameters`."""
        ...
