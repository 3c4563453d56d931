"""The embedded planner: the learned reader, whose programs run over the map, a text or a picture.

The reader writes programs, the likeliest first. They are run until one answer is sure enough, readings that come to
the same answer counting together (`modules.planner.certainty`).
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import datetime

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
from modules.planner.certainty import Outcome, Tally, calibration, certainty, outcome, pooled
from modules.planner.pictured import answer_pictured
from modules.query.inventory import built_in
from modules.query.language.parser import parse
from modules.query.language.types import MODE_NAMES
from modules.query.read_back import read_back
from modules.query.situation import local_now

NAME = "offline"
READINGS = "reader.readings"
"""Key in `Run.kept` of a question's readings, which the cascade offers again."""
TRIED_EVENT = "reading"
"""The trace has an event of this name for each reading that was run, with the figures of its certainty."""
DEFAULT_THRESHOLD = 0.45
"""Certainty from which the answer of a reading is given; the setting `threshold` of `[modules.offline]`."""
TRIED = 3
"""Maximum number of readings run while no answer is sure enough."""
AT_HAND_MIN = 20
"""Minutes from now within which a time of day that may mean either half of the day means the one at hand."""
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
            scores = [one.score for one in readings]
            span.attributes |= {"readings": [one.program for one in readings], "scores": scores}
        tally, answers = Tally(scores, self._threshold, calibration()), dict[int, Answer]()
        for number, reading in enumerate(readings[:TRIED]):
            if reading.score < readings[0].score - WORTH:
                break
            made = await self._outcome(run, readings, number)
            if made is None:
                continue
            answers[number], reached = made
            if tally.add(reached):
                break
        given = tally.given()
        if given is None:
            return _unsure(readings, tally.surest)
        sure, reached = given
        return answers[reached.number].model_copy(update={"confidence": round(sure, 4)})

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
        return [_placed(_timed(own.unmasked(one), run), run) for one in found]

    async def offered(self, run: Run, most: int) -> list[Answer]:
        """The answers of the likeliest readings, each with its read-back, to choose from."""
        readings = await asyncio.to_thread(self.readings, run)
        found = [await self.tried(run, readings, number) for number in range(min(most, len(readings)))]
        return [one for one in found if one is not None]

    async def tried(self, run: Run, readings: Sequence[Reading], number: int) -> Answer | None:
        """The answer of a reading by itself, with its certainty; None if it makes no program."""
        made = await self._outcome(run, readings, number)
        return None if made is None else made[0]

    async def _outcome(
        self, run: Run, readings: Sequence[Reading], number: int
    ) -> tuple[Answer, Outcome] | None:
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
        reached = outcome(number, readings, answer, run.question.text.count("?"))
        (alone,) = pooled([reached], [one.score for one in readings])
        sure = certainty(alone.figures, calibration())
        run.request_context.trace.event(
            TRIED_EVENT,
            program=program,
            status=answer.status.value,
            text=answer.text,
            option=answer.option,
            parts=[one.text for one in answer.parts.values()],
            certainty=sure,
            outcome=asdict(reached),
        )
        if refuses(readings[number].program):
            answer = answer.model_copy(update={"reason": _refusal(answer.reason, run)})
        lost = _lost(readings[number]) if answer.status is Status.ANSWERED else ()
        warnings = (*answer.warnings, *lost)
        return answer.model_copy(update={"confidence": round(sure, 4), "warnings": warnings}), reached


def _unsure(readings: Sequence[Reading], sure: float) -> Answer:
    """What the question may mean, where nothing is surer than that."""
    offered = [f"{told}?" for one in readings[:OFFERED] if (told := _sentence(one.program))]
    meant = f" Did you mean: {' Or: '.join(offered)}" if offered else ""
    return Answer(
        status=Status.NOT_UNDERSTOOD,
        text="",
        reason=f"The question could not be read with enough certainty.{meant}",
        confidence=round(sure, 4),
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


def _timed(reading: Reading, run: Run) -> Reading:
    """A reading whose only time of day means the half of the day in which it is at hand: "half four", said at night.

    Of several, which may be a span or the stages of a day, none is moved by itself.
    """
    if len(reading.halves) != 1 or run.question.context is not None:
        return reading
    now, (taken, other) = local_now(run)[0], reading.halves[0]
    alone = reading.program.count(f'"{taken}"') == 1
    if now is None or not alone or _apart_min(other, now) > AT_HAND_MIN:
        return reading
    return replace(reading, program=reading.program.replace(f'"{taken}"', f'"{other}"'))


def _apart_min(clock: str, now: datetime) -> int:
    """Minutes between a time of day and the present one, either way."""
    hour, minute = clock.split(":")
    apart = abs(60 * int(hour) + int(minute) - 60 * now.hour - now.minute)
    return min(apart, 24 * 60 - apart)


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
