"""Evidence as a model reads it: one fact a line, cut by relevance to a budget, never silently."""

from collections.abc import Iterable

from map_tools.facts import ComputedFact, FailureFact
from mapagent.evidence import Evidence
from mapagent.facttext import fact_text
from mapagent.llm.tokens import text_tokens
from mapagent.question import Question
from modules.llm.conversation import clipped
from modules.llm.quoting import data
from modules.names import normalise

FACT_TOKENS = 160
"""Longest line of one fact."""
LEFT_OUT_TOKENS = 24
"""Kept free for the line that says how much was left out."""
SHORTEST_WORD = 3
COMPUTED_BONUS = 2.0
"""What was computed answers more than what was listed."""
FAILURE_BONUS = -1.0
NO_FACTS = "(none)"


def facts_text(evidence: Iterable[Evidence], question: Question, *, tokens: int) -> str:
    """The evidence in its own order, one fact a line with its id in brackets.

    Where it is longer than the budget, the facts that share fewest words with the question are left out, and
    a last line says how many.

    Args:
        evidence: What is known.
        question: What it is wanted for.
        tokens: The budget, by the estimate of `mapagent.llm.tokens`.
    """
    lines = list(dict.fromkeys(map(_line, evidence)))
    items = list(zip(lines, evidence, strict=False))
    if not lines:
        return NO_FACTS
    sizes = {line: text_tokens(line) + 1 for line in lines}
    if sum(sizes.values()) <= tokens:
        return "\n".join(lines)
    wanted = _words(" ".join((question.text, *question.options)))
    left = tokens - LEFT_OUT_TOKENS
    kept: set[str] = set()
    for line, _ in sorted(items, key=lambda item: -_relevance(item[1], item[0], wanted)):
        if sizes[line] <= left:
            kept.add(line)
            left -= sizes[line]
    missing = len(lines) - len(kept)
    return "\n".join(
        (*(line for line in lines if line in kept), f"({missing} more facts are left out here.)")
    )


def _line(item: Evidence) -> str:
    return f"[{item.id}] {clipped(data(fact_text(item.value)), FACT_TOKENS)}"


def _relevance(item: Evidence, line: str, wanted: frozenset[str]) -> float:
    """How much a fact has to do with the question: the words they share, and what kind of fact it is."""
    shared = float(len(wanted & _words(line)))
    if isinstance(item.value, ComputedFact):
        return shared + COMPUTED_BONUS
    return shared + (FAILURE_BONUS if isinstance(item.value, FailureFact) else 0.0)


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in normalise(text).split() if len(word) >= SHORTEST_WORD)
