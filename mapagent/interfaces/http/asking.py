"""How a question or a program that came over HTTP is answered: with which agent, and what is remembered of it.

There is one agent for each choice of model, provider and map.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from map_tools.clock import Clock, SystemClock
from map_tools.errors import ConfigError, UnknownNameError
from map_tools.own_places import NO_OWN_PLACES, OwnPlaces
from map_tools.providers.base import ANY_BASE_MAP, Provider, Terms
from mapagent.core.agent import PROGRAM, MapAgent
from mapagent.core.answer import Answer
from mapagent.core.conversation import turn_of, with_earlier
from mapagent.core.ports import RequestContext, Watcher
from mapagent.core.question import Question
from mapagent.interfaces.cli.show import as_record
from mapagent.interfaces.conversations import Conversing
from mapagent.interfaces.http.admission import Slots
from mapagent.interfaces.http.answer_cards import place_cards, way_cards
from mapagent.interfaces.http.history import History, Kept
from mapagent.interfaces.http.metrics import ask_counts
from mapagent.interfaces.http.pool import Pool
from mapagent.interfaces.http.replies import Emit, LiveEvents
from mapagent.interfaces.http.schemas import AskBody, QueryBody
from mapagent.interfaces.pictures import encoded_picture
from mapagent.interfaces.takeaway.features import EMBEDDED_PROVIDER, answer_features, ways_of
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger
from mapagent.runtime.opening import map_home, open_provider
from mapagent.runtime.trace import Trace

MOST_OPEN = 6
"""Agents held open while nobody uses them; an open map costs memory and file handles."""
EMBEDDED_MODEL = "offline"


@dataclass(frozen=True, slots=True)
class Choice:
    """What a question is answered with.

    `build` is the folder of the map's present build, so that a map that was built anew is opened anew.
    `provider` is None where only supplied text is to be read.
    """

    model: str
    provider: str | None
    map: str | None = None
    build: Path | None = None


class Offers:
    """What callers may choose: a model or provider is not opened, or paid for, because somebody named it.

    Args:
        settings: Those of the server; their model and provider are the defaults.
        models: Further models.
        providers: Further providers.
    """

    def __init__(self, settings: Settings, models: tuple[str, ...], providers: tuple[str, ...]) -> None:
        self._settings = settings
        self._home = map_home(settings)
        self.models = tuple(dict.fromkeys((settings.model, EMBEDDED_MODEL, *models)))
        named = (settings.provider, EMBEDDED_PROVIDER, *providers)
        self._providers = {each.partition(":")[0]: each for each in reversed(named)}
        self.providers = tuple(dict.fromkeys(each.partition(":")[0] for each in named))
        """Their names alone: what follows a colon may be a path on this machine."""

    def choose(
        self, *, model: str | None, provider: str | None, map_name: str | None, use_map: bool
    ) -> Choice:
        """The choice of a caller; None takes the server's default.

        Raises:
            UnknownNameError: The server does not offer this.
            ConfigError: There is no map yet.
        """
        model = _offered("model", model, self.models)
        if not use_map:
            return Choice(model, None)
        provider = _offered("provider", provider, self.providers)
        if provider != EMBEDDED_PROVIDER:
            return Choice(model, self._providers[provider])
        name = map_name or self.default_map()
        if name is None:
            raise ConfigError(
                "There is no map yet.", "Add one with `mapagent map add FILE.osm.pbf`, or run `make demo`."
            )
        return Choice(model, provider, name, self._home.path(name).resolve())

    def default_map(self) -> str | None:
        """The map that is asked if none is named; None if there is none."""
        return self._settings.map or self._home.last_added()


def _offered(kind: str, wanted: str | None, offered: tuple[str, ...]) -> str:
    if wanted is None:
        return offered[0]
    if wanted not in offered:
        raise UnknownNameError(
            f"This server offers no {kind} '{wanted}'.", f"It offers {', '.join(offered)}."
        )
    return wanted


@dataclass(frozen=True, slots=True)
class OpenAgent:
    """An agent, and the terms its map data is under (None without a provider)."""

    agent: MapAgent
    terms: Terms | None

    async def close(self) -> None:
        """Closes the agent."""
        await self.agent.close()


def agents_of(
    settings: Settings, own: OwnPlaces | Callable[[], OwnPlaces] = NO_OWN_PLACES
) -> Pool[Choice, OpenAgent]:
    """Agents by choice, opened when first asked, that all know the same own places.

    Leasing one raises `UsageError` if its model or provider lacks something (a key, an address), and
    `MapStoreError` if its map is damaged.
    """

    async def opened(choice: Choice) -> OpenAgent:
        chosen = settings.model_copy(
            update={
                "model": choice.model,
                "provider": choice.provider or settings.provider,
                "map": choice.map,
            }
        )
        provider: Provider | None = None
        if choice.provider is not None:
            provider = await asyncio.to_thread(open_provider, chosen)
        agent = MapAgent(chosen, provider=provider, own=own)
        return OpenAgent(agent, provider.terms if provider else None)

    return Pool(opened, MOST_OPEN)


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
