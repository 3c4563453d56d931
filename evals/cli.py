"""`mapagent eval SUITE` and `mapagent eval report DIR...`: measuring methods over benchmarks."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from evals.registry import EXECUTORS, SUITES
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_settings, positive
from mapagent.runtime.plugins import entry_points

REPORT = "report"


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    actions = parser.add_subparsers(dest="suite", metavar=f"SUITE|{REPORT}", required=True)
    for name in sorted({entry.name for entry in entry_points(SUITES)}):
        _configure_suite(actions.add_parser(name, help=f"run methods over the suite {name}"))
    report = actions.add_parser(REPORT, help="a table, or a page, of finished runs")
    report.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders of runs, or above runs")
    written = report.add_mutually_exclusive_group()
    written.add_argument("--html", type=Path, metavar="FILE", help="write one self-contained page")
    written.add_argument(
        "--comparison", type=Path, metavar="FILE", help="write the papers' tables beside ours (Markdown)"
    )
    written.add_argument(
        "--suites", type=Path, metavar="FILE", help="write all suites, developed on beside unseen (Markdown)"
    )


def _configure_suite(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, metavar="PATH", help="the benchmark's file or folder")
    parser.add_argument(
        "--world", type=Path, metavar="PATH", help="a recorded world, or what to build it from"
    )
    parser.add_argument("--method", default="mapagent", metavar="M[,M...]", help="default: mapagent")
    parser.add_argument("--protocol", choices=("fair", "official"), default="fair")
    parser.add_argument(
        "--exclude-defective", action="store_true", help="leave out what is known to be wrong"
    )
    parser.add_argument("--limit", type=positive, metavar="N", help="at most N questions")
    parser.add_argument("--sample", type=Path, metavar="FILE", help="only the ids in this file, one a line")
    parser.add_argument("--seed", type=int, metavar="N", help="draw the --limit at random, by category")
    parser.add_argument("--concurrency", type=positive, metavar="N", help="questions at once")
    parser.add_argument("--executor", choices=EXECUTORS, default="local")
    parser.add_argument("--estimate", action="store_true", help="say what it would cost, and do not ask")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the results")
    parser.add_argument("--resume", action="store_true", help="continue the run in --out")
    add_settings(parser)


def run(given: Namespace) -> int:
    """Runs the action; exit code 0 if every question has its record."""
    if given.suite == REPORT:
        from evals.report.page import compare, report, survey

        print(compare(given) if given.comparison else survey(given) if given.suites else report(given))
    else:
        from evals.runner.command import evaluate

        print(evaluate(given))
    return 0


COMMAND = Command(help=BUILT_IN["eval"], configure=configure, run=run)
