"""The embedded planner: the learned reader, whose programs run over the map, a text or a picture.

The reader writes programs, and the likeliest one with an answer is given. The certainty of a reading is the share of
similar readings that were right, measured on authors not trained on: a logistic model over a few features, its
weights fitted to the trained reader (`scripts/reader/calibrate.py`).
"""

import asyncio
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from importlib.resources import files

from map_tools.errors import ProgramError
from map_tools.spatial_db.port import HasEngine
from map_tools.types import TOLD, TravelMode
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import Run
from mapagent.core.rendering import quoted
from mapagent.runtime.config import Settings, share_setting
from modules.context_reader.port import TextSource
from modules.nlu.decoding import program_of
from modules.nlu.reader import WORTH, Over, Reader, Reading, reader, refuses
from modules.nlu.rows import ANY_MODE, MAP, tokens_of
from modules.planner.pictured import answer_pictured
from modules.query.inventory import built_in
from modules.query.language.parser import parse
from modules.query.language.types import MODE_NAMES
from modules.query.read_back import read_back

NAME = "offline"
READINGS = "reader.readings"
"""Key in `Run.kept` of a question's readings, which the cascade offers again."""
TRIED_EVENT = "reading"
"""The trace has an event of this name for each reading that was run, with the figures of its certainty."""
DEFAULT_THRESHOLD = 0.5
"""Certainty from which the answer of a reading is given; the setting `threshold` of `[modules.offline]`."""
TRIED = 3
"""Maximum number of readings run while the likelier ones have no answer."""
STANDS = 0.85
"""Certainty from which the likeliest reading is trusted even if it has no answer: no other is tried."""
OFFERED = 2
"""Maximum number of readings offered if none is sure enough."""
_MASKS = ("Orvanda", "Tunavik", "Belmira", "Kestrano", "Zilvaro", "Pendrisk")
"""Invented names, under which places of the user's own are read."""
_REASONS = {
    "deed": "It asks for a deed (to book, call, order), which no map can do.",
    "opinion": "It asks for an opinion, which no map holds.",
    "price": "It asks for a price, which the map does not state.",
    "live": "It asks for what changes by the minute (crowds, traffic, weather), which no map tells.",
    "timetable": "It asks for a timetable, and the map has none.",
    "knowledge": "It asks for what is known of the world beyond the map.",
}
"""Reasons for the reader's refusals, in words."""
_BY_TRANSIT = (
    "It was not read as a question for this map's timetable. Ask for the way from A to B by public transport."
)
"""Where there is a timetable after all."""
FILE = "calibration.json"
_MARGIN_MOST = 5.0
"""Cap of the lead over the next reading."""
_MOST = 3
"""Cap of each count among the features."""


class EmbeddedPlanner:
    """Answers without a language model (`mapagent.core.ports.Planner`).

    Args:
        reader: The learned reader.
    """

    name = NAME

    def __init__(self, reader: "ReaderPlanner") -> None:
        self._reader = reader

    @classmethod
    def from_settings(cls, settings: Settings) -> "EmbeddedPlanner":
        """The planner (`mapagent.core.ports.PlannerFactory`).

        Raises:
            ConfigError: The threshold of the section `[modules.offline]` is not a number from 0 to 1.
        """
        return cls(ReaderPlanner.from_settings(settings))

    async def answer(self, run: Run) -> Answer:
        """Answers with the reader, questions about a picture first from what it shows."""
        if run.question.image is None:
            return await self._reader.answer(run)
        return await answer_pictured(self._reader, run)

    async def offered(self, run: Run, most: int) -> Sequence[Answer]:
        """The answers of the likeliest readings; none for a question about a picture."""
        return await self._reader.offered(run, most) if run.question.image is None else ()


class ReaderPlanner:
    """Answers questions in words with the learned reader (`mapagent.core.ports.Planner`).

    Args:
        threshold: Certainty from which an answer is given, 0 to 1.
        reader: Default: the reader of this version, loaded when it is needed.
    """

    name = NAME

    def __init__(self, threshold: float = DEFAULT_THRESHOLD, reader: Reader | None = None) -> None:
        self._threshold = threshold
        self._reader = reader

    @classmethod
    def from_settings(cls, settings: Settings) -> "ReaderPlanner":
        """The planner (`mapagent.core.ports.PlannerFactory`).

        Raises:
            ConfigError: The threshold is not a number from 0 to 1.
        """
        return cls(share_setting(settings, NAME, "threshold", DEFAULT_THRESHOLD, of="embedded reader"))

    async def answer(self, run: Run) -> Answer:
        """Reads the question and runs the likeliest programs until one is sure enough."""
        with run.request_context.trace.span("plan", planner=self.name) as span:
            readings = await asyncio.to_thread(self.readings, run)
            span.attributes |= {"readings": [one.program for one in readings]}
        tried: list[Answer] = []
        for number, reading in enumerate(readings[:TRIED]):
            if reading.score < readings[0].score - WORTH:
                break
            answer = await self.tried(run, readings, number)
            if answer is None:
                continue
            settled = answer.status is Status.ANSWERED or refuses(reading.program)
            stands = number == 0 and answer.confidence >= STANDS
            if self._is_sure(answer) and (settled or stands):
                return answer
            tried.append(answer)
        return self._unsure(readings, tried)

    def _is_sure(self, answer: Answer) -> bool:
        return answer.confidence >= self._threshold

    def readings(self, run: Run) -> list[Reading]:
        """The readings of the question, which is read only once."""
        if READINGS not in run.kept:
            run.kept[READINGS] = self._read(run)
        found: list[Reading] = run.kept[READINGS]
        return found

    def _read(self, run: Run) -> list[Reading]:
        own = OwnNames(run.own_names, *run.question.said)
        options = [own.masked(text) for _, text in run.question.live_options()]
        *earlier, text = map(own.masked, run.question.said)
        found = (self._reader or reader()).readings(text, options, _over(run), earlier)
        return [_placed(own.unmasked(one), run) for one in found]

    async def offered(self, run: Run, most: int) -> list[Answer]:
        """The answers of the likeliest readings, each with its read-back, to choose from."""
        readings = await asyncio.to_thread(self.readings, run)
        found = [await self.tried(run, readings, number) for number in range(min(most, len(readings)))]
        return [one for one in found if one is not None]

    async def tried(self, run: Run, readings: Sequence[Reading], number: int) -> Answer | None:
        """The answer of a reading, with its certainty; None if it makes no program."""
        answer: Answer | None = None
        for program, mode in _with_modes(readings[number], run):
            try:
                answer = await run.execute(program)
            except ProgramError as error:
                run.request_context.trace.event("program.refused", program=program, reason=str(error))
                return None
            if mode:
                answer = _assumed(answer, f"{mode}, as no means of travel is named")
            if answer.status is Status.ANSWERED:
                break
        if answer is None:
            return None
        unasked = run.question.text.count("?") - 1 - len(answer.parts)
        chosen = answer.option is not None
        told = figures(number, readings, unasked=unasked, assumed=len(answer.assumptions), chosen=chosen)
        sure = certainty(told, calibration())
        run.request_context.trace.event(
            TRIED_EVENT,
            program=program,
            status=answer.status.value,
            text=answer.text,
            option=answer.option,
            parts=[one.text for one in answer.parts.values()],
            certainty=sure,
            figures=asdict(told),
        )
        if refuses(readings[number].program):
            answer = answer.model_copy(update={"reason": _refusal(answer.reason, run)})
        lost = _lost(readings[number]) if answer.status is Status.ANSWERED else ()
        warnings = (*answer.warnings, *lost)
        return answer.model_copy(update={"confidence": round(sure, 4), "warnings": warnings})

    def _unsure(self, readings: Sequence[Reading], tried: Sequence[Answer]) -> Answer:
        """Why the likeliest reading has no answer, if it is sure; else what the question may mean."""
        refused = next((one for one in tried if one.status is not Status.ANSWERED), None)
        if refused is not None and self._is_sure(refused):
            return refused
        offered = [f"{told}?" for one in readings[:OFFERED] if (told := _sentence(one.program))]
        meant = f" Did you mean: {' Or: '.join(offered)}" if offered else ""
        return Answer(
            status=Status.NOT_UNDERSTOOD,
            text="",
            reason=f"The question could not be read with enough certainty.{meant}",
            confidence=max((one.confidence for one in tried), default=0.0),
        )


def _lost(reading: Reading) -> tuple[str, ...]:
    """A warning that names the numbers and names of the question that the program does not use, if there are any."""
    told = ", ".join(f"'{words}'" for words in reading.left)
    return (f"Not used of the question: {told}.",) if told else ()


def _refusal(reason: str, run: Run) -> str:
    """Why the reader refuses, in words that are true of the map."""
    timed = run.provider is not None and run.provider.capabilities.timetables
    return _BY_TRANSIT if reason == "timetable" and timed else _REASONS.get(reason, reason)


class OwnNames:
    """The user's own places in a conversation, which is read with invented names for them.

    To the reader "home" may be where one is, and "gym" a kind; if the user has a place of that name, it is the place.

    Args:
        names: Names of own places.
        texts: Where they occur: the earlier questions, then this one.
    """

    def __init__(self, names: Sequence[str], *texts: str) -> None:
        whole = "\n".join(texts)
        masks = (mask for mask in _MASKS if mask.casefold() not in whole.casefold())
        longest_first = sorted(names, key=len, reverse=True)
        self._masks = {name.casefold(): mask for name, mask in zip(longest_first, masks, strict=False)}
        words = "|".join(re.escape(name) for name in longest_first if name.casefold() in self._masks)
        self._pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None
        found = self._pattern.findall(whole) if self._pattern is not None else []
        self._said = {self._masks[said.casefold()]: said for said in found if said.casefold() in self._masks}

    def masked(self, text: str) -> str:
        """A text with the invented names."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda match: self._masks.get(match[0].casefold(), match[0]), text)

    def unmasked(self, reading: Reading) -> Reading:
        """A reading of such a text with the user's names, as they were written last."""
        program = self._named(reading.program, lambda said: quoted(said)[1:-1])
        if program != reading.program:
            operators = built_in()
            program = program_of(tokens_of(program, operators), operators)  # names its values anew
        return replace(reading, program=program, left=tuple(map(self._named, reading.left)))

    def _named(self, text: str, written: Callable[[str], str] = str) -> str:
        for mask, said in self._said.items():
            text = text.replace(mask, written(said))
        return text


def _over(run: Run) -> Over:
    if run.question.context is not None:
        return Over.TEXT
    return Over.DATABASE if isinstance(run.provider, HasEngine) else Over.MAP


def _placed(reading: Reading, run: Run) -> Reading:
    """A reading with the name of the map in place of `MAP`, which means the whole of it."""
    name = run.provider.map_name if run.provider is not None else None
    return replace(reading, program=reading.program.replace(MAP, name or "map"))


def _with_modes(reading: Reading, run: Run) -> Iterator[tuple[str, str]]:
    """A reading's programs, one for each mode of travel that may be meant, each with the mode that is assumed."""
    quoted = f'"{ANY_MODE}"'
    if quoted not in reading.program:
        yield reading.program, ""
        return
    for mode in _modes(run):
        yield reading.program.replace(quoted, f'"{mode}"'), TOLD[mode]


def _modes(run: Run) -> tuple[str, ...]:
    """The modes to try, the likeliest first: for a text those it tells most of, for a map walking."""
    if not isinstance(run.provider, TextSource):
        return (MODE_NAMES[TravelMode.WALKING.value],)
    return tuple(MODE_NAMES[mode.value] for mode in run.provider.modes_told()) or tuple(MODE_NAMES.values())


def _assumed(answer: Answer, words: str) -> Answer:
    understood = f"{answer.understood.rstrip('.')} (assumed: {words})." if answer.understood else ""
    return answer.model_copy(update={"assumptions": (*answer.assumptions, words), "understood": understood})


def _sentence(program: str) -> str:
    """A program read back; empty for one that cannot be."""
    try:
        return read_back(parse(program), built_in()).rstrip(".")
    except ProgramError:
        return ""


@dataclass(frozen=True, slots=True)
class Figures:
    """The features that the certainty of a reading depends on.

    Attributes:
        score: The logarithm of its probability.
        weakest: The logarithm of the probability of its least likely step.
        margin: By how much its score leads the next one's.
        length: Length of the program in hundreds of characters.
        unused: How many numbers of the question it does not use.
        unread: How many words that are written like names it does not use.
        unasked: How many more things the question asks for than the answer has parts.
        assumed: How many things were taken for granted on the way to the answer.
        chosen: 1 if the answer is one of the question's options.
    """

    score: float
    weakest: float
    margin: float
    length: float
    unused: float
    unread: float
    unasked: float
    assumed: float
    chosen: float


def figures(number: int, readings: Sequence[Reading], *, unasked: int, assumed: int, chosen: bool) -> Figures:
    """The features of one of several readings (by its index), with those of its answer (`Figures`)."""
    reading = readings[number]
    others = [one.score for one in readings if one is not reading]
    return Figures(
        score=reading.score,
        weakest=reading.weakest,
        margin=min(_MARGIN_MOST, reading.score - max(others, default=reading.score - _MARGIN_MOST)),
        length=len(reading.program) / 100,
        unused=float(reading.unused),
        unread=float(min(_MOST, reading.unread)),
        unasked=float(min(_MOST, max(0, unasked))),
        assumed=float(min(_MOST, assumed)),
        chosen=float(chosen),
    )


@lru_cache(maxsize=1)
def calibration() -> Mapping[str, float]:
    """The weights that come with the reader of this version."""
    told: dict[str, float] = json.loads((files("modules.nlu.data") / FILE).read_text(encoding="utf-8"))
    return told


def certainty(told: Figures, weights: Mapping[str, float]) -> float:
    """How often such a reading is right, 0 to 1."""
    total = weights["constant"] + sum(weights[name] * value for name, value in asdict(told).items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
