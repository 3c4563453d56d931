"""`mapagent generate map-images --map M`: pictures of a map with known frames, and questions about them."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mapagent.faces.cli.arguments import add_config, positive, settings_from
from mapagent.faces.cli.command import Command

DEFAULT_COUNT = 20


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--map", required=True, metavar="M", help="the map the pictures show")
    parser.add_argument("--n", type=positive, default=DEFAULT_COUNT, metavar="N", help="how many pictures")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="equal seeds make equal pictures")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
    add_config(parser)


def run(given: Namespace) -> int:
    """Draws the pictures and says what there is."""
    from evals.generate.map_images.generator import generate
    from mapagent.providers import map_home

    folder = map_home(settings_from(given).settings).path(given.map)
    manifest = generate(folder, given.n, given.seed, given.out)
    print(
        f"{manifest['pictures']} pictures of the map '{manifest['map']}' "
        f"and {manifest['n']} questions in {given.out}"
    )
    print(manifest["attribution"])
    return 0


MAP_IMAGES = Command(
    help="pictures of a map, and multiple-choice questions about them", configure=configure, run=run
)
