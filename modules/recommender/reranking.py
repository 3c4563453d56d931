"""The final choice by a language model (section 4.4.2 and appendix F.3), with its reply checked.

A model sees at most twenty candidates that all fulfil the hard constraints; it can only put them in order.
An order that leaves places out, repeats them or makes up numbers is completed in the order of the scores,
and the answer says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from map_tools.compute.quantities import format_distance
from map_tools.errors import LimitError, ModelError
from map_tools.types import Place
from mapagent.ports import Account
from mapagent.question import Question
from modules.planner.conversation import Conversation, clipped
from modules.planner.quoting import data
from modules.recommender.describe import semantic_sentences
from modules.recommender.rank import Ranked, Ranking
from modules.recommender.setting import RERANKED
from modules.recommender.surroundings import words_for

PACKAGE = "modules.recommender"
PROMPT = "rerank"
QUESTION_TOKENS = 400
PLACE_TOKENS = 70
"""So much is told of the wish and of each place; twenty places then fit into one call."""


class Order(BaseModel):
    """The places by their numbers, the best first."""

    model_config = ConfigDict(extra="forbid")

    order: list[int] = Field(max_length=4 * RERANKED)


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


class Reranker:
    """Asks a model for an order.

    Args:
        conversation: The model.
        shortlist: So many of the best by their scores it puts in order; the others stay behind them.
    """

    def __init__(self, conversation: Conversation, shortlist: int = RERANKED) -> None:
        self._conversation = conversation.within(PACKAGE)
        self._shortlist = shortlist

    async def reranked(self, question: Question, ranking: Ranking, account: Account) -> tuple[Ranking, str]:
        """The ranking in the model's order, and a note on what had to be repaired.

        Where the model cannot be had or gives no order, the scores decide, and the note says so.
        """
        shown = ranking.ranked[: self._shortlist]
        count = len(shown)
        values = {
            "wish": clipped(data(question.text), QUESTION_TOKENS),
            "places": "\n".join(f"{number}. {_told(one)}" for number, one in enumerate(shown, 1)),
            "count": str(count),
        }
        try:
            reply = await self._conversation.ask(PROMPT, values, Order, account=account)
        except (ModelError, LimitError) as error:
            account.trace.event("rerank.refused", reason=error.message)
            return ranking, f"The order is that of the scores: {error.message}"
        order = repaired(reply.order, count)
        if len(order.positions) == order.missing:
            return ranking, "The order is that of the scores: the model named none of the places."
        behind = range(count, len(ranking.ranked))
        return ranking.reordered((*order.positions, *behind)), order.note


def _told(one: Ranked) -> str:
    """A place in one line, as data."""
    place, away = one.candidate.place, one.candidate.distance_m
    parts = [_described(place), *map(words_for, one.around)]
    told = clipped(data("; ".join(parts)), PLACE_TOKENS)
    return f"{told}; {format_distance(away)}" if away else told


def _described(place: Place) -> str:
    return ". ".join(semantic_sentences(place))
