"""Checks the types of a program before it runs; the first error names its line and the remedy."""

from collections.abc import Mapping
from dataclasses import replace

from map_tools.errors import ProgramError, did_you_mean
from modules.query.inventory import INTERNAL, RESERVED
from modules.query.language import syntax, types
from modules.query.language.types import (
    FIELDS,
    MEASURES,
    OPEN_ENDED,
    PLACE_LIKE,
    SCALARS,
    Type,
    known_keys,
    list_of,
)
from modules.query.language.words import UNIT_OF, check_compared, check_literal, with_conditions
from modules.query.operators.base import Operator, Parameter
from modules.query.values.amount import UNITS

ALIASES = {
    "len": "count",
    "sorted": "sort",
    "average": "mean",
    "avg": "mean",
    "maximum": "max",
    "minimum": "min",
    "adjacent": "touches",
}
"""Other spellings of operators, which are accepted and never printed."""
_GIVEN: Mapping[str, Type] = {
    "here": types.PLACE,
    "now": types.TIME,
    "options": list_of(types.OPTION),
    "picture": types.PICTURE,
}
_ENDS = frozenset({"answer", "unanswerable"})
_NO_CONDITION = PLACE_LIKE | {
    "Option",
    "Trip",
    "Visit",
    "Time",
    "Direction",
    "Length",
    "Duration",
    "Size",
    "Angle",
}
"""Types of values that are neither true nor false; a number, a list or a fact of the map may be taken for that."""
_COUNTING = frozenset({"count", "any", "all", "sum", "mean"})


def check(
    program: syntax.Program,
    operators: Mapping[str, Operator],
    *,
    listed: bool = False,
) -> syntax.Program:
    """The program with aliases resolved, if it can be run.

    Args:
        program: As parsed. Properties in the words for a kind become conditions (`conditions`).
        operators: By name.
        listed: Whether a supplied text is the only source: its lists are complete, even without bounds.

    Raises:
        ProgramError: It cannot be run: the first error, with its line and remedy.
    """
    program = replace(program, statements=tuple(_resolved(one) for one in program.statements))
    _Checker(operators, listed=listed).program(program)
    return program if listed else with_conditions(program, operators)


def _resolved(statement: syntax.Statement) -> syntax.Statement:
    return replace(statement, expr=syntax.rebuilt(statement.expr, _renamed))


def _renamed(node: syntax.Argument) -> syntax.Argument:
    """A call by the operator's own name."""
    if isinstance(node, syntax.Call):
        return replace(node, operator=ALIASES.get(node.operator, node.operator))
    return node


class _Checker:
    def __init__(self, operators: Mapping[str, Operator], *, listed: bool = False) -> None:
        self._operators = operators
        self._listed = listed
        self._names: dict[str, Type] = {}
        self._given = dict(_GIVEN)

    def program(self, program: syntax.Program) -> None:
        for statement in program.statements[:-1]:
            if statement.name is None:
                ends = isinstance(statement.expr, syntax.Call) and statement.expr.operator in _ENDS
                problem = (
                    "the program goes on after its answer." if ends else "the value of this line is lost."
                )
                mend = "Give all values to one `answer`, as parts." if ends else "Give it a name: `x = …`."
                raise ProgramError(statement.line, problem, mend)
            self._assign(statement)
        last = program.answer
        if last.name is not None or not isinstance(last.expr, syntax.Call) or last.expr.operator not in _ENDS:
            raise ProgramError(
                last.line, 'a program ends in one `answer(…)` or `unanswerable("…")`.', _ending(last)
            )
        self._type(last.expr, {})
        self._check_ends(program)

    def _check_ends(self, program: syntax.Program) -> None:
        """An answer is the end of a program, and no value in it; a part of it may be refused."""
        end = program.answer.expr
        parts = end.keywords if isinstance(end, syntax.Call) else ()
        refused = [one for _, one in parts if isinstance(one, syntax.Call) and one.operator == "unanswerable"]
        for statement in program.statements:
            for node in syntax.walk(statement.expr):
                if (
                    isinstance(node, syntax.Call)
                    and node.operator in _ENDS
                    and node is not end
                    and not any(node is one for one in refused)
                ):
                    raise ProgramError(
                        node.line,
                        f"`{node.operator}` stands within another value.",
                        "It is the last line alone; write `x if condition else y` for a choice.",
                    )

    def _assign(self, statement: syntax.Statement) -> None:
        name = statement.name or ""
        if name in RESERVED:
            raise ProgramError(
                statement.line, f"`{name}` is always there and cannot be set.", "Choose another name."
            )
        if name in self._operators:
            raise ProgramError(
                statement.line, f"`{name}` is an operator and cannot be set.", f"Write `the_{name} = …`."
            )
        if name in self._names:
            raise ProgramError(
                statement.line, f"`{name}` is set twice.", "Choose a new name; values never change."
            )
        if isinstance(statement.expr, syntax.Call) and statement.expr.operator in _ENDS:
            raise ProgramError(
                statement.line,
                "an answer has no name.",
                f"Write `{statement.expr.operator}(…)` as the last line.",
            )
        self._names[name] = self._type(statement.expr, {})

    def _type(self, node: syntax.Argument, bound: Mapping[str, Type]) -> Type:  # noqa: C901, PLR0912 (one case for each kind)
        match node:
            case syntax.Number():
                return types.NUMBER
            case syntax.String():
                return types.TEXT
            case syntax.Truth():
                return types.YES_NO
            case syntax.Name():
                return self._name(node, bound)
            case syntax.Listing():
                members = [self._type(item, bound) for item in node.items]
                return list_of(
                    members[0] if members and all(one == members[0] for one in members) else types.ANY
                )
            case syntax.Mapped():
                return self._mapped(node, bound)
            case syntax.Call():
                return self._call(node, bound)
            case syntax.Field():
                return self._field(node, bound)
            case syntax.Index() | syntax.Slice():
                return self._part(node, bound)
            case syntax.Conditional():
                self._condition(node.condition, bound)
                then, otherwise = self._type(node.then, bound), self._type(node.otherwise, bound)
                return then if then == otherwise else types.ANY
            case syntax.Logic() | syntax.Negation():
                for part in syntax.children(node):
                    self._condition(part, bound)
                return types.YES_NO
            case syntax.Comparison():
                return self._comparison(node, bound)
            case syntax.Arithmetic():
                return self._arithmetic(node, bound)
            case syntax.Negative():
                return self._type(node.value, bound)
            case syntax.Lambda():
                raise ProgramError(
                    node.line, "a lambda stands only as an argument.", "Write `where=lambda p: …`."
                )

    def _condition(self, node: syntax.Argument, bound: Mapping[str, Type]) -> Type:
        """The type of what must be true or false."""
        found = self._type(node, bound)
        if isinstance(node, syntax.String | syntax.Number) or found.name in _NO_CONDITION:
            raise ProgramError(
                node.line,
                f"a condition is yes or no, and this is a {found}.",
                "Compare it (`p.stars >= 4`), or test that it is known: `known(…)`.",
            )
        return found

    def _name(self, node: syntax.Name, bound: Mapping[str, Type]) -> Type:
        for names in (bound, self._names, self._given):
            if node.name in names:
                return names[node.name]
        if node.name in self._operators:
            raise ProgramError(
                node.line, f"`{node.name}` is an operator and must be called.", f"Write `{node.name}(…)`."
            )
        known = [*bound, *self._names, *self._given]
        hint = did_you_mean(node.name, known) or f"Known are: {', '.join(known)}."
        raise ProgramError(node.line, f"`{node.name}` is not set before it is used.", hint)

    def _mapped(self, node: syntax.Mapped, bound: Mapping[str, Type]) -> Type:
        source = self._type(node.source, bound)
        if source.of is None and source != types.ANY:
            raise ProgramError(
                node.line, f"`for … in` goes through a list, and this is a {source}.", _listing_hint(source)
            )
        inner = {**bound, node.body.parameter: source.of or types.ANY}
        if node.condition is not None:
            self._condition(node.condition.body, inner)
        return Type("List", self._type(node.body.body, inner), source.unbounded)

    def _call(self, node: syntax.Call, bound: Mapping[str, Type]) -> Type:
        operator = self._operators.get(node.operator)
        if operator is None or node.operator in INTERNAL:
            names = sorted(set(self._operators) - INTERNAL)
            hint = did_you_mean(node.operator, names) or f"There are: {', '.join(names)}."
            raise ProgramError(node.line, f"there is no operator `{node.operator}`.", hint)
        given = self._given_arguments(node, operator)
        first: Type | None = None
        for parameter, argument in given:
            found = self._argument(node, parameter, argument, bound, first)
            first = first or found
        if operator.name in _COUNTING and first is not None and first.unbounded and not self._listed:
            raise ProgramError(
                node.line,
                "this search has no bound, so it holds only the 20 nearest.",
                '"In Kallio" is `inside=area("Kallio")`; "within 1 km" is `within="1 km"`.',
            )
        if operator.name == "answer":
            self._check_answer(node)
        return self._returned(operator, node, first)

    def _given_arguments(
        self, node: syntax.Call, operator: Operator
    ) -> list[tuple[Parameter, syntax.Argument]]:
        plain = operator.plain
        if len(node.positional) > len(plain):
            extra = [one.name for one in operator.parameters if one.keyword]
            mend = f"By name are given: {', '.join(f'{one}=' for one in extra)}." if extra else ""
            raise ProgramError(
                node.line,
                f"`{operator.name}` takes {len(plain)} plain arguments, and this has {len(node.positional)}.",
                mend,
            )
        given = list(zip(plain, node.positional, strict=False))
        unknown = []
        for name, argument in node.keywords:
            parameter = operator.parameter(name)
            if parameter is None and operator.others:
                parameter = Parameter(name, types.ANY, required=False, keyword=True)
            if parameter is None:
                unknown.append(name)
                continue
            if any(one.name == name for one, _ in given):
                raise ProgramError(
                    node.line, f"`{name}` of `{operator.name}` is given twice.", "Give it once."
                )
            given.append((parameter, argument))
        if unknown:
            raise ProgramError(
                node.line,
                f"`{operator.name}` has no {' and no '.join(f'`{one}`' for one in unknown)}.",
                f"It has {_names(operator)}. {_keyword_hint(operator, unknown)}".strip(),
            )
        missing = [
            one.name
            for one in operator.parameters
            if one.required and all(other is not one for other, _ in given)
        ]
        if missing:
            raise ProgramError(
                node.line, f"`{operator.name}` needs `{missing[0]}`.", f"Write `{operator.signature}`."
            )
        return given

    def _argument(
        self,
        node: syntax.Call,
        parameter: Parameter,
        argument: syntax.Argument,
        bound: Mapping[str, Type],
        first: Type | None,
    ) -> Type:
        wanted = parameter.type
        if isinstance(argument, syntax.Lambda):
            if wanted.name not in {"Test", "Key"}:
                raise ProgramError(argument.line, f"`{parameter.name}` takes no lambda.", "Write a value.")
            member = (first.of if first is not None else None) or types.PLACE
            inner = {**bound, argument.parameter: member}
            (self._condition if wanted.name == "Test" else self._type)(argument.body, inner)
            return wanted
        if wanted.name in {"Test", "Key"}:
            raise ProgramError(
                node.line, f"`{parameter.name}=` takes a lambda.", f"Write `{parameter.name}=lambda p: …`."
            )
        found = self._type(argument, bound)
        self._fits(node, parameter, argument, found)
        return found

    def _fits(self, node: syntax.Call, parameter: Parameter, argument: syntax.Argument, found: Type) -> None:
        wanted, name = parameter.type, parameter.type.name
        if (
            types.ANY in (found, wanted)
            or found.name in {"Fact", "Item", "Same", "Any"}
            or name in {"Item", "Same", "Fact"}
        ):
            return
        literal = argument.text if isinstance(argument, syntax.String) else None
        if name in UNIT_OF and found == types.NUMBER:
            value = f"{argument.value:g} " if isinstance(argument, syntax.Number) else ""
            raise ProgramError(
                node.line, f"`{parameter.name}` needs a unit.", f'Write "{value}{UNIT_OF[name]}".'
            )
        if literal is not None:
            check_literal(node.line, parameter, literal)
            if name != "List":
                return
        if wanted.lenient:
            return
        if found.name == "List" and name in PLACE_LIKE:
            raise ProgramError(
                node.line,
                f"`{parameter.name}` of `{node.operator}` is one place, and this is a list.",
                "Take one: `…[0]`.",
            )
        if name == "List" and found.name != "List":
            raise ProgramError(
                node.line, f"`{node.operator}` works on a list, and this is a {found}.", _listing_hint(found)
            )
        if not _compatible(found, wanted):
            raise ProgramError(
                node.line, f"`{parameter.name}` of `{node.operator}` is a {wanted}, and this is a {found}."
            )

    def _returned(self, operator: Operator, node: syntax.Call, first: Type | None) -> Type:
        if operator.returns == types.ITEM:
            return (first.of if first is not None and first.of is not None else None) or types.ANY
        if operator.returns == types.SAME:
            return first or types.ANY
        if operator.name in {"sum", "mean"}:
            return (first.of if first is not None and first.of is not None else None) or types.QUANTITY
        if operator.name == "abs" and first is not None:
            return first
        if operator.name == "group":
            return list_of(types.GROUP)
        if operator.name == "pairs":
            return list_of(list_of((first.of if first is not None and first.of else None) or types.ANY))
        if operator.name == "places":
            names = {name for name, _ in node.keywords}
            listed = bool(node.positional) and isinstance(node.positional[0], syntax.Listing | syntax.Mapped)
            unbounded = (
                "near" in names and not names & {"within", "inside", "touching", "on", "along"} and not listed
            )
            return list_of(types.PLACE, unbounded=unbounded)
        return operator.returns

    def _check_answer(self, node: syntax.Call) -> None:
        if node.positional and isinstance(node.positional[0], syntax.String | syntax.Number):
            said = node.positional[0]
            text = said.text if isinstance(said, syntax.String) else f"{said.value:g}"
            raise ProgramError(
                node.line,
                f"“{text}” is computed by nothing.",
                "Give the value (`travel(…).duration`); the option is matched to it.",
            )

    def _field(self, node: syntax.Field, bound: Mapping[str, Type]) -> Type:
        found = self._type(node.value, bound)
        if found == types.TEXT:
            found = types.PLACE  # words before a field are the name of a place
        if found.name in {"Any", "Fact", "Item", "Same"}:
            return types.ANY
        fields = FIELDS.get(found.name, {})
        if found.name == "Option":
            fields = {**FIELDS["Place"], **fields}
        if found.name == "Stop":
            fields = {**FIELDS["Place"], **fields}
        if node.name in fields:
            return fields[node.name]
        if found.name in OPEN_ENDED:
            return self._key(node, fields)
        if found.name == "List":
            of = FIELDS.get(found.of.name if found.of is not None else "", {})
            if node.name in of:
                raise ProgramError(
                    node.line,
                    f"`.{node.name}` of a list.",
                    f"One of them: `…[0].{node.name}`; all: `[p.{node.name} for p in …]`.",
                )
        units = sorted(UNITS) if found.name in MEASURES else sorted(fields)
        hint = did_you_mean(node.name, fields) or (
            f"It has: {', '.join(units)}." if units else "It has no fields."
        )
        raise ProgramError(node.line, f"a {found} has no `{node.name}`.", hint)

    def _key(self, node: syntax.Field, fields: Mapping[str, Type]) -> Type:
        """A key of OpenStreetMap: one that is known, else an error with what it may be a slip for."""
        if node.name in known_keys():
            return types.FACT
        hint = did_you_mean(node.name, [*fields, *known_keys()])
        if hint:
            raise ProgramError(node.line, f"places have no `{node.name}`.", hint)
        return types.FACT

    def _part(self, node: syntax.Index | syntax.Slice, bound: Mapping[str, Type]) -> Type:
        found = self._type(node.value, bound)
        if found.of is None and found != types.ANY:
            raise ProgramError(
                node.line, f"only lists have members, and this is a {found}.", _listing_hint(found)
            )
        if isinstance(node, syntax.Slice):
            return Type("List", found.of or types.ANY)
        return found.of or types.ANY

    def _comparison(self, node: syntax.Comparison, bound: Mapping[str, Type]) -> Type:
        found = [self._type(item, bound) for item in node.items]
        for left, right, comparator, a, b in zip(
            found, found[1:], node.comparators, node.items, node.items[1:], strict=False
        ):
            if comparator in {"in", "not in"}:
                continue
            for one, other, number, quantity in ((left, right, a, b), (right, left, b, a)):
                if one == types.NUMBER and other.name in MEASURES and isinstance(number, syntax.Number):
                    unit = UNIT_OF.get(other.name, "m")
                    raise ProgramError(
                        node.line,
                        f"a {other.name.lower()} is compared with the bare number {number.value:g}.",
                        f'Write "{number.value:g} {unit}", or compare `.{unit}` of it.',
                    )
                check_compared(node.line, one, number, other, quantity)
        return types.YES_NO

    def _arithmetic(self, node: syntax.Arithmetic, bound: Mapping[str, Type]) -> Type:
        left, right = self._type(node.left, bound), self._type(node.right, bound)
        if node.operator in {"+", "-"}:
            for one, other, literal in ((left, right, node.left), (right, left, node.right)):
                if (
                    one == types.NUMBER
                    and other.name in MEASURES | {"Time"}
                    and isinstance(literal, syntax.Number)
                ):
                    unit = UNIT_OF.get(other.name, "min")
                    raise ProgramError(
                        node.line,
                        f"a {other.name.lower()} {node.operator} the bare number {literal.value:g}.",
                        f'Write "{literal.value:g} {unit}".',
                    )
        return _result(node.operator, left, right)


def _compatible(found: Type, wanted: Type) -> bool:
    name = wanted.name
    if found.name == name:
        return True
    if name in PLACE_LIKE - {"Route"}:
        return found.name in PLACE_LIKE | {"Text", "Option", "Visit"} - (
            {"Route"} if name != "Line" else set()
        )
    if name == "What":
        return found.name in {"Text", "List", "Option"}
    if name == "Quantity":
        return found.name in MEASURES | {"Number", "Text", "Direction"}
    if name in MEASURES | {"Time", "Number", "Text", "Mode", "Order"}:
        return found.name in {"Text", "Option", "Quantity"} or (
            name == "Text" and found.name in PLACE_LIKE | SCALARS
        )
    return False


def _result(operator: str, left: Type, right: Type) -> Type:
    if types.ANY in (left, right) or "Fact" in (left.name, right.name):
        return types.ANY
    if left.name == "List" or right.name == "List":
        return left
    if "Time" in (left.name, right.name):
        return (
            types.DURATION
            if operator == "-" and left.name == right.name == "Time"
            else types.ANY
            if "Text" in (left.name, right.name)
            else types.TIME
        )
    if operator == "-" and left.name == right.name == "Direction":
        return types.ANGLE
    if left.name == "Text" or right.name == "Text":
        return types.ANY
    if operator in {"+", "-"}:
        return left if left.name in MEASURES else right
    if left == right == types.NUMBER:
        return types.NUMBER
    if operator == "/" and left == right:
        return types.NUMBER
    if right == types.NUMBER:
        return left
    return right if operator == "*" and left == types.NUMBER else types.QUANTITY


def _listing_hint(found: Type) -> str:
    return "A list is `places(…)`, `[a, b]` or `options`." if found.name in PLACE_LIKE | {"Text"} else ""


def _names(operator: Operator) -> str:
    return ", ".join(one.name for one in operator.parameters)


def _keyword_hint(operator: Operator, unknown: list[str]) -> str:
    """How the language expresses parameters that models invent."""
    hints = []
    has = {one.name for one in operator.parameters}
    for name in unknown:
        if name in {"radius", "max_distance", "distance"} and "within" in has:
            hints.append('`within="500 m"`')
        elif name in {"open_now", "open", "open_at", "at"} and "where" in has:
            hints.append("`where=lambda p: is_open(p, now)`")
        elif name in {"n", "k", "limit", "count", "top"} and "where" in has:
            hints.append('`sort(places("cafe", near=x, within="1 km"), key=lambda p: distance(x, p))[:5]`')
        elif "where" in has:
            hints.append(f"`where=lambda p: p.{name}`")
    return f"Write {', '.join(dict.fromkeys(hints))}." if hints else ""


def _ending(last: syntax.Statement) -> str:
    return f"Write `answer({last.name})` below." if last.name else "Write `answer(…)` as the last line."
