"""`mapagent generate gsqa --map M`: questions of GS-QA's 28 templates over a map."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from evals.generate.arguments import add_common, told
from mapagent.faces.cli.arguments import settings_from
from mapagent.faces.cli.command import Command

DEFAULT_PER_TEMPLATE = 10


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    add_common(parser, "template")
    parser.add_argument("--refresh", type=Path, metavar="OLD", help="bring an older benchmark up to date")
    parser.add_argument(
        "--relation",
        choices=("agree", "contains", "intersects"),
        default="agree",
        help='what "in" a region means; agree: only questions where it makes no difference',
    )
    parser.add_argument("--ambiguous-anchors", action="store_true", help="let in anchors with common names")
    parser.add_argument("--same-category", action="store_true", help="let in anchors of the kind asked for")
    parser.add_argument("--empty", action="store_true", help="let in questions without an answer")


def run(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    manifest = _made(given)
    more: list[str] = []
    if given.refresh is not None:
        replaced = sorted(manifest["replaced"].items())
        more = [f"kept: {manifest['kept']}", *(f"replaced: {name} ({why})" for name, why in replaced)]
    print(told(manifest, given.out, more))
    return 0


def _made(given: Namespace) -> dict[str, Any]:
    from evals.generate.gsqa.generator import generate
    from evals.generate.gsqa.params import Options
    from evals.generate.gsqa.refresh import refresh
    from evals.generate.gsqa.words import templates
    from evals.generate.shares import shares
    from mapagent.providers import map_home

    folder = map_home(settings_from(given).settings).path(given.map)
    options = Options(
        ambiguous_anchors=given.ambiguous_anchors,
        same_category=given.same_category,
        empty=given.empty,
        relation=given.relation,
    )
    if given.refresh is not None:
        return refresh(folder, given.refresh, given.seed, given.out, options)
    counts = shares(tuple(templates()), given.n, given.per_template or DEFAULT_PER_TEMPLATE)
    return generate(folder, counts, given.seed, given.out, options)


GSQA = Command(help="open questions of GS-QA's 28 templates over a map", configure=configure, run=run)
