"""One agent at one task: what it answered, how long it took, and what it asked of model and map."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from evals.bench.agents.model_server import Latency, ModelCall
from evals.bench.agents.scripts import Habit
from evals.bench.agents.tasks import AgentTask


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an agent's own side tells of a run; see `AgentRun`."""

    right: bool
    seconds: float
    cpu_s: float
    map_calls: int
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class AgentRun:
    """What was measured.

    Attributes:
        agent: Who was asked.
        task: What.
        habit: How the scripted model asks for several ways.
        right: Whether the right option was named.
        seconds: Wall time, the agent's libraries being loaded already.
        cpu_s: Processor time of the agent's own process or thread, servers aside.
        model_calls, tokens: Answered by the model's server, counted there.
        map_calls: Of the map behind the tools.
        critical_s: The least time the agent's model calls and the task's chain of map calls take; None where
            that is not asked of the agent.
        trouble: What went wrong, in words.
    """

    agent: str
    task: str
    habit: Habit
    right: bool
    seconds: float
    cpu_s: float
    model_calls: int
    tokens: int
    map_calls: int
    critical_s: float | None = None
    trouble: str = ""

    @classmethod
    def of(cls, agent: str, task: AgentTask, calls: Sequence[ModelCall], outcome: Outcome) -> Self:
        """A run with what the model's server counted."""
        return cls(
            agent=agent,
            task=task.name,
            habit=task.habit,
            right=outcome.right,
            seconds=outcome.seconds,
            cpu_s=outcome.cpu_s,
            model_calls=len(calls),
            tokens=sum(call.prompt_tokens + call.completion_tokens for call in calls),
            map_calls=outcome.map_calls,
            trouble=outcome.trouble,
        )


def critical_s(task: AgentTask, calls: Sequence[ModelCall], latency: Latency) -> float:
    """Time that cannot be saved: the first model call, if there is one, and the chain of map calls."""
    return sum(call.seconds for call in calls[:1]) + task.map_rounds * latency.map_s
