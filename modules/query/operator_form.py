"""The form of an operator: its name, docstring, phrase and parameters; and clocks and chance in its code."""

import dis
import keyword
import random
import re
import secrets
import sys
import types as python_types
from collections.abc import Iterator
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from modules.query.inventory import RESERVED, built_in
from modules.query.operators.base import Operator

MAX_DOC_LINES = 3
"""Lines of a docstring: it stands on the card that models read."""
_SLOT = re.compile(r"\{(\w+)")
_OPTIONAL = re.compile(r"\[[^\[\]]*\]")
_SEEN_OUTSIDE = (
    "open",
    "socket.",
    "subprocess.",
    "os.system",
    "time.sleep",
    "urllib.",
    "shutil.",
    "os.remove",
    "os.listdir",
)
"""Beginnings of audit events (https://docs.python.org/3/library/audit_events.html)
that a pure function does not cause."""
_UNSTEADY = ("time", "random", "secrets", "uuid")
"""Modules whose functions give something else each time."""
_CLOCKS = frozenset({"now", "today", "utcnow"})


def faults_of_form(operator: Operator) -> Iterator[str]:
    """Name, docstring, phrase and parameters."""
    if "_" not in operator.name.strip("_") or operator.name in built_in() or operator.name in RESERVED:
        yield f"The name {operator.name!r} has no prefix of its package, or is taken."
    if not operator.module:
        yield "No module is said to own it."
    if not operator.doc.strip():
        yield "There is no docstring."
    elif len(operator.doc.splitlines()) > MAX_DOC_LINES + 1:
        yield f"The docstring has more than {MAX_DOC_LINES} lines."
    yield from _faults_of_phrase(operator)
    if operator.others:
        yield "It takes any further arguments, so that no slip in a name is found."


def _faults_of_phrase(operator: Operator) -> Iterator[str]:
    """Everything that is given is read back, and nothing else."""
    names = {one.name for one in operator.parameters}
    slots, always = (
        set(_SLOT.findall(operator.phrase)),
        set(_SLOT.findall(_OPTIONAL.sub("", operator.phrase))),
    )
    if not operator.phrase.strip():
        yield "There is no phrase to read it back by."
    for name in sorted(slots - names):
        yield f"The phrase speaks of {{{name}}}, which is no parameter."
    for one in operator.parameters:
        if keyword.iskeyword(one.name):
            yield f"The parameter {one.name!r} is a keyword."
        if one.name not in slots:
            yield f"The phrase does not tell {{{one.name}}}."
        elif not one.required and one.default is None and one.name in always:
            yield f"The phrase tells {{{one.name}}} even where it is not given: put it in […]."


def faults_of_code(operator: Operator) -> Iterator[str]:
    """Clocks and chance that the code of an operator, and of what it calls in its own file, reaches for."""
    for function in _functions(operator.function, set()):
        for chain in _chains(function):
            if chain[0] in _UNSTEADY or (chain[0] in {"datetime", "date"} and _CLOCKS & set(chain[1:])):
                yield f"It is not pure: `{'.'.join(chain)}` gives something else each time."


def _functions(function: Any, seen: set[int]) -> Iterator[python_types.FunctionType]:
    """A function and those of the same file that it calls."""
    if not isinstance(function, python_types.FunctionType) or id(function) in seen:
        return
    seen.add(id(function))
    yield function
    for name in _names_in(function.__code__):
        other = function.__globals__.get(name)
        if getattr(other, "__module__", None) == function.__module__:
            yield from _functions(other, seen)


def _codes(code: python_types.CodeType) -> Iterator[python_types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            yield from _codes(constant)


def _names_in(code: python_types.CodeType) -> Iterator[str]:
    for one in _codes(code):
        yield from one.co_names


def _chains(function: python_types.FunctionType) -> Iterator[tuple[str, ...]]:
    """The dotted names that a function reads, each beginning with the module or class it comes from."""
    for code in _codes(function.__code__):
        chain: list[str] = []
        for instruction in dis.get_instructions(code):
            if instruction.opname in {"LOAD_GLOBAL", "LOAD_NAME"}:
                yield tuple(chain) or ("",)
                chain = [_origin(function.__globals__.get(instruction.argval), instruction.argval)]
            elif instruction.opname in {"LOAD_ATTR", "LOAD_METHOD"} and chain:
                chain.append(str(instruction.argval))
            else:
                yield tuple(chain) or ("",)
                chain = []


def _origin(value: Any, name: str) -> str:
    """What a global name stands for: the name of a module or class, or the module that a function comes from."""
    if isinstance(value, python_types.ModuleType | type):
        return value.__name__
    if isinstance(getattr(value, "__self__", None), random.Random | secrets.SystemRandom):
        return "random"
    home = getattr(value, "__module__", None)
    return home if home in _UNSTEADY and callable(value) else name


WATCHED: ContextVar[list[str] | None] = ContextVar("watched", default=None)


@lru_cache(maxsize=1)
def watch() -> None:
    """Lets the interpreter of Python tell what a call does outside of it; such a hook stays."""

    def hook(event: str, _arguments: tuple[Any, ...]) -> None:
        seen = WATCHED.get()
        if seen is not None and event.startswith(_SEEN_OUTSIDE):
            seen.append(event)

    sys.addaudithook(hook)


def state_of(function: Any) -> str:
    """The state outside of an operator that its code names: what it keeps, it would write there."""
    told = []
    for one in _functions(function, set()):
        cells = [cell.cell_contents for cell in one.__closure__ or () if not callable(cell.cell_contents)]
        kept = [one.__globals__.get(name) for name in _names_in(one.__code__)]
        told.append(
            [
                one.__defaults__,
                cells,
                [item for item in kept if isinstance(item, dict | list | set | int | str)],
            ]
        )
    return repr(told)
