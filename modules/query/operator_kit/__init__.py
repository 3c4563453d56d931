"""A kit for operators of other packages: says what is wrong with one, before a program calls it.

    example = Example('stroll_away("Ateneum", to="Kiasma")', result=True, most_requests=3)
    assert faults_of(stroll_away, [example], provider) == ()

An operator is pure (what it needs beyond its arguments it asks its context for), makes Unknown of what is not known,
asks for no more than is declared, and can be read back.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from map_tools.providers.base import Provider
from modules.query.operator_kit.examples import Example, faults_of_example
from modules.query.operator_kit.form import faults_of_code, faults_of_form
from modules.query.operators.base import Operator

__all__ = ["Example", "faults_of"]


def faults_of(
    operator: Operator,
    examples: Sequence[Example],
    provider: Provider | None = None,
    *,
    now: datetime | None = None,
) -> tuple[str, ...]:
    """What is wrong with an operator; empty if nothing is.

    Args:
        operator: The operator.
        examples: At least one call; together they should give each parameter once.
        provider: Where the facts of the examples come from; None for operators that need none.
        now: The present moment of the examples, in local time.

    Raises:
        Exception: Whatever the operator raises that is none of the project's errors.
    """
    faults = [*faults_of_form(operator), *faults_of_code(operator)]
    if not examples:
        faults.append("There is no example.")
    for example in examples:
        faults += asyncio.run(faults_of_example(operator, example, provider, now))
    return tuple(dict.fromkeys(faults))
