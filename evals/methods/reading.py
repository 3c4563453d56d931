"""Reads an answer out of what a model wrote: strictly, so that a method is never credited with a guess.

MapEval's published script takes the first digit in the text for the answer. Here a reply that names no
option, or two, is invalid. The forms that are understood, in this order:

1. `^^n^^`, the form the prompts ask for (that of MapEval's prompts), n being an option's number, 0 a refusal;
2. a JSON object with `option_no`;
3. after "Answer:" or as the whole reply: a number, a letter, or the option's text.
"""

import re
from collections.abc import Iterable

from evals.methods.parsing import json_objects
from evals.ports import Task
from map_tools.text import normalise
from mapagent.answer import Answer, Status
from mapagent.question import LETTERS, Question

REFUSAL = 0
"""The number that stands for "unanswerable" beside the options 1, 2, ..."""
REFUSAL_TEXT = "Unanswerable"

_MARK = re.compile(r"\^\^\s*(?:option\s*)?(\w+)\s*\^\^", re.IGNORECASE)
_STATED = re.compile(r"(?:final\s+)?answer(?:\s+is)?\s*[:=]\s*|\banswer\s+is\s+", re.IGNORECASE)
_NUMBER = re.compile(r"(?:option\s*)?(\d{1,2})", re.IGNORECASE)
_LETTER = re.compile(r"(?:option\s+)?\(?([A-Z])\)?", re.IGNORECASE)
_LABELLED = re.compile(r"(?:option\s+)?(?:\(([A-Z])\)|([A-Z])[.):]|(\d{1,2})[.):])\s+(?=\S)")
_EDGES = " \t\n*_`\"'“”.[]"

type Choice = int | None
"""An option's index, or None for a refusal."""


def read_answer(text: str, task: Task) -> Answer:
    """The answer in a reply: an option where there are options, else the words after "Answer:"."""
    return read_choice(text, task) if task.question.options else _read_open(text)


def read_choice(text: str, task: Task) -> Answer:
    """The option in a reply. Status `NOT_UNDERSTOOD` and no option if it names none, or several.

    A refusal has the status `UNANSWERABLE`, whether or not the task allows one.
    """
    question = task.question
    for read in (_marked, _in_json, _said):
        choices = set(read(text, task))
        if len(choices) == 1:
            return _chosen(choices.pop(), question)
        if choices:
            return _invalid("The model's reply names more than one option.")
    return _invalid("The model's reply names no option.")


def _chosen(choice: Choice, question: Question) -> Answer:
    if choice is None:
        return Answer(status=Status.UNANSWERABLE, text="", reason="The model says there is no answer.")
    return Answer(
        status=Status.ANSWERED,
        text=question.options[choice].strip(),
        option=question.letter(choice),
        option_index=choice,
    )


def _invalid(reason: str) -> Answer:
    return Answer(status=Status.NOT_UNDERSTOOD, text="", reason=reason)


def _read_open(text: str) -> Answer:
    words = _statement(text).strip(_EDGES)
    if normalise(words) == normalise(REFUSAL_TEXT):
        return _chosen(None, Question(text="?"))
    return Answer(status=Status.ANSWERED, text=words) if words else _invalid("The model's reply is empty.")


def _marked(text: str, task: Task) -> Iterable[Choice]:
    for match in _MARK.finditer(text):
        yield from _numbered_or_lettered(match[1], task)


def _in_json(text: str, task: Task) -> Iterable[Choice]:
    for found in json_objects(text):
        if "option_no" in found:
            yield from _numbered_or_lettered(str(found["option_no"]), task)


def _numbered_or_lettered(word: str, task: Task) -> Iterable[Choice]:
    if normalise(word) == normalise(REFUSAL_TEXT):
        yield None
    elif _NUMBER.fullmatch(word):
        yield from _numbered(word, task)
    elif _LETTER.fullmatch(word):
        yield from _lettered(word, task)


def _said(text: str, task: Task) -> Iterable[Choice]:
    """What the reply says after "Answer:", or as a whole."""
    statement = _statement(text).strip(_EDGES)
    by_text = set(_texts_equal_to(statement, task))
    if (match := _NUMBER.fullmatch(statement)) is not None:
        # "3" may be an option's number or an option's text; if these are two options, it names both.
        return {*_numbered(match[1], task), *(by_text if statement == match[1] else ())}
    if by_text:
        return by_text
    if (match := _LETTER.fullmatch(statement)) is not None:
        return _lettered(match[1], task)
    if normalise(statement) == normalise(REFUSAL_TEXT):
        return (None,)
    return _labelled(statement, task) or (
        _texts_in(statement, task) if statement != text.strip(_EDGES) else ()
    )


def _statement(text: str) -> str:
    """What follows the last "Answer:", up to the end of its line; the whole text if there is none."""
    *_, last = _STATED.split(text)
    return last.strip().partition("\n")[0] if _STATED.search(text) else text


def _labelled(statement: str, task: Task) -> set[Choice]:
    """An option with its letter or number before its text ("B. 9 mins")."""
    match = _LABELLED.match(statement)
    if match is None:
        return set()
    letter, number = match[1] or match[2], match[3]
    return set(_lettered(letter, task) if letter else _numbered(number, task))


def _numbered(number: str, task: Task) -> Iterable[Choice]:
    index = int(number) - 1
    if index + 1 == REFUSAL:
        yield from (None,) if task.may_refuse else ()
    elif index in dict(task.question.live_options()):
        yield index


def _lettered(letter: str, task: Task) -> Iterable[Choice]:
    index = LETTERS.find(letter.upper())  # -1 for letters of other alphabets that fold to one of these
    if index in dict(task.question.live_options()):
        yield index


def _texts_equal_to(statement: str, task: Task) -> Iterable[Choice]:
    wanted = normalise(statement)
    return (index for index, text in task.question.live_options() if wanted and normalise(text) == wanted)


def _texts_in(statement: str, task: Task) -> set[Choice]:
    """The options whose text stands in the statement; one that only stands inside a longer one does not."""
    said = f" {normalise(statement)} "
    padded = {index: f" {normalise(text)} " for index, text in task.question.live_options()}
    inside = {index: text for index, text in padded.items() if text.strip() and text in said}
    return {
        index
        for index, text in inside.items()
        if not any(text in longer and text != longer for longer in inside.values())
    }
