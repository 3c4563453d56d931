"""Rival agents that take one step at a time: ReAct, Chameleon, OctoTools.

ReAct (Yao et al. 2023): thought, action and observation in turn. Chameleon (Lu et al. 2023): a planner composes a
program of modules, which run in order. OctoTools (Lu et al. 2025): tool cards, and a loop of planning, command,
execution and verification.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evals.methods.database import TakesSpatialTools
from evals.methods.loop import Episode, run_agent
from evals.methods.reading import argument_sets, read_call
from evals.methods.tools import call_text
from evals.ports import EvalContext, Task
from map_tools.text import normalise
from mapagent.core.answer import Answer
from mapagent.core.ports import RequestContext, ToolCall

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
    """The method `react`.

    Paper: ICLR 2023, https://arxiv.org/abs/2210.03629.

    Kept of the paper: one text that interleaves "Thought n", "Action n" and "Observation n", generation
    stopped at "Observation", one action a step, `Finish[answer]` (section 2, appendix C), an exemplar in the
    prompt, greedy decoding; a reply without an action is answered by an observation, as in the authors' code.

    Necessarily changed: actions take JSON arguments, since map tools have several parameters and the paper's
    have one; one worked example instead of six and at most six model calls, so that a small model's context
    holds them; the text is continued as a chat message, since servers of chat models have no plain
    completion. A repeated call ends the acting, and the model is then asked for its answer.
    """

    name = "react"

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """Answers one task."""
        return await run_agent(
            _react, method=self.name, task=task, context=context, request_context=request_context
        )


async def _react(episode: Episode) -> str:
    number = 0
    while episode.calls_left > 1:
        number += 1
        reply = _one_step(await episode.ask("react_step", stop=STOP, number=str(number)))
        episode.note(reply)
        answer = finish(reply)
        if answer is not None:
            return answer
        call = _action(reply)
        if call is None:
            episode.note(f"Observation {number}: {NO_ACTION}")
            continue
        fetched = await episode.tools.fetch(call)
        if fetched.again:
            episode.note(f"Observation {number}: {REPEATED}")
            break
        episode.note(f"Observation {number}: {episode.tools.show(fetched.facts)}")
    return await episode.conclude()


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


SOLUTION = "Solution_Generator"
ANSWER = "Answer_Generator"
RESERVED_CALLS = 2
"""Model calls kept for the solution and, should no answer be readable in it, for stating it."""
ARGUMENT_TOKENS = 250
PLAN_TOKENS = 80

_LIST = re.compile(r"\[([^\]]*)\]?")
_WORD = re.compile(r"\w+")


class Chameleon(TakesSpatialTools):
    """The method `chameleon`.

    Paper: NeurIPS 2023, https://arxiv.org/abs/2304.09842.

    Kept of the paper: one flat inventory of modules; the planner sees their descriptions and a few example
    programs and writes the sequence once, without feedback (section 3); each module sees the question and
    what the modules before it brought, and adds to it (the cache and the context that the paper updates); the
    program ends in a solution generator and an answer generator; a plan that cannot be read falls back to
    these two, and the answer generator takes the answer from the solution by rule, as in the authors' code.

    Necessarily changed: the inventory is that of map questions (the four map tools, as in the Chameleon that
    the MapAgent paper compares with, appendix A.2); a map module writes its arguments as JSON; six model
    calls leave room for at most three map modules. The authors evaluate the planner's reply as Python; here
    it is only read.
    """

    name = "chameleon"

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """Answers one task."""
        return await run_agent(
            _run_program, method=self.name, task=task, context=context, request_context=request_context
        )


async def _run_program(episode: Episode) -> str:
    plan = await episode.ask("chameleon_plan", max_tokens=PLAN_TOKENS)
    program = read_program(plan, episode.tools.known)
    episode.note(f"Modules: {', '.join(program)}")
    solution = ""
    for module in program:
        if module == SOLUTION:
            solution = await episode.conclude("chameleon_solution")
            episode.note(f"[{SOLUTION}] {solution}")
        elif module != ANSWER and episode.calls_left > RESERVED_CALLS:
            await _run_map_module(module, episode)
    # The answer generator's rule is the reader that the shared loop applies to an agent's last words.
    return solution or await episode.conclude()


def read_program(text: str, known_tool: Callable[[str], str | None]) -> tuple[str, ...]:
    """The modules of a plan in their order, with the answer generator at the end.

    Words that name no module are left out; nothing left, the program is the paper's default.

    Args:
        text: What the planner wrote.
        known_tool: Tells which map tool a word means, None for none.
    """
    listed = _LIST.search(text)
    words = _WORD.findall(listed[1] if listed is not None else text)
    modules = [SOLUTION if word.casefold() == SOLUTION.casefold() else known_tool(word) for word in words]
    program = [module for module in modules if module is not None] or [SOLUTION]
    return (*program, ANSWER)


async def _run_map_module(module: str, episode: Episode) -> None:
    """The module's arguments by the model, its calls at once, what they bring into the journal."""
    reply = await episode.ask(
        "chameleon_module", max_tokens=ARGUMENT_TOKENS, module=module, card=episode.tools.card(module)
    )
    calls = [ToolCall(tool=module, arguments=arguments) for arguments in argument_sets(reply)]
    if not calls:
        episode.note(f"[{module}] did not run: its arguments could not be read.")
    for fetched in await episode.tools.fetch_all(calls):
        shown = "see above" if fetched.again else episode.tools.show(fetched.facts)
        episode.note(f"[{module}] {call_text(fetched.call)}\n{shown}")


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
    """The method `octotools`.

    Paper: https://arxiv.org/abs/2502.11271.

    Kept of the paper: tool cards with use and limits; the query analysis, made once; in each step the action
    predictor chooses a sub-goal and one tool, the command is written apart from its execution, the executor
    runs it, and the context verifier says STOP or CONTINUE (section 3); the trajectory as memory; a step
    limit; the solution summarizer at the end; the generalist tool (`Solution_Generator` here) in the toolbox.

    Necessarily changed: commands are JSON arguments; the authors let the model write Python and execute it,
    which nothing here does. Action predictor and command generator share one reply, since separate ones would
    leave six model calls a single step; for the same reason a verdict is only asked for where a further step
    could follow. A reply without a tool goes into the memory as such, and a repeated command ends the loop.
    """

    name = "octotools"

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """Answers one task."""
        return await run_agent(
            _solve, method=self.name, task=task, context=context, request_context=request_context
        )


async def _solve(episode: Episode) -> str:
    analysis = await episode.ask("octotools_analysis", max_tokens=ANALYSIS_TOKENS)
    episode.note(f"Query analysis: {analysis}\nMemory:")
    step = 0
    while episode.calls_left >= CALLS_FOR_A_STEP:
        step += 1
        action = read_action(await episode.ask("octotools_act", step=str(step)))
        episode.note(f"Step {step}: {action.sub_goal}")
        if not await _execute(action, episode):
            break
        if episode.calls_left <= CALLS_FOR_A_STEP:
            break
        verdict = await episode.ask("octotools_verify", max_tokens=VERDICT_TOKENS)
        if wants_stop(verdict):
            break
        episode.note(f"Verifier: {verdict}")
    return await episode.conclude("octotools_summary")


def read_action(reply: str) -> Action:
    """Sub-goal, tool and commands of a reply; what is missing is empty."""
    parts = _FIELD.split(reply)
    fields = {normalise(name): text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    tool = next((text for name, text in fields.items() if name.startswith("tool")), "")
    goal = next((text for name, text in fields.items() if name.startswith("sub")), "")
    commands = argument_sets(fields.get("command", reply))
    return Action(sub_goal=goal, tool=re.split(r"[\n(]", tool)[0].strip("*`[]<> ."), commands=commands)


async def _execute(action: Action, episode: Episode) -> bool:
    """Runs an action and puts what it brought into the memory; False if it only repeats what was done."""
    if normalise(action.tool) == normalise(GENERALIST):
        return await _reason(action, episode)
    tool = episode.tools.known(action.tool)
    if tool is None or not action.commands:
        episode.note(f"{action.tool or 'The step'} {NO_COMMAND}")
        return True
    calls = [ToolCall(tool=tool, arguments=arguments) for arguments in action.commands]
    results = await episode.tools.fetch_all(calls)
    for fetched in results:
        shown = "see above" if fetched.again else episode.tools.show(fetched.facts)
        episode.note(f"{call_text(fetched.call)}\n{shown}")
    return not all(fetched.again for fetched in results)


async def _reason(action: Action, episode: Episode) -> bool:
    """The generalist tool: one request of its own; without room for it the summary does its work."""
    if episode.calls_left < CALLS_FOR_A_STEP:
        return False
    goals = [command["goal"] for command in action.commands if isinstance(command.get("goal"), str)]
    goal = goals[0] if goals else action.sub_goal
    episode.note(f"{GENERALIST}: {await episode.ask('octotools_generalist', goal=goal)}")
    return True


def wants_stop(verdict: str) -> bool:
    """True if the verifier says STOP; without a conclusion it goes on, as in the authors' code."""
    found = _VERDICT.findall(verdict)
    return bool(found) and found[-1].casefold() == "stop"
