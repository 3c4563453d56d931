"""Verification: an answer is checked against the evidence by code that the solvers do not share.

Solutions in words, from a language model, are checked by `draft.check_draft`.
"""

from collections.abc import Iterator
from typing import Any

from mapagent.answer import Solution, Status
from mapagent.evidence import Evidence
from mapagent.question import Question
from modules.answer_generator.matching import Match, NoMatch, match
from modules.answer_generator.verify.anchor import check_anchor
from modules.answer_generator.verify.facts import Facts
from modules.answer_generator.verify.objection import Objection
from modules.answer_generator.verify.plausible import check_facts
from modules.answer_generator.verify.rules import check_claim
from modules.answer_generator.verify.support import check_explanation, check_value

__all__ = ["Objection", "verify"]


def verify(
    question: Question,
    intent: Any,
    solution: Solution,
    evidence: tuple[Evidence, ...],
    match: Match | NoMatch | None,
) -> tuple[Objection, ...]:
    """Everything that is wrong with giving this solution as the answer.

    Args:
        question: As it came in.
        intent: What it was understood to ask (a model of `modules.offline.intents`); None if unknown.
        solution: Its `value` is what would be given.
        evidence: All evidence of the run; computed facts among it prove nothing.
        match: The option chosen for the value; None if the question has no options.
    """
    if solution.status is not Status.ANSWERED:
        return ()
    facts = Facts(evidence, question)
    return tuple(_objections(question, intent, solution, facts, match))


def _objections(
    question: Question, intent: Any, solution: Solution, facts: Facts, chosen: Match | NoMatch | None
) -> Iterator[Objection]:
    cited = tuple(
        dict.fromkeys((*solution.evidence_ids, *(one for c in solution.claims for one in c.inputs)))
    )
    yield from _check_evidence(question, cited, facts)
    for claim in solution.claims:
        yield from check_claim(claim, facts)
    yield from check_facts(facts, cited)
    yield from check_anchor(intent, solution, facts)
    yield from check_value(solution, facts)
    yield from check_explanation(solution, facts)
    if isinstance(chosen, Match):
        yield from _check_letter(question, solution, chosen)


def _check_evidence(question: Question, cited: tuple[str, ...], facts: Facts) -> Iterator[Objection]:
    if not facts.observed and question.near is None:
        yield Objection(code="no_evidence", message="No evidence supports an answer.")
    missing = facts.unknown(cited)
    if missing:
        yield Objection(
            code="no_such_evidence", message=f"The answer cites {', '.join(missing)}, which is not there."
        )


def _check_letter(question: Question, solution: Solution, chosen: Match) -> Iterator[Objection]:
    """The index, the text and the value must belong to one option."""
    options = question.options
    if not 0 <= chosen.index < len(options) or options[chosen.index].strip() != chosen.text:
        yield Objection(code="letter", message=f"Option {chosen.index + 1} is not '{chosen.text}'.")
        return
    if solution.value is None:
        return
    again = match(solution.value, solution.ranking, question)
    if not isinstance(again, Match) or again.index != chosen.index:
        says = f"'{again.text}'" if isinstance(again, Match) else "no option"
        yield Objection(code="letter", message=f"The value means {says}, not '{chosen.text}'.")
