"""What all rival agents share: the task in words, the same for every method, and one attempt at it.

An attempt has its model calls, its journal, and its end.

An agent is a coroutine that asks the model and makes map calls through an `Episode` and returns its last
words. Counting, deadlines, budgets, reading the answer and reporting what it cost are the same for all, so
that methods differ in their control flow and prompts and in nothing else.

Every request of an attempt has the same beginning: system prompt, task, and the journal, to which lines are
only ever added; the instruction of the moment stands last. Servers that keep prefixes read each part once.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path

from evals.methods.reading import REFUSAL, REFUSAL_TEXT, read_answer
from evals.methods.tools import MapTools, tool_cards
from evals.ports import EvalContext, Task
from map_tools.errors import LimitError, ModelReplyError, UnsupportedError, UsageError
from mapagent.core.answer import Answer, Status
from mapagent.core.outcome import honest
from mapagent.core.ports import RequestContext
from mapagent.core.prompts import Prompt, load_prompt
from mapagent.core.rendering import clean
from mapagent.llm.chat import ChatMessage, ChatModel

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


MAX_MODEL_CALLS = 6
"""Model calls a question, for every method."""
REPLY_TOKENS = 400
"""Longest reply: a thought and a call, a short plan, a worked solution."""


class Episode:
    """One agent at one task.

    Args:
        method: The agent's name, for the trace, and the name of its system prompt.
        task: The task.
        context: Model and map.
        request_context: What the work is charged to.
        fixed: What the system prompt is filled with, the same for all questions; default: the map tools.
    """

    def __init__(
        self,
        method: str,
        task: Task,
        context: EvalContext,
        request_context: RequestContext,
        fixed: Mapping[str, str] | None = None,
    ) -> None:
        self.asking = Asking(task, context.settings.prompts)
        self.tools = MapTools(method, task, context, request_context)
        self.calls_left = MAX_MODEL_CALLS
        self._method = method
        self._model = _model_of(method, context)
        self._request_context = request_context
        system = self.asking.prompt(method.replace("-", "_"))
        values = {"tools": tool_cards(context)} if fixed is None else fixed
        self._system = ChatMessage(role="system", text=system.fill(**values), prompt=system.mark)
        self._journal: list[str] = [self.asking.task_text()]

    def note(self, text: str) -> None:
        """Adds to the journal, which every later request begins with, unless it ends with this already."""
        if self._journal[-1].endswith(text):
            return
        self._journal.append(text)
        self._request_context.trace.event("note", text=text)

    async def ask(
        self, prompt: str, *, max_tokens: int = REPLY_TOKENS, stop: tuple[str, ...] = (), **values: str
    ) -> str:
        """One request; a reply that is of no use (endless repetition) counts as an empty one.

        Args:
            prompt: Name of the prompt that says what is wanted now.
            max_tokens: Longest reply.
            stop: Texts that end the reply.
            values: For the prompt's placeholders.

        Raises:
            LimitError: The question's model calls, its budget or its time are spent.
            ModelError: The model cannot be reached or refuses.
        """
        if self.calls_left <= 0:
            raise LimitError(f"The limit of {MAX_MODEL_CALLS} model calls a question is reached.")
        self.calls_left -= 1
        wanted = self.asking.prompt(prompt)
        text = "\n".join([*self._journal, wanted.fill(**values)])
        messages = (self._system, ChatMessage(role="user", text=text, prompt=wanted.mark))
        try:
            reply = await self._model.complete(
                messages,
                request_context=self._request_context,
                label=f"{self._method}.{prompt}",
                max_tokens=max_tokens,
                stop=stop,
            )
        except ModelReplyError as error:
            self._request_context.trace.event("useless reply", prompt=prompt, reason=error.message)
            return ""
        return reply.text.strip()

    async def conclude(self, prompt: str = "last") -> str:
        """Asks for the answer: the last request of an agent."""
        return await self.ask(prompt, how_to_answer=self.asking.how_to_answer())


type Agent = Callable[[Episode], Awaitable[str]]
"""An agent's control flow: works on an attempt and returns its last words."""


async def run_agent(
    agent: Agent,
    *,
    method: str,
    task: Task,
    context: EvalContext,
    request_context: RequestContext,
    fixed: Mapping[str, str] | None = None,
) -> Answer:
    """Runs an agent on a task and reads its answer.

    Where a budget or the deadline ends the run, the answer has the status `LIMIT` and what was found so far.
    `fixed` is for the system prompt, as in `Episode`.

    Raises:
        UsageError: There is no language model to ask.
        UnsupportedError: The question comes with a picture.
        ModelError: The model server cannot be reached or refuses.
    """
    if task.question.image is not None:
        raise UnsupportedError(f"The method '{method}' does not look at pictures.", "Ask `mapagent`.")
    episode = Episode(method, task, context, request_context, fixed)
    words = ""
    try:
        async with asyncio.timeout(request_context.ledger.left_s):
            words = await agent(episode)
            answer = await _read(words, episode)
    except TimeoutError:
        deadline_s = request_context.ledger.limits.deadline_s
        answer = _stopped(f"The deadline of {deadline_s:g} s passed.")
    except LimitError as error:
        answer = _stopped(str(error))
    evidence = episode.tools.evidence
    return honest(answer, evidence).model_copy(
        update={
            "explanation": words,
            "evidence": evidence,
            "usage": request_context.ledger.usage(),
            "model": context.settings.model,
            **_of_map(context),
        }
    )


async def _read(words: str, episode: Episode) -> Answer:
    """The answer in the agent's last words; if it cannot be read, the agent is asked once to state it."""
    answer = read_answer(words, episode.asking.task)
    if answer.status is not Status.NOT_UNDERSTOOD or not episode.calls_left:
        return answer
    episode.note(words)
    return read_answer(await episode.conclude(), episode.asking.task)


def _stopped(reason: str) -> Answer:
    return Answer(status=Status.LIMIT, text="", reason=reason)


def _of_map(context: EvalContext) -> dict[str, str | None]:
    if context.provider is None:
        return {}
    provider = context.provider
    return {
        "provider": provider.name,
        "map": provider.map_name,
        "attribution": provider.terms.attribution,
    }


def _model_of(method: str, context: EvalContext) -> ChatModel:
    if context.model is None:
        raise UsageError(f"The method '{method}' needs a language model.", "Name one with --model.")
    return context.model
