"""Measures the embedded planner on authors that the reader was not trained on.

    python -m scripts.reader.measure [AUTHOR ...] [--reader FILE.npz] [--rows OUT.jsonl]

An answer is right if it is what the author's program comes to: the same status and value and all its parts, or the
option that the author calls right. Questions over a map count where that map is installed (`mapagent map list`).
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from evals.metrics.statistics import wilson
from map_tools.clock import FrozenClock
from map_tools.errors import MapAgentError
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question, Turn
from mapagent.runtime.config import load_settings
from modules.nlu.reader import Over, Reader, refuses
from modules.nlu.rows import ANY_MODE, MAP
from modules.nlu.weights import load
from modules.planner.embedded import DEFAULT_THRESHOLD, TRIED_EVENT, ReaderPlanner
from modules.query.inventory import built_in
from modules.query.language.types import MODE_NAMES
from scripts.reader.examples import BANK, UNSEEN, Example, examples

AT = datetime(2026, 11, 18, 14, 0, tzinfo=UTC)
"""The moment at which all questions are asked."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a right answer says; `option` is "none" where none is right, and empty where there is no choice."""

    status: Status = Status.ANSWERED
    text: str = ""
    parts: frozenset[str] = frozenset()
    option: str = ""

    def met_by(self, told: Any) -> bool:
        """Whether an answer, or a reading's trace event, says it."""
        answered = told["status"] == Status.ANSWERED.value
        if self.option:
            return bool(
                (answered and told["option"] == self.option) or (not answered and self.option == "none")
            )
        if told["status"] != self.status.value:
            return False
        return not answered or (told["text"] == self.text and self.parts <= set(told["parts"]))


class Measurement:
    """Asks and judges; one agent a map stays open."""

    def __init__(self, planner: ReaderPlanner) -> None:
        self._planner = planner
        self._agents: dict[str, MapAgent] = {}

    async def rows(self, example: Example) -> dict[str, Any] | None:
        """What became of an example and of each reading tried; None if its program comes to nothing here."""
        agent, question = self._agent(example), _question(example)
        wanted = Wanted(option=example.right) if example.right else await self._wanted(example)
        if wanted is None:
            return None
        answer = await agent.ask(question)
        spans = agent.last_trace.spans
        events = [one.attributes for one in spans if one.name == TRIED_EVENT]
        right = wanted.met_by(_told(answer))
        answered = answer.status is Status.ANSWERED
        return {
            "author": example.author,
            "question": example.question,
            "program": example.program,
            "outcome": "right" if right else "wrong" if answered else "refused",
            "confidence": answer.confidence,
            "scores": next((one.attributes["scores"] for one in spans if "scores" in one.attributes), ()),
            "tried": [{**one, "right": wanted.met_by(one)} for one in events],
        }

    async def _wanted(self, example: Example) -> Wanted | None:
        answer: Answer | None = None
        for program in _programs(example):
            try:
                answer = await self._agent(example).query(program, question=_question(example))
            except MapAgentError:
                return None
            if answer.status is Status.ANSWERED:
                break
        refusing = refuses(example.program)
        if answer is None or (answer.status is not Status.ANSWERED and not refusing):
            return None
        return Wanted(answer.status, answer.text, frozenset(one.text for one in answer.parts.values()))

    def _agent(self, example: Example) -> MapAgent:
        if example.map not in self._agents:
            settings = load_settings().settings
            if example.map:
                settings = settings.model_copy(update={"map": example.map})
            self._agents[example.map] = MapAgent(settings, planner=self._planner, clock=FrozenClock(AT))
        return self._agents[example.map]


def _told(answer: Answer) -> dict[str, Any]:
    return {
        "status": answer.status.value,
        "text": answer.text,
        "option": answer.option,
        "parts": [one.text for one in answer.parts.values()],
    }


def _question(example: Example) -> Question:
    return Question(
        text=example.question,
        options=example.options,
        context=(BANK / "texts" / example.text).read_text("utf-8") if example.over is Over.TEXT else None,
        earlier=tuple(Turn(text=text) for text in example.earlier),
    )


def _programs(example: Example) -> Iterator[str]:
    """An example's program, with each means of travel where it leaves that open."""
    program = example.program.replace(MAP, example.map.title())
    modes = ("walk",) if example.over is Over.MAP else tuple(MODE_NAMES.values())
    for mode in modes if f'"{ANY_MODE}"' in program else ("",):
        yield program.replace(f'"{ANY_MODE}"', f'"{mode}"')


async def measure(planner: ReaderPlanner, asked: Sequence[Example], out: TextIO | None) -> Counter[str]:
    """Asks all examples; counts right, wrong, refused, and skipped where an example comes to nothing."""
    measurement, counts = Measurement(planner), Counter[str]()
    for example in asked:
        try:
            row = await measurement.rows(example)
        except MapAgentError:
            row = None
        counts["skipped" if row is None else row["outcome"]] += 1
        if row is not None and out is not None:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return counts


def main(arguments: Sequence[str]) -> None:
    """Prints a line an author."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("authors", nargs="*", default=UNSEEN)
    parser.add_argument("--reader", type=Path, help="packed weights; else those of the package")
    parser.add_argument("--threshold", type=float, default=DEFAULT_THRESHOLD)
    parser.add_argument("--rows", type=Path, help="a row a question, for `scripts.reader.calibrate`")
    given = parser.parse_args(arguments)
    reader = None if given.reader is None else Reader(load(given.reader), built_in())
    planner, told = ReaderPlanner(given.threshold, reader), list(examples())
    out = None if given.rows is None else given.rows.open("w", encoding="utf-8")
    for author in given.authors:
        own = [one for one in told if one.author == author and (one.map or one.text)]
        counts = asyncio.run(measure(planner, own, out))
        asked = sum(counts.values()) - counts["skipped"]
        shares = []
        for outcome in ("right", "wrong", "refused"):
            low, high = wilson(counts[outcome], asked) or (0.0, 1.0)
            share = counts[outcome] / max(1, asked)
            shares.append(f"{outcome} {share:.1%} ({low:.0%}-{high:.0%})")
        sys.stdout.write(f"{author}: {asked} questions, {', '.join(shares)}\n")
        sys.stdout.flush()
    if out is not None:
        out.close()


if __name__ == "__main__":
    main(sys.argv[1:])
