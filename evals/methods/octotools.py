"""OctoTools: tool cards, and a loop of planning, command, execution and verification (Lu et al. 2025).

Paper: https://arxiv.org/abs/2502.11271.

Kept of the paper: tool cards with use and limits; the query analysis, made once; in each step the action
predictor chooses a sub-goal and one tool, the command is written apart from its execution, the executor
runs it, and the context verifier says STOP or CONTINUE (section 3); the trajectory as memory; a step limit;
the solution summarizer at the end; the generalist tool (`Solution_Generator` here) in the toolbox.

Necessarily changed: commands are JSON arguments; the authors let the model write Python and execute it,
which nothing here does. Action predictor and command generator share one reply, since separate ones would
leave six model calls a single step; for the same reason a verdict is only asked for where a further step
could follow. A reply without a tool goes into the memory as such, and a repeated command ends the loop.
"""

import re
from dataclasses import dataclass
from typing import Any

from evals.methods.loop import Attempt, run_agent
from evals.methods.parsing import argument_sets
from evals.methods.spatial_tools import TakesSpatialTools
from evals.methods.tools import call_text
from evals.ports import Desk, Task
from map_tools.text import normalise
from mapagent.answer import Answer
from mapagent.ports import Account, ToolCall

GENERALIST = "Solution_Generator"
"""The tool without a map, by the name on its card."""
CALLS_FOR_A_STEP = 2
"""An action and the summary: with fewer calls left no step begins."""
ANALYSIS_TOKENS = 160
VERDICT_TOKENS = 120
NO_COMMAND = "did not run: name one tool of the toolbox and write its command as a JSON object."

_FIELD = re.compile(
    r"^[\s*#\d.<-]*(sub[-_ ]?goal|tool(?:[ _]name)?|command)[>*]*\s*:[\s*]*", re.IGNORECASE | re.MULTILINE
)
_VERDICT = re.compile(r"conclusion[\s*>]*:[\s*]*(stop|continue)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Action:
    """What the action predictor wants: a tool by the name it wrote, and a set of arguments for each run."""

    sub_goal: str
    tool: str
    commands: tuple[dict[str, Any], ...]


class OctoTools(TakesSpatialTools):
    """The method `octotools`."""

    name = "octotools"

    async def answer(self, task: Task, desk: Desk, account: Account) -> Answer:
        """Answers one task."""
        return await run_agent(_solve, method=self.name, task=task, desk=desk, account=account)


async def _solve(attempt: Attempt) -> str:
    analysis = await attempt.ask("octotools_analysis", max_tokens=ANALYSIS_TOKENS)
    attempt.note(f"Query analysis: {analysis}\nMemory:")
    step = 0
    while attempt.calls_left >= CALLS_FOR_A_STEP:
        step += 1
        action = read_action(await attempt.ask("octotools_act", step=str(step)))
        attempt.note(f"Step {step}: {action.sub_goal}")
        if not await _execute(action, attempt):
            break
        if attempt.calls_left <= CALLS_FOR_A_STEP:
            break
        verdict = await attempt.ask("octotools_verify", max_tokens=VERDICT_TOKENS)
        if wants_stop(verdict):
            break
        attempt.note(f"Verifier: {verdict}")
    return await attempt.conclude("octotools_summary")


def read_action(reply: str) -> Action:
    """Sub-goal, tool and commands of a reply; what is missing is empty."""
    parts = _FIELD.split(reply)
    fields = {normalise(name): text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    tool = next((text for name, text in fields.items() if name.startswith("tool")), "")
    goal = next((text for name, text in fields.items() if name.startswith("sub")), "")
    commands = argument_sets(fields.get("command", reply))
    return Action(sub_goal=goal, tool=re.split(r"[\n(]", tool)[0].strip("*`[]<> ."), commands=commands)


async def _execute(action: Action, attempt: Attempt) -> bool:
    """Runs an action and puts what it brought into the memory; False if it only repeats what was done."""
    if normalise(action.tool) == normalise(GENERALIST):
        return await _reason(action, attempt)
    tool = attempt.tools.known(action.tool)
    if tool is None or not action.commands:
        attempt.note(f"{action.tool or 'The step'} {NO_COMMAND}")
        return True
    calls = [ToolCall(tool=tool, arguments=arguments) for arguments in action.commands]
    results = await attempt.tools.fetch_all(calls)
    for fetched in results:
        shown = "see above" if fetched.again else attempt.tools.show(fetched.facts)
        attempt.note(f"{call_text(fetched.call)}\n{shown}")
    return not all(fetched.again for fetched in results)


async def _reason(action: Action, attempt: Attempt) -> bool:
    """The generalist tool: one request of its own; without room for it the summary does its work."""
    if attempt.calls_left < CALLS_FOR_A_STEP:
        return False
    goals = [command["goal"] for command in action.commands if isinstance(command.get("goal"), str)]
    goal = goals[0] if goals else action.sub_goal
    attempt.note(f"{GENERALIST}: {await attempt.ask('octotools_generalist', goal=goal)}")
    return True


def wants_stop(verdict: str) -> bool:
    """True if the verifier says STOP; without a conclusion it goes on, as in the authors' code."""
    found = _VERDICT.findall(verdict)
    return bool(found) and found[-1].casefold() == "stop"
