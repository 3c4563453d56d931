"""`python -m benchmarks.agents`: every agent at every task; prints tables and keeps the figures.

What was measured is also held against the targets.
"""

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import history
from benchmarks.agents import contenders
from benchmarks.agents.contenders import LANGGRAPH_ONE_CALL, MAPAGENT, MAPAGENT_MODEL, AgentRun
from benchmarks.agents.scripts import HABITS, Habit
from benchmarks.agents.servers import Latency, Stage, stage
from benchmarks.measure import Row, table

MAX_CRITICAL = 1.1
"""Wall time over what cannot be saved."""
MAX_SHARE = 0.2
"""Of the time of an agent that makes one call at a time: five times as fast."""
ONE_CALL = ("react", LANGGRAPH_ONE_CALL)
"""Agents that make one call at a time."""
FIVE_STOPS = "trip of 5 stops"


def cells(runs: Sequence[AgentRun], habit: Habit) -> str:
    """A table of agents and tasks; in a cell seconds, model calls, tokens, map calls, and what is wrong."""
    chosen = [run for run in runs if run.habit == habit]
    tasks = tuple(dict.fromkeys(run.task for run in chosen))
    found = {(run.agent, run.task): run for run in chosen}
    lines = [f"| agent | {' | '.join(tasks)} |", "| --- " * (len(tasks) + 1) + "|"]
    for agent in dict.fromkeys(run.agent for run in chosen):
        shown = (found.get((agent, task)) for task in tasks)
        lines.append(f"| {agent} | {' | '.join(_cell(run) if run else '' for run in shown)} |")
    return "\n".join(lines)


def _cell(run: AgentRun) -> str:
    figures = f"{run.seconds:.2f} s · {run.model_calls} · {run.tokens:,} · {run.map_calls}"
    return figures if run.right else f"wrong ({figures})"


def targets(runs: Sequence[AgentRun], habit: Habit) -> Iterator[Row]:
    """The targets as rows; what was not measured has none."""
    chosen = [run for run in runs if run.habit == habit]
    own = [run for run in chosen if run.agent in {MAPAGENT, MAPAGENT_MODEL}]
    yield Row(f"wrong answers of mapagent ({habit})", sum(not run.right for run in own), "", 0, len(own))
    for agent in (MAPAGENT, MAPAGENT_MODEL):
        mine = [run for run in own if run.agent == agent]
        yield from _critical(mine)
        yield from _against_one_call(chosen, mine, habit)
    yield from _tokens(chosen, habit)


def _critical(mine: Sequence[AgentRun]) -> Iterator[Row]:
    """How far above the critical path the worst task is: by the clock, and by the agent's own work.

    On a machine with other work the clock tells of that work, too.
    """
    measured = [(run, run.critical_s) for run in mine if run.critical_s]
    if not measured:
        return
    run, least_s = max(measured, key=lambda each: each[0].seconds / each[1])
    what = f"{run.agent}: wall time / critical path, worst task ({run.habit}: {run.task})"
    yield Row(what, run.seconds / least_s, "×", MAX_CRITICAL, len(measured))
    run, least_s = max(measured, key=lambda each: each[0].cpu_s / each[1])
    what = f"{run.agent}: own processor time / critical path, worst task ({run.habit}: {run.task})"
    yield Row(what, run.cpu_s / least_s, "×", MAX_CRITICAL - 1, len(measured))


def _against_one_call(runs: Sequence[AgentRun], mine: Sequence[AgentRun], habit: Habit) -> Iterator[Row]:
    """The trip of five stops against agents that make one call at a time and answer rightly."""
    one = next((run for run in mine if run.task == FIVE_STOPS), None)
    for other in runs:
        if one and other.agent in ONE_CALL and other.task == FIVE_STOPS and other.right:
            what = f"{one.agent}: time / {other.agent}'s, {FIVE_STOPS} ({habit})"
            # The target speaks of models that ask leg by leg; one that knows Trip asks once in any case.
            limit = MAX_SHARE if habit == "legs" else None
            yield Row(what, one.seconds / other.seconds, "×", limit, 1)


def _tokens(runs: Sequence[AgentRun], habit: Habit) -> Iterator[Row]:
    """Tokens of `mapagent` with a model over the fewest any other needed for a right answer."""
    ratios: dict[str, float] = {}
    for task in dict.fromkeys(run.task for run in runs):
        mine = [run.tokens for run in runs if run.task == task and run.agent == MAPAGENT_MODEL]
        others = [run.tokens for run in runs if run.task == task and run.right and run.tokens]
        others = [tokens for tokens in others if tokens not in mine]
        if mine and others:
            ratios[task] = mine[0] / min(others)
    if ratios:
        worst = max(ratios, key=lambda task: ratios[task])
        what = f"{MAPAGENT_MODEL}: tokens / fewest of the others, worst task ({habit}: {worst})"
        yield Row(what, ratios[worst], "×", 1.0, len(ratios))


def figures(runs: Sequence[AgentRun]) -> dict[str, float]:
    """All figures by name, for the history."""
    told: dict[str, float] = {}
    for run in runs:
        name = f"{run.agent}/{run.task}/{run.habit}"
        told |= {
            f"{name}/s": round(run.seconds, 4),
            f"{name}/cpu s": round(run.cpu_s, 4),
            f"{name}/model calls": run.model_calls,
            f"{name}/tokens": run.tokens,
            f"{name}/map calls": run.map_calls,
            f"{name}/right": float(run.right),
        }
    return told


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
    rows = [row for habit in habits for row in targets(runs, habit)]
    for habit in habits:
        print(f"\nThe model's habit: {habit}\n\n{cells(runs, habit)}")
    print(f"\n{table(rows)}")
    history.append(given.out, "agents", figures(runs))
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
