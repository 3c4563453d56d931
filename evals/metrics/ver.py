"""VER: valid execution rate."""

from mapagent.answer import Answer, Status

_FAILED = frozenset({Status.ERROR, Status.LIMIT, Status.NOT_UNDERSTOOD, Status.AMBIGUOUS})


def executed(answer: Answer) -> bool:
    """True for "a non-empty answer without execution errors" (Geo-ReAct, table 2).

    VER is the share of such questions. A refusal names nothing, so it is empty too.
    """
    return answer.status not in _FAILED and bool(answer.text.strip())
