"""The embedded reasoner: questions are understood by grammar, facts are asked for by the solvers."""

from functools import lru_cache

from mapagent.answer import Solution, Status
from mapagent.config import Settings
from mapagent.evidence import Evidence
from mapagent.ports import Account, NameHints, ToolCall, Understanding
from mapagent.question import Question
from modules.intents import Attribute, CloserIntent, Intent, NearbyIntent, PlaceFactIntent, TripIntent
from modules.offline.lexicon import read_toml
from modules.offline.parser import not_understood, parse_all
from modules.offline.spatial_choice import SpatialChoice
from modules.reasoning import calls_of_intent, solution_of_intent
from modules.recommender.plan import confidence_in, recommendation_plan
from modules.recommender.understand import understand
from modules.spatial_database.sources import HasEngine

UNMEASURED = 0.9
"""Share right of an intent kind that the calibration does not list."""
UNTOLD = "The question asks for what no map tells: opinions, crowds, queues, traffic or the weather."
"""Why a question for what `unsupported.live` of the vocabulary names is not answered."""
_WAYS = frozenset({"duration", "way"})
"""What a search may want to know of the way to the place it finds."""
_LOOSE = frozenset(
    {Attribute.ADDRESS, Attribute.CATEGORY, Attribute.LOCATION, Attribute.OTHER, Attribute.SERVICE}
)
"""Facts whose words ("where", "what kind of") begin many wishes too."""


class OfflineReasoner:
    """Understands map questions without a language model (`mapagent.ports.Reasoner`)."""

    name = "offline"

    def __init__(self) -> None:
        self._spatial = SpatialChoice()

    @classmethod
    def from_settings(cls, settings: Settings) -> "OfflineReasoner":  # noqa: ARG003  (it needs none)
        """The reasoner (`mapagent.ports.ReasonerFactory`)."""
        return cls()

    async def plan(
        self,
        question: Question,
        *,
        names: NameHints | None = None,
        account: Account | None = None,  # noqa: ARG002  (nothing is charged)
    ) -> Understanding:
        """Parses the question; what no grammar explains is not understood, with the reason.

        Wishes that nothing else heeds ("somewhere cosy on the way") go to the recommender, questions over all
        features of a map to the spatial database.
        """
        parsed = parse_all(question, names)
        best = parsed.best.intent if parsed.best else None
        wish = None if _is_fact(best) else understand(question, names)
        live = parsed.analysis.has("unsupported.live")
        by_tools = not isinstance(names, HasEngine) and (live or _travels(best))
        spatial = None if by_tools else self._spatial.understanding(question, names, best)
        if spatial is not None and (wish is None or not wish.binding or isinstance(names, HasEngine)):
            return spatial
        if wish is not None and (wish.binding or parsed.best is None):
            return Understanding(plan=recommendation_plan(wish), confidence=confidence_in(wish))
        if parsed.best is None:
            reason = UNTOLD if live and question.context is None else not_understood(parsed)
            return Understanding(status=Status.NOT_UNDERSTOOD, confidence=0.0, reason=reason)
        intent = parsed.best.intent
        confidence = round(parsed.best.score * calibration().get(intent.kind, UNMEASURED), 4)
        return Understanding(intent=intent, confidence=confidence)

    async def next_calls(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        account: Account | None = None,  # noqa: ARG002  (nothing is charged)
    ) -> tuple[ToolCall, ...]:
        """The calls that fetch what the solver of the intent still needs."""
        return calls_of_intent(question, understanding, evidence)

    async def conclude(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        closed: bool,
        account: Account | None = None,  # noqa: ARG002  (nothing is charged)
    ) -> Solution:
        """What the solver of the intent makes of the evidence."""
        return solution_of_intent(question, understanding, evidence, closed=closed)


def _travels(intent: Intent | None) -> bool:
    """True if ways are asked about where places are searched for or compared: no database holds them."""
    if isinstance(intent, NearbyIntent):
        return not _WAYS.isdisjoint({intent.ask, *intent.also})
    if isinstance(intent, TripIntent):
        return any(visit.what is not None for visit in intent.visits)
    return isinstance(intent, CloserIntent) and intent.measure != "straight"


def _is_fact(intent: Intent | None) -> bool:
    """True if a fact about one named place is asked for, which is no wish for another place."""
    return isinstance(intent, PlaceFactIntent) and intent.attribute not in _LOOSE


@lru_cache(maxsize=1)
def calibration() -> dict[str, float]:
    """The measured share of right answers by intent kind."""
    return {kind: float(share) for kind, share in read_toml("calibration.toml")["share_right"].items()}
