"""The map tools bound to one provider: arguments are checked, failures become facts."""

from collections.abc import Iterator

from pydantic import ValidationError

from map_tools.errors import LimitError, ToolError
from map_tools.facts import Fact, FailureFact, NearbyFact, PlaceFact
from map_tools.own_places import OwnPlaces
from map_tools.providers.base import Provider
from map_tools.providers.remembering import remembering
from map_tools.tools import INNER_TOOLS, TOOLS
from map_tools.tools.base import ToolContext
from map_tools.types import Place
from mapagent.core.ports import ToolCall


class ToolBox:
    """Calls map tools by name, for one question: no name and no place is looked up twice."""

    def __init__(self, provider: Provider | None, context: ToolContext) -> None:
        self._provider = None if provider is None else remembering(provider)
        self._known: dict[str, Place] = {}
        self._context = context.model_copy(update={"known": self._known})

    @property
    def own(self) -> OwnPlaces:
        """The user's own places."""
        return self._context.own

    async def call(self, call: ToolCall) -> tuple[Fact, ...]:
        """Runs one call; whatever goes wrong comes back as `FailureFact`.

        That is an unknown tool, wrong arguments, a tool's error, or a spent budget.
        """
        if self._provider is None:
            return (FailureFact(code="provider", message="There is no map provider to ask."),)
        tool = TOOLS.get(call.tool) or INNER_TOOLS.get(call.tool)
        if tool is None:
            known = ", ".join(TOOLS)
            return (
                FailureFact(
                    code="tool", message=f"There is no map tool '{call.tool}'.", remedy=f"Known: {known}."
                ),
            )
        try:
            arguments = tool.parameters.model_validate(call.arguments)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            return (FailureFact(code="tool", message=f"{call.tool}: argument '{where}': {first['msg']}."),)
        try:
            found = await tool(arguments, self._provider, self._context)
        except (ToolError, LimitError) as error:
            return (self._told(FailureFact(code=error.code, message=error.message, remedy=error.remedy)),)
        found = tuple(self._told(fact) if isinstance(fact, FailureFact) else fact for fact in found)
        self._known |= {place.id: place for fact in found for place in _told_in(fact)}
        return found

    def _told(self, failure: FailureFact) -> FailureFact:
        """A failure as it may be told: providers know own places by their positions alone."""
        message = self._context.own.without_positions(failure.message)
        return failure if message == failure.message else failure.model_copy(update={"message": message})


def _told_in(fact: Fact) -> Iterator[Place]:
    """The places that a fact tells of."""
    match fact:
        case PlaceFact():
            yield from (*fact.rivals, fact.place)
        case NearbyFact():
            yield from (item.place for item in fact.items)
