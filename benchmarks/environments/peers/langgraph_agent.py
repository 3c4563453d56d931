"""LangGraph's prebuilt agent (https://docs.langchain.com/oss/python/langgraph/overview)."""

import warnings
from collections.abc import Awaitable, Callable

from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

from peers.tools import RemoteTool

MAX_STEPS = 60
"""Twice the model calls of the longest task, one call at a time; the library's own limit is 25 steps."""

type Agent = Callable[[str], Awaitable[str]]


def parallel(model_url: str, tools: tuple[RemoteTool, ...]) -> Agent:
    """As it comes: the model may call several tools at once."""
    return _agent(model_url, tools)


def one_call(model_url: str, tools: tuple[RemoteTool, ...]) -> Agent:
    """The model is told to call one tool at a time (`parallel_tool_calls=False`)."""
    return _agent(model_url, tools, parallel_tool_calls=False)


def _agent(model_url: str, tools: tuple[RemoteTool, ...], **binding: bool) -> Agent:
    functions = [_function(tool) for tool in tools]
    chat = ChatOpenAI(model="scripted", base_url=model_url, api_key="none", temperature=0)
    with warnings.catch_warnings():
        # What the issue names "prebuilt agent" has moved to another package, with the same loop.
        warnings.simplefilter("ignore", DeprecationWarning)
        graph = create_react_agent(chat.bind_tools(functions, **binding), functions)

    async def answer(task: str) -> str:
        state = await graph.ainvoke({"messages": [("user", task)]}, {"recursion_limit": MAX_STEPS})
        return str(state["messages"][-1].content)

    return answer


def _function(tool: RemoteTool) -> StructuredTool:
    return StructuredTool(
        name=tool.name,
        description=tool.description,
        args_schema=tool.parameters,
        func=tool.call,
        coroutine=tool.call_async,
    )
