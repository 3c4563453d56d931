"""Verification: a second, naive evaluation of a program over the evidence it cites."""

from collections.abc import Mapping
from dataclasses import dataclass

from modules.query.interpreter.running import Outcome
from modules.query.language import syntax
from modules.query.operators.base import Operator


@dataclass(frozen=True, slots=True)
class Objection:
    """Something that speaks against an answer; `reject`: it must not be given."""

    message: str
    reject: bool = True


def objections_to(
    program: syntax.Program, outcome: Outcome, operators: Mapping[str, Operator]
) -> tuple[Objection, ...]:
    """What speaks against an outcome."""
    return ()
