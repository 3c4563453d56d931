"""Route planning by tools, in the shape of MobilityBench: queries with context, gold tool calls, replayed replies.

An answer is judged by five scores, each 0 to 1, and counts as right by its outcome alone:

- instruction: it says what is asked for (a duration, a place, ...), or refuses what has no answer;
- planning: the gold calls are made, and those that need others behind them;
- tool use: their tools and parameters are right (`evals.metrics.calls`);
- outcome: the value is right (`evals.suites.scoring.rules`);
- efficiency: calls, rounds and, where a model is asked, tokens against the gold.

Planning, tool use and efficiency are not counted where no call is needed.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.metrics.calls import Spellings, at_most, calls_of, compare
from evals.metrics.statistics import mean
from evals.ports import Item, OfferRule, Score
from evals.suites.scoring.mobility import MobilityRecord, asked_for, item_of, read_mobility, said_in
from evals.suites.scoring.rules import holds
from map_tools.providers.base import Provider
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import RequestContext
from mapagent.llm.tokens import text_tokens
from mapagent.runtime.config import Settings

WORLD_FILE = "world.json"
"""The recorded replies, beside the queries."""
SCORES = ("instruction", "planning", "tool_use", "outcome", "efficiency")


class Mobility:
    """Queries over the replies that were recorded when they were made."""

    name = "mobility"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """The queries of a file, or of a folder that `mapagent generate mobility` wrote."""
        return tuple(map(item_of, read_mobility(data)))

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """The recorded replies: `world`, else those beside the queries; None where there are none."""
        from map_tools.providers.recorded import RecordedProvider

        beside = (data if data.is_dir() else data.parent) / WORLD_FILE
        path = world or (beside if beside.exists() else None)
        return None if path is None else RecordedProvider.open(path)

    def score(self, item: Item, answer: Answer) -> Score:
        """Instruction and outcome, which the answer alone tells."""
        record = MobilityRecord.model_validate(item.gold)
        refused = answer.status is not Status.ANSWERED
        if refused or not item.answerable:
            right = answer.status in {Status.UNANSWERABLE, Status.AMBIGUOUS} and not item.answerable
            values = {"instruction": float(right), "outcome": float(right)}
            return Score(correct=right, refused=refused, values=values)
        said = said_in(answer)
        right = all(holds(one, said) for one in record.outcome)
        values = {"instruction": float(asked_for(said, record)), "outcome": float(right)}
        return Score(correct=right, values=values)

    def score_run(self, item: Item, answer: Answer, request_context: RequestContext) -> Score:
        """All five scores; the trace tells what was called (`evals.ports.ScoresRuns`)."""
        score = self.score(item, answer)
        record = MobilityRecord.model_validate(item.gold)
        gold = record.tool_calls
        if not gold:
            return score
        made = calls_of(request_context.trace.spans)
        compared = compare(made, gold, Spellings(record.places).same)
        further = {
            "planning": compared.planning,
            "tool_use": compared.tool_use,
            "efficiency": _efficiency(record, len(made), request_context),
        }
        return score.model_copy(update={"values": {**score.values, **further}})

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """The mean of each score, of all queries and by category."""
        groups: dict[str, list[Score]] = defaultdict(list)
        for item, score in judged:
            groups[item.category].append(score)
        return {
            "scores": mean_scores(score.values for _, score in judged),
            "scores_by_category": {
                name: mean_scores(score.values for score in group) for name, group in sorted(groups.items())
            },
        }


def mean_scores(values: Iterable[Mapping[str, float]]) -> dict[str, float | None]:
    """The mean of each score.

    A run that failed has no values, and counts as 0; what has no gold calls is judged by the answer alone.
    """
    told = [one or dict.fromkeys(SCORES, 0.0) for one in values]
    return {name: mean([one[name] for one in told if name in one]) for name in SCORES}


def _efficiency(record: MobilityRecord, made: int, request_context: RequestContext) -> float:
    """The mean over calls, rounds and tokens of gold against made.

    A method that counts no rounds of calls has one with each request to its model. The gold tokens are those of
    the query and the gold calls, which nobody can do without.
    """
    ledger = request_context.ledger
    shares = [
        at_most(len(record.tool_calls), made),
        at_most(max(call.round for call in record.tool_calls), ledger.rounds or ledger.llm_calls),
    ]
    tokens = ledger.prompt_tokens + ledger.completion_tokens
    if tokens:
        told = (record.query, *(call.model_dump_json() for call in record.tool_calls))
        shares.append(at_most(sum(map(text_tokens, told)), tokens))
    return sum(shares) / len(shares)
