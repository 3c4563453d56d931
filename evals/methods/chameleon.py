"""Chameleon: a planner composes a program of modules, which run in order (Lu et al. 2023).

Paper: NeurIPS 2023, https://arxiv.org/abs/2304.09842.

Kept of the paper: one flat inventory of modules; the planner sees their descriptions and a few example
programs and writes the sequence once, without feedback (section 3); each module sees the question and
what the modules before it brought, and adds to it (the cache and the context that the paper updates); the
program ends in a solution generator and an answer generator; a plan that cannot be read falls back to these
two, and the answer generator takes the answer from the solution by rule, as in the authors' code.

Necessarily changed: the inventory is that of map questions (the four map tools, as in the Chameleon that
the MapAgent paper compares with, appendix A.2); a map module writes its arguments as JSON; six model calls
leave room for at most three map modules. The authors evaluate the planner's reply as Python; here it is
only read.
"""

import re
from collections.abc import Callable

from evals.methods.loop import Attempt, run_agent
from evals.methods.parsing import argument_sets
from evals.methods.spatial_tools import TakesSpatialTools
from evals.methods.tools import call_text
from evals.ports import Desk, Task
from mapagent.answer import Answer
from mapagent.ports import Account, ToolCall

SOLUTION = "Solution_Generator"
ANSWER = "Answer_Generator"
RESERVED_CALLS = 2
"""Model calls kept for the solution and, should no answer be readable in it, for stating it."""
ARGUMENT_TOKENS = 250
PLAN_TOKENS = 80

_LIST = re.compile(r"\[([^\]]*)\]?")
_WORD = re.compile(r"\w+")


class Chameleon(TakesSpatialTools):
    """The method `chameleon`."""

    name = "chameleon"

    async def answer(self, task: Task, desk: Desk, account: Account) -> Answer:
        """Answers one task."""
        return await run_agent(_run_program, method=self.name, task=task, desk=desk, account=account)


async def _run_program(attempt: Attempt) -> str:
    plan = await attempt.ask("chameleon_plan", max_tokens=PLAN_TOKENS)
    program = read_program(plan, attempt.tools.known)
    attempt.note(f"Modules: {', '.join(program)}")
    solution = ""
    for module in program:
        if module == SOLUTION:
            solution = await attempt.conclude("chameleon_solution")
            attempt.note(f"[{SOLUTION}] {solution}")
        elif module != ANSWER and attempt.calls_left > RESERVED_CALLS:
            await _run_map_module(module, attempt)
    # The answer generator's rule is the reader that the shared loop applies to an agent's last words.
    return solution or await attempt.conclude()


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


async def _run_map_module(module: str, attempt: Attempt) -> None:
    """The module's arguments by the model, its calls at once, what they bring into the journal."""
    reply = await attempt.ask(
        "chameleon_module", max_tokens=ARGUMENT_TOKENS, module=module, card=attempt.tools.card(module)
    )
    calls = [ToolCall(tool=module, arguments=arguments) for arguments in argument_sets(reply)]
    if not calls:
        attempt.note(f"[{module}] did not run: its arguments could not be read.")
    for fetched in await attempt.tools.fetch_all(calls):
        shown = "see above" if fetched.again else attempt.tools.show(fetched.facts)
        attempt.note(f"[{module}] {call_text(fetched.call)}\n{shown}")
