"""`mapagent generate mapqa --map M`: questions of MapQA's nine types over a map."""

from argparse import ArgumentParser, Namespace

from evals.generate.arguments import add_common, told
from mapagent.faces.cli.arguments import settings_from
from mapagent.faces.cli.command import Command

TYPES = tuple(range(1, 10))
DEFAULT_PER_TYPE = 10


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    add_common(parser, "type")


def run(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    from evals.generate.mapqa.generator import generate
    from evals.generate.shares import shares
    from mapagent.providers import map_home

    folder = map_home(settings_from(given).settings).path(given.map)
    counts = shares(TYPES, given.n, given.per_template or DEFAULT_PER_TYPE)
    manifest = generate(folder, counts, given.seed, given.out)
    print(told(manifest, given.out))
    return 0


MAPQA = Command(help="open questions of MapQA's nine types over a map", configure=configure, run=run)
