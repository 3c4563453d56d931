"""`python -m benchmarks.smoke`: prints the table of docs/results/model-smoke.md and writes the records."""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean, median

from benchmarks.smoke.questions import Outcome, SmokeQuestion, outcomes, questions
from mapagent.runtime.config import Settings, load_settings

PATIENCE_S = 900.0
"""A small model on a busy machine takes its time; what is measured is not how patient one is."""


def main() -> int:
    """Runs the ways that are named, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.smoke", description=__doc__)
    parser.add_argument("--map", required=True, help="the map of the demo extract (mapagent map add)")
    parser.add_argument("--model", default="", help="name of the model at --base-url")
    parser.add_argument("--base-url", help="address of the model server")
    parser.add_argument("--ways", default="offline,model,cascade", help="which of these three")
    parser.add_argument("--only", default="", help="ids of questions, with commas")
    parser.add_argument("--out", type=Path, default=Path("smoke-results"))
    given = parser.parse_args()
    asked = [one for one in questions() if not given.only or one.id in given.only.split(",")]
    table = []
    for way in given.ways.split(","):
        found = asyncio.run(_run(way, asked, _settings(way, given)))
        _write(given.out / f"{way}.jsonl", found)
        table.append(_row(way, found))
    sys.stdout.write("\n".join((*_HEAD, *table)) + "\n")
    return 0


def _settings(way: str, given: argparse.Namespace) -> Settings:
    named = {"offline": "offline", "model": given.model, "cascade": f"cascade:{given.model}"}
    flags = {
        "model": named[way],
        "map": given.map,
        "base_url": given.base_url,
        "deadline_s": PATIENCE_S,
        "model_timeout_s": PATIENCE_S,
        "model_cache": False,
    }
    return load_settings(flags=flags).settings


async def _run(way: str, asked: Sequence[SmokeQuestion], settings: Settings) -> list[Outcome]:
    found = []
    async for outcome in outcomes(asked, settings):
        found.append(outcome)
        mark = "right" if outcome.right else "WRONG"
        told = f"{way} {outcome.id} {mark} {outcome.status} {outcome.answer!r} {outcome.seconds:.1f} s"
        sys.stderr.write(f"{told} {outcome.path} {outcome.reason}\n")
    return found


def _write(path: Path, found: Sequence[Outcome]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(asdict(one), ensure_ascii=False) for one in found]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


_HEAD = (
    "| way | right | plain | free | answered wrongly | model calls | tokens | median s | with the model |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
)


def _row(way: str, found: Sequence[Outcome]) -> str:
    wrong = sum(not one.right and one.status == "answered" for one in found)
    asked = [one for one in found if one.calls]
    cells = (
        way,
        _share(found),
        _share([one for one in found if one.wording == "plain"]),
        _share([one for one in found if one.wording == "free"]),
        str(wrong),
        f"{fmean(one.calls for one in found):.2f}",
        f"{fmean(one.tokens for one in found):.0f}",
        f"{median(one.seconds for one in found):.2f}",
        f"{len(asked)} of {len(found)}",
    )
    return f"| {' | '.join(cells)} |"


def _share(found: Sequence[Outcome]) -> str:
    right = sum(one.right for one in found)
    return f"{right} of {len(found)}" + (f" ({right / len(found):.0%})" if found else "")


if __name__ == "__main__":
    sys.exit(main())
