"""The embedded planner: a grammar reads the question, and what it read is written as a program."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from map_tools.spatial_db.sources import DIRECTIONS, HALVES, HasEngine
from map_tools.types import TravelMode
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.ports import Run
from mapagent.question import Question
from modules.context_reader.port import TextSource
from modules.offline.intents import (
    CloserIntent,
    NearbyIntent,
    RouteIntent,
    TripIntent,
)
from modules.offline.lexicon import read_toml
from modules.offline.parser import not_understood, parse_all
from modules.offline.programs.spatial import spatial
from modules.offline.programs.words import quoted
from modules.offline.programs.write import write
from modules.offline.spatial_choice import SpatialChoice
from modules.query.language.errors import ProgramError

UNMEASURED = 0.9
"""Share right of an intent kind that the calibration does not list."""
UNTOLD = "The question asks for what no map tells: opinions, crowds, queues, traffic or the weather."
"""Why a question for what `unsupported.live` of the vocabulary names is not answered."""
_WAYS = frozenset({"duration", "way"})
"""What a search may want to know of the way to the place it finds."""
_MAP_FIRST = frozenset({"distance", "open", "place_fact", "route", "trip"})
"""What the map's facts tell better than a look at a picture."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as the grammar read it.

    Attributes:
        program: Its program; empty where it was not understood.
        confidence: 0 to 1, how sure the reading is.
        kind: What kind of question it is, for the trace.
        reason: Why it was not understood.
    """

    program: str
    confidence: float = 0.0
    kind: str = ""
    reason: str = ""


class GrammarPlanner:
    """Answers without a language model (`mapagent.ports.Planner`)."""

    name = "offline"

    def __init__(self) -> None:
        self._spatial = SpatialChoice()

    @classmethod
    def from_settings(cls, settings: Settings) -> "GrammarPlanner":  # noqa: ARG003  (it needs none)
        """The planner (`mapagent.ports.PlannerFactory`)."""
        return cls()

    async def answer(self, run: Run) -> Answer:
        """Reads the question and runs its program."""
        with run.account.trace.span("plan", planner=self.name) as span:
            reading = self.read(run.question, run)
            span.attributes |= {"kind": reading.kind, "confidence": reading.confidence}
        if run.question.image is not None:
            return await self._by_picture(run, reading)
        if not reading.program:
            return Answer(status=Status.NOT_UNDERSTOOD, text="", reason=reading.reason)
        return await self._run(run, reading)

    def read(self, question: Question, run: Run) -> Reading:
        """The program of a question; what no grammar explains is not understood, with the reason.

        Questions over all features of a map go to the spatial database.
        """
        names = run.names if question.context is None else None
        parsed = parse_all(question, names)
        best = parsed.best.intent if parsed.best else None
        live = parsed.analysis.has("unsupported.live")
        by_tools = not isinstance(names, HasEngine) and (live or _travels(best))
        over_all = None if by_tools else self._spatial.reading(question, names, best)
        if over_all is not None:
            halves = isinstance(names, HasEngine) and names.engine.note.get(DIRECTIONS) == HALVES
            return Reading(spatial(over_all.intent, halves=halves), round(over_all.score, 4), "spatial")
        if parsed.best is None:
            reason = UNTOLD if live and question.context is None else not_understood(parsed)
            return Reading("", 0.0, "", reason)
        intent = parsed.best.intent
        confidence = round(parsed.best.score * calibration().get(intent.kind, UNMEASURED), 4)
        return Reading(write(intent, question, _modes(intent, run.provider)), confidence, intent.kind)

    async def _run(self, run: Run, reading: Reading) -> Answer:
        try:
            answer = await run.execute(reading.program)
        except ProgramError as error:
            run.account.trace.event("program.refused", program=reading.program, reason=str(error))
            return Answer(
                status=Status.NOT_UNDERSTOOD, text="", reason=f"What was read makes no program. {error}"
            )
        sure = reading.confidence * answer.confidence
        return answer.model_copy(update={"confidence": round(min(1.0, max(0.0, sure)), 4)})

    async def _by_picture(self, run: Run, reading: Reading) -> Answer:
        """What the picture shows is answered from it; what only a map tells, by the map first."""
        looked = Reading(f"answer(seen({quoted(run.question.text)}))", 1.0, "picture")
        guessed = Reading(f"answer(seen({quoted(run.question.text)}, guess=True))", 1.0, "picture")
        by_map = [reading] if reading.program else []
        first = [*by_map, looked] if reading.kind in _MAP_FIRST else [looked, *by_map]
        last: Answer | None = None
        for one in (*first, guessed):
            answer = await self._run(run, one)
            if answer.status is Status.ANSWERED:
                return answer
            last = answer if one is looked or last is None else last
        return last or Answer(status=Status.NOT_UNDERSTOOD, text="", reason=reading.reason)


def _modes(intent: Any, provider: object) -> tuple[TravelMode, ...]:
    """Where a supplied text tells ways: the modes that it knows between these places, or at all."""
    if not isinstance(provider, TextSource) or not isinstance(intent, RouteIntent | TripIntent):
        return ()
    from modules.context_reader.world import TextProvider

    if not isinstance(provider, TextProvider):
        return ()
    told = Counter([key[2] for key in provider.world.travel] + [key[2] for key in provider.world.routes])
    common = tuple(mode for mode, _ in told.most_common())
    if isinstance(intent, RouteIntent):
        return provider.modes_between(intent.origin, intent.destination) or common
    return common


def _travels(intent: Any) -> bool:
    """Whether ways are asked about where places are searched for or compared: no database holds them."""
    if isinstance(intent, NearbyIntent):
        return not _WAYS.isdisjoint({intent.ask, *intent.also})
    if isinstance(intent, TripIntent):
        return any(visit.what is not None for visit in intent.visits)
    return isinstance(intent, CloserIntent) and intent.measure != "straight"


@lru_cache(maxsize=1)
def calibration() -> dict[str, float]:
    """The measured share of right answers by intent kind."""
    return {kind: float(share) for kind, share in read_toml("calibration.toml")["share_right"].items()}
