"""What a module that works for an operator found: a value, or why there is none."""

from map_tools.types import Frozen
from mapagent.core.answer import Status, Value


class Solution(Frozen):
    """A finding.

    Attributes:
        value: The best value; None if there is none.
        ranking: Further values in falling order.
        explanation: Short derivation in words, with its numbers.
        evidence_ids: What it rests on.
        reason: Why there is no value.
        confidence: 0 to 1, where the module can tell.
    """

    status: Status
    value: Value | None = None
    ranking: tuple[Value, ...] = ()
    explanation: str = ""
    evidence_ids: tuple[str, ...] = ()
    reason: str = ""
    warnings: tuple[str, ...] = ()
    confidence: float | None = None
