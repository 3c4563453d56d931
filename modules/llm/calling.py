"""The map-tool agent of free plans (MapAgent paper, section 3.4 and appendix B.1).

Which tools, which arguments, several at once, again after seeing results: the model fills in a plain form.
The tools' own arguments are made of it here, and a place that neither the question nor the map has named is
never looked up.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from map_tools.errors import ModelReplyError
from map_tools.facts import FailureFact, NearbyFact, PlaceFact
from map_tools.tools.base import HERE_WORDS
from mapagent.evidence import Evidence
from mapagent.plan import Plan
from mapagent.ports import Account, ToolCall
from mapagent.question import Question
from modules.llm.conversation import Conversation
from modules.llm.facts_text import facts_text
from modules.llm.places import named_places, single_places
from modules.llm.quoting import asked_text, data, is_quoted

PROMPT = "tools"
CALLS_AFTER = 1
"""One call must be left for the solution."""
MAX_CALLS_A_ROUND = 6
MAX_RADIUS_M = 50_000
FACTS_TOKENS = 900


class Wanted(BaseModel):
    """One call of a map tool, as a model writes it; without a schema it leaves out what it does not need."""

    model_config = ConfigDict(extra="forbid")

    tool: Literal["PlaceInfo", "Nearby", "Route", "Trip"]
    place: str
    others: list[str] = Field(default_factory=list)
    kind: str = ""
    mode: Literal["driving", "walking", "bicycling", "transit"] = "driving"
    radius_m: float = 0.0


class Round(BaseModel):
    """The calls of one round."""

    model_config = ConfigDict(extra="forbid")

    calls: list[Wanted] = Field(max_length=MAX_CALLS_A_ROUND)
    done: bool = False


class ToolChooser:
    """Asks the model for map-tool calls.

    Args:
        conversation: The model.
    """

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    async def calls(
        self, question: Question, plan: Plan | None, evidence: tuple[Evidence, ...], account: Account
    ) -> tuple[ToolCall, ...]:
        """The next round; empty where enough is known, or nothing new can be asked.

        Raises:
            LimitError: A budget is spent.
            ModelError: The server cannot be reached or refuses.
        """
        if self._conversation.calls_left(account) <= CALLS_AFTER or _nothing_new(evidence):
            return ()
        values = {"question": asked_text(question), "subgoals": _subgoals(plan)}
        room = min(self._conversation.room(PROMPT, values | {"facts": ""}), FACTS_TOKENS)
        values["facts"] = facts_text(evidence, question, tokens=room)
        try:
            chosen = await self._conversation.ask(PROMPT, values, Round, account=account, max_tokens=400)
        except ModelReplyError as error:
            account.trace.event("calls.refused", reason=error.message)
            return ()
        made = _allowed(chosen, question, evidence, account)
        return made or (() if any(map(_tells, evidence)) else _named(question))


def _allowed(
    chosen: Round, question: Question, evidence: tuple[Evidence, ...], account: Account
) -> tuple[ToolCall, ...]:
    """The calls whose places are named by the question or the map; the others are noted and left out."""
    known = (question.text, *question.options, *_names(evidence))
    calls: list[ToolCall] = []
    for wanted in chosen.calls:
        places = single_places((wanted.place, *wanted.others), question)
        strange = [one for one in places if one not in HERE_WORDS and not is_quoted(one, *known)]
        if strange or not places:
            named = ", ".join(f"'{one}'" for one in strange) or "no place"
            account.trace.event(
                "calls.refused", reason=f"{wanted.tool} names {named}: neither asked nor found."
            )
            continue
        calls += _MAKERS[wanted.tool](wanted, places)
    return tuple(call for number, call in enumerate(calls) if call not in calls[:number])[:MAX_CALLS_A_ROUND]


def _info(_: Wanted, places: tuple[str, ...]) -> list[ToolCall]:
    return [ToolCall(tool="PlaceInfo", arguments={"location_address": place}) for place in places]


def _nearby(wanted: Wanted, places: tuple[str, ...]) -> list[ToolCall]:
    if not wanted.kind.strip():
        return _info(wanted, places)
    radius: dict[str, Any] = {"radius": wanted.radius_m} if 0 < wanted.radius_m <= MAX_RADIUS_M else {}
    return [
        ToolCall(tool="Nearby", arguments={"query": wanted.kind.strip(), "location": place, **radius})
        for place in places
    ]


def _route(wanted: Wanted, places: tuple[str, ...]) -> list[ToolCall]:
    if len(places) < 2:
        return _info(wanted, places)
    first, *between, last = places
    arguments: dict[str, Any] = {
        "origin": first,
        "destination": last,
        "travel_mode": wanted.mode,
        "alternatives": True,
    }
    if between:
        arguments["waypoints"] = between
    return [ToolCall(tool="Route", arguments=arguments)]


def _trip(wanted: Wanted, places: tuple[str, ...]) -> list[ToolCall]:
    if len(places) < 2:
        return _info(wanted, places)
    arguments = {
        "current_location": places[0],
        "visiting_places": list(places[1:]),
        "travel_mode": wanted.mode,
    }
    return [ToolCall(tool="Trip", arguments=arguments)]


_MAKERS: dict[str, Callable[[Wanted, tuple[str, ...]], list[ToolCall]]] = {
    "PlaceInfo": _info,
    "Nearby": _nearby,
    "Route": _route,
    "Trip": _trip,
}


def _nothing_new(evidence: tuple[Evidence, ...]) -> bool:
    """True if the last call of the map tools brought nothing but failures: asking on is of no use."""
    fetched = [item for item in evidence if item.source.arguments]
    if not fetched:
        return False
    last = fetched[-1].source.arguments
    return all(isinstance(item.value, FailureFact) for item in fetched if item.source.arguments == last)


def _names(evidence: tuple[Evidence, ...]) -> Iterator[str]:
    """The names of all places the map has told of."""
    for item in evidence:
        if isinstance(item.value, PlaceFact):
            yield item.value.place.name
        elif isinstance(item.value, NearbyFact):
            yield from (entry.place.name for entry in item.value.items)


def _named(question: Question) -> tuple[ToolCall, ...]:
    """What is worth looking up where the model asks for nothing: the places the question names."""
    calls = (
        ToolCall(tool="PlaceInfo", arguments={"location_address": name}) for name in named_places(question)
    )
    return tuple(calls)[:MAX_CALLS_A_ROUND]


def _tells(item: Evidence) -> bool:
    return not isinstance(item.value, FailureFact)


def _subgoals(plan: Plan | None) -> str:
    if plan is None:
        return "fetch the facts the question needs"
    return data("; ".join(step.subgoal for step in plan.steps if step.module == "map_service"))
