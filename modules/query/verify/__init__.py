"""Verification: a second, naive evaluation of a program over the evidence that its derivation cites.

An answer may leave only if every node of its program, worked out anew from the values below it and the facts it
cites, comes to what is claimed. The second evaluation shares the values, the tree and the facts with the
interpreter and nothing else: it has a geodesy, calendar, arithmetic and trips of its own (Blum and Kannan, "Designing
programs that check their work", J. ACM 42(1), 1995). Words are read by the readers of `map_tools` in both.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mapagent.core.answer import Evidence, Value
from modules.query.interpreter.running import Outcome
from modules.query.language import syntax
from modules.query.operators.base import Operator
from modules.query.verify.agreement import is_united, says, told
from modules.query.verify.naive import NaiveEvaluator
from modules.query.verify.plausible import doubts


@dataclass(frozen=True, slots=True)
class Objection:
    """An objection to an answer; `reject`: the answer must not be given."""

    message: str
    reject: bool = True


def objections_to(
    program: syntax.Program, outcome: Outcome, operators: Mapping[str, Operator], evidence: Iterable[Evidence]
) -> tuple[Objection, ...]:
    """The objections to an outcome, in the order of the program.

    Args:
        program: The program.
        outcome: Its outcome, with the derivation.
        operators: By name; those of other packages may bring checks.
        evidence: The evidence of the answer.
    """
    told = {item.id: item for item in evidence}
    found: dict[str, bool] = {}
    for each in outcome.alternatives or (outcome,):
        second = NaiveEvaluator(program, each, operators, told.values())
        second.run()
        found |= second.objections
    each_node = (node for each in outcome.alternatives or (outcome,) for node in each.derivation)
    found |= dict(doubts(told.values(), frozenset(one for node in each_node for one in node.evidence)))
    if outcome.alternatives and not is_united(outcome):
        found["The answer does not hold for all the places that a name may mean."] = True
    return tuple(Objection(message, reject) for message, reject in found.items())


def misstated(name: str, made: Value | None, text: str | None, value: Any) -> tuple[Objection, ...]:
    """The objections to the words of an answer, or of a part of it.

    Args:
        name: "answer", or the name of the part.
        made: The typed value that is given.
        text: The words that are given; None if they are those of an option.
        value: The value of the program.
    """
    if says(made, text, value):
        return ()
    return (Objection(f"`{name}`: “{text or made}” is said; the program came to {told(value)}."),)
