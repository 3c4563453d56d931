"""`mapagent generate recommend`: wishes over listings put on a map, or beside places of a map there is."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from evals.generate.recommend.sources import SOURCES
from map_tools.errors import UsageError
from mapagent.faces.cli.arguments import add_config, positive, settings_from
from mapagent.faces.cli.command import Command

DEFAULT_EACH = 50


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "--map", metavar="M", help="questions beside places of this map (MapQA's types 1 and 4)"
    )
    parser.add_argument("--listings", type=Path, metavar="FILE", help="wishes over these listings of a guide")
    parser.add_argument("--source", choices=SOURCES, default=SOURCES[0], help="whose listings they are")
    parser.add_argument(
        "--where", action="append", default=[], metavar="FIELD=VALUE", help="only listings with this field"
    )
    parser.add_argument("--name", metavar="NAME", help="name of the map that is made of the listings")
    parser.add_argument("--extract", type=Path, metavar="PBF", help="an extract to put the listings into")
    parser.add_argument(
        "--per-template", type=positive, default=DEFAULT_EACH, metavar="N", help="of each family"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="equal seeds make equal questions")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
    add_config(parser)


def run(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    from evals.generate.folder import DATASET_FILE
    from evals.generate.recommend.generator import generate_beside, generate_travel
    from mapagent.providers import map_home

    home = map_home(settings_from(given).settings)
    common = {"each": given.per_template, "seed": given.seed, "out": given.out}
    if given.map is not None and given.listings is None:
        manifest = generate_beside(home.path(given.map), **common)
    elif given.listings is not None and given.name is not None and given.map is None:
        manifest = generate_travel(
            given.listings,
            given.source,
            _where(given.where),
            name=given.name,
            home=home,
            extract=given.extract,
            **common,
        )
    else:
        raise UsageError(
            "It is not clear what the questions are about.",
            "Give --map M, or --listings FILE with --name NAME for the map that is made of them.",
        )
    lines = [f"{manifest['n']} questions about the map '{manifest['map']}' in {given.out / DATASET_FILE}"]
    lines += [f"not filled: {name} ({why})" for name, why in sorted(manifest["given_up"].items())]
    print("\n".join([*lines, manifest["attribution"]]))
    return 0


def _where(conditions: list[str]) -> dict[str, str]:
    """The fields of "city=London"; `UsageError` for anything else."""
    pairs = [condition.partition("=") for condition in conditions]
    for field, equals, _ in pairs:
        if not field or not equals:
            raise UsageError(f"--where {field} says no value.", 'Write it as --where "city=London".')
    return {field: value for field, _, value in pairs}


RECOMMEND = Command(help="wishes for recommendations with withheld truth", configure=configure, run=run)
