"""`mapagent generate gsqa --map M`: questions of GS-QA's 28 templates over a map."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from mapagent.faces.cli.arguments import add_config, positive, settings_from
from mapagent.faces.cli.command import Command

DEFAULT_PER_TEMPLATE = 10


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--map", required=True, metavar="M", help="the map the questions are about")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--per-template", type=positive, metavar="N", help="questions of each template")
    size.add_argument("--n", type=positive, metavar="N", help="questions in all, shared by the templates")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="equal seeds make equal questions")
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
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
    add_config(parser)


def run(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    from evals.generate.folder import DATASET_FILE

    manifest = _made(given)
    lines = [f"{manifest['n']} questions about the map '{manifest['map']}' in {given.out / DATASET_FILE}"]
    if given.refresh is not None:
        lines.append(f"kept: {manifest['kept']}")
        lines += [f"replaced: {name} ({why})" for name, why in sorted(manifest["replaced"].items())]
    lines += [f"not filled: {name} ({why})" for name, why in sorted(manifest["given_up"].items())]
    print("\n".join([*lines, manifest["attribution"]]))
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
