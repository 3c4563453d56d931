"""A run for modules under test: it has a question, makes evidence, and nothing else."""

from modules.offline.reasoner import OfflineReasoner

from map_tools.clock import SystemClock
from map_tools.tools.base import ToolContext
from mapagent.ports import Account, Understanding
from mapagent.question import Question
from mapagent.runstate import RunState
from mapagent.toolbox import ToolBox


def run_over(text: str) -> RunState:
    """The state of a question that no provider is asked for."""
    return RunState(
        question=Question(text=text),
        reasoner=OfflineReasoner(),
        understanding=Understanding(),
        provider=None,
        tools=ToolBox(None, ToolContext()),
        clock=SystemClock(),
        account=Account(),
    )
