"""Ends a question: a model's answer is checked once, then it stands, with warnings about what is not supported."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from map_tools.text import normalise
from mapagent.core.answer import Answer, Evidence, Status, Text
from mapagent.core.question import Question
from modules.answer_generator.matching import Match, match_one, option_for_unanswerable
from modules.planner.prompting import Finish, evidence_lines

COMPUTED, AGREED, READ, UNSUPPORTED = 0.9, 0.97, 0.8, 0.5
"""Confidence of answers: computed, computed as the model had read it too, read by the model, not supported."""
_LETTER = re.compile(r"(?:option\s*)?\(?([A-Za-z])\)?[.):]?(?:\s|$)", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,2}:\d\d(?!\d)|\d+(?:[.,]\d+)*")
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
_SCALES = (1000, 60, 3600)
"""Factors of larger units: metres in a kilometre, seconds in a minute or an hour."""
_BRACKETS = str.maketrans({"<": "‹", ">": "›"})


@dataclass(frozen=True, slots=True)
class Known:
    """What a finish is checked against.

    Attributes:
        question: The question.
        results: Results of the programs of the conversation, in order.
        evidence: All that was fetched.
        shown: Further words that the model was shown: labels of the picture.
    """

    question: Question
    results: Sequence[Answer]
    evidence: Sequence[Evidence]
    shown: str = ""

    def result(self, number: int) -> Answer | None:
        """A result by its number from 1; 0 or a number that does not exist: the last one."""
        if not self.results:
            return None
        return self.results[number - 1] if 1 <= number <= len(self.results) else self.results[-1]


def objection_to(finish: Finish, known: Known) -> str:
    """The objection to a finish, worded for the model; empty if there is none."""
    if finish.outcome == "computed":
        return "" if known.results else "no program has been run, so nothing was computed."
    if finish.outcome == "unanswerable":
        answered = [one for one in known.results if one.status is Status.ANSWERED]
        return f"a program came to “{answered[-1].text}”." if answered else ""
    if not finish.answer.strip():
        return "`answer` is empty."
    if known.question.live_options() and chosen_option(finish.answer, known.question) is None:
        return "`answer` is none of the options; give a letter."
    strange = _unshown(finish, known)
    if strange and known.question.image is None:
        told = "; ".join(f"“{words[:80]}”" for words in strange[:3])
        return f"{told} is no line that was shown and stands in no supplied text."
    if not finish.evidence:
        return "no evidence is given for it."
    unsaid = list(_unsaid(finish, known))
    return (
        f"{', '.join(unsaid)} stands in none of the evidence given; have a program compute it."
        if unsaid
        else ""
    )


def doubt_of(finish: Finish, known: Known) -> str:
    """Asks the model once, even without an objection, whether its answer is known or only likely; else empty.

    Not asked about a picture, of which the model sees more than was read, nor of lines that a map tool gave.
    """
    looked_up = known.question.context is None and _lines(finish, known)
    if known.question.image is not None or looked_up:
        return ""
    if finish.outcome != "other" or any(one.status is Status.ANSWERED for one in known.results):
        return ""
    return (
        "no program computed it. If the evidence states it, finish so again; if it is only likely, or what one "
        "would think of such a place or time, finish with unanswerable."
    )


def finished(finish: Finish, known: Known) -> Answer:
    """The answer that a finish gives; objections to it become warnings."""
    if finish.outcome == "computed" and (result := known.result(finish.result)) is not None:
        return result
    base = known.result(0) or Answer(status=Status.UNANSWERABLE, text="")
    if finish.outcome == "other" and finish.answer.strip():
        return _other(finish, known, base)
    option = option_for_unanswerable(known.question)
    return base.model_copy(
        update={
            "status": Status.UNANSWERABLE, "value": None, "parts": {}, "places": (), "shapes": {}, "trip": None,
            "text": option.text if option else "",
            "option": known.question.letter(option.index) if option else None,
            "option_index": option.index if option else None,
            "reason": finish.reason.strip() or base.reason or "Nothing supports an answer.",
        }
    )  # fmt: skip


def _other(finish: Finish, known: Known, base: Answer) -> Answer:
    """An answer that the model gives against, or beside, what was computed."""
    objection = objection_to(finish, known)
    index = chosen_option(finish.answer, known.question)
    text = known.question.options[index].strip() if index is not None else finish.answer.strip()
    warnings = ["The language model gives this answer; no program computed it."]
    if base.status is Status.ANSWERED:
        warnings.append(f"Computed was: {base.text}.")
    if objection:
        warnings.append(f"Not verified: {objection}")
    if known.question.image is not None and (seen := _unshown(finish, known)):
        warnings.append(f"Only the language model has seen this in the picture: {'; '.join(seen)}.")
    rests = [words for words in finish.evidence if _supports(words, known)]
    return base.model_copy(
        update={
            "status": Status.ANSWERED, "text": text, "value": Text(text=text), "parts": {}, "places": (),
            "shapes": {}, "trip": None,
            "option": known.question.letter(index) if index is not None else None, "option_index": index,
            "reason": "", "confidence": UNSUPPORTED if objection else READ,
            "explanation": " ".join((finish.reason.strip(), *(f"[{words}]" for words in rests))).strip(),
            "warnings": tuple(warnings),
        }
    )  # fmt: skip


def chosen_option(words: str, question: Question) -> int | None:
    """The index of the option that words mean, its letter or its text; None without options or if none is meant."""
    live = dict(question.live_options())
    if not live:
        return None
    folded = normalise(words)
    same = [index for index, text in live.items() if normalise(text) == folded]
    if len(same) == 1:
        return same[0]
    letter = _LETTER.match(words.strip())
    if letter is not None:
        index = ord(letter[1].upper()) - ord("A")
        if index in live:
            return index
    found = match_one(Text(text=words), question)
    return found.index if isinstance(found, Match) else None


def agree(draft: str, answer: Answer, question: Question) -> bool:
    """Whether a model's own reading agrees with what was computed."""
    if question.live_options():
        return answer.option_index is not None and chosen_option(draft, question) == answer.option_index
    drafted, computed = normalise(draft), normalise(answer.text)
    return bool(drafted) and (drafted in computed or computed in drafted)


def _lines(finish: Finish, known: Known) -> list[Evidence]:
    """The evidence lines that a finish cites by their ids."""
    cited = {_plain(words) for words in finish.evidence}
    return [item for item in known.evidence if item.id in cited]


def _plain(words: str) -> str:
    """A cited id without the brackets and colon around it."""
    return words.strip().strip("[]").removesuffix(":")


def _unshown(finish: Finish, known: Known) -> list[str]:
    """Cited evidence that is neither the id of a line nor a quotation."""
    return [words for words in finish.evidence if not _supports(words, known)]


def _supports(words: str, known: Known) -> bool:
    """Whether cited evidence exists: as the id of a line, or as words of the text, the picture or a line."""
    if any(item.id == _plain(words) for item in known.evidence):
        return True
    quoted = normalise(words)
    return bool(quoted) and any(quoted in text for text in _texts(known))


def _texts(known: Known) -> Iterator[str]:
    for text in (known.question.context or "", known.shown):
        yield normalise(text.translate(_BRACKETS))
    yield normalise(evidence_lines(known.evidence, (), 100_000))


def _unsaid(finish: Finish, known: Known) -> Iterator[str]:
    """Numbers of the answer that occur neither in its evidence nor in the question or a computed result."""
    said = " ".join(
        (
            *finish.evidence, evidence_lines(_lines(finish, known), (), 100_000), known.question.text,
            *(f"{one.text} {one.explanation}" for one in known.results),
            *(part.text for one in known.results for part in one.parts.values()),
        )
    )  # fmt: skip
    if known.question.live_options():
        return  # options are judged as wholes: their numbers are not the model's
    numbers = set(_numbers(said))
    values = [float(number) for number in numbers if _DECIMAL.fullmatch(number)]
    yield from (
        number for number in _numbers(finish.answer) if number not in numbers and not _follows(number, values)
    )


def _numbers(text: str) -> Iterable[str]:
    return dict.fromkeys(number.replace(",", ".") for number in _NUMBER.findall(text))


def _follows(number: str, values: Sequence[float]) -> bool:
    """Whether a number is a value rounded or in a larger unit: 13 for 12.8, 4.6 for 4603; never 4610 for 4603."""
    if not _DECIMAL.fullmatch(number):
        return False
    places = len(number.partition(".")[2])
    whole = [value for value in values if not value.is_integer()]
    told = [*whole, *(value / scale for value in values for scale in _SCALES if value >= scale)]
    return any(abs(float(number) - value) <= 0.5 * 10**-places for value in told)
