"""`python -m benchmarks.audit SUITE --data PATH [--world PATH]`: the figures of docs/benchmark-audit.md."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from benchmarks.audit.records import Finding, shown
from map_tools.errors import MapAgentError, UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the findings; exit code 2 for wrong use."""
    parser = ArgumentParser(prog="python -m benchmarks.audit", description="Audits a public benchmark.")
    parser.add_argument("suite", choices=("gsqa", "mapqa", "mapeval"))
    parser.add_argument(
        "--data", type=Path, required=True, metavar="PATH", help="the benchmark's file or folder"
    )
    parser.add_argument("--world", type=Path, metavar="PATH", help="the published extract (gsqa)")
    parser.add_argument("--ids", action="store_true", help="list the questions")
    given = parser.parse_args(arguments)
    try:
        findings = _audit(given.suite, given.data, given.world)
    except MapAgentError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(shown(findings, with_ids=given.ids) + "\n")
    return 0


def _audit(suite: str, data: Path, world: Path | None) -> tuple[Finding, ...]:
    if world is not None and suite != "gsqa":
        raise UsageError(f"The audit of {suite} needs no world.", "Leave out --world.")
    if suite == "mapqa":
        from benchmarks.audit.records import audit_mapqa

        return audit_mapqa(data)
    if suite == "mapeval":
        from benchmarks.audit.records import audit_mapeval

        return audit_mapeval(data)
    from benchmarks.audit.records import audit_gsqa

    if world is None:
        return audit_gsqa(data)
    from benchmarks.audit.extract import audit_gsqa_world

    return (*audit_gsqa(data), *audit_gsqa_world(data, world))


if __name__ == "__main__":
    raise SystemExit(main())
