"""ReAct: thought, action and observation in turn (Yao et al. 2023).

Paper: ICLR 2023, https://arxiv.org/abs/2210.03629.

Kept of the paper: one text that interleaves "Thought n", "Action n" and "Observation n", generation stopped
at "Observation", one action a step, `Finish[answer]` (section 2, appendix C), an exemplar in the prompt,
greedy decoding; a reply without an action is answered by an observation, as in the authors' code.

Necessarily changed: actions take JSON arguments, since map tools have several parameters and the paper's
have one; one worked example instead of six and at most six model calls, so that a small model's context
holds them; the text is continued as a chat message, since servers of chat models have no plain completion.
A repeated call ends the acting, and the model is then asked for its answer.
"""

import re

from evals.methods.loop import Attempt, run_agent
from evals.methods.parsing import read_call
from evals.methods.spatial_tools import TakesSpatialTools
from evals.ports import Desk, Task
from mapagent.answer import Answer
from mapagent.ports import Account, ToolCall

STOP = ("\nObservation",)
NO_ACTION = (
    "No action could be read. Write one line such as Action: PlaceInfo[{...}] or Action: Finish[answer]."
)
REPEATED = "This call was made before; its observation stands above."

_ACTION = re.compile(r"Action(?:\s+\d+)?\s*:\s*", re.IGNORECASE)
_ACTION_INPUT = re.compile(r"\s*Action Input(?:\s+\d+)?\s*:\s*", re.IGNORECASE)
_FINISH = re.compile(r"Finish\b\s*[\[(:]?(.*?)[\])]?\s*(?:\n|$)", re.IGNORECASE)
_STATED = re.compile(r"\^\^\s*\w+\s*\^\^|^\s*(?:final\s+)?answer\s*:", re.IGNORECASE | re.MULTILINE)
_NEXT_THOUGHT = re.compile(r"\n\s*Thought(?:\s+\d+)?\s*:", re.IGNORECASE)


class React(TakesSpatialTools):
    """The method `react`."""

    name = "react"

    async def answer(self, task: Task, desk: Desk, account: Account) -> Answer:
        """Answers one task."""
        return await run_agent(_react, method=self.name, task=task, desk=desk, account=account)


async def _react(attempt: Attempt) -> str:
    number = 0
    while attempt.calls_left > 1:
        number += 1
        reply = _one_step(await attempt.ask("react_step", stop=STOP, number=str(number)))
        attempt.note(reply)
        answer = finish(reply)
        if answer is not None:
            return answer
        call = _action(reply)
        if call is None:
            attempt.note(f"Observation {number}: {NO_ACTION}")
            continue
        fetched = await attempt.tools.fetch(call)
        if fetched.again:
            attempt.note(f"Observation {number}: {REPEATED}")
            break
        attempt.note(f"Observation {number}: {attempt.tools.show(fetched.facts)}")
    return await attempt.conclude()


def finish(reply: str) -> str | None:
    """The answer of a reply that ends the run; None if it goes on.

    An answer stated without an action ("Final Answer: ...") ends it as well.
    """
    action = _ACTION.search(reply)
    if action is None:
        return reply if _STATED.search(reply) else None
    match = _FINISH.match(reply, action.end())
    return match[1].strip() if match else None


def _action(reply: str) -> ToolCall | None:
    """The first well-formed action: `NAME[...]`, or the name and its input on two lines."""
    action = _ACTION.search(reply)
    if action is None:
        return None
    return read_call(_ACTION_INPUT.sub("[", reply[action.end() :], count=1) + "]")


def _one_step(reply: str) -> str:
    """The reply up to its second thought: what is made up beyond the first action counts for nothing."""
    later = _NEXT_THOUGHT.search(reply, 1)
    return reply[: later.start()] if later is not None and _ACTION.search(reply[: later.start()]) else reply
