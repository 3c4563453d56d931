"""Queries in what a model writes: fenced, after a sentence, or alone."""

import re

_FENCED = re.compile(r"```(?:\w*\n)?(.*?)(?:```|\Z)", re.DOTALL)
_BEGINNING = re.compile(r"\b(?:SELECT|WITH)\b", re.IGNORECASE)


def read_sql(reply: str) -> str:
    """The last query of a reply; empty if it holds none."""
    return next(reversed(queries_in(reply)), "")


def queries_in(reply: str) -> tuple[str, ...]:
    """All queries of a reply, in their order: one for each fenced block, or the only one outside of any."""
    fenced = tuple(block.strip() for block in _FENCED.findall(reply) if _BEGINNING.search(block) is not None)
    if fenced:
        return fenced
    begin = _BEGINNING.search(reply)
    if begin is None:
        return ()
    return (reply[begin.start() :].partition(";")[0].strip(),)
