"""The faults: what can be changed in the functions of a file, each change small and by itself.

They are the classes of R. A. DeMillo, R. J. Lipton and F. G. Sayward, "Hints on test data selection", Computer 11(4),
1978, as mutation tools have them: operators, comparisons at their bounds, constants, conditions, statements left out.
Not changed are docstrings, annotations, defaults, decorators, and the wording of errors and of f-strings, which no test
should repeat.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}

type _Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method that stands in no other; with what it holds it is one piece of code.

    Attributes:
        file: Its file.
        name: Its qualified name ("Clock.read").
        line: The first line of its code object: that of its first decorator if it has any.
    """

    file: Path
    name: str
    line: int

    def is_code(self, code: CodeType) -> bool:
        """Whether a code object is this function's."""
        return (
            code.co_firstlineno == self.line
            and code.co_qualname == self.name
            and Path(code.co_filename) == self.file
        )


@dataclass(frozen=True, slots=True)
class Mutant:
    """A function with a fault.

    Attributes:
        function: The function.
        line: Where the fault is.
        before: The code there.
        after: The code instead.
        code: The function with it.
    """

    function: Function
    line: int
    before: str
    after: str
    code: CodeType


def mutants_of(file: Path) -> Iterator["Candidate"]:
    """All faults of a file, in its order."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for scope, name in _functions(tree, ""):
        line = min([scope.lineno, *(one.lineno for one in getattr(scope, "decorator_list", ()))])
        function = Function(file, name, line)
        for node in _inside(scope):
            yield from (Candidate(function, tree, node, changed) for changed in _changes(node))


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A fault that could be made.

    Attributes:
        function: Where.
        tree: The whole file.
        node: What is replaced.
        changed: By what.
    """

    function: Function
    tree: ast.Module
    node: ast.AST
    changed: ast.AST

    def made(self) -> Mutant:
        """The function with the fault."""
        memo: dict[int, object] = {
            id(self.node): ast.fix_missing_locations(ast.copy_location(self.changed, self.node))
        }
        module = compile(copy.deepcopy(self.tree, memo), str(self.function.file), "exec", dont_inherit=True)
        code = next(code for code in _codes(module) if self.function.is_code(code))
        line = getattr(self.node, "lineno", self.function.line)
        return Mutant(self.function, line, _shown(self.node), _shown(self.changed), code)


def _shown(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _codes(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[_Scope, str]]:
    """The outermost functions in a module or class, with their qualified names."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child, prefix + child.name
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")


def _inside(scope: _Scope) -> Iterator[ast.AST]:
    """The nodes of a function that may be changed, in order."""
    body = scope.body if isinstance(scope.body, list) else [scope.body]
    for statement in body:
        yield from _walk(statement)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    yield node
    if isinstance(node, ast.Raise | ast.JoinedStr | ast.Assert):
        return
    left_out = (
        {"annotation", "returns", "decorator_list", "args"}
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.AnnAssign)
        else set()
    )
    for field, value in ast.iter_fields(node):
        if field not in left_out:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _walk(child)


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """What can stand in a node's place."""
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                for other in _COMPARED[type(operator)]:
                    operators = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                    yield ast.Compare(node.left, operators, node.comparators)
        case ast.BoolOp():
            yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.BinOp() | ast.AugAssign() if type(node.op) in _COMPUTED:
            yield _with(node, op=_COMPUTED[type(node.op)]())
        case ast.Constant():
            yield from _constants(node.value)
        case ast.Call():
            yield from _calls(node)
        case _:
            yield from _flow(node)


def _constants(value: object) -> Iterator[ast.AST]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float):
        yield ast.Constant(value + 1)
    elif isinstance(value, str):
        yield ast.Constant(f"XX{value}XX")


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Name) and node.func.id in _CALLED:
        yield _with(node, func=ast.Name(_CALLED[node.func.id], ast.Load()))
    for keyword in node.keywords:
        yield _with(node, keywords=[one for one in node.keywords if one is not keyword])


def _flow(node: ast.AST) -> Iterator[ast.AST]:
    """Conditions turned round, statements left out, nothing returned."""
    match node:
        case ast.If() | ast.IfExp() | ast.While() if not isinstance(node.test, ast.Compare | ast.UnaryOp):
            yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
        case ast.comprehension(ifs=[first, *rest]):
            yield _with(node, ifs=[ast.UnaryOp(ast.Not(), first), *rest])
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Raise() | ast.Expr(value=ast.Call() | ast.Await()):
            yield ast.Pass()
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()


def _with[N: ast.AST](node: N, **changed: object) -> N:
    """A copy of a node, the nodes below it the same."""
    new = copy.copy(node)
    for field, value in changed.items():
        setattr(new, field, value)
    return new
