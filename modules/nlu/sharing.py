"""The one form of a program among those that say the same: what it uses twice is set once, all else stands in place."""

from collections import Counter
from dataclasses import replace
from typing import Any

from modules.query.language import syntax
from modules.query.operators.registry import RESERVED


def statements_of(program: syntax.Program, plain: frozenset[str]) -> list[tuple[str, syntax.Expr]]:
    """The values that a program sets, with the names v0, v1 and so on, and its answer, whose name is empty.

    Args:
        program: The program.
        plain: Operators whose calls are as short as a name: they are written out each time.
    """
    values: dict[str, syntax.Expr] = {}
    for statement in program.statements:
        value = _unnumbered(statement.expr, values)
        if statement.name is not None:
            values[statement.name] = value
    made = [("", _unnumbered(program.answer.expr, values))]
    while (found := _repeated(made, plain)) is not None:
        name = f"v{len(made) - 1}"
        first = next(number for number, (_, value) in enumerate(made) if found in set(syntax.walk(value)))
        named = syntax.Name(0, 0, name)
        made = [(one, _replaced(value, found, named)) for one, value in made]
        made.insert(first, (name, found))
    made = _in_order(made)
    new = {name: f"v{number}" for number, (name, _) in enumerate(made[:-1])}
    return [
        (new.get(name, ""), syntax.rebuilt(value, lambda node: _renamed(node, new))) for name, value in made
    ]


def _in_order(made: list[tuple[str, syntax.Expr]]) -> list[tuple[str, syntax.Expr]]:
    """Values in the order in which the answer needs them first."""
    values = dict(made)
    found: dict[str, None] = {}

    def need(name: str) -> None:
        for used in syntax.names_in(values[name]):
            if used in values and used not in found:
                need(used)
        found[name] = None

    need("")
    return [(name, values[name]) for name in found]


def _unnumbered(expr: syntax.Expr, values: dict[str, syntax.Expr]) -> Any:
    """A tree without the places of its nodes, so that like parts are equal; names are what they stand for."""

    def changed(node: Any) -> Any:
        if isinstance(node, syntax.Name) and node.name in values:
            return values[node.name]
        return replace(node, number=0, line=0)

    return syntax.rebuilt(expr, changed)


def _repeated(made: list[tuple[str, syntax.Expr]], plain: frozenset[str]) -> syntax.Expr | None:
    """The largest part that stands twice, the first one of equals."""
    counted: Counter[Any] = Counter()
    for _, value in made:
        counted.update(
            node for node in syntax.walk(value) if _worth_a_name(node, plain, {name for name, _ in made})
        )
    repeated = [node for node, times in counted.items() if times > 1]
    return max(repeated, key=lambda node: sum(1 for _ in syntax.walk(node)), default=None)


def _worth_a_name(node: Any, plain: frozenset[str], names: set[str]) -> bool:
    if isinstance(node, syntax.Call):
        worth = node.operator not in plain
    elif isinstance(node, syntax.Field | syntax.Index):
        worth = any(isinstance(part, syntax.Call) for part in syntax.walk(node))
    else:
        worth = isinstance(node, syntax.Mapped | syntax.Arithmetic)
    return worth and set(syntax.names_in(node)) <= RESERVED | names


def _replaced(value: Any, part: syntax.Expr, name: syntax.Name) -> Any:
    return syntax.rebuilt(value, lambda node: name if node == part else node)


def _renamed(node: Any, new: dict[str, str]) -> Any:
    if isinstance(node, syntax.Name) and node.name in new:
        return replace(node, name=new[node.name])
    return node
