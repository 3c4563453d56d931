"""The probe: asks a server once what it can do with a model, so that the client need not learn by failing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from map_tools.clock import Clock, SystemClock
from map_tools.errors import LimitError
from mapagent.llm import probe_checks as checks
from mapagent.llm.descriptions import ModelList, describe, list_models
from mapagent.llm.failures import ServerError, Trouble
from mapagent.llm.profile import ServerProfile
from mapagent.llm.reply import ServerReply
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
        reply = await self._chat(checks.hello_body())
        self._note_name(listed, reply)
        told = await describe(self._server, listed)
        self._found |= {"server": told.server, "context_tokens": told.context_tokens, "vision": told.vision}

    async def _checks(self) -> None:
        reply = await self._tried(checks.schema_body())
        self._found["schema_obeyed"] = None if reply is None else checks.obeys_schema(reply)
        await self._tools()
        if self._found["vision"] is not False:
            reply = await self._tried(checks.vision_body())
            self._found["vision"] = None if reply is None else checks.sees_red(reply)
        await self._speed()

    async def _tools(self) -> None:
        reply = await self._tried(checks.tools_body())
        sight = checks.tool_sight(reply) if reply is not None else None
        self._found["tools_called"] = sight.called if sight else None
        self._found["tools_in_text"] = sight.in_text if sight else None
        if sight is None or not sight.called:
            return
        choice = await self._tried(checks.tool_choice_body())
        self._found["tool_choice_obeyed"] = None if choice is None else checks.tool_sight(choice).called
        both = await self._tried(checks.parallel_body())
        self._found["parallel_calls"] = None if both is None else checks.tool_sight(both).calls > 1

    async def _speed(self) -> None:
        start = self._timer()
        reply = await self._tried(checks.speed_body(self._clock.now().isoformat()))
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
