"""What is a program and what is none: one clear message for each thing that is not in the language."""

# Tables stand as they are read.
# ruff: noqa: E501

import ast
import tomllib
from importlib import resources

import pytest

from map_tools.errors import ProgramError
from mapagent.core.rendering import MAX_STRING_CHARS
from modules.query.language import syntax
from modules.query.language.parser import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_LINES,
    MAX_NODES,
    parse,
)

BUNDLED = tomllib.loads(resources.files("modules.query.data").joinpath("examples.toml").read_text("utf-8"))


def _programs(table: object) -> list[str]:
    """The programs of the worked examples."""
    if isinstance(table, dict):
        return [
            text
            for key, value in table.items()
            for text in ([value] if key == "program" else _programs(value))
        ]
    return [text for value in table for text in _programs(value)] if isinstance(table, list) else []


def _refusal(program: str) -> ProgramError:
    with pytest.raises(ProgramError) as caught:
        parse(program)
    return caught.value


def test_there_are_worked_examples() -> None:
    assert len(_programs(BUNDLED)) >= 8


@pytest.mark.parametrize("program", _programs(BUNDLED))
def test_worked_examples_are_python_too(program: str) -> None:
    """What the grammar accepts Python's own parser accepts, statement by statement."""
    parsed = parse(program)
    lines = ast.parse(parsed.text.strip()).body
    assert len(lines) == len(parsed.statements)
    for line, statement in zip(lines, parsed.statements, strict=True):
        assert isinstance(line, ast.Assign) == (statement.name is not None)


@pytest.mark.parametrize(
    "expression",
    [
        "1 + 2 * 3 - 4 / 5",
        "-1 - -2",
        "not a and b or c",
        "a if b else c if d else e",
        "1 < 2 <= 3 != 4",
        "a in b and c not in d",
        "x.y.z[0][-1][:2][1:]",
        "[a, b, [c]]",
        "[f(x) for x in xs if x.wifi]",
        "f(a, b, k=lambda p: p.x + 1)",
        "count(x for x in xs)",
        "(a + b) * c",
        "-f(a).b",
    ],
)
def test_binds_as_python_does(expression: str) -> None:
    """Both trees, written with all their brackets, are one."""
    tree = parse(f"answer({expression})").statements[-1].expr
    assert isinstance(tree, syntax.Call)
    python = ast.parse(f"answer({expression})", mode="eval").body
    assert isinstance(python, ast.Call)
    assert _ours(tree.positional[0]) == _theirs(python.args[0])


def _ours(node: syntax.Argument) -> object:
    match node:
        case syntax.Number():
            return ("number", node.value)
        case syntax.Name():
            return ("name", node.name)
        case syntax.Field():
            return ("field", _ours(node.value), node.name)
        case syntax.Index():
            return ("index", _ours(node.value), node.at)
        case syntax.Slice():
            return ("slice", _ours(node.value), node.first, node.last)
        case syntax.Listing():
            return ("list", *map(_ours, node.items))
        case syntax.Call():
            return (
                "call",
                node.operator,
                *map(_ours, node.positional),
                *((k, _ours(v)) for k, v in node.keywords),
            )
        case syntax.Lambda():
            return ("lambda", node.parameter, _ours(node.body))
        case syntax.Mapped():
            condition = None if node.condition is None else _ours(node.condition.body)
            return ("mapped", node.body.parameter, _ours(node.body.body), _ours(node.source), condition)
        case syntax.Conditional():
            return ("if", _ours(node.condition), _ours(node.then), _ours(node.otherwise))
        case syntax.Logic():
            return (node.operator, *map(_ours, node.items))
        case syntax.Negation():
            return ("not", _ours(node.value))
        case syntax.Comparison():
            return ("compare", node.comparators, *map(_ours, node.items))
        case syntax.Arithmetic():
            return (node.operator, _ours(node.left), _ours(node.right))
        case syntax.Negative():
            return ("negative", _ours(node.value))
    raise AssertionError(node)


_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.And: "and", ast.Or: "or"}
_TESTS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


def _theirs(node: ast.expr) -> object:
    match node:
        case ast.Constant():
            return ("number", float(node.value))  # type: ignore[arg-type]
        case ast.Name():
            return ("name", node.id)
        case ast.Attribute():
            return ("field", _theirs(node.value), node.attr)
        case ast.Subscript(slice=ast.Slice(lower=lower, upper=upper)):
            ends = [None if end is None else ast.literal_eval(end) for end in (lower, upper)]
            return ("slice", _theirs(node.value), *ends)
        case ast.Subscript():
            return ("index", _theirs(node.value), ast.literal_eval(node.slice))
        case ast.List():
            return ("list", *map(_theirs, node.elts))
        case ast.Call():
            assert isinstance(node.func, ast.Name)
            return (
                "call",
                node.func.id,
                *map(_theirs, node.args),
                *((k.arg, _theirs(k.value)) for k in node.keywords),
            )
        case ast.Lambda():
            return ("lambda", node.args.args[0].arg, _theirs(node.body))
        case ast.ListComp() | ast.GeneratorExp():
            (one,) = node.generators
            assert isinstance(one.target, ast.Name)
            condition = _theirs(one.ifs[0]) if one.ifs else None
            return ("mapped", one.target.id, _theirs(node.elt), _theirs(one.iter), condition)
        case ast.IfExp():
            return ("if", _theirs(node.test), _theirs(node.body), _theirs(node.orelse))
        case ast.BoolOp():
            return (_SIGNS[type(node.op)], *map(_theirs, node.values))
        case ast.UnaryOp(op=ast.Not()):
            return ("not", _theirs(node.operand))
        case ast.UnaryOp():
            return ("negative", _theirs(node.operand))
        case ast.Compare():
            return (
                "compare",
                tuple(_TESTS[type(op)] for op in node.ops),
                *map(_theirs, (node.left, *node.comparators)),
            )
        case ast.BinOp():
            return (_SIGNS[type(node.op)], _theirs(node.left), _theirs(node.right))
    raise AssertionError(ast.dump(node))


@pytest.mark.parametrize(
    ("program", "line", "word"),
    [
        ("", 0, "empty"),
        ("   \n\n  # only a comment\n", 0, "empty"),
        ("for p in xs:\n  answer(p)", 1, "loops"),
        ("while True: answer(1)", 1, "loops"),
        ("a = place('x')\nif a: answer(a)", 2, "if statements"),
        ("import os\nanswer(os)", 1, "imported"),
        ("from os import path\nanswer(path)", 1, "imported"),
        ("def f(x): return x\nanswer(f(1))", 1, "functions"),
        ("class A: pass", 1, "functions"),
        ('answer(f"{x}")', 1, "f-strings"),
        ('xs = places("cafe")\nanswer(xs.sort())', 2, "methods"),
        ('answer(p["wifi"])', 1, "brackets"),
        ("answer(xs[i])", 1, "whole number"),
        ("answer(xs[1.5])", 1, "whole number"),
        ("answer({1: 2})", 1, "dictionaries"),
        ("answer(2 ** 100)", 1, "no such operation"),
        ("answer(7 % 2)", 1, "no such operation"),
        ("a == b\nanswer(a)", 1, "comparison"),
        ("if=1\nanswer(1)", 1, "word of the language"),
        ("True = 1\nanswer(1)", 1, "word of the language"),
        ("x = 1\nfor=2\nanswer(x)", 2, "word of the language"),
        ("answer(in)", 1, "cannot stand"),
        ("answer(__import__)", 1, "letter"),
        ("answer(x._y)", 1, "letter"),
        ("answer(None)", 1, "None"),
        ("answer(place('x')", 1, "ends too early"),
        ("answer(xs for)", 1, "cannot stand"),
        ("answer(lambda: 1)", 1, "cannot stand"),
        ("answer(a, k=1, 2)", 1, "behind one with a name"),
        ("answer(a, k=1, k=2)", 1, "twice"),
        ("answer(@)", 1, "cannot stand"),
        ("x := 1\nanswer(x)", 1, "cannot stand"),
        ("a, b = 1, 2\nanswer(a)", 1, "cannot stand"),
        ("answer(*xs)", 1, "cannot stand"),
        ("answer('open", 1, "cannot stand"),
        ("answer(größe)", 1, "cannot stand"),
        ("x = [y for y in\nanswer(x)", 2, "ends too early"),
        ("answer(lambda p:)", 1, "cannot stand"),
        ('places("cafe", where=lambda p: )\nanswer(1)', 1, "cannot stand"),
    ],
)
def test_one_clear_error(program: str, line: int, word: str) -> None:
    error = _refusal(program)
    assert word in str(error), str(error)
    assert (f"Line {line}:" in str(error)) == (line > 0), str(error)
    assert "Traceback" not in str(error)
    assert "lark" not in str(error).lower()


@pytest.mark.parametrize(
    "program",
    [
        "answer(" + "(" * 10_000 + "1" + ")" * 10_000 + ")",
        "answer(" + "(" * (MAX_DEPTH + 1) + "a" + ")" * (MAX_DEPTH + 1) + ")",
        "answer(" + "[" * 10_000,
        "answer(" + "-" * 20_000 + "1)",
        "answer(" + "-" * 3_000 + "1)",
        "answer(" + "not " * 900 + "a)",
        "answer(" + "a if b else " * 250 + "c)",
        "answer(a" + ".b" * 1_500 + ")",
        "answer(a" + "[0]" * 1_000 + ")",
        "answer(" + "1+" * 1_500 + "1)",
        "answer(" + "f(" * (MAX_DEPTH + 1) + "a" + ")" * (MAX_DEPTH + 1) + ")",
        "answer([" + "1," * (MAX_NODES + 1) + "])",
        "\n".join(f"a{number} = 1" for number in range(MAX_LINES)) + "\nanswer(a0)",
        "\n" * 10_000 + "answer(1)",
        "# " + "x" * MAX_BYTES + "\nanswer(a)",
        "answer('" + "x" * (MAX_STRING_CHARS + 1) + "')",
        "answer(a < " + "9" * (MAX_DIGITS + 1) + ")",
        "answer(xs[" + "9" * 4_000 + "])",
    ],
    ids=lambda text: f"{text[:14]!r}…{len(text)}",
)
def test_bounds(program: str) -> None:
    error = _refusal(program)
    assert len(str(error)) < 300
    assert any(word in str(error) for word in ("longer", "more than", "nested", "deep")), str(error)


def test_at_the_bounds() -> None:
    """What is just within them is a program."""
    parse("answer(" + "(" * (MAX_DEPTH - 1) + "a" + ")" * (MAX_DEPTH - 1) + ")")
    parse("\n".join(f"a{number} = 1" for number in range(MAX_LINES - 1)) + "\nanswer(a0)")
    parse("answer('" + "x" * MAX_STRING_CHARS + "')")
    parse("answer(a < " + "9" * MAX_DIGITS + ")")


def test_fence_comments_and_lines_within_brackets() -> None:
    program = parse(
        '```mapquery\n# mapquery 1\n# where\na = place("A",\n  kind="hotel")  # the one meant\nanswer(a)\n```'
    )
    assert [one.comment for one in program.statements] == ["where", ""]
    assert [one.line for one in program.statements] == [3, 5]
    assert len({node.number for one in program.statements for node in syntax.walk(one.expr)}) == program.nodes
