"""The language model of the recommender: asked by prompt files, with places put before it whole.

It puts at most twenty places in order that fulfil all conditions (section 4.4.2 and appendix F.3), and quotes
what of a description speaks for a place. An order that leaves places out, repeats them or makes up numbers is
completed by the scores; words that stand in no description are dropped.

It also reads wishes (appendix F.2): it names a kind and writes two sentences; categories are made of its words by the
same code that reads wishes without a model. Where the place should be is said by the program, and never asked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from map_tools.compute.measures import format_distance
from map_tools.errors import LimitError, ModelError
from map_tools.text import normalise
from mapagent.core.ports import RequestContext
from mapagent.core.prompts import load_prompt
from mapagent.core.rendering import clean
from mapagent.llm.chat import ChatMessage, ChatModel, text_tokens
from mapagent.runtime.config import Settings
from modules.recommender.describe import whole_description, words_for
from modules.recommender.score import Ranked, Ranking
from modules.recommender.setting import RERANKED
from modules.recommender.understand import RecommendationQuery, all_of, keys_in, kinds_of, read_wish

PACKAGE = "modules.recommender"
PROMPT = "rerank"
OFFLINE = "offline"
PLACES_TOKENS = 2_000
"""So much may be told of all places together; with rules and wish it fits a context of 4,096."""
REPLY_TOKENS = 400
_HARMLESS = str.maketrans({"<": "‹", ">": "›"})

WHAT = "what"


class Order(BaseModel):
    """The places by their numbers, the best first, and for the first ones words of their descriptions."""

    model_config = ConfigDict(extra="forbid")

    order: list[int] = Field(max_length=4 * RERANKED)
    why: list[str] = Field(default_factory=list, max_length=RERANKED)


@dataclass(frozen=True, slots=True)
class Repaired:
    """A usable order.

    Attributes:
        positions: Of all places, from 0, each of them once.
        missing, repeated, unknown: How many of the model's numbers were wrong, by what is wrong with them.
    """

    positions: tuple[int, ...]
    missing: int
    repeated: int
    unknown: int

    @property
    def note(self) -> str:
        """What had to be repaired, in a sentence; empty if nothing had."""
        faults = (
            (self.missing, "left out"),
            (self.repeated, "named more than once"),
            (self.unknown, "made up"),
        )
        said = ", ".join(f"{count} {words}" for count, words in faults if count)
        return f"The model's order was completed by the scores ({said})." if said else ""


def repaired(order: Sequence[int], count: int) -> Repaired:
    """A model's order of numbers from 1 to `count`, completed by what it leaves out."""
    known = [number - 1 for number in order if 1 <= number <= count]
    once = tuple(dict.fromkeys(known))
    left = tuple(position for position in range(count) if position not in once)
    return Repaired(once + left, len(left), len(known) - len(once), len(order) - len(known))


class WishModel:
    """A model that reads wishes and ranks places, opened when it is first asked.

    Args:
        opened: Opens the model.
        prompts: The user's own prompts; None for the built-in ones.
    """

    def __init__(self, opened: Callable[[], ChatModel], prompts: Path | None = None) -> None:
        self._opened = opened
        self._prompts = prompts
        self._model: ChatModel | None = None

    @classmethod
    def from_settings(cls, settings: Settings, model: str = "") -> "WishModel | None":
        """The model of some settings; None where there is none.

        Args:
            settings: Server, key, limits.
            model: The model's name; empty: the settings' model.
        """
        if (model or settings.model) == OFFLINE:
            return None

        def opened() -> ChatModel:
            from mapagent.llm.open import open_model

            return open_model(settings, model or None)

        return cls(opened, settings.prompts)

    async def ask[T: BaseModel](
        self, name: str, values: Mapping[str, str], shape: type[T], request_context: RequestContext
    ) -> T:
        """A value from the model, by the prompts NAME.md (fixed, so that servers keep it) and NAME_ask.md.

        Raises:
            ConfigError: The model cannot be used: it needs a key, or its address is none.
            LimitError: A budget is spent.
            ModelError: The server cannot be reached or refuses, or the reply fits no form.
        """
        rules = load_prompt(PACKAGE, name, self._prompts)
        asked = load_prompt(PACKAGE, f"{name}_ask", self._prompts)
        messages = (
            ChatMessage(role="system", text=rules.text, prompt=rules.mark),
            ChatMessage(role="user", text=asked.fill(**values), prompt=asked.mark),
        )
        if self._model is None:
            self._model = self._opened()
        return await self._model.structured(
            messages, shape, request_context=request_context, label=name, max_tokens=REPLY_TOKENS
        )

    async def reranked(
        self, wish: str, ranking: Ranking, shortlist: int, request_context: RequestContext
    ) -> tuple[Ranking, str]:
        """The ranking in the model's order, and a note on what had to be repaired.

        Where the model cannot be had or gives no order, the scores decide, and the note says so.

        Args:
            wish: The wish in words.
            ranking: By the scores.
            shortlist: So many of the best are put before the model, or as many as there is room for; the
                others stay behind them.
            request_context: What the call is charged to.
        """
        shown = _fitting(ranking.ranked[:shortlist])
        if len(shown) < 2:
            return ranking, ""
        values = {
            "wish": data(wish),
            "places": "\n".join(f"{number}. {told}" for number, told in enumerate(shown, 1)),
            "count": str(len(shown)),
        }
        try:
            reply = await self.ask(PROMPT, values, Order, request_context)
        except (ModelError, LimitError) as error:
            request_context.trace.event("rerank.refused", reason=error.message)
            return ranking, f"The order is that of the scores: {error.message}"
        order = repaired(reply.order, len(shown))
        if len(order.positions) == order.missing:
            return ranking, "The order is that of the scores: the model named none of the places."
        said = {
            position: words.strip()
            for position, words in zip(order.positions, reply.why, strict=False)
            if is_quoted(words, shown[position])
        }
        behind = range(len(shown), len(ranking.ranked))
        return ranking.reordered((*order.positions, *behind), said), order.note

    async def close(self) -> None:
        """Frees the model's connections."""
        if self._model is not None:
            await self._model.close()
            self._model = None


def data(text: str) -> str:
    """A text as data: one line, without the brackets that marks are made of."""
    return clean(text).translate(_HARMLESS)


def is_quoted(words: str, text: str) -> bool:
    """Whether words stand in a text, letter case, accents and punctuation aside."""
    wanted = normalise(words)
    return bool(wanted) and f" {wanted} " in f" {normalise(text)} "


def _fitting(places: Sequence[Ranked]) -> list[str]:
    """As many of the first places as there is room for, each described whole."""
    told: list[str] = []
    room = PLACES_TOKENS
    for one in places:
        line = _told(one)
        room -= text_tokens(line)
        if room < 0:
            break
        told.append(line)
    return told


def _told(one: Ranked) -> str:
    """A place in one line, as data."""
    place, away_m = one.candidate.place, one.candidate.distance_m
    parts = [whole_description(place), *map(words_for, one.around)]
    told = data("; ".join(parts))
    return f"{told}; {format_distance(away_m)}" if away_m else told


class What(BaseModel):
    """What a place should be, and what it should be like."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["restaurant", "hotel", "attraction"]
    kind: str = ""
    spatial: str = ""
    semantic: str = ""
    where_counts: int = Field(default=5, ge=0, le=10)
    what_counts: int = Field(default=5, ge=0, le=10)


async def read_with(model: WishModel, text: str, request_context: RequestContext) -> RecommendationQuery:
    """The wish that some words express, as a model reads them.

    Args:
        model: The model; the call counts among those of the question.
        text: The words.
        request_context: What the call is charged to.

    Raises:
        LimitError: A budget is spent.
        ModelError: The server cannot be reached or refuses, or the reply fits no form.
    """
    said = await model.ask(WHAT, {"question": data(text)}, What, request_context)
    categories, what = kinds_of(said.kind) or all_of(said.type)
    plain = read_wish(text) or RecommendationQuery(text=text, what=what, categories=categories)
    return plain.model_copy(
        update={
            "what": what,
            "categories": categories,
            "spatial_words": tuple(sorted(keys_in("spatial", said.spatial))),
            "semantic_words": tuple(sorted(keys_in("semantic", said.semantic))),
            "spatial_text": said.spatial.strip(),
            "semantic_text": said.semantic.strip(),
            "shares": (float(said.where_counts), float(said.what_counts)),
        }
    )
