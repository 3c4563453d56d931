"""`python -m evals.generate.recommend.cases --out DIR`: counterparts of Spatial-RAG's case studies, drawn.

The program of each case is run on the map it names (`mapagent map add` makes them of the extracts). DIR gets a
picture of each, and a page with what was asked, what was searched and what came out.
"""

import argparse
import asyncio
import os
import sys
import tomllib
from collections.abc import Iterator, Sequence
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Literal

from map_tools.errors import MapAgentError
from map_tools.facts import NearbyFact
from map_tools.types import Frozen
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.core.question import Question
from mapagent.runtime.config import Settings, load_settings
from modules.query.operators.recommend import MODULE, reach_words
from modules.recommender.draw_command import write_files

PAGE = "recommend-cases.md"
FRIDAY = datetime(2026, 3, 6, 18)  # noqa: DTZ001 - local time of the place
"""When all cases are asked."""
HEAD = "cases_head.md"
"""What stands above the cases on the page."""


class Case(Frozen):
    """One case.

    Attributes:
        shows: What it is about.
        map: The map it is asked of.
        program: What the question asks, as a program.
        geometry, distance_m: How the paper's case is read; no distance for a region.
    """

    number: int
    shows: str
    map: str
    question: str
    program: str
    geometry: Literal["point", "line", "region"]
    distance_m: float | None = None


def cases() -> tuple[Case, ...]:
    """The cases of `cases.toml`."""
    return tuple(Case.model_validate(one) for one in tomllib.loads(_file("cases.toml"))["case"])


def main(argv: Sequence[str] | None = None) -> int:
    """Asks and draws all cases; exit code 1 if one of them cannot be answered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder of the page")
    parser.add_argument(
        "--images", type=Path, metavar="DIR", help="the folder of the pictures (default: --out)"
    )
    given = parser.parse_args(argv)
    images: Path = given.images or given.out
    settings = load_settings().settings
    try:
        asked = [(case, asyncio.run(ask(case, settings, images))) for case in cases()]
    except MapAgentError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    parts = (
        part for case, answer in asked for part in _told(case, answer, os.path.relpath(images, given.out))
    )
    head = _file(HEAD).replace("{embedding}", _embedding(settings))
    (given.out / PAGE).write_text("\n".join((head, *parts)), "utf-8")
    return 0 if all(answer.places for _, answer in asked) else 1


async def ask(case: Case, settings: Settings, images: Path) -> Answer:
    """The answer to a case; its picture is written into a folder."""
    own = settings.model_copy(update={"map": case.map, "provider": "osm"})
    async with MapAgent(own) as agent:
        answer = await agent.query(case.program, question=Question(text=case.question, at=FRIDAY))
    if answer.places:
        write_files(answer, own, geojson=None, picture=images / picture_of(case))
    return answer


def picture_of(case: Case) -> str:
    """The name of a case's picture."""
    return f"recommend-case-{case.number}.svg"


def listed_in(answer: Answer) -> list[NearbyFact]:
    """What the recommender found to lie as wished, and what it made of that."""
    own = (item.value for item in answer.evidence if item.source.tool == MODULE)
    return [fact for fact in own if isinstance(fact, NearbyFact)]


def _told(case: Case, answer: Answer, images: str) -> Iterator[str]:
    """A section of the page."""
    yield f"## Case {case.number}: {case.shows}\n"
    yield f"> {case.question}\n"
    yield f"```python\n{case.program.strip()}\n```\n"
    for fact in listed_in(answer)[:1]:
        yield f"Searched: {fact.what} {reach_words(fact.radius_m, fact.anchor)}.\n"
    if answer.places:
        yield f"**{', '.join(place.name for place in answer.places)}**\n"
    yield f"{answer.explanation or answer.reason}\n"
    if answer.places:
        yield f"![Case {case.number}]({images}/{picture_of(case)})\n"


def _file(name: str) -> str:
    return (files("evals.generate.recommend") / name).read_text("utf-8")


def _embedding(settings: Settings) -> str:
    from modules.recommender.setting import RecommenderSetting

    return RecommenderSetting.of(settings).embedder().identity


if __name__ == "__main__":
    sys.exit(main())
