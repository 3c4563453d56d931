"""smolagents: the agent that calls tools, and the agent that writes code (https://huggingface.co/docs/smolagents)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from smolagents import CodeAgent, LogLevel, OpenAIServerModel, Tool, ToolCallingAgent

from peers.tools import RemoteTool

MAX_STEPS = 30
"""More than the longest task takes, one call at a time; the library's own limit is 20."""

type Agent = Callable[[str], Awaitable[str]]


def tool_calling(model_url: str, tools: tuple[RemoteTool, ...]) -> Agent:
    """`ToolCallingAgent`: calls of one reply run at once, in threads."""
    return _agent(ToolCallingAgent, model_url, tools)


def code(model_url: str, tools: tuple[RemoteTool, ...]) -> Agent:
    """`CodeAgent`: the model writes Python that calls the tools."""
    return _agent(CodeAgent, model_url, tools)


def _agent(kind: type, model_url: str, tools: tuple[RemoteTool, ...]) -> Agent:
    model = OpenAIServerModel("scripted", api_base=model_url, api_key="none", temperature=0)
    functions = [_function(tool) for tool in tools]
    agent = kind(tools=functions, model=model, max_steps=MAX_STEPS, verbosity_level=LogLevel.OFF)

    async def answer(task: str) -> str:
        return str(await asyncio.to_thread(agent.run, task))

    return answer


def _function(remote: RemoteTool) -> Tool:
    """A tool as the library wants it: a class whose `forward` has a parameter for each input."""
    required = set(remote.parameters["required"])
    inputs = {
        name: {**field, "nullable": name not in required}
        for name, field in remote.parameters["properties"].items()
    }

    class Function(Tool):
        name = remote.name
        description = remote.description
        output_type = "string"
        skip_forward_signature_validation = True

        def forward(self, **arguments: Any) -> str:
            return remote.call(**arguments)

    Function.inputs = inputs
    return Function()
