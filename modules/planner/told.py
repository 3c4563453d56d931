"""What a model is told of a question: its words, options, moment, position, sources, text and picture.

What questions, maps and pages say is data: it stands between marks that nothing inside can close.
"""

from collections.abc import Iterator
from pathlib import Path

from map_tools.facts import PictureFact, PictureLabel
from map_tools.providers.base import Bounded, HasZone, Provider
from map_tools.types import TravelMode
from mapagent.core.facttext import clean
from mapagent.core.ports import Run
from mapagent.core.prompts import load_prompt
from mapagent.core.question import Question
from modules.context_reader.port import TextSource
from modules.visual_place_recognizer.picture_value import kind_of

PACKAGE = "modules.planner"
MAX_OPTION_CHARS = 400
"""So much of each option is shown; what is longer is cut at its end, with a mark."""
MAX_LABELS = 80
"""So many labels of a picture are listed."""
_RATINGS = {
    "rating": "ratings",
    "price_level": "price levels",
    "reviews": "reviews",
    "hours": "opening hours",
}
_HARMLESS = str.maketrans({"<": "‹", ">": "›"})


def data(text: str) -> str:
    """A text as data: one line, without the brackets that marks are made of."""
    return clean(text).translate(_HARMLESS)


def options_text(question: Question) -> str:
    """The options by their letters, one a line; empty without options."""
    return "\n".join(
        f"{question.letter(index)}. {_cut(data(text))}" for index, text in question.live_options()
    )


def question_text(run: Run, picture: PictureFact | None, prompts: Path | None) -> str:
    """All that a model is told of a question, its picture itself aside."""
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
        yield "Earlier in this conversation, to which the question may refer:"
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
    """The supplied text as it stands, between marks."""
    if not question.context:
        return ""
    return f"<text>\n{question.context.translate(_HARMLESS).strip()}\n</text>\n"


def _labels(picture: PictureFact | None) -> str:
    """The labels that were read in the picture, numbered, with where they stand and what is on their cards."""
    if picture is None:
        return "The picture could not be read by the embedded reader.\n"
    size = f"{picture.width_px} x {picture.height_px} px"
    told = [_label(number, one) for number, one in enumerate(picture.labels[:MAX_LABELS], start=1)]
    more = len(picture.labels) - len(told)
    rest = [f"(and {more} more)"] if more > 0 else []
    where = f" It was found to be around {picture.frame.center}." if picture.frame is not None else ""
    listed = "\n".join((*told, *rest)) or "(none)"
    return f"Labels read in the picture ({size}, x to the right, y down).{where}\n<labels>\n{listed}\n</labels>\n"


def _label(number: int, label: PictureLabel) -> str:
    parts = [data(label.text), f"x {label.x_px:.0f} y {label.y_px:.0f}"]
    parts += [kind] if (kind := kind_of(label)) else []
    parts += [f"rated {label.rating:g}"] if label.rating is not None else []
    parts += [data(note) for note in label.notes]
    return f"{number}. {'; '.join(parts)}"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_OPTION_CHARS else f"{text[:MAX_OPTION_CHARS]} […]"
