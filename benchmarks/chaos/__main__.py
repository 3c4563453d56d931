"""`python -m benchmarks.chaos`: the soak of docs/reliability.md; exit code 1 if a promise does not hold."""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.chaos.soak import Run, Soak, SoakPlan, as_json, broken_promises, run_table
from benchmarks.chaos.ways import WAYS, SoakQuestion, open_ground, soak_questions
from map_tools.maps.home import MapHome
from map_tools.maps.making.ingest import add_map

FULL = SoakPlan()
SHORT = SoakPlan(shares=(0.3,), ways=WAYS[2:], attempt_s=4.0)
GENERATED, SHORT_GENERATED = 80, 15
WRITTEN, SHORT_WRITTEN = 20, 5


def main() -> int:
    """Runs the soak, prints its table, writes its JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chaos", description=__doc__)
    parser.add_argument("extract", type=Path, help="the demo extract (.osm.pbf)")
    parser.add_argument("--short", action="store_true", help="fewer questions, 30 %% faults only, for CI")
    parser.add_argument("--seed", type=int, default=0, help="of the faults and of the generated questions")
    parser.add_argument("--out", type=Path, help="a JSON file to write")
    given = parser.parse_args()
    plan = replace(SHORT if given.short else FULL, seed=given.seed)
    with tempfile.TemporaryDirectory() as folder:
        home = MapHome(Path(folder) / "maps")
        path = home.path(add_map(given.extract, name="helsinki", home=home).name)
        questions = soak_questions(
            path,
            written=SHORT_WRITTEN if given.short else WRITTEN,
            generated=SHORT_GENERATED if given.short else GENERATED,
            seed=given.seed,
        )
        runs = asyncio.run(_runs(plan, questions, path, Path(folder)))
    broken = broken_promises(runs)
    if given.out is not None:
        settings = {"seed": plan.seed, "attempt_s": plan.attempt_s, "deadline_s": plan.deadline_s}
        text = json.dumps(as_json(runs, broken, settings), indent=1, ensure_ascii=False)
        given.out.write_text(f"{text}\n", encoding="utf-8")
    sys.stdout.write("\n".join((run_table(runs), "", *(broken or ("All promises hold.",)))) + "\n")
    return 1 if broken else 0


async def _runs(
    plan: SoakPlan, questions: Sequence[SoakQuestion], folder: Path, data_home: Path
) -> list[Run]:
    runs = []
    async with open_ground(folder) as ground:
        async for run in Soak(plan, questions, data_home).runs(ground):
            sys.stderr.write(f"{run.title}: {run.accuracy:.1%} right in {run.seconds:.0f} s\n")
            runs.append(run)
    return runs


if __name__ == "__main__":
    sys.exit(main())
