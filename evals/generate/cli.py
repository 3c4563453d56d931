"""`mapagent generate KIND`: benchmarks made from any map, or from another benchmark."""

from argparse import ArgumentParser, Namespace

from evals.generate.gsqa.cli import GSQA
from evals.generate.map_images.cli import MAP_IMAGES
from evals.generate.mapeval.cli import MAPEVAL
from evals.generate.mapqa.cli import MAPQA
from evals.generate.recommend.cli import RECOMMEND
from evals.twins.cli import TWINS
from mapagent.faces.cli.command import Command

KINDS = {
    "mapeval": MAPEVAL,
    "gsqa": GSQA,
    "mapqa": MAPQA,
    "map-images": MAP_IMAGES,
    "recommend": RECOMMEND,
    "twins": TWINS,
}


def configure(parser: ArgumentParser) -> None:
    """Declares the kinds, each with its own arguments."""
    kinds = parser.add_subparsers(dest="kind", metavar="|".join(KINDS), required=True)
    for name, kind in KINDS.items():
        kind.configure(kinds.add_parser(name, help=kind.help, description=kind.help))


def run(given: Namespace) -> int:
    """Makes the benchmark and says what it holds."""
    return KINDS[given.kind].run(given)


COMMAND = Command(help="make a benchmark from a map", configure=configure, run=run)
