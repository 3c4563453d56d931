"""A request as the scripted model reads it, and its reply as Chat Completions, in the form each agent asks for.

The step itself is the script's (`benchmarks.agents.scripts`) and the same for all. A dialect makes as many
calls in one reply as the agent's own protocol allows.

https://platform.openai.com/docs/api-reference/chat
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from benchmarks.agents.tasks import AgentTask
from evals.methods.tools import call_text
from map_tools.validation import json_text
from mapagent.core.ports import ToolCall
from mapagent.llm.chat import MESSAGE_TOKENS, text_tokens
from modules.planner.prompting import RUN_QUERY


@dataclass(frozen=True)
class ModelRequest:
    """A request.

    Attributes:
        body: The JSON that came.
    """

    body: Mapping[str, Any]

    @cached_property
    def messages(self) -> tuple[str, ...]:
        """The words of each message, in order."""
        return tuple(_words(message.get("content")) for message in self.body["messages"])

    @property
    def read(self) -> str:
        """All words, those of the tools included."""
        return "\n".join(self.messages)

    @property
    def last(self) -> str:
        """The last message's words."""
        return self.messages[-1]

    @property
    def tools(self) -> tuple[str, ...]:
        """The functions that may be called in the protocol's own way."""
        return tuple(tool["function"]["name"] for tool in self.body.get("tools") or ())

    @property
    def parallel(self) -> bool:
        """Whether several may be called in one reply: yes unless it is forbidden, as the protocol says."""
        return self.body.get("parallel_tool_calls") is not False

    @property
    def shape(self) -> str:
        """The name of the JSON schema the reply is held to; empty where there is none."""
        held = (self.body.get("response_format") or {}).get("json_schema") or {}
        return str(held.get("name", ""))

    def tokens(self) -> int:
        """About how many tokens are read: words, earlier calls, descriptions of tools, schemas."""
        earlier = [
            message.get("tool_calls") for message in self.body["messages"] if message.get("tool_calls")
        ]
        declared = [self.body[name] for name in ("tools", "response_format") if self.body.get(name)]
        words = sum(MESSAGE_TOKENS + text_tokens(text) for text in self.messages)
        return words + sum(text_tokens(json_text(part)) for part in (*earlier, *declared))


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What the model says: words, calls, or both."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()

    def tokens(self) -> int:
        """About how many tokens are written."""
        return text_tokens(self.text) + sum(
            text_tokens(call.tool) + text_tokens(json_text(call.arguments)) for call in self.calls
        )

    def body(self, request: ModelRequest, number: int) -> dict[str, Any]:
        """The reply as it is sent; `number` makes the ids of calls differ."""
        message: dict[str, Any] = {"role": "assistant", "content": self.text or None}
        if self.calls:
            message["tool_calls"] = list(_tool_calls(self.calls, number))
        read, written = request.tokens(), self.tokens()
        return {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion",
            "created": 0,
            "model": request.body.get("model", "scripted"),
            "choices": [
                {"index": 0, "message": message, "finish_reason": "tool_calls" if self.calls else "stop"}
            ],
            "usage": {
                "prompt_tokens": read,
                "completion_tokens": written,
                "total_tokens": read + written,
            },
        }


def _tool_calls(calls: Sequence[ToolCall], number: int) -> Iterator[dict[str, Any]]:
    for position, call in enumerate(calls):
        function = {"name": call.tool, "arguments": json_text(call.arguments)}
        yield {"id": f"call_{number}_{position}", "type": "function", "function": function}


def _words(content: Any) -> str:
    """The words of a message: a text, or a list of parts of which the texts count."""
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


FINAL_ANSWER = "final_answer"
"""The function that ends a run of smolagents (https://huggingface.co/docs/smolagents)."""
SOLUTION, ANSWER = "Solution_Generator", "Answer_Generator"

type Write = Callable[[ModelRequest, AgentTask], ModelReply]


def reply_to(request: ModelRequest, task: AgentTask) -> ModelReply | None:
    """The reply in the form the request wants; None where no such form is known."""
    if RUN_QUERY in request.tools:
        return _program(task)
    if request.tools:
        return _native(request, task)
    write = _instruction(request.last) or (_code if FINAL_ANSWER in request.messages[0] else None)
    return write(request, task) if write else None


def verdict(task: AgentTask, read: str) -> str:
    """How the answer was found, and the option's number as tasks want it (0: the facts do not tell)."""
    concluded = task.script.conclude(read)
    options = task.task.question.options
    number = options.index(concluded.option) + 1 if concluded.option in options else 0
    return f"{concluded.words} ^^{number}^^"


def _program(task: AgentTask) -> ModelReply:
    """`mapagent` wants a program; a clean result of it is the answer."""
    return ModelReply(calls=(ToolCall(tool=RUN_QUERY, arguments={"program": task.script.program}),))


def _native(request: ModelRequest, task: AgentTask) -> ModelReply:
    """Calls in the protocol's own way: all at once, unless the request forbids it."""
    calls = task.script.calls(request.read)
    if calls:
        return ModelReply(calls=calls if request.parallel else calls[:1])
    words = verdict(task, request.read)
    if FINAL_ANSWER in request.tools:
        return ModelReply(calls=(ToolCall(tool=FINAL_ANSWER, arguments={"answer": words}),))
    return ModelReply(words)


def _code(request: ModelRequest, task: AgentTask) -> ModelReply:
    """Python for smolagents' CodeAgent: one print for each call, all in one block."""
    calls = task.script.calls(request.read)
    lines = [f"print({call.tool}({_keywords(call)}))" for call in calls]
    if not calls:
        lines = [f"{FINAL_ANSWER}({json.dumps(verdict(task, request.read))})"]
    thought = f"Thought: {_thought(calls)}"
    return ModelReply("\n".join((thought, "<code>", *lines, "</code>")))


def _keywords(call: ToolCall) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())


def _react(request: ModelRequest, task: AgentTask) -> ModelReply:
    """One thought, one action."""
    number = re.findall(r"Write Thought (\d+)", request.last)[-1]
    calls = task.script.calls(request.read)
    action = f"{calls[0].tool}[{json.dumps(calls[0].arguments)}]" if calls else ""
    action = action or f"Finish[{verdict(task, request.read)}]"
    return ModelReply(f"Thought {number}: {_thought(calls[:1])}\nAction {number}: {action}")


def _compiler_plan(request: ModelRequest, task: AgentTask) -> ModelReply:
    """All calls that can be made now; numbers go on where the last plan ended."""
    first = 1 + max(map(int, re.findall(r"^Observation of (\d+):", request.last, re.MULTILINE)), default=0)
    calls = task.script.calls(request.read)
    lines = [f"{number}. {call_text(call)}" for number, call in enumerate(calls, start=first)]
    return ModelReply("\n".join([*lines, f"{first + len(calls)}. join()"]))


def _compiler_join(request: ModelRequest, task: AgentTask) -> ModelReply:
    """Replans as long as calls are missing."""
    calls = task.script.calls(request.read)
    if calls:
        return ModelReply(f"Thought: {_thought(calls)}\nAction: Replan[{calls[0].tool}]")
    return ModelReply(f"Thought: all facts are there.\nAction: Finish[{verdict(task, request.read)}]")


def _chameleon_plan(request: ModelRequest, task: AgentTask) -> ModelReply:  # noqa: ARG001
    return ModelReply(json.dumps([*task.script.tools, SOLUTION, ANSWER]))


def _chameleon_module(request: ModelRequest, task: AgentTask) -> ModelReply:
    """One set of arguments a line, for the module whose turn it is."""
    module = re.findall(r"Module (\w+): write its arguments", request.last)[-1]
    calls = [call for call in task.script.calls(request.read) if call.tool == module]
    return ModelReply("\n".join(json.dumps(call.arguments) for call in calls))


def _octotools_analysis(request: ModelRequest, task: AgentTask) -> ModelReply:  # noqa: ARG001
    return ModelReply(f"The facts that decide come from {', then '.join(task.script.tools)}.")


def _octotools_act(request: ModelRequest, task: AgentTask) -> ModelReply:
    """One tool, with a command for each call."""
    calls = task.script.calls(request.read)
    tool = calls[0].tool if calls else SOLUTION
    commands = " ".join(json.dumps(call.arguments) for call in calls if call.tool == tool)
    return ModelReply(f"Sub-Goal: {_thought(calls)}\nTool: {tool}\nCommand: {commands or '{}'}")


def _octotools_verify(request: ModelRequest, task: AgentTask) -> ModelReply:
    calls = task.script.calls(request.read)
    return ModelReply(f"Explanation: {_thought(calls)}\nConclusion: {'CONTINUE' if calls else 'STOP'}")


def _concluded(request: ModelRequest, task: AgentTask) -> ModelReply:
    return ModelReply(verdict(task, request.read))


def _thought(calls: tuple[ToolCall, ...]) -> str:
    if not calls:
        return "All facts are there."
    subject = next(iter(calls[0].arguments.values()))
    more = f" and {len(calls) - 1} more" if len(calls) > 1 else ""
    return f"I need {calls[0].tool} of {subject}{more}."


_INSTRUCTIONS: Mapping[str, Write] = {
    "Write Thought ": _react,
    "No more steps are possible.": _concluded,
    "Planner: write the plan of the calls": _compiler_plan,
    "Joiner: judge whether": _compiler_join,
    "Planner: choose the modules": _chameleon_plan,
    ": write its arguments for this question": _chameleon_module,
    "Solution_Generator: first write down the facts": _concluded,
    "Query analyst:": _octotools_analysis,
    "Action predictor, step": _octotools_act,
    "Context verifier:": _octotools_verify,
    "Solution summarizer:": _concluded,
}
"""What the prompts of `evals/methods/prompts` begin with, and how each is answered."""


def _instruction(words: str) -> Write | None:
    """The instruction of the moment stands last, after a journal that may speak of others."""
    at, mark = max((words.rfind(mark), mark) for mark in _INSTRUCTIONS)
    return _INSTRUCTIONS[mark] if at >= 0 else None
