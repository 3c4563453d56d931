"""Runs programs over a small town, in one go or with its facts coming in any order, and over supplied texts."""

import asyncio
import random
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from map_tools.clock import FrozenClock
from map_tools.tools.base import ToolContext
from map_tools.types import LatLng, Place
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.core.runstate import RunState, ToolBox
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger, Limits
from modules.query.answering import _Caller
from modules.query.interpreter.context import Facts
from modules.query.interpreter.evaluator import Evaluator
from modules.query.interpreter.fetching import fetches, replies
from modules.query.inventory import Inventory
from modules.query.language.checker import check
from modules.query.language.parser import parse
from modules.query.read_back import plan_of
from modules.query.situation import situation_of
from tests.modules.query.verify.programs import OPTIONS
from tests.modules.query.verify.town import Town
from tests.modules.query.verify.worked import NOW, Worked, work

HERE = LatLng(lat=48.2, lng=16.3)
QUESTION = Question(text="?", near=HERE)
CHOOSING = Question(text="?", near=HERE, options=OPTIONS)


@lru_cache(maxsize=1)
def inventory() -> Inventory:
    """All operators."""
    return Inventory.load(Settings())


def town(*places: Place) -> Town:
    """The town, with some more places; it keeps its names at hand, so that nothing stands before it."""
    made = Town(places=places)
    made.capabilities = made.capabilities.model_copy(update={"cheap_names": True})
    return made


def run(program: str, *places: Place, question: Question = QUESTION) -> Worked:
    """Runs a program as a question's."""
    return work(program, town(*places), question=question)


def run_in_any_order(program: str, seed: int) -> Any:
    """What a program comes to if of all that it wants a random part is fetched at a time."""
    return asyncio.run(_run_in_any_order(program, random.Random(seed)))


async def _run_in_any_order(text: str, chance: random.Random) -> Any:
    provider, operators = town(), inventory().operators
    program = check(parse(text), operators)
    request_context = RequestContext(Ledger(Limits(max_tool_calls=20_000, max_rounds=2_000)))
    toolbox = ToolBox(provider, ToolContext(here=HERE, near=HERE))
    state = RunState(CHOOSING, provider, toolbox, FrozenClock(NOW), request_context, Settings())
    caller = _Caller(state, plan_of(program, operators), inventory())
    facts = Facts()
    for _ in range(2_000):
        evaluator = Evaluator(program, operators, facts, situation_of(state))
        result = evaluator.run()
        if result is not None or not facts.wanted:
            return result, set(evaluator.context.warnings)
        wanted = sorted(facts.wanted, key=repr)
        chosen = chance.sample(wanted, chance.randint(1, len(wanted)))
        for fetch in fetches(chosen, database=False):
            facts.take(replies(fetch, await caller.call(facts.wanted[fetch.requests[0]], fetch.call)))
    raise AssertionError("it never ends")


def told(program: str, text: str, *, options: Sequence[str] = (), at: datetime | None = None) -> Answer:
    """The answer of a program over a text, verified as every answer is."""
    question = Question(text="?", context=text, options=tuple(options), at=at)
    return asyncio.run(MapAgent(Settings()).query(program, question=question))


def parts(answer: Answer) -> dict[str, str]:
    """The named parts of an answer as text."""
    return {name: part.text for name, part in answer.parts.items()}
