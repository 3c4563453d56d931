"""`mapagent chat`: a conversation, at the terminal or one question a line from standard input."""

import asyncio
import io
import sys
from argparse import ArgumentParser, Namespace
from asyncio import Runner
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from map_tools.errors import MapAgentError, UsageError
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.conversation import Conversation
from mapagent.core.question import Question
from mapagent.core.rendering import clean
from mapagent.interfaces.cli.ask import add_surroundings, read_context, uses_map
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_settings, settings_from
from mapagent.interfaces.cli.show import as_record, as_text, harmless_json, prints_utf8, problem
from mapagent.runtime.own_places import CurrentPlaces

PROMPT = "> "
FORGET = "/forget"
QUIT = "/quit"
HELLO = f"Ask, and ask on. A number chooses among places, {FORGET} begins anew, {QUIT} or Ctrl-D ends."
MOST_DIGITS = 9
"""A longer number is no candidate's; it is a question like any other."""


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    add_surroundings(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line and nothing else")
    parser.add_argument("--explain", action="store_true", help="show program, plan and evidence")
    add_settings(parser)


def run(given: Namespace) -> int:
    """Talks until the input ends; 1 if a question of a script failed, 130 after Ctrl-C."""
    always = {"context": read_context(given.context), "near": given.near, "at": given.at}
    # The loop rests while somebody types: Ctrl-C then stops the typing, and else the question at work.
    with asyncio.Runner() as runner:
        settings = settings_from(given).settings
        own = CurrentPlaces(settings)
        own()  # a damaged file is told before anything is typed
        agent = MapAgent(settings, own=own)
        try:
            if uses_map(given):
                runner.run(_opened(agent))
            return _Talk(given, runner, agent, always).run()
        except KeyboardInterrupt:
            return 130
        finally:
            runner.run(agent.close())


async def _opened(agent: MapAgent) -> None:
    """A map that is missing is told before anything is typed."""
    agent.open_provider()


class _Talk:
    """What is read and printed.

    Args:
        given: The command line.
        runner: Runs the questions.
        agent: Answers them.
        always: What holds for all questions, as fields of one.
    """

    def __init__(self, given: Namespace, runner: Runner, agent: MapAgent, always: Mapping[str, Any]) -> None:

        self._given = given
        self._runner = runner
        self._conversation = Conversation(agent)
        self._always = always
        self._typed = not given.json and sys.stdin.isatty() and sys.stdout.isatty()
        self._credited = ""
        self._failed = False

    def run(self) -> int:
        """Answers line by line."""
        for line in _typed_lines() if self._typed else _lines():
            said = line.strip()
            if said == QUIT:
                break
            if said:
                self._take(said)
        return 1 if self._failed and not self._typed else 0

    def _take(self, said: str) -> None:
        try:
            if said == FORGET:
                self._forget()
            elif said.startswith("/"):
                raise UsageError(f"There is no command '{said[:40]}'.", f"There are {FORGET} and {QUIT}.")
            else:
                self._show(self._runner.run(self._answered(said)))
        except MapAgentError as error:
            self._refuse(error)

    async def _answered(self, said: str) -> Answer:
        if self._conversation.choosing and said.isdecimal() and len(said) <= MOST_DIGITS:
            return await self._conversation.choose(int(said))
        question = Question(text=said, **self._always)
        return await self._conversation.ask(question, use_provider=uses_map(self._given))

    def _forget(self) -> None:
        self._conversation.forget()
        if not self._given.json:
            print("Forgotten.\n", flush=True)

    def _show(self, answer: Answer) -> None:
        self._failed |= answer.status is Status.ERROR
        if self._given.json:
            self._print_json(as_record(answer))
            return
        credit = answer.attribution != self._credited
        self._credited = answer.attribution
        print(f"{as_text(answer, explain=self._given.explain, credit=credit)}\n", flush=True)

    def _refuse(self, error: MapAgentError) -> None:
        """Tells what is wrong; the conversation goes on."""
        self._failed = True
        if self._given.json:
            self._print_json(problem(error.code, error.message, error.remedy))
        else:
            print(f"mapagent: {clean(str(error))}", file=sys.stderr, flush=True)

    def _print_json(self, record: object) -> None:
        print(harmless_json(record, ascii_only=not prints_utf8()), flush=True)


def _lines() -> Iterator[str]:
    _readable()
    return iter(sys.stdin)


def _typed_lines() -> Iterator[str]:
    """Lines at a prompt, with the keys of the terminal's line editor where Python has one."""
    with suppress(ImportError):
        import readline  # noqa: F401
    _readable()
    print(f"{HELLO}\n")
    while True:
        try:
            yield input(PROMPT)
        except EOFError:
            print()
            return


def _readable() -> None:
    """Bytes that are no UTF-8 are for the question to refuse: one bad line must not end a conversation."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")


COMMAND = Command(help=BUILT_IN["chat"], configure=configure, run=run)
