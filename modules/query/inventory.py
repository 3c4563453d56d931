"""The modules of MapAgent's inventory that need no state of their own: what they are for, and their operators."""

from dataclasses import dataclass

from modules.query.operators.base import Operator
from modules.query.operators.registry import built_in


@dataclass(frozen=True, slots=True)
class OperatorModule:
    """A module that is nothing but its operators (`mapagent.core.ports.Module`)."""

    name: str
    description: str

    @property
    def operators(self) -> tuple[Operator, ...]:
        """The operators it owns."""
        return tuple(one for one in built_in().values() if one.module == self.name)


MAP_SERVICE = OperatorModule(
    "map_service",
    "Looks up places, searches and finds ways through the map tools, in parallel and in sequence.",
)
SEQUENCER = OperatorModule(
    "sequencer", "Puts visits in order: trips with stays, opening hours and deadlines."
)
SOLUTION_GENERATOR = OperatorModule(
    "solution_generator", "Counts, sums, compares and ranks what the other modules found."
)
SPATIAL_DATABASE = OperatorModule(
    "spatial_database",
    "Measures and relates shapes, and searches all features of a map: within a distance, in a direction, in a "
    "region; the largest, totals.",
)
CONTEXT_READER = OperatorModule("context_reader", "Reads the text supplied with a question, and quotes it.")
ANSWER_GENERATOR = OperatorModule(
    "answer_generator", "Gives the answer and its parts, judged against the options and verified."
)
