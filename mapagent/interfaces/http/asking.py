"""How a question or a program that came over HTTP is answered, and what is remembered of it."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from map_tools.clock import Clock, SystemClock
from map_tools.own_places import OwnPlaces
from map_tools.providers.base import ANY_BASE_MAP
from mapagent.core.agent import PROGRAM, MapAgent
from mapagent.core.answer import Answer
from mapagent.core.conversation import turn_of, with_earlier
from mapagent.core.ports import RequestContext, Watcher
from mapagent.core.question import Question
from mapagent.interfaces.cli.show import as_record
from mapagent.interfaces.http.agents import Choice, Offers, OpenAgent
from mapagent.interfaces.http.answer_cards import place_cards, way_cards
from mapagent.interfaces.http.conversing import Conversing
from mapagent.interfaces.http.disconnect import Emit
from mapagent.interfaces.http.events import LiveEvents
from mapagent.interfaces.http.history import History, Kept
from mapagent.interfaces.http.limits import Slots
from mapagent.interfaces.http.metrics import ask_counts
from mapagent.interfaces.http.pool import Pool
from mapagent.interfaces.http.schemas import AskBody, QueryBody
from mapagent.interfaces.pictures import encoded_picture
from mapagent.interfaces.takeaway.features import answer_features
from mapagent.interfaces.takeaway.ways import ways_of
from mapagent.runtime.ledger import Ledger
from mapagent.runtime.trace import Trace


@dataclass(frozen=True, slots=True)
class Order:
    """A question that was read, and what it is to be answered with; its picture is still in the body."""

    body: AskBody | QueryBody
    question: Question
    choice: Choice


@dataclass(frozen=True, slots=True)
class Asking:
    """Answers questions with the server's agents, as many at once as it has slots for.

    Attributes:
        own: Tells the own places that the agents know.
    """

    agents: Pool[Choice, OpenAgent]
    offers: Offers
    slots: Slots
    history: History
    conversations: Conversing
    own: Callable[[], OwnPlaces]
    clock: Clock = field(default_factory=SystemClock)

    async def accept(self, body: AskBody | QueryBody) -> Order:
        """Reads a question, or a program and what belongs to it.

        Raises:
            UsageError: It is empty, too long, wants what the server does not offer, or belongs to a
                conversation that is not kept.
        """
        asked = Question(
            text=_text(body),
            options=body.options,
            context=body.context,
            near=body.near,
            at=body.at,
            choice=body.choice,
        )
        said = await self.conversations.turns(body.conversation)
        question = with_earlier(asked, said)
        named = body.provider is not None or body.map is not None
        choice = self.offers.choose(
            model=body.model if isinstance(body, AskBody) else None,
            provider=body.provider,
            map_name=body.map,
            use_map=body.context is None or named,
        )
        return Order(body, question, choice)

    async def ask(self, order: Order, emit: Emit | None = None) -> dict[str, Any]:
        """Answers a question, or runs a program, and remembers it.

        Args:
            order: Of `accept`.
            emit: Takes the events of the run; None if nobody watches.

        Returns:
            What `POST /api/ask` replies, and under "features" what there is to draw.

        Raises:
            MapAgentError: As `MapAgent.ask` and `MapAgent.query`.
            Refusal: Too many wait already.
        """
        private = bool((await asyncio.to_thread(self.own)).places)
        async with self.slots.one(), self.agents.lease(order.choice) as opened:
            base_map = opened.terms.base_map if opened.terms else ANY_BASE_MAP
            watcher = LiveEvents(emit, base_map) if emit else Watcher()
            request_context = RequestContext(Ledger(opened.agent.settings.limits()), Trace(), watcher)
            answer = await _answered(opened.agent, order, request_context)
            ways = await ways_of(answer, opened.agent)
        cards = place_cards(answer, order.question, self.clock.now())
        record = as_record(answer) | {"cards": cards, "ways": way_cards(answer, ways)}
        features = answer_features(answer, ways)
        kept = None
        if opened.terms is None or opened.terms.keep_payload_days is None:
            content = {"question": _question_record(order.body), "answer": record, "features": features}
            kept = Kept(content, _json_lines(request_context.trace))
        # A program that came without words is remembered by those it is read back with.
        title = order.body.question or answer.understood or PROGRAM
        ask_id = await self.history.add(title, record, kept, ask_counts(record), private=private)
        conversation = None
        if isinstance(order.body, AskBody) or order.body.conversation is not None:
            turn = turn_of(order.question, answer)
            conversation = await self.conversations.add(order.body.conversation, turn)
        return {"id": ask_id, "conversation": conversation, **record, "features": features}


def _text(body: AskBody | QueryBody) -> str:
    if isinstance(body, QueryBody):
        return body.question if body.question and body.question.strip() else PROGRAM
    return body.question


def _question_record(body: AskBody | QueryBody) -> Mapping[str, Any]:
    """The question without the picture and the text that came with it.

    The conversation is not told either: all who may ask can read the history, and whoever has its id could go on.
    """
    return body.model_dump(mode="json", exclude={"image", "context", "conversation"}) | {
        "with_image": body.image is not None,
        "with_context": body.context is not None,
    }


def _json_lines(trace: Trace) -> str:
    """The spans as JSON lines, as `ask --trace` writes them."""
    return "".join(f"{json.dumps(span.as_json(), default=str)}\n" for span in trace.spans)


async def _answered(agent: MapAgent, order: Order, request_context: RequestContext) -> Answer:
    encoded = order.body.image
    with nullcontext() if encoded is None else encoded_picture(encoded) as path:
        question = order.question.model_copy(update={"image": path})
        use_map = order.choice.provider is not None
        if isinstance(order.body, QueryBody):
            return await agent.query(
                order.body.program, question=question, use_provider=use_map, request_context=request_context
            )
        return await agent.ask(question, use_provider=use_map, request_context=request_context)
