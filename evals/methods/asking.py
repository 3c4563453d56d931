"""Puts a task into words, the same for every method: question, context, options, and how to answer."""

from collections.abc import Iterator
from pathlib import Path

from evals.methods.reading import REFUSAL, REFUSAL_TEXT
from evals.ports import Task
from mapagent.facttext import clean
from mapagent.prompts import Prompt, load_prompt

PACKAGE = "evals.methods"
"""Where the prompts are."""


class Asking:
    """The words around a task.

    Args:
        task: The task.
        folder: Prompts of the user's own (the setting `prompts`), None for the built-in ones.
        choice: The prompt that says how an option is to be named.
    """

    def __init__(self, task: Task, folder: Path | None = None, *, choice: str = "answer_choice") -> None:
        self.task = task
        self._folder = folder
        self._choice = choice

    def prompt(self, name: str) -> Prompt:
        """A prompt of the methods by its name."""
        return load_prompt(PACKAGE, name, self._folder)

    def task_text(self) -> str:
        """The task as it stands at the beginning of every request about it."""
        return "\n".join(self._lines())

    def how_to_answer(self) -> str:
        """The form the last reply must have."""
        return self.prompt(self._choice if self.task.question.options else "answer_open").text

    def _lines(self) -> Iterator[str]:
        question = self.task.question
        if question.context is not None:
            yield f"Context:\n{question.context.strip()}\n"
        yield f"Question: {clean(question.text)}"
        if question.near is not None:
            yield f"The user is at {question.near}."
        if question.at is not None:
            yield f"It is now {question.at:%A, %d %B %Y, %H:%M}."
        if question.options:
            yield "Options:"
            yield from self._options()
        elif self.task.may_refuse:
            yield f'If the facts do not tell, the answer is "{REFUSAL_TEXT}".'
        if self.task.ranked is not None:
            yield f"Name up to {self.task.ranked} places, best first, separated by semicolons."
        yield self.how_to_answer()

    def _options(self) -> Iterator[str]:
        if self.task.may_refuse:
            yield f"{REFUSAL}. {REFUSAL_TEXT}: the facts do not tell"
        for index, text in self.task.question.live_options():
            yield f"{index + 1}. {clean(text)}"
