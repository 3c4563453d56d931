"""pydantic-ai (https://ai.pydantic.dev)."""

from collections.abc import Awaitable, Callable

from pydantic_ai import Agent as PydanticAgent
from pydantic_ai import Tool
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from peers.tools import RemoteTool

type Agent = Callable[[str], Awaitable[str]]


def tool_calling(model_url: str, tools: tuple[RemoteTool, ...]) -> Agent:
    """`Agent`: calls of one reply run at once."""
    provider = OpenAIProvider(base_url=model_url, api_key="none")
    functions = [
        Tool.from_schema(tool.call_async, tool.name, tool.description, tool.parameters) for tool in tools
    ]
    agent = PydanticAgent(OpenAIChatModel("scripted", provider=provider), tools=functions)

    async def answer(task: str) -> str:
        return (await agent.run(task)).output

    return answer
