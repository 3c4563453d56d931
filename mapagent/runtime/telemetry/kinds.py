"""Which spans are told to OpenTelemetry, and which of their attributes: everything else stays here.

Names are those of https://opentelemetry.io/docs/specs/semconv/gen-ai/ where it has one, else begin with
"mapagent.".
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

AGENT = "mapagent"
"""Name of the agent, of the service and of the instrumentation scope."""
OPERATION = "gen_ai.operation.name"
MODEL_API = "openai"
"""`gen_ai.provider.name` of every server that speaks OpenAI's Chat Completions, as the conventions ask."""

type Told = Mapping[str, Any]


def _as_input(text: Any) -> str:
    return json.dumps([{"role": "user", "parts": [{"type": "text", "content": text}]}], ensure_ascii=False)


def _as_output(text: Any) -> str:
    part = {"type": "text", "content": text}
    return json.dumps([{"role": "assistant", "parts": [part], "finish_reason": "stop"}], ensure_ascii=False)


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


@dataclass(frozen=True, slots=True)
class Kind:
    """How spans of one name are told.

    Attributes:
        name: What the exported span is called.
        subject: The attribute that follows in its name ("chat MODEL").
        fixed: Attributes that all of them have; one with an operation has its name as `OPERATION`.
        told: Attributes told under another name.
        content: Attributes told only with content: the other name, and how the value is written.
    """

    name: str
    subject: str = ""
    fixed: Told = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)
    content: Mapping[str, tuple[str, Callable[[Any], str]]] = field(default_factory=dict)


KINDS: Mapping[str, Kind] = {
    "ask": Kind(
        name="invoke_agent mapagent",
        fixed={OPERATION: "invoke_agent", "gen_ai.agent.name": AGENT},
        told={"status": "mapagent.answer.status", "confidence": "mapagent.answer.confidence"},
        content={
            "question": ("gen_ai.input.messages", _as_input),
            "answer": ("gen_ai.output.messages", _as_output),
        },
    ),
    "plan": Kind(name="plan", told={"planner": "mapagent.planner"}),
    "program": Kind(
        name="program",
        told={"rounds": "mapagent.rounds", "calls": "mapagent.calls"},
        content={"text": ("mapagent.program", str)},
    ),
    "module": Kind(
        name="module",
        subject="module",
        told={"module": "mapagent.module", "request": "mapagent.module.request"},
    ),
    "tool": Kind(
        name="execute_tool",
        subject="tool",
        fixed={OPERATION: "execute_tool", "gen_ai.tool.type": "function"},
        told={
            "tool": "gen_ai.tool.name",
            "facts": "mapagent.facts",
            "requests": "mapagent.requests",
            "cached": "mapagent.requests.cached",
            "retries": "mapagent.retries",
            "cost_usd": "mapagent.cost_usd",
        },
        content={"arguments": ("gen_ai.tool.call.arguments", _as_json)},
    ),
    "model": Kind(
        name="chat",
        subject="model",
        fixed={OPERATION: "chat", "gen_ai.provider.name": MODEL_API},
        told={
            "model": "gen_ai.request.model",
            "served_by": "gen_ai.response.model",
            "prompt_tokens": "gen_ai.usage.input_tokens",
            "completion_tokens": "gen_ai.usage.output_tokens",
            "label": "mapagent.call",
            "prompt": "mapagent.prompt",
            "output_mode": "mapagent.output_mode",
            "cached": "mapagent.cached",
            "retries": "mapagent.retries",
            "cost_usd": "mapagent.cost_usd",
        },
    ),
}
