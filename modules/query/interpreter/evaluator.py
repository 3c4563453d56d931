"""One pass over a program: every value that the facts at hand give, and what has to be fetched for the rest.

The rule is Haxl's (Marlow et al., ICFP 2014): all arguments are evaluated, so that what they need is fetched at
once; a condition that still waits fetches neither of its branches. A pass leaves a derivation behind: the value and
the evidence of each node.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from map_tools.errors import ProgramError
from modules.query.interpreter.coercion import coerced
from modules.query.interpreter.context import Context, Facts, Situation
from modules.query.interpreter.fields import field_of
from modules.query.language import syntax
from modules.query.language.types import PLACE, Type
from modules.query.operators.base import LISTED_PLACES, Operator
from modules.query.read_back import phrase_of
from modules.query.values import algebra
from modules.query.values.algebra import ValueTypeError
from modules.query.values.amount import Amount
from modules.query.values.moment import Moment
from modules.query.values.things import Choice, Finished, Function, Items, What
from modules.query.values.unknown import WAIT, Unknown, Waiting, Why, broken_off


class Evaluator:
    """Evaluates a program over facts. Make one for each pass.

    Args:
        program: A checked program.
        operators: By name.
        facts: What is known; what is missing is noted there.
        situation: Where and when.
    """

    def __init__(
        self, program: syntax.Program, operators: Mapping[str, Operator], facts: Facts, situation: Situation
    ) -> None:
        self.program = program
        self.operators = operators
        self.context = Context(facts, situation, self)
        self.values: dict[str, Any] = dict(situation.bindings)
        self._at: tuple[tuple[int, ...], int] = ((), 0)
        """The node that is being evaluated: its path and number."""
        self._handlers: dict[type, Callable[[Any, dict[str, Any], tuple[int, ...]], Any]] = {
            syntax.Number: lambda node, *_: Amount.of(node.value),
            syntax.String: lambda node, *_: node.text,
            syntax.Truth: lambda node, *_: node.value,
            syntax.Name: self._name,
            syntax.Listing: self._listing,
            syntax.Mapped: self._mapped,
            syntax.Call: self._call,
            syntax.Field: self._field,
            syntax.Index: self._index,
            syntax.Slice: self._slice,
            syntax.Conditional: self._conditional,
            syntax.Logic: self._logic,
            syntax.Negation: self._negation,
            syntax.Comparison: self._comparison,
            syntax.Arithmetic: self._arithmetic,
            syntax.Negative: self._negative,
        }

    def run(self) -> Finished | Unknown | None:
        """Evaluates all statements; returns the answer, or None while facts are missing.

        Raises:
            ProgramError: Values have incompatible types.
            LimitError: The program takes too many steps.
        """
        result: Any = WAIT
        for number, statement in enumerate(self.program.statements):
            self.context.statement = number
            try:
                result = self.value(statement.expr, {}, ())
            except ValueTypeError as error:
                raise ProgramError(statement.line, f"{error}.") from error
            if statement.name is not None:
                self.values[statement.name] = result
        return None if result is WAIT else result

    def value(self, node: syntax.Expr, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        """The value of a node; `WAIT` while facts are missing."""
        self.context.count_step()
        handler = self._handlers[type(node)]
        if isinstance(node, _LEAVES):
            return handler(node, bound, path)
        result: Any = WAIT
        before, self._at = self._at, (path, node.number)
        self.context.begin()
        try:
            result = handler(node, bound, path)
        finally:
            self._at = before
            self.context.end(path, node.number, _called(node), result)
        return result

    def apply(self, function: Function, item: Any, index: int) -> Any:
        """The value of a function for the item of this index (`context.Calls`)."""
        bound = {**dict(function.bound), function.node.parameter: item}
        path, result = (*function.path, index), WAIT
        self.context.begin()
        try:
            result = self.value(function.node.body, bound, path)
        finally:
            self.context.end(path, function.node.number, "lambda", result, item)
        return result

    def look_up(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """The value of another operator (`context.Calls`); words that are looked up become part of the derivation."""
        function = self.operators[name].function
        words = arguments.get("name")
        if words is None:
            return function(self.context, **arguments)
        result: Any = WAIT
        self.context.begin()
        try:
            result = function(self.context, **arguments)
        finally:
            self.context.end(*self._at, "look-up", result, (name, words))
        return result

    def peek(self, node: syntax.Expr, function: Function) -> Any:
        """The value of a part of a function (`context.Calls`)."""
        derived = len(self.context.derivation)
        value = self.value(node, dict(function.bound), function.path)
        del self.context.derivation[derived:]
        if value is WAIT:
            raise Waiting
        return value

    def phrase(self, function: syntax.Lambda) -> str:
        """A function of the program in words (`context.Calls`)."""
        return phrase_of(function, self.operators)

    def _name(self, node: syntax.Name, bound: dict[str, Any], _path: tuple[int, ...]) -> Any:
        if node.name in bound:
            return bound[node.name]
        if node.name in self.values:
            return self.values[node.name]
        return self._given(node)

    def _given(self, node: syntax.Name) -> Any:
        """The names that are always there."""
        situation = self.context.situation
        match node.name:
            case "now":
                if situation.now is None:
                    return Unknown(
                        Why.UNSUPPORTED, "The question needs the present time; give it with --at ISO."
                    )
                return Moment(situation.now)
            case "here":
                if situation.here is None:
                    return Unknown(
                        Why.UNSUPPORTED, "The question needs your position; give it with --near LAT,LON."
                    )
                return situation.here
            case "options":
                return Items(situation.options)
            case "picture":
                if situation.picture is None:
                    return Unknown(Why.UNSUPPORTED, "The question comes with no picture.")
                return situation.picture
        raise ProgramError(node.line, f"`{node.name}` is not set before it is used.")

    def _listing(self, node: syntax.Listing, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        items = [self.value(item, bound, path) for item in node.items]
        return WAIT if any(item is WAIT for item in items) else Items(tuple(items))

    def _mapped(self, node: syntax.Mapped, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        source = self.value(node.source, bound, path)
        if source is WAIT or isinstance(source, Unknown):
            return source
        if not isinstance(source, Items):
            raise ProgramError(
                node.line, f"`for … in` goes through a list, and this is {algebra.called(source)}."
            )
        free = tuple(bound.items())
        try:
            chosen = self._kept(node, source, free, path)
            if isinstance(chosen, Unknown):
                return chosen
            kept, indices, unstated = chosen
            body = Function(node.body, free, (*path, node.body.number))
            values = [self.apply(body, item, index) for item, index in zip(kept, indices, strict=True)]
        except Waiting:
            return WAIT
        if any(value is WAIT for value in values):
            return WAIT
        return source.like(values, unstated=(*source.unstated, *unstated))

    def _kept(
        self, node: syntax.Mapped, source: Items, free: tuple[tuple[str, Any], ...], path: tuple[int, ...]
    ) -> tuple[list[Any], list[int], list[Any]] | Unknown:
        """The members that fulfil the condition with their indices, and those for which that is not known.

        Unknown if a limit or a failure is the reason for that.
        """
        if node.condition is None:
            return list(source), list(range(len(source))), []
        condition = Function(node.condition, free, (*path, node.condition.number))
        verdicts = [algebra.truth(value) for value in self.context.apply(condition, source.items)]
        lost = broken_off(verdicts)
        if lost is not None:
            return lost
        kept, indices, unstated = [], [], []
        for index, (item, judged) in enumerate(zip(source, verdicts, strict=True)):
            if judged is True:
                kept.append(item)
                indices.append(index)
            elif isinstance(judged, Unknown):
                unstated.append(item)
        if unstated:
            self.context.warn(
                f"Of {len(source)}, {len(unstated)} are left out because it is not stated of them."
            )
        return kept, indices, unstated

    def _call(self, node: syntax.Call, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        try:
            return self._called(self.operators[node.operator], node, bound, path)
        except Waiting:
            return WAIT

    def _called(
        self, operator: Operator, node: syntax.Call, bound: dict[str, Any], path: tuple[int, ...]
    ) -> Any:
        arguments: dict[str, Any] = {}
        given = [
            (one.name, one.type, value) for one, value in zip(operator.plain, node.positional, strict=False)
        ]
        for name, argument in node.keywords:
            parameter = operator.parameter(name)
            given.append((name, parameter.type if parameter else Type("Any"), argument))
        waiting = False
        for name, wanted, argument in given:
            value = self._argument(argument, wanted, bound, path)
            waiting = waiting or value is WAIT
            arguments[_keyword(name)] = value
        if waiting:
            self._ask_ahead(arguments)
            return WAIT
        if not operator.takes_unknown:
            lost = next((value for value in arguments.values() if isinstance(value, Unknown)), None)
            if lost is not None:
                return lost
        return operator.function(self.context, **arguments)

    def _ask_ahead(self, arguments: Mapping[str, Any]) -> None:
        """While an argument waits, the names in the lists of the others are asked for in the same round."""
        for name in LISTED_PLACES & arguments.keys():
            value = arguments[name]
            listed = value.things if isinstance(value, What) else value
            if isinstance(listed, Items):
                for member in listed:
                    if isinstance(member, str | Choice):
                        with suppress(Waiting):
                            coerced(member, PLACE, self.context)

    def _argument(
        self, node: syntax.Argument, wanted: Type, bound: dict[str, Any], path: tuple[int, ...]
    ) -> Any:
        if isinstance(node, syntax.Lambda):
            return Function(node, tuple(bound.items()), (*path, node.number))
        value = self.value(node, bound, path)
        if value is WAIT or isinstance(value, Unknown):
            return value
        try:
            return coerced(value, wanted, self.context)
        except Waiting:
            return WAIT
        except ValueTypeError as error:
            raise ProgramError(node.line, f"{error}.") from error

    def _field(self, node: syntax.Field, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        value = self.value(node.value, bound, path)
        if value is WAIT or isinstance(value, Unknown):
            return value
        try:
            return field_of(value, node.name, self.context)
        except Waiting:
            return WAIT
        except ValueTypeError as error:
            raise ProgramError(node.line, f"{error}.") from error

    def _index(self, node: syntax.Index, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        value = self.value(node.value, bound, path)
        if value is WAIT or isinstance(value, Unknown):
            return value
        if not isinstance(value, Items):
            raise ProgramError(
                node.line, f"[{node.at}] takes a member of a list, and this is {algebra.called(value)}."
            )
        if -len(value) <= node.at < len(value):
            chosen = value.items[node.at]
            self.context.ranked(chosen, value.items[node.at + 1 :] if node.at >= 0 else ())
            return chosen
        found = f"only {len(value)} found" if len(value) else "none found"
        why = Why.NONE if value.complete and not value.unstated else Why.NOT_STATED
        return Unknown(
            why,
            f"There is no such member: {found}{' of ' + value.what if value.what else ''}.",
            shown=value.around,
        )

    def _slice(self, node: syntax.Slice, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        value = self.value(node.value, bound, path)
        if value is WAIT or isinstance(value, Unknown):
            return value
        if not isinstance(value, Items):
            raise ProgramError(node.line, f"[:] takes a part of a list, and this is {algebra.called(value)}.")
        return value.like(value.items[node.first : node.last], complete=True, unstated=(), part=True)

    def _conditional(self, node: syntax.Conditional, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        judged = self._truth(node.condition, bound, path)
        if judged is WAIT or isinstance(judged, Unknown):
            return judged
        return self.value(node.then if judged else node.otherwise, bound, path)

    def _truth(self, node: syntax.Expr, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        value = self.value(node, bound, path)
        return value if value is WAIT else algebra.truth(value)

    def _logic(self, node: syntax.Logic, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        """First the operands that need no fetching: if they decide, nothing is fetched; then one after the other."""
        decisive = node.operator == "or"
        muted, self.context.muted = self.context.muted, True
        try:
            free = [self._truth(item, bound, path) for item in node.items]
        finally:
            self.context.muted = muted
        if any(value is decisive for value in free):
            return decisive
        if any(value is WAIT for value in free):
            free = []
            for item in node.items:
                value = self._truth(item, bound, path)
                if value is WAIT or value is decisive:
                    return value
                free.append(value)
        return algebra.disjunction(free) if decisive else algebra.conjunction(free)

    def _negation(self, node: syntax.Negation, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        value = self.value(node.value, bound, path)
        return value if value is WAIT else algebra.negated(value)

    def _comparison(self, node: syntax.Comparison, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        values = [self.value(item, bound, path) for item in node.items]
        if any(value is WAIT for value in values):
            return WAIT
        try:
            judged = [
                self._compared(left, comparator, right)
                for left, comparator, right in zip(values, node.comparators, values[1:], strict=False)
            ]
        except Waiting:
            return WAIT
        except ValueTypeError as error:
            raise ProgramError(node.line, f"{error}.", _unit_mend(values)) from error
        return algebra.conjunction(judged)

    def _compared(self, left: Any, comparator: str, right: Any) -> bool | Unknown:
        now = self.context.situation.now
        if comparator not in {"in", "not in"}:
            return algebra.compare(left, comparator, right, now)
        if isinstance(right, Items | str | Unknown) or isinstance(left, Unknown):
            inside: Any = algebra.contains(right, left)
        else:
            lies_in = self.operators["lies_in"]
            place, area = lies_in.parameters
            one, other = coerced(left, place.type, self.context), coerced(right, area.type, self.context)
            lost = next((value for value in (one, other) if isinstance(value, Unknown)), None)
            inside = lost if lost is not None else lies_in.function(self.context, one, other)
        return inside if comparator == "in" else algebra.negated(inside)

    def _arithmetic(self, node: syntax.Arithmetic, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        left, right = self.value(node.left, bound, path), self.value(node.right, bound, path)
        if left is WAIT or right is WAIT:
            return WAIT
        try:
            return algebra.calculate(node.operator, left, right, self.context.situation.now)
        except ValueTypeError as error:
            raise ProgramError(node.line, f"{error}.", _unit_mend([left, right])) from error

    def _negative(self, node: syntax.Negative, bound: dict[str, Any], path: tuple[int, ...]) -> Any:
        value = self.value(node.value, bound, path)
        if value is WAIT or isinstance(value, Unknown):
            return value
        if not isinstance(value, Amount):
            raise ProgramError(node.line, f"There is no negative of {algebra.called(value)}.")
        return Amount(-value.high, -value.low, value.dimension, value.unit, value.open_points)


_LEAVES = (syntax.Number, syntax.String, syntax.Truth, syntax.Name)
"""Nodes that need no entry in the derivation: their values are plain from the program."""


def _called(node: syntax.Expr) -> str:
    """Name of a node in the derivation."""
    match node:
        case syntax.Call():
            return node.operator
        case syntax.Field():
            return f".{node.name}"
    return type(node).__name__.lower()


def _unit_mend(values: list[Any]) -> str:
    """The remedy for a bare number beside a quantity."""
    amounts = [value for value in values if isinstance(value, Amount)]
    units = {"length": "m", "duration": "min", "area": "ha", "angle": "deg"}
    kind = next((one.kind for one in amounts if one.kind in units), "")
    bare = next((one for one in amounts if one.kind == "number"), None)
    if not kind or bare is None:
        return ""
    return f'Write "{bare.low:g} {units[kind]}", or compare `.{units[kind]}` of the {kind}.'


def _keyword(name: str) -> str:
    """The name of a parameter in Python, where the operator's name for it is taken there."""
    return f"{name}_" if name in {"from", "in", "is", "not", "or", "and"} else name
