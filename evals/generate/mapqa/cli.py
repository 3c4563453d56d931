"""`mapagent generate mapqa --map M`: questions of MapQA's nine types over a map."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mapagent.faces.cli.arguments import add_config, positive, settings_from
from mapagent.faces.cli.command import Command

TYPES = tuple(range(1, 10))
DEFAULT_PER_TYPE = 10


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--map", required=True, metavar="M", help="the map the questions are about")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--per-template", type=positive, metavar="N", help="questions of each type")
    size.add_argument("--n", type=positive, metavar="N", help="questions in all, shared by the types")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="equal seeds make equal questions")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
    add_config(parser)


def run(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    from evals.generate.folder import DATASET_FILE
    from evals.generate.mapqa.generator import generate
    from evals.generate.shares import shares
    from mapagent.providers import map_home

    folder = map_home(settings_from(given).settings).path(given.map)
    counts = shares(TYPES, given.n, given.per_template or DEFAULT_PER_TYPE)
    manifest = generate(folder, counts, given.seed, given.out)
    lines = [f"{manifest['n']} questions about the map '{manifest['map']}' in {given.out / DATASET_FILE}"]
    lines += [f"not filled: {name} ({why})" for name, why in sorted(manifest["given_up"].items())]
    print("\n".join([*lines, manifest["attribution"]]))
    return 0


MAPQA = Command(help="open questions of MapQA's nine types over a map", configure=configure, run=run)
