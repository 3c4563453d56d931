"""The reasoner that is never asked: it stands where a plan needs no language."""

from mapagent.answer import Solution, Status
from mapagent.evidence import Evidence
from mapagent.ports import Account, NameHints, ToolCall, Understanding
from mapagent.question import Question


class NoReasoner:
    """Understands nothing and wants nothing; for plans whose steps are all fixed."""

    name = "none"

    async def plan(
        self,
        question: Question,  # noqa: ARG002
        *,
        names: NameHints | None,  # noqa: ARG002
        account: Account,  # noqa: ARG002
    ) -> Understanding:
        """Understands nothing."""
        return Understanding(status=Status.NOT_UNDERSTOOD, reason="There is no reasoner.")

    async def next_calls(
        self,
        question: Question,  # noqa: ARG002
        understanding: Understanding,  # noqa: ARG002
        evidence: tuple[Evidence, ...],  # noqa: ARG002
        *,
        account: Account,  # noqa: ARG002
    ) -> tuple[ToolCall, ...]:
        """Wants no calls."""
        return ()

    async def conclude(
        self,
        question: Question,  # noqa: ARG002
        understanding: Understanding,
        evidence: tuple[Evidence, ...],  # noqa: ARG002
        *,
        closed: bool,  # noqa: ARG002
        account: Account,  # noqa: ARG002
    ) -> Solution:
        """Concludes nothing."""
        return Solution(status=understanding.status, reason=understanding.reason)
