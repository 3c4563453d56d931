"""Evidence: a fact, where it comes from and what it was derived from."""

from datetime import datetime
from typing import Any

from pydantic import Field

from map_tools.facts import Fact
from map_tools.types import Frozen


class Source(Frozen):
    """Where a fact comes from.

    `tool` is a map tool's name, "context" for supplied text, "compute" for a computation, or a module's name.
    """

    tool: str
    provider: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)
    time: datetime | None = None
    raw: str = ""
    """Handle of the raw payload in the trace, or the line of text the fact was read from."""


class Evidence(Frozen):
    """One piece of evidence. Frozen; computed facts name what they were derived from."""

    id: str
    step_id: str
    value: Fact
    source: Source
    derived_from: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of the fact ("place", "nearby", "routes", "travel", "note", "computed", "failure")."""
        return self.value.kind
