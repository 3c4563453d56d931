"""`mapagent generate twins --data FILE`: unanswerable twins of a benchmark's questions."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mapagent.faces.cli.arguments import add_config, positive
from mapagent.faces.cli.command import Command

DEFAULT_PER_QUESTION = 4
"""So that questions with many legs do not outweigh the others."""


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "--data", type=Path, required=True, metavar="FILE", help="a benchmark of MapEval's form with contexts"
    )
    parser.add_argument(
        "--per-question",
        type=positive,
        default=DEFAULT_PER_QUESTION,
        metavar="N",
        help="at most N of one question",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="equal seeds make equal twins")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
    add_config(parser)


def run(given: Namespace) -> int:
    """Makes the twins and says how many of which kind."""
    import asyncio

    from evals.generate.folder import DATASET_FILE
    from evals.twins.maker import generate_twins

    manifest = asyncio.run(
        generate_twins(given.data, given.out, seed=given.seed, per_question=given.per_question)
    )
    print(
        f"{manifest['twins']} unanswerable twins of {manifest['originals_with_twins']} questions, beside all "
        f"{manifest['originals']} originals, in {given.out / DATASET_FILE}"
    )
    print(", ".join(f"{kind}: {number}" for kind, number in manifest["twins_by_cut"].items()))
    return 0


TWINS = Command(help="unanswerable twins of a benchmark's questions", configure=configure, run=run)
