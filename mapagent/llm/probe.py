"""The probe: asks a server once what it can do with a model, so that the client need not learn by failing.

Each thing is seen by one short request and one plain observation.
"""

import base64
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from map_tools.clock import Clock, SystemClock
from map_tools.errors import LimitError
from mapagent.core.prompts import load_prompt
from mapagent.llm.failures import ServerError, Trouble
from mapagent.llm.profile import ModelList, ServerProfile, describe, list_models
from mapagent.llm.reply import ServerReply, values_in
from mapagent.llm.server import ModelServer

DEADLINE_S = 180.0
_MEANS_NO = (Trouble.REFUSED, Trouble.IMAGE)


@dataclass
class ProbeResult:
    """What the probe found.

    Attributes:
        profile: What the server can do; what could not be found out is None.
        error: Why the model cannot be used at all, None if it can.
        notes: Oddities worth knowing.
        calls: Requests that were answered.
        tokens: Tokens they took, as the server counted.
    """

    profile: ServerProfile
    error: ServerError | None = None
    notes: list[str] = field(default_factory=list)
    calls: int = 0
    tokens: int = 0


class Probe:
    """Asks one server about one model; about ten short requests.

    Args:
        server: The wire.
        clock: Dates the result.
        timer: Seconds, for the speed.
        deadline_s: Longest time in all.
    """

    def __init__(
        self,
        server: ModelServer,
        *,
        clock: Clock | None = None,
        timer: Callable[[], float] = monotonic,
        deadline_s: float = DEADLINE_S,
    ) -> None:
        self._server = server
        self._clock = clock or SystemClock()
        self._timer = timer
        self._end = timer() + deadline_s
        target = server.target
        self._found: dict[str, Any] = {}
        self._result = ProbeResult(
            ServerProfile(
                base_url=target.shown_url, model=target.model, found_at=self._clock.now(), probed=True
            )
        )

    async def run(self) -> ProbeResult:
        """Asks everything. A server that cannot be used at all is told in the result, not raised."""
        try:
            await self._can_be_used()
            await self._checks()
        except ServerError as error:
            self._result.error = error
        except LimitError:
            self._result.notes.append("The probe ran out of time; what is missing was not asked.")
        self._result.profile = self._result.profile.model_copy(update=self._found)
        return self._result

    async def _can_be_used(self) -> None:
        """Reaches the server, and has the model say something.

        Raises:
            ServerError: It cannot be used.
        """
        listed = await self._listed()
        self._found["models"] = listed.names
        reply = await self._chat(hello_body())
        self._note_name(listed, reply)
        told = await describe(self._server, listed)
        self._found |= {"server": told.server, "context_tokens": told.context_tokens, "vision": told.vision}

    async def _checks(self) -> None:
        reply = await self._tried(schema_body())
        self._found["schema_obeyed"] = None if reply is None else obeys_schema(reply)
        await self._tools()
        if self._found["vision"] is not False:
            reply = await self._tried(vision_body())
            self._found["vision"] = None if reply is None else sees_red(reply)
        await self._speed()

    async def _tools(self) -> None:
        reply = await self._tried(tools_body())
        sight = tool_sight(reply) if reply is not None else None
        self._found["tools_called"] = sight.called if sight else None
        self._found["tools_in_text"] = sight.in_text if sight else None
        if sight is None or not sight.called:
            return
        choice = await self._tried(tool_choice_body())
        self._found["tool_choice_obeyed"] = None if choice is None else tool_sight(choice).called
        both = await self._tried(parallel_body())
        self._found["parallel_calls"] = None if both is None else tool_sight(both).calls > 1

    async def _speed(self) -> None:
        start = self._timer()
        reply = await self._tried(speed_body(self._clock.now().isoformat()))
        took_s = self._timer() - start
        if reply is None or not reply.text:
            return
        timings = reply.timings or {}
        self._found["reading_tokens_per_s"] = _rounded(timings.get("prompt_per_second"))
        writing = timings.get("predicted_per_second")
        if writing is None and reply.completion_tokens and took_s > 0:
            writing = reply.completion_tokens / took_s  # a lower bound: reading is in it
        self._found["writing_tokens_per_s"] = _rounded(writing)

    async def _listed(self) -> ModelList:
        """The server's models; a server may do without a list, but not without being there."""
        try:
            return await list_models(self._server)
        except ServerError as error:
            if error.trouble not in {Trouble.ADDRESS, Trouble.REFUSED}:
                raise
            self._result.notes.append("The server has no list of models (GET /models).")
            return ModelList(())

    def _note_name(self, listed: ModelList, reply: ServerReply) -> None:
        model = self._server.target.model
        if listed.names and model not in listed.names:
            served = reply.model or listed.names[0]
            self._result.notes.append(
                f"The server has no model called '{model}'; it answers with '{served}' all the same."
            )

    async def _tried(self, body: dict[str, Any]) -> ServerReply | None:
        """The reply; an empty one where the server says no, None where nothing can be said.

        Raises:
            LimitError: The time is up.
        """
        try:
            return await self._chat(body)
        except ServerError as error:
            if error.trouble in _MEANS_NO:
                return ServerReply(text="")
            self._result.notes.append(f"One check came to nothing: {error.message}")
            return None

    async def _chat(self, body: dict[str, Any]) -> ServerReply:
        reply = await self._server.chat(
            {"model": self._server.target.model} | body, left_s=lambda: max(0.0, self._end - self._timer())
        )
        self._result.calls += 1
        self._result.tokens += (reply.prompt_tokens or 0) + (reply.completion_tokens or 0)
        return reply


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


PACKAGE = "mapagent.llm"
PICTURE_PX = 64
_SCHEMA = {
    "type": "object",
    "properties": {
        "river": {"type": "string", "enum": ["wide", "narrow"]},
        "bridges": {"type": "integer"},
    },
    "required": ["river", "bridges"],
    "additionalProperties": False,
}
"""Nothing a model would write of itself when it is asked for a poem."""
_TOOL = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "The name of the city."}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}


@dataclass(frozen=True, slots=True)
class ToolSight:
    """How a reply calls the function: in the protocol's way, in its words, how often."""

    called: bool
    in_text: bool
    calls: int


def hello_body() -> dict[str, Any]:
    """A request any chat model can answer."""
    return _body("probe_hello", max_tokens=8)


def schema_body() -> dict[str, Any]:
    """Asks for a poem and holds the reply to a schema that has no room for one."""
    held = {"name": "river", "strict": True, "schema": _SCHEMA}
    return _body("probe_schema", max_tokens=48) | {
        "response_format": {"type": "json_schema", "json_schema": held}
    }


def obeys_schema(reply: ServerReply) -> bool:
    """Whether the reply has the schema's form."""
    value = next(values_in(reply.text), None)
    return (
        isinstance(value, dict)
        and value.keys() == {"river", "bridges"}
        and value["river"] in {"wide", "narrow"}
        and isinstance(value["bridges"], int)
    )


def tools_body() -> dict[str, Any]:
    """Asks something for which the function is there."""
    return _body("probe_tools", max_tokens=64) | {"tools": [_TOOL]}


def tool_choice_body() -> dict[str, Any]:
    """Says hello, and that a function must be called."""
    return _body("probe_hello", max_tokens=64) | {"tools": [_TOOL], "tool_choice": "required"}


def parallel_body() -> dict[str, Any]:
    """Asks something that takes two calls."""
    return _body("probe_parallel", max_tokens=128) | {"tools": [_TOOL], "parallel_tool_calls": True}


def tool_sight(reply: ServerReply) -> ToolSight:
    """How the reply calls the function."""
    good = [call for call in reply.calls if call.name == "weather" and _names_a_city(call.arguments)]
    return ToolSight(bool(good), _called_in_text(reply.text), len(good))


def vision_body() -> dict[str, Any]:
    """Shows a red square."""
    text = load_prompt(PACKAGE, "probe_vision").text
    url = f"data:image/png;base64,{base64.b64encode(red_square()).decode('ascii')}"
    content = [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": text}]
    return {"messages": [{"role": "user", "content": content}], "max_tokens": 16, "temperature": 0.0}


def sees_red(reply: ServerReply) -> bool:
    """Whether the reply says the square's colour."""
    return "red" in reply.text.lower()


def speed_body(moment: str) -> dict[str, Any]:
    """Some 200 tokens to read and 32 to write; the moment in front makes them new to the server."""
    lines = "\n".join(f"Note {number}: the bus to stop {number * 7} leaves at noon." for number in range(8))
    return _body("probe_speed", max_tokens=32, moment=moment, lines=lines)


def red_square() -> bytes:
    """A red picture, as PNG."""
    from PIL import Image

    stream = io.BytesIO()
    Image.new("RGB", (PICTURE_PX, PICTURE_PX), (220, 20, 20)).save(stream, format="PNG")
    return stream.getvalue()


def _body(prompt: str, *, max_tokens: int, **values: str) -> dict[str, Any]:
    text = load_prompt(PACKAGE, prompt).fill(**values)
    return {"messages": [{"role": "user", "content": text}], "max_tokens": max_tokens, "temperature": 0.0}


def _names_a_city(arguments: str) -> bool:
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and isinstance(value.get("city"), str)


def _called_in_text(text: str) -> bool:
    return any(isinstance(value, dict) and value.get("name") == "weather" for value in values_in(text))
