"""The small programs of the query language that tools are made of: values and calls as program text.

A tool that runs a program answers as the language does: kinds that mappers tag in several ways, outlines of
parks, what is not stated and what lies just outside are its business, and are told the same everywhere.
"""

import re
from collections.abc import Iterable, Mapping

from map_tools.errors import UsageError
from map_tools.kinds.wanted import field_of, property_of
from mapagent.core.rendering import clean
from mapagent.core.rendering import quoted as in_quotes

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_WORDS = re.compile(r"\w+([ -]\w+)*")
_NUMBER = re.compile(r"\d+(\.\d+)?")
_CONDITION = re.compile(r"([\w:.-]+)\s*(?:(>=|<=|=|>|<)\s*(.+))?")
_YES = frozenset({"yes", "true"})
_NO = frozenset({"no", "false"})


def quoted(text: str) -> str:
    """A text of a caller's as a program has it: clean, and whole, for what is cut off would change its meaning."""
    return in_quotes(clean(text), cut=False)


def listed(texts: Iterable[str]) -> str:
    """A list of texts."""
    return f"[{', '.join(map(quoted, texts))}]"


def call(operator: str, *values: str, **named: str | None) -> str:
    """A call of an operator with program text as arguments; those that are None are left out."""
    given = [f"{name}={value}" for name, value in named.items() if value is not None]
    return f"{operator}({', '.join((*values, *given))})"


def answer(value: str, parts: Mapping[str, str]) -> str:
    """The last line of a program."""
    return call("answer", value, **parts)


def condition(text: str) -> str:
    """What a place `p` must have, from "outdoor seating", "cuisine=italian", "fee=no" or "stars>=4".

    Raises:
        UsageError: It is nothing of the kind.
    """
    service = property_of(text) if _WORDS.fullmatch(text.strip()) else None
    if service is not None:
        return f"p.{field_of(service)}"
    read = _CONDITION.fullmatch(text.strip())
    if read is None:
        raise UsageError(
            f"'{text[:60]}' is no condition.", 'Write "wifi", "cuisine=italian", "fee=no" or "stars>=4".'
        )
    key, comparator, value = read[1], read[2], (read[3] or "").strip()
    field = f"p.{key}" if _NAME.fullmatch(key) else f"fact(p, {quoted(key)})"
    if comparator is None or (comparator == "=" and value.lower() in _YES):
        return field
    if comparator == "=" and value.lower() in _NO:
        return f"not {field}"
    if _NUMBER.fullmatch(value):
        return f"{field} {'==' if comparator == '=' else comparator} {value}"
    # "italian" is one of the words of "italian;pizza".
    return f"{quoted(value)} in {field}" if comparator == "=" else f"{field} {comparator} {quoted(value)}"
