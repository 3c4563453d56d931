"""The chat model: budgets before a call, cache and wire in the middle, ledger and trace after it."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from map_tools.clock import Clock, SystemClock
from map_tools.errors import ModelReplyError
from mapagent.core.ports import RequestContext
from mapagent.llm.chat import ChatMessage, ChatReply, ToolCard, text_tokens
from mapagent.llm.failures import ServerError, Trouble, failure
from mapagent.llm.prices import Price
from mapagent.llm.profile import ProfileStore, ServerProfile
from mapagent.llm.reply import ServerReply, repeats_endlessly
from mapagent.llm.request import ChatRequest, OutputMode, in_words, uses_of
from mapagent.llm.server import ModelServer
from mapagent.llm.structured import FallbackChain, StructuredCall, plain_schema, schema_name, schema_note
from mapagent.runtime.trace import Span

if TYPE_CHECKING:
    from mapagent.llm.cache import ModelCache

BELIEVED, LEAST_TOKENS = 20, 1_000
"""A server that counts so many times more tokens than were estimated, or than the least, miscounts: hidden thoughts and
pictures make a few times more."""
REFUSE_THEMSELVES = ("llama.cpp", "vllm", "openai")
"""Servers that refuse a prompt that is too long, and count better than an estimate. Ollama cuts it in silence
(https://docs.ollama.com/context-length)."""


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """How a model is used.

    Attributes:
        price: What its tokens cost.
        temperature: 0 for the likeliest words.
        seed: Seed of the server's sampling, None to leave it to the server.
        context_tokens: Longest prompt and reply together, as set; None for what the probe found.
        prompts: The user's own prompts.
    """

    price: Price
    temperature: float = 0.0
    seed: int | None = None
    context_tokens: int | None = None
    prompts: Path | None = None


class OpenAiChat:
    """A `ChatModel` on any server that speaks OpenAI's Chat Completions.

    Args:
        server: The wire.
        options: How the model is used.
        cache: Replies kept from before; None keeps none.
        profiles: What is known of servers and models; None knows and keeps nothing.
        clock: Tells the time.
    """

    def __init__(
        self,
        server: ModelServer,
        options: ChatOptions,
        *,
        cache: "ModelCache | None" = None,
        profiles: ProfileStore | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.name = server.target.model
        self._server = server
        self._options = options
        self._cache = cache
        self._profiles = profiles
        self._clock = clock or SystemClock()
        self._known: tuple[ServerProfile | None, FallbackChain] | None = None

    async def complete(
        self,
        messages: tuple[ChatMessage, ...],
        *,
        request_context: RequestContext,
        label: str,
        max_tokens: int = 512,
        stop: tuple[str, ...] = (),
    ) -> ChatReply:
        """Free text; see `ChatModel.complete`.

        Raises:
            LimitError: A budget or the deadline is spent; nothing was sent.
            ModelError: The server cannot be reached, refuses, or has no such model.
            ModelReplyError: The reply repeats itself without end.
        """
        request = self._request(messages, max_tokens=max_tokens, stop=stop)
        reply, cached = await self._ask(request, request_context, label=label, reason="free text is wanted")
        if reply.finish_reason == "length" and repeats_endlessly(reply.text):
            raise ModelReplyError(
                f"The model '{self.name}' repeats itself without end.",
                "Ask in other words, or choose a larger model.",
            )
        read, written = self._counted(request, reply)
        return ChatReply(
            text=_until(stop, reply.text),
            finish_reason=reply.finish_reason,
            prompt_tokens=read,
            completion_tokens=written,
            cached=cached,
        )

    async def converse(
        self,
        messages: tuple[ChatMessage, ...],
        tools: tuple[ToolCard, ...],
        *,
        request_context: RequestContext,
        label: str,
        max_tokens: int = 1024,
    ) -> ChatReply:
        """The next turn of a conversation with tools; see `ChatModel.converse`.

        Raises:
            LimitError: A budget or the deadline is spent; nothing was sent.
            ModelError: The server cannot be reached, refuses, or has no such model.
        """
        request, reply, cached = await self._conversed(messages, tools, request_context, label, max_tokens)
        found = uses_of(reply, tools)
        read, written = self._counted(request, reply)
        return ChatReply(
            text=reply.text,
            finish_reason=reply.finish_reason,
            prompt_tokens=read,
            completion_tokens=written,
            cached=cached,
            calls=found.uses,
            problem=found.problem,
        )

    async def _conversed(
        self,
        messages: tuple[ChatMessage, ...],
        tools: tuple[ToolCard, ...],
        request_context: RequestContext,
        label: str,
        max_tokens: int,
    ) -> tuple[ChatRequest, ServerReply, bool]:
        """A turn the protocol's way, or in words where the server does not take tools."""
        reason = "the server is not known to take tools"
        known = dict(self._fallback_chain().output_modes()).get(OutputMode.TOOLS)
        if known is not None:
            base = self._request(messages, max_tokens=max_tokens)
            request = replace(base, output_mode=OutputMode.TOOLS, tools=tools)
            try:
                return (request, *await self._ask(request, request_context, label=label, reason=known))
            except ServerError as error:
                if error.trouble is not Trouble.REFUSED:
                    raise
                self._fallback_chain().refused(OutputMode.TOOLS, error.detail)
                reason = f"tools refused ({error.detail})"
        request = replace(
            self._request(in_words(messages, tools), max_tokens=max_tokens), output_mode=OutputMode.TEXT
        )
        return (request, *await self._ask(request, request_context, label=label, reason=reason))

    async def structured[T: BaseModel](
        self,
        messages: tuple[ChatMessage, ...],
        shape: type[T],
        *,
        request_context: RequestContext,
        label: str,
        max_tokens: int = 512,
    ) -> T:
        """A value of the given shape; see `ChatModel.structured`.

        Raises:
            LimitError: A budget or the deadline is spent; nothing was sent.
            ModelReplyError: The reply does not fit, even after it was told once what is wrong.
            ModelError: The server cannot be reached, refuses, or has no such model.
        """
        base = self._request(messages, max_tokens=max_tokens)
        base = replace(
            base, schema=plain_schema(shape), schema_name=schema_name(shape), schema_note=schema_note(shape)
        )

        async def send(told: tuple[ChatMessage, ...], output_mode: OutputMode, reason: str) -> ServerReply:
            request = replace(base, messages=told, output_mode=output_mode)
            reply, _ = await self._ask(request, request_context, label=label, reason=reason)
            return reply

        return await StructuredCall(shape, self._fallback_chain(), send, self._options.prompts).run(messages)

    async def close(self) -> None:
        """Frees the connections."""
        await self._server.close()

    def _request(
        self, messages: tuple[ChatMessage, ...], *, max_tokens: int, stop: tuple[str, ...] = ()
    ) -> ChatRequest:
        return ChatRequest(
            model=self.name,
            messages=messages,
            max_tokens=max_tokens,
            stop=stop,
            temperature=self._options.temperature,
            seed=self._options.seed,
        )

    async def _ask(
        self, request: ChatRequest, request_context: RequestContext, *, label: str, reason: str
    ) -> tuple[ServerReply, bool]:
        """The reply to a request and whether it was kept from before, charged and written down."""
        parts = request.key_parts(self._server.target.shown_url)
        with request_context.trace.span("model", **self._told(request, label, reason)) as span:
            kept = await self._kept(parts)
            if kept is not None:
                read, written = self._counted(request, kept)
                span.attributes |= {"cached": True, "prompt_tokens": read, "completion_tokens": written}
                return kept, True
            self._check(request)
            reply = await self._sent(request, request_context, span)
            await self._keep(parts, reply)
        return reply, False

    async def _sent(self, request: ChatRequest, request_context: RequestContext, span: Span) -> ServerReply:
        ledger, price = request_context.ledger, self._options.price
        worst_usd = price.of(request.prompt_tokens, request.max_tokens)

        def note(error: ServerError, wait_s: float) -> None:
            span.attributes["retries"] += 1
            request_context.trace.event("model.retry", trouble=str(error.trouble), wait_s=round(wait_s, 3))
            ledger.spend(0.0)  # refuses where lost replies have left no money for another attempt

        def lost() -> None:
            ledger.lose(worst_usd)
            span.attributes["lost_usd"] = span.attributes.get("lost_usd", 0.0) + worst_usd

        with ledger.reserve(worst_usd):
            reply = await self._server.chat(
                request.body(), left_s=lambda: ledger.left_s, note=note, lost=lost
            )
        read, written = self._counted(request, reply)
        cost_usd = price.of(read, written)
        ledger.charge_model(read, written, cost_usd)
        span.attributes |= {
            "prompt_tokens": read,
            "completion_tokens": written,
            "finish_reason": reply.finish_reason,
            "cost_usd": cost_usd,
            "price": price.source,
        }
        if reply.prompt_tokens is None:
            span.attributes["tokens"] = "estimated"
        if reply.model and reply.model != self.name:
            span.attributes["served_by"] = reply.model
        return reply

    def _told(self, request: ChatRequest, label: str, reason: str) -> dict[str, Any]:
        """What the trace says of a call before it is made."""
        told: dict[str, Any] = {
            "label": label,
            "model": self.name,
            "output_mode": str(request.output_mode),
            "output_mode_reason": reason,
            "cached": False,
            "retries": 0,
        }
        prompts = [message.prompt for message in request.messages if message.prompt]
        return told | ({"prompt": " ".join(prompts)} if prompts else {})

    def _check(self, request: ChatRequest) -> None:
        """Refuses what cannot work before anything is sent.

        Raises:
            ServerError: The prompt is too long, or it has pictures that the model cannot see.
        """
        profile = self._profile()
        if request.images and profile is not None and profile.vision is False:
            raise failure(Trouble.IMAGE, self._server.target, detail="the probe found so")
        limit = self._options.context_tokens or _silent_limit(profile)
        wanted = request.prompt_tokens + request.max_tokens
        if limit is not None and wanted > limit:
            said = f"about {wanted} tokens with the answer, of {limit}"
            raise failure(Trouble.CONTEXT, self._server.target, detail=said)

    def _counted(self, request: ChatRequest, reply: ServerReply) -> tuple[int, int]:
        """Tokens read and written, estimated where the server does not count; the most there may be where it lies."""
        guess = text_tokens(reply.text)
        read = _believed(reply.prompt_tokens, request.prompt_tokens, request.prompt_tokens)
        return read, _believed(reply.completion_tokens, guess, max(guess, request.max_tokens))

    def _profile(self) -> ServerProfile | None:
        return self._knowledge()[0]

    def _fallback_chain(self) -> FallbackChain:
        return self._knowledge()[1]

    def _knowledge(self) -> tuple[ServerProfile | None, FallbackChain]:
        if self._known is None:
            profile = self._stored_profile()
            self._known = (profile, FallbackChain(profile, self._remember))
        return self._known

    def _stored_profile(self) -> ServerProfile | None:
        if self._profiles is None:
            return None
        return self._profiles.load(self._server.target.shown_url, self.name, now=self._clock.now())

    def _remember(self, output_mode: OutputMode, words: str) -> None:
        """Keeps a refusal beside what is kept already, so that the next process does not ask again."""
        if self._profiles is None:
            return
        profile = self._stored_profile() or ServerProfile(
            base_url=self._server.target.shown_url, model=self.name, found_at=self._clock.now()
        )
        with suppress(OSError):  # what cannot be kept is learnt again
            self._profiles.save(
                profile.model_copy(update={"refused": {**profile.refused, output_mode: words}})
            )

    async def _kept(self, parts: dict[str, Any]) -> ServerReply | None:
        if self._cache is None:
            return None
        return await asyncio.to_thread(self._cache.get, parts, now=self._clock.now())

    async def _keep(self, parts: dict[str, Any], reply: ServerReply) -> None:
        if self._cache is not None:
            await asyncio.to_thread(self._cache.put, parts, reply, now=self._clock.now())


def _until(stop: tuple[str, ...], text: str) -> str:
    """The text before the first stop: not every model takes stops."""
    ends = [text.index(word) for word in stop if word in text]
    return text[: min(ends)].rstrip() if ends else text


def _believed(counted: int | None, guess: int, most: int) -> int:
    """What a server counts, if it can be; what is estimated where it does not count."""
    if counted is None:
        return guess
    return counted if 0 <= counted <= BELIEVED * max(guess, most, LEAST_TOKENS) else most


def _silent_limit(profile: ServerProfile | None) -> int | None:
    """The context of a server that would cut a longer prompt in silence, None for one that says so itself."""
    if profile is None or profile.server in REFUSE_THEMSELVES:
        return None
    return profile.context_tokens
