"""`mapagent batch IN.parquet OUT.parquet`: a table of questions in, a table of answers out."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from mapagent.interfaces.cli.command import (
    BUILT_IN,
    Command,
    add_own_places,
    add_settings,
    positive,
    settings_from,
)

EXECUTORS = ("local", "ray")


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("source", type=Path, metavar="IN.parquet", help="a row for each question")
    parser.add_argument("out", type=Path, metavar="OUT.parquet", help="where a row for each answer goes")
    parser.add_argument("--executor", choices=EXECUTORS, default="local", help="where questions are asked")
    parser.add_argument("--concurrency", type=positive, metavar="N", help="questions at once, in all")
    parser.add_argument("--rate", type=_rate, metavar="R", help="at most R questions a second, in all")
    add_own_places(parser, "yes, unless rows are asked elsewhere")
    add_settings(parser)


def run(given: Namespace) -> int:
    """Answers all rows; exit code 0 if each has its answer, whatever that is."""
    import asyncio

    from mapagent.interfaces.batch.run import Order, run_batch

    order = Order(
        source=given.source,
        out=given.out,
        settings=settings_from(given).settings,
        executor=given.executor,
        seats=given.concurrency,
        rate_per_s=given.rate,
        map_wanted=given.provider is not None or given.map is not None,
        own_places=given.own_places,
    )
    counts = asyncio.run(run_batch(order))
    told = ", ".join(f"{count:,} {status.replace('_', ' ')}" for status, count in sorted(counts.items()))
    sys.stderr.write(f"{given.out}: {sum(counts.values()):,} rows: {told or 'none'}.\n")
    return 0


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate < float("inf"):
        raise ArgumentTypeError(f"'{text}' is not a number above 0")
    return rate


COMMAND = Command(help=BUILT_IN["batch"], configure=configure, run=run)
