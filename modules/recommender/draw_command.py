"""`mapagent recommend`: a recommendation, with GeoJSON and a picture over the map it comes from."""

import asyncio
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from map_tools.errors import InputFileError, UsageError
from map_tools.maps.store import MapStore
from map_tools.providers.base import ANY_BASE_MAP
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_settings, moment, position, settings_from
from mapagent.interfaces.cli.show import as_text
from mapagent.runtime.config import Settings
from mapagent.runtime.opening import map_home
from modules.recommender.geojson import Outline, feature_collection, recommends
from modules.recommender.picture import backdrop_of, draw


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
    return asyncio.run(_ask(given))


async def _ask(given: Namespace) -> int:
    settings = settings_from(given).settings
    question = Question(text=given.question, near=given.near, at=given.at)
    async with MapAgent(settings) as agent:
        answer = await agent.ask(question)
    sys.stdout.write(f"{as_text(answer)}\n")
    if answer.status is Status.ANSWERED:
        write_files(answer, settings, geojson=given.geojson, picture=given.picture)
    return 1 if answer.status is Status.ERROR else 0


def write_files(answer: Answer, settings: Settings, *, geojson: Path | None, picture: Path | None) -> None:
    """Writes what is wanted of an answered recommendation.

    Args:
        answer: The answer.
        settings: Where the map is that it comes from.
        geojson: A file for the GeoJSON.
        picture: A file for the SVG.

    Raises:
        UsageError: The question was no wish, or the terms of the map allow no drawing of one's own.
        InputFileError: A file cannot be written.
    """
    if geojson is None and picture is None:
        return

    if not recommends(answer):
        raise UsageError("The question asks for no recommendation, so there is nothing to draw.")
    if picture is not None and answer.base_map != ANY_BASE_MAP:
        raise UsageError(
            f"The data may be drawn over {answer.base_map} maps only.", "Ask with another provider."
        )
    with _map_of(answer, settings) as store:
        collection = feature_collection(answer, None if store is None else _outlines(store))
        if geojson is not None:
            _write(geojson, json.dumps(collection, ensure_ascii=False, indent=1))
        if picture is not None:
            _write(picture, draw(collection, None if store is None else backdrop_of(store)))


@contextmanager
def _map_of(answer: Answer, settings: Settings) -> "Iterator[MapStore | None]":
    """The map on this machine that an answer comes from; None if it comes from elsewhere."""
    if answer.map is None or answer.provider != "osm":
        yield None
        return

    store = MapStore.open(map_home(settings).path(answer.map))
    try:
        yield store
    finally:
        store.close()


def _outlines(store: "MapStore") -> Outline:
    def outline(place_id: str) -> bytes | None:
        row = store.row_of(place_id)
        return None if row is None else store.outline(row)

    return outline


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputFileError(
            f"The file {path} cannot be written: {error.strerror}.",
            "Name a file in a folder you may write to.",
        ) from error


COMMAND = Command(help=BUILT_IN["recommend"], configure=configure, run=run)
