"""`mapagent recommend`: a recommendation, with GeoJSON and a picture of it."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mapagent.faces.cli.arguments import add_settings, moment, position, settings_from
from mapagent.faces.cli.command import Command


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("question", metavar="QUESTION")
    parser.add_argument("--near", type=position, metavar="LAT,LON", help="where you are")
    parser.add_argument("--at", type=moment, metavar="ISO", help="the moment that 'now' stands for")
    parser.add_argument("--geojson", type=Path, metavar="FILE", help="write what was found as GeoJSON")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw what was found, as SVG")
    add_settings(parser)


def run(given: Namespace) -> int:
    """Asks as `mapagent ask` does, and writes the files; exit code 0 for every honest outcome."""
    import asyncio

    return asyncio.run(_ask(given))


async def _ask(given: Namespace) -> int:
    from mapagent.agent import MapAgent
    from mapagent.answer import Status
    from mapagent.faces.cli.show import as_text
    from mapagent.question import Question
    from modules.recommender.files import write_files

    settings = settings_from(given).settings
    question = Question(text=given.question, near=given.near, at=given.at)
    async with MapAgent(settings) as agent:
        answer = await agent.ask(question)
    sys.stdout.write(f"{as_text(answer)}\n")
    if answer.status is Status.ANSWERED:
        write_files(answer, settings, geojson=given.geojson, picture=given.picture)
    return 1 if answer.status is Status.ERROR else 0


COMMAND = Command(help="recommend a place, and draw it", configure=configure, run=run)
