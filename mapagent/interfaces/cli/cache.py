"""`mapagent cache explain|clear`: the replies that are kept."""

from argparse import ArgumentParser, Namespace

from mapagent.core.facttext import clean
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_config, settings_from
from mapagent.runtime.caches import known_caches


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    explain = actions.add_parser("explain", help="say why the latest request was not answered from a cache")
    add_config(explain)
    add_config(actions.add_parser("clear", help="forget all kept replies"))


def run(given: Namespace) -> int:
    """Explains or clears every cache there is."""
    for cache in known_caches(settings_from(given).settings):
        if given.action == "clear":
            print(f"{cache.name}: {cache.clear()} replies forgotten.")
            continue
        report = cache.report()
        print(f"{report.name}: {report.entries} replies kept in {report.path}")
        for line in report.explanation:
            print(f"  {clean(line) if not line.startswith('  ') else '  ' + clean(line)}")
    return 0


COMMAND = Command(help=BUILT_IN["cache"], configure=configure, run=run)
