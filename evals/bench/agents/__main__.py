"""`python -m evals.bench.agents`: every agent at every task; prints tables and keeps the figures."""

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from evals.bench import history
from evals.bench.agents import contenders, report
from evals.bench.agents.contenders import AgentRun
from evals.bench.agents.scripts import HABITS
from evals.bench.agents.servers import Latency, Stage, stage
from evals.bench.measure import table


def main() -> int:
    """Measures; exit code 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", default="", help="only these, by name, separated by semicolons")
    parser.add_argument("--habit", choices=HABITS, help="only this habit of the scripted model")
    parser.add_argument(
        "--environment", type=Path, default=contenders.ENVIRONMENT, help="the other agents' own"
    )
    parser.add_argument("--out", type=Path, default=history.FILE)
    given = parser.parse_args()
    wanted = tuple(filter(None, given.agents.split(";")))
    habits = (given.habit,) if given.habit else HABITS
    absent = contenders.missing(given.environment)
    if absent:
        sys.stderr.write(f"Agents of other projects are left out: {absent}.\n")
    runs: list[AgentRun] = []
    for habit in habits:
        with stage(habit, Latency()) as ground:
            runs += _ours(ground, wanted)
            runs += () if absent else _peers(ground, wanted, given.environment)
    rows = [row for habit in habits for row in report.targets(runs, habit)]
    for habit in habits:
        print(f"\nThe model's habit: {habit}\n\n{report.cells(runs, habit)}")
    print(f"\n{table(rows)}")
    history.append(given.out, "agents", report.figures(runs))
    return 0 if all(row.ok for row in rows) else 1


def _ours(ground: Stage, wanted: Sequence[str]) -> Iterator[AgentRun]:
    for name in _chosen(contenders.OUR_AGENTS, wanted):
        agent = contenders.OurAgent(name, ground)
        for task in ground.tasks:
            yield _shown(asyncio.run(agent.run(task)))


def _peers(ground: Stage, wanted: Sequence[str], environment: Path) -> Iterator[AgentRun]:
    for name in _chosen(contenders.PEER_AGENTS, wanted):
        with contenders.running(name, ground, environment) as agent:
            for task in ground.tasks:
                yield _shown(agent.run(task))


def _chosen(names: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if not wanted or name in wanted)


def _shown(run: AgentRun) -> AgentRun:
    outcome = "right" if run.right else f"wrong {run.trouble}"
    sys.stderr.write(f"{run.habit}, {run.agent}, {run.task}: {run.seconds:.2f} s, {outcome}\n")
    return run


if __name__ == "__main__":
    sys.exit(main())
