"""The texts for a model: a question with all that comes with it, evidence, and the tools of the conversation.

What questions, maps and pages say is data: it stands between tags that nothing inside can close. Each piece of
evidence is a line, without repetitions, and what matters is never cut. The tools run a program, call one of the four
map tools, or end the question.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from map_tools.facts import FailureFact, NearbyFact, PictureFact, PictureLabel, RoutesFact
from map_tools.providers.base import Bounded, HasZone, Provider
from map_tools.text import normalise
from map_tools.tools import TOOLS, MapTool
from map_tools.types import NearbyPlace, Route, TravelMode
from mapagent.core.answer import Evidence
from mapagent.core.ports import Run
from mapagent.core.prompts import load_prompt
from mapagent.core.question import Question
from mapagent.core.rendering import clean, fact_text
from mapagent.llm.chat import ToolCard, text_tokens
from mapagent.llm.structured import plain_schema
from modules.context_reader.port import TextSource
from modules.visual_place_recognizer.observing import kind_of
from modules.visual_place_recognizer.world import CALLED

PACKAGE = "modules.planner"
MAX_OPTION_CHARS = 400
"""Characters of each option that are shown; a longer one ends in a mark."""
MAX_LABELS = 80
"""Maximum number of labels of a picture listed."""
_RATINGS = {
    "rating": "ratings",
    "price_level": "price levels",
    "reviews": "reviews",
    "hours": "opening hours",
}
_HARMLESS = str.maketrans({"<": "‹", ">": "›"})
LISTED = 8
"""Maximum number of members of a list shown besides those that matter."""
STREETS = 14
"""Maximum number of streets of a way shown."""
RUN_QUERY, FINISH = "run_query", "finish"
_NOT_TOLD = frozenset({"categories", "facts", "details", "shape"})
"""Parameters of map tools that only programs use."""


def data(text: str) -> str:
    """A text as data: one line, without the angle brackets of tags."""
    return clean(text).translate(_HARMLESS)


def options_text(question: Question) -> str:
    """The options by their letters, one per line; empty without options."""
    return "\n".join(
        f"{question.letter(index)}. {_cut(data(text))}" for index, text in question.live_options()
    )


def question_text(run: Run, picture: PictureFact | None, prompts: Path | None) -> str:
    """All that a model is told about a question, except the picture itself."""
    question = run.question
    options = options_text(question)
    return load_prompt(PACKAGE, "question", prompts).fill(
        situation="".join(f"{line}\n" for line in _situation(run)),
        text=_text(question),
        picture=_labels(picture) if question.image is not None else "",
        question=data(question.text),
        options=f"\nOptions:\n{options}" if options else "",
    )


def _situation(run: Run) -> Iterator[str]:
    question, provider = run.question, run.provider
    if isinstance(provider, TextSource):
        yield "Source: the supplied text" + ("." if provider.only else ", and where it is silent the map.")
    if provider is None:
        yield "There is no map."
    elif not (isinstance(provider, TextSource) and provider.only):
        yield _map(provider)
    at = question.at
    if at is not None:
        yield f"Now: {at:%a %Y-%m-%d %H:%M}"
    elif not (isinstance(provider, TextSource) and provider.only):
        zone = f" ({provider.timezone})" if isinstance(provider, HasZone) and provider.timezone else ""
        yield f"Now: {run.clock.now():%a %Y-%m-%d %H:%M} UTC{zone}"
    if question.near is not None:
        yield f"The asker's position (here): {question.near}"
    if run.own_names:
        named = ", ".join(map(data, run.own_names))
        yield f"Places of the asker's own, which are looked up by these names like any other: {named}"
    yield from _earlier(question)


def _earlier(question: Question) -> Iterator[str]:
    """The turns of the conversation before the question."""
    if question.earlier:
        yield (
            "Earlier in this conversation, to which the question may refer; a program may use the names that those "
            "programs set, and `result` for the last answer's value:"
        )
    for turn in question.earlier:
        yield f"- {data(turn.text)}"
        if turn.program:
            yield f"  {data(turn.program.replace(chr(10), '; '))}"
        if turn.answer:
            yield f"  → {_cut(data(turn.answer))}"


def _map(provider: Provider) -> str:
    known = provider.capabilities
    name = f' "{provider.map_name}"' if provider.map_name else ""
    bounded = (
        ", all of which can be searched as area of that name"
        if isinstance(provider, Bounded) and name
        else ""
    )
    lacking = [words for fact, words in _RATINGS.items() if fact not in known.facts]
    without = f" It has no {', no '.join(lacking)}." if lacking else ""
    modes = ", ".join(_MODES[mode] for mode in TravelMode if mode in known.modes) or "none"
    return f"Map{name}{bounded}. Modes of travel: {modes}.{without}"


_MODES = {
    TravelMode.WALKING: "walk",
    TravelMode.BICYCLING: "bike",
    TravelMode.DRIVING: "drive",
    TravelMode.TRANSIT: "transit",
}


def _text(question: Question) -> str:
    """The supplied text verbatim, between tags."""
    if not question.context:
        return ""
    return f"<text>\n{question.context.translate(_HARMLESS).strip()}\n</text>\n"


def _labels(picture: PictureFact | None) -> str:
    """The labels that were read in the picture, numbered, with their positions and what is on their cards."""
    if picture is None:
        return "The picture could not be read by the embedded reader.\n"
    size = f"{picture.width_px} x {picture.height_px} px"
    told = [_label(number, one) for number, one in enumerate(picture.labels[:MAX_LABELS], start=1)]
    more = len(picture.labels) - len(told)
    rest = [f"(and {more} more)"] if more > 0 else []
    where = f" It was found to be around {picture.frame.center}." if picture.frame is not None else ""
    scale = " Its scale is not known." if picture.frame is None and picture.metres_per_px is None else ""
    listed = "\n".join((*told, *rest)) or "(none)"
    return (
        f"Labels read in the picture ({size}, x to the right, y down).{where}{scale} Programs search what it shows "
        f'like a map; all of it is the area "{CALLED}".\n<labels>\n{listed}\n</labels>\n'
    )


def _label(number: int, label: PictureLabel) -> str:
    parts = [data(label.text), f"x {label.x_px:.0f} y {label.y_px:.0f}"]
    parts += [kind] if (kind := kind_of(label)) else []
    parts += [f"rated {label.rating:g}"] if label.rating is not None else []
    parts += [data(note) for note in label.notes]
    return f"{number}. {'; '.join(parts)}"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_OPTION_CHARS else f"{text[:MAX_OPTION_CHARS]} […]"


def evidence_lines(
    evidence: Iterable[Evidence], important: Sequence[str], room_tokens: int, *, listed: int = LISTED
) -> str:
    """The evidence in lines "ID: words".

    Args:
        evidence: In its order.
        important: Words of options, asked things and asked days: lines and members of lists that hold one are
            never left out.
        room_tokens: Tokens that the other lines may take; the number of lines left out is stated.
        listed: Maximum number of members of a list shown besides those that matter.
    """
    wanted = [folded for words in important if (folded := normalise(words))]
    seen: set[str] = set()
    kept: list[str] = []
    left_out = 0
    for item in evidence:
        if isinstance(item.value, PictureFact):
            continue  # its labels are told with the question
        words = data(_words(item, wanted, listed))
        if words in seen:
            continue
        seen.add(words)
        line = f"{item.id}: {words}"
        size = text_tokens(line)
        if size > room_tokens and not _matters(words, wanted):
            left_out += 1
            continue
        room_tokens -= size
        kept.append(line)
    if left_out:
        kept.append(f"({left_out} more lines)")
    return "\n".join(kept)


def _matters(words: str, wanted: Sequence[str]) -> bool:
    folded = f" {normalise(words)} "
    return any(f" {one} " in folded for one in wanted)


def _words(item: Evidence, wanted: Sequence[str], listed: int) -> str:
    value = item.value
    if isinstance(value, NearbyFact):
        return _list(value, wanted, listed)
    if isinstance(value, RoutesFact):
        return _ways(value)
    if isinstance(value, FailureFact) and value.subject:
        return f"{value.subject}: {fact_text(value)}"
    return fact_text(value)


def _list(fact: NearbyFact, wanted: Sequence[str], listed: int) -> str:
    """A list: its first members and all that matter, with how many there are."""
    first = list(fact.items[:listed])
    others = [one for one in fact.items[listed:] if _matters(one.place.name, wanted)]
    told = "; ".join(map(_member, (*first, *others)))
    more = len(fact.items) - len(first) - len(others)
    where = f"in {fact.anchor}" if fact.inside else f"around {fact.anchor}" if fact.anchor else "on the map"
    cut = "" if fact.complete else ", and there may be more"
    rest = f"; and {more} more" if more else ""
    of_others = f"; of {fact.not_stated} more it is not stated" if fact.not_stated else ""
    return f"{len(fact.items)} × {fact.what} {where}{cut}: {told or 'none'}{rest}{of_others}"


def _member(item: NearbyPlace) -> str:
    place = item.place
    parts = [place.name or place.address or "(unnamed)"]
    parts += [f"{item.distance_m:.0f} m"] if item.distance_m is not None else []
    parts += [f"rated {place.rating:g}"] if place.rating is not None else []
    parts += [place.hours.text] if place.hours is not None else []
    return ", ".join(parts)


def _ways(fact: RoutesFact) -> str:
    told = "; ".join(f"({number}) {_way(route)}" for number, route in enumerate(fact.routes, start=1))
    return f"{fact.mode.value} from {fact.origin} to {fact.destination}: {told or 'no way'}"


def _way(route: Route) -> str:
    streets = [name for name, _ in groupby(step.streets[0] for step in route.steps if step.streets)]
    told = ", ".join(streets[:STREETS]) + (", …" if len(streets) > STREETS else "")
    via = f" via {told or route.summary}" if told or route.summary else ""
    amounts = [f"{route.duration_s / 60:.0f} min"] if route.duration_s is not None else []
    amounts += [f"{route.distance_m:.0f} m"] if route.distance_m is not None else []
    return f"{', '.join(amounts) or 'length not told'}{via}"


class Query(BaseModel):
    """A program, and what its writer reckons."""

    model_config = ConfigDict(extra="ignore")

    program: str = Field(description="The program, lines separated by line breaks.")
    draft: str = Field(
        "",
        description="Where a text or picture is supplied: the answer as you read it there yourself (an option's "
        "letter, or in words); empty if you cannot tell.",
    )


class Finish(BaseModel):
    """The end of a question."""

    model_config = ConfigDict(extra="ignore")

    outcome: Literal["computed", "other", "unanswerable"] = Field(
        description="computed: a program's result is the answer; other: what you give in `answer`; unanswerable: "
        "nothing supports any answer."
    )
    result: int = Field(0, description="Of computed: the number of the result; 0: the last one.")
    answer: str = Field("", description="Of other: an option's letter, or the answer in words.")
    evidence: list[str] = Field(
        default_factory=list,
        description="Of other: ids of evidence lines, or words quoted to the letter from text or picture.",
    )
    reason: str = Field("", description="Why; of unanswerable: what is missing.")


def tool_cards(which: Literal["programs", "map", "both"]) -> tuple[ToolCard, ...]:
    """The tools of a conversation, in an order that never changes."""
    query = ToolCard(
        name=RUN_QUERY,
        description="Runs a program of the language above; further programs may follow.",
        parameters=_schema(Query),
        block="program",
    )
    finish = ToolCard(
        name=FINISH, description="Ends the question with its answer.", parameters=_schema(Finish)
    )
    queries = (query,) if which != "map" else ()
    maps = tuple(map(_map_tool, TOOLS.values())) if which != "programs" else ()
    return (*queries, *maps, finish)


def _map_tool(tool: MapTool) -> ToolCard:
    whole = tool.parameters.model_json_schema()
    properties = {name: _field(field) for name, field in whole["properties"].items() if name not in _NOT_TOLD}
    schema = {"type": "object", "properties": properties, "required": whole.get("required", [])}
    return ToolCard(name=tool.name, description=tool.description, parameters=schema)


def _schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The schema of arguments; unlike a strict one it lets optional ones be left out."""
    schema = plain_schema(shape)
    schema["required"] = list(shape.model_json_schema().get("required", ()))
    return schema


def _field(field: dict[str, Any]) -> dict[str, Any]:
    """A field of a map tool's schema without what only bounds it."""
    kept: dict[str, Any] = {
        name: field[name] for name in ("type", "description", "enum", "items") if name in field
    }
    if "type" not in kept:
        kinds = [one["type"] for one in field.get("anyOf", ()) if one.get("type") not in {None, "null"}]
        kept["type"] = kinds[0] if kinds else "string"
        items = next((one["items"] for one in field.get("anyOf", ()) if "items" in one), None)
        if items is not None:
            kept["items"] = items
    if kept["type"] == "array" and "items" not in kept:
        kept["items"] = {"type": "string"}
    return kept
