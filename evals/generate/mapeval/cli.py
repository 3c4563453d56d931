"""`mapagent generate mapeval --map M`: multiple-choice questions over a map."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mapagent.faces.cli.arguments import add_config, positive, settings_from
from mapagent.faces.cli.command import Command

DEFAULT_COUNT = 100


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--map", required=True, metavar="M", help="the map the questions are about")
    parser.add_argument("--n", type=positive, default=DEFAULT_COUNT, metavar="N", help="how many questions")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="equal seeds make equal questions")
    parser.add_argument(
        "--wordings", choices=("base", "more", "fresh", "all"), default="base", help="which set of wordings"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
    add_config(parser)


def run(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    from evals.generate.folder import DATASET_FILE
    from evals.generate.mapeval.generator import generate
    from mapagent.providers import map_home

    folder = map_home(settings_from(given).settings).path(given.map)
    manifest = generate(folder, given.n, given.seed, given.out, given.wordings)
    lines = [f"{manifest['n']} questions about the map '{manifest['map']}' in {given.out / DATASET_FILE}"]
    lines += [f"left out: {family} ({why})" for family, why in sorted(manifest["given_up"].items())]
    print("\n".join([*lines, manifest["attribution"]]))
    return 0


MAPEVAL = Command(help="multiple-choice questions over a map", configure=configure, run=run)
