"""`python -m peers AGENT MODEL_URL TOOLS_URL`: answers the tasks that come line by line.

A line in is `{"text": TASK}`, a line out `{"text": LAST WORDS, "seconds": ..., "cpu_s": ...}`: wall time and
processor time.
"""

import asyncio
import importlib
import json
import os
import sys
from collections.abc import Awaitable, Callable
from time import perf_counter, process_time
from typing import TextIO

from peers.tools import fetched_tools

AGENTS = {
    "langgraph": ("peers.langgraph_agent", "parallel"),
    "langgraph-one-call": ("peers.langgraph_agent", "one_call"),
    "smolagents": ("peers.smolagents_agent", "tool_calling"),
    "smolagents-code": ("peers.smolagents_agent", "code"),
    "pydantic-ai": ("peers.pydantic_ai_agent", "tool_calling"),
}
"""Modules and the functions in them that make an agent: (model_url, tools) → a coroutine function."""


def main() -> None:
    """Reads tasks until the input ends. What libraries print goes to stderr."""
    name, model_url, tools_url = sys.argv[1:]
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    module, maker = AGENTS[name]
    agent = getattr(importlib.import_module(module), maker)(model_url, fetched_tools(tools_url))
    asyncio.run(_serve(agent, answers))


async def _serve(agent: Callable[[str], Awaitable[str]], answers: TextIO) -> None:
    while line := await asyncio.to_thread(sys.stdin.readline):
        task = json.loads(line)["text"]
        start, start_cpu = perf_counter(), process_time()
        try:
            reply = {"text": await agent(task)}
        except Exception as error:  # noqa: BLE001 (whatever an agent fails with is its result)
            reply = {"text": "", "error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(reply | _times(start, start_cpu)) + "\n")
        answers.flush()


def _times(start: float, start_cpu: float) -> dict[str, float]:
    return {"seconds": perf_counter() - start, "cpu_s": process_time() - start_cpu}


if __name__ == "__main__":
    main()
