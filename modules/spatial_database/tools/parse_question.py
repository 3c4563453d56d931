"""ParseQuestion: the spatial parameters of a question, by one bounded call (Geo-ReAct, section 4.1.2)."""

import re
from itertools import dropwhile
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from map_tools.compute.geodesy import wind_name, wind_words
from map_tools.compute.measures import parse_distance_m
from map_tools.errors import ModelReplyError, ToolError
from map_tools.text import normalise
from mapagent.core.ports import RequestContext
from mapagent.core.prompts import load_prompt
from mapagent.core.rendering import clean
from mapagent.llm.chat import ChatMessage, ChatModel
from modules.spatial_database.tools.base import Arguments, Concept, Result, Role, SpatialTool

PACKAGE = "modules.spatial_database"
PROMPT = "parse_question"
MAX_TOKENS = 250

type Ask = Literal[
    "name", "names", "location", "direction", "distance", "count", "area", "length", "kind", "kinds", "fact"
]
"""What is wanted of a feature. "kind": what kind of place it is; "kinds": which kinds there are."""
type Pick = Literal["any", "nearest", "farthest", "largest", "smallest", "longest", "shortest"]
"""Which of several features is meant."""
type Choice = Literal[Pick, "beside"]
"""Which of several, or what stands right beside a place."""
_HEADED_FOR = (
    r"\b(?:towards?|(?:route|way|path|road|journey|trip) to|approach(?:ing)?"
    r"|head(?:ing|ed)? (?:to|for)|bound for)"
    r"\s+(?:the\s+)?{place}"
)
"""Before the place whose direction counts."""
_MEASURED = re.compile(
    r"\b(?:how (?:far|close|near|distant|remote|long|many)|distances?|separation|gap|apart|lengths?)\b",
    re.IGNORECASE,
)
"""Words without which no distance is asked for."""
_OF_RADIUS = r"(?:(?:maximum|max|at most)\W+(?:distance\W+)?)?{radius}(?:\W+distance)?"
"""The words of a greatest distance, which ask for none."""


class Parsed(BaseModel):
    """What the model reads in the question, in the question's own words; empty where it says nothing."""

    model_config = ConfigDict(extra="ignore")

    feature_type: str
    metric: Ask
    pick: Choice
    anchors: list[str] = Field(max_length=4)
    direction: str
    toward: str
    radius: str
    region: str
    streets: list[str] = Field(max_length=4)


class QuestionArguments(Arguments):
    """A question."""

    question: str = Field(min_length=1, description="the whole question")


class QuestionParts(Result):
    """The parameters of a question; what it does not say is None or empty.

    Attributes:
        feature_type: The words for the kind of feature that is asked about.
        metric: What is asked of it.
        pick: Which of several is meant.
        anchors: The places it is measured from.
        direction: One of the eight winds.
        toward: The place whose direction counts.
        radius_m: The greatest distance.
        region: The area that is searched.
        streets: The streets of a crossing.
    """

    feature_type: str = ""
    metric: Ask
    pick: Choice = "any"
    anchors: tuple[str, ...] = ()
    direction: str | None = None
    toward: str | None = None
    radius_m: float | None = None
    region: str | None = None
    streets: tuple[str, ...] = ()


class ParseQuestion(SpatialTool[QuestionArguments, QuestionParts]):
    """Asks the model once; names that are not in the question are dropped, amounts are read by code.

    Args:
        model: Who is asked.
        request_context: What the call is charged to.
        prompts: The user's own prompts; None for the built-in ones.
    """

    name: ClassVar[str] = "ParseQuestion"
    description: ClassVar[str] = (
        "Takes a long question apart: kind of feature, what is asked, places, direction, radius, region."
    )
    role: ClassVar[Role] = Role.GROUNDING
    concepts: ClassVar[tuple[Concept, ...]] = (Concept.MEANING, Concept.GRANULARITY)
    arguments: ClassVar[type[Arguments]] = QuestionArguments

    def __init__(
        self, model: ChatModel, request_context: RequestContext, prompts: Path | None = None
    ) -> None:
        self._model = model
        self._request_context = request_context
        self._prompts = prompts

    async def run(self, arguments: QuestionArguments) -> QuestionParts:
        """The parameters of the question.

        Raises:
            ToolError: The model's reply is of no use.
            LimitError: A budget is spent.
            ModelError: The server cannot be reached or refuses.
        """
        rules = load_prompt(PACKAGE, PROMPT, self._prompts)
        messages = (
            ChatMessage(role="system", text=rules.text, prompt=rules.mark),
            ChatMessage(role="user", text=f"Question: {clean(arguments.question)}"),
        )
        try:
            parsed = await self._model.structured(
                messages, Parsed, request_context=self._request_context, label=PROMPT, max_tokens=MAX_TOKENS
            )
        except ModelReplyError as error:
            raise ToolError(
                "The question could not be taken apart.", "Go on with the other tools."
            ) from error
        return _grounded(parsed, arguments.question)


def _grounded(parsed: Parsed, question: str) -> QuestionParts:
    """What the question really says: nothing that is not written there."""

    def said(words: str) -> str | None:
        wanted = normalise(words)
        return words.strip() if wanted and f" {wanted} " in f" {normalise(question)} " else None

    wind = wind_words(parsed.direction) if said(parsed.direction) else None
    anchors = tuple(filter(None, map(said, parsed.anchors)))
    toward = said(parsed.toward) or (None if wind else said(_capitalised(parsed.direction)))
    toward = toward or next((anchor for anchor in anchors if _is_headed_for(question, anchor)), None)
    return QuestionParts(
        feature_type=parsed.feature_type.strip(),
        metric=_asked(parsed, question),
        pick=parsed.pick,
        anchors=tuple(anchor for anchor in anchors if anchor != toward),
        direction=wind_name(wind) if wind else None,
        toward=toward,
        radius_m=parse_distance_m(parsed.radius) if said(parsed.radius) else None,
        region=said(parsed.region),
        streets=tuple(filter(None, map(said, parsed.streets))),
    )


def _is_headed_for(question: str, place: str) -> bool:
    """True for X in "on the route to X", which small models take for one more place to measure from."""
    return re.search(_HEADED_FOR.format(place=re.escape(place)), question, re.IGNORECASE) is not None


def _asked(parsed: Parsed, question: str) -> Ask:
    """What is asked; small models take "a café within 5 km" for a question after the distance."""
    if parsed.metric != "distance":
        return parsed.metric
    rest = question
    if radius := re.escape(parsed.radius.strip()):
        rest = re.sub(_OF_RADIUS.format(radius=radius), " ", question, flags=re.IGNORECASE)
    if _MEASURED.search(rest):
        return "distance"
    return "location" if re.search(r"\bwhere\b", rest, re.IGNORECASE) else "name"


def _capitalised(words: str) -> str:
    """The words from the first that a name may begin with: small models take "towards X" for a direction."""
    parts = words.split()
    return " ".join(dropwhile(lambda part: not (part[0].isupper() or part[0].isdigit()), parts))
