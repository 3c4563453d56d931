"""A second evaluation of a program, over the evidence that its derivation cites.

Every node is worked out from the values of the nodes below it, which were verified before, and from the evidence
that it cites itself; its claimed value has to agree. There is no laziness but that of the program: a node that the
derivation does not tell was not needed.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from map_tools.kinds.concepts import is_street
from mapagent.core.answer import Evidence
from modules.query.interpreter.context import Derived
from modules.query.interpreter.running import Outcome
from modules.query.language import syntax
from modules.query.language.types import MODES, PLACE_LIKE, Type
from modules.query.operators.base import Claim, Operator
from modules.query.values.amount import Amount
from modules.query.values.moment import Moment
from modules.query.values.things import Choice, Finished, Function, Items, Stop, Thing, Visit, What
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import computing
from modules.query.verify.agreement import agree, told
from modules.query.verify.checks import CHECKS, lookup, space
from modules.query.verify.cited import NOTHING_CITED, Asked, Cited, Fault, NotTold, Unchecked
from modules.query.verify.computing import BrokenOff, NoSense, read_amount
from modules.query.verify.fields import field_of
from modules.query.verify.timing import read_moment

_MEASURES = frozenset({"Length", "Duration", "Size", "Angle", "Money", "Quantity"})

_OF_VALUES = frozenset(
    {
        "count",
        "sum",
        "mean",
        "min",
        "max",
        "sort",
        "any",
        "all",
        "group",
        "pairs",
        "abs",
        "known",
        "judge",
    }
    | {"listing", "mapped", "index", "slice", "negation", "arithmetic", "negative", "lambda", "conditional"}
)
"""Nodes that look nothing up: they cite what the nodes below them cite, and nothing else."""

type Path = tuple[int, ...]
type Bound = Mapping[str, Any]


class NaiveEvaluator:
    """Evaluates a program once more. Make one for each outcome.

    Args:
        program: The program.
        outcome: What it is claimed to come to.
        operators: Their signatures, and the checks that others bring.
        evidence: The evidence of the answer.
    """

    def __init__(
        self,
        program: syntax.Program,
        outcome: Outcome,
        operators: Mapping[str, Operator],
        evidence: Iterable[Evidence],
    ) -> None:
        self.program = program
        self.operators = operators
        self.situation = outcome.situation
        self.evidence = {item.id: item for item in evidence}
        self.objections: dict[str, bool] = {}
        """Messages, and whether the answer must not be given."""
        self._outcome = outcome
        self._values: dict[str, Any] = dict(outcome.situation.bindings)
        self._claims: dict[Any, Derived] = {}
        self._calls: dict[Path, list[Derived]] = {}
        self._below: list[set[str]] = [set()]
        """Of each node that is being worked out: the evidence that the nodes below it cite."""
        for one in outcome.derivation:
            if one.operator == "look-up":
                self._claims[one.path, one.node, one.subject] = one
                continue
            self._claims[one.path, one.node] = one
            if one.operator == "lambda":
                self._calls.setdefault(one.path[:-1], []).append(one)

    def run(self) -> None:
        """Works out all statements; what disagrees is in `objections` afterwards."""
        value: Any = Fault("nothing: it was not worked out")
        for statement in self.program.statements:
            try:
                value = self.value(statement.expr, {}, ())
            except NotTold:
                if statement.name is not None and statement.name not in self._outcome.values:
                    continue  # nothing rests on it, or what does will say so
                break
            if statement.name is not None:
                claimed = self._outcome.values.get(statement.name)
                if not agree(value, claimed):
                    self._object(statement.line, statement.name, claimed, value)
                self._values[statement.name] = value
        claimed = self._outcome.finished
        mine = value if isinstance(value, Finished) else Finished(value)
        broken_off = isinstance(claimed.value, Unknown) and claimed.value.why in {Why.LIMIT, Why.FAILED}
        if not agree(mine, claimed) and not (broken_off and not claimed.parts):
            self._object(self.program.answer.line, "answer", claimed, value)

    def value(self, node: syntax.Expr, bound: Bound, path: Path) -> Any:
        """The value of a node, verified.

        Raises:
            NotTold: The derivation has no such node.
        """
        match node:
            case syntax.Number() | syntax.Truth():
                return Amount.of(node.value) if isinstance(node, syntax.Number) else node.value
            case syntax.String():
                return node.text
            case syntax.Name():
                return bound[node.name] if node.name in bound else self._named(node.name)
        claim = self._claims.get((path, node.number))
        if claim is None:
            raise NotTold
        name = getattr(node, "operator", "") if isinstance(node, syntax.Call) else type(node).__name__.lower()
        handler = getattr(self, f"_{type(node).__name__.lower()}")
        return self._verified(node.line, name, claim, lambda cited: handler(node, bound, path, claim, cited))

    def _verified(self, line: int, name: str, claim: Derived, work: Callable[[Cited], Any]) -> Any:
        """The claimed value of a node; there is an objection unless what it is worked out to agrees."""
        cited = Cited(claim.evidence, self.evidence, self.situation)
        self._below.append(set())
        try:
            mine = work(cited)
        except NoSense:
            mine = Fault("nothing: the values do not go together")
        except BrokenOff:
            mine = Unknown(Why.FAILED, "Of a member it was not found out.")
        except NotTold:
            mine = Fault("nothing: it rests on what was not worked out")
        below, ids = self._below.pop(), set(claim.evidence)
        self._below[-1] |= ids
        if not below <= ids or (name in _OF_VALUES and ids != below):
            mine = Fault("something else: it does not cite what it is made of")
        elif not ids <= self.evidence.keys():
            mine = Fault("nothing: it cites what is no evidence of the answer")
        if isinstance(mine, Unchecked):
            self.objections.setdefault(f"Not checked: {mine}.", False)
        elif not agree(mine, claim.result) and not self._refused(line, name, claim, mine):
            self._object(line, name, claim.result, mine)
        return claim.result

    def _refused(self, line: int, name: str, claim: Derived, mine: Any) -> bool:
        """Whether it is only said that something is not known, and nothing that is cited could tell."""
        if not isinstance(claim.result, Unknown) or claim.result.why is Why.NONE:
            return False
        if claim.result.why is Why.LIMIT:
            return isinstance(mine, Fault | Unknown)
        if mine is not NOTHING_CITED or claim.evidence:
            return False
        self.objections.setdefault(
            f"Not checked: that what line {line} (`{name}`) gives is not known.", False
        )
        return True

    def _object(self, line: int, name: str, claimed: Any, mine: Any) -> None:
        words = f"Line {line}, `{name}`: {told(claimed)} is claimed; the evidence gives {told(mine)}."
        self.objections[words] = True

    def apply(self, function: Function, items: Sequence[Any]) -> list[Any]:
        """The values of a lambda for the members of a list, each verified.

        Raises:
            NotTold: It was not called with one of them.
        """
        calls = self._calls.get(function.path, [])
        by_index = {one.path[-1]: one for one in calls}
        by_id = {id(one.subject): one for one in calls}
        made = []
        for index, item in enumerate(items):
            likely = (by_index.get(index), by_id.get(id(item)))
            among = itertools.chain((one for one in likely if one is not None), reversed(calls))
            claim = next((one for one in among if agree(item, one.subject)), None)
            if claim is None:
                raise NotTold
            made.append(self._applied(function, item, claim))
        return made

    def _applied(self, function: Function, item: Any, claim: Derived) -> Any:
        body, bound = function.node.body, {**dict(function.bound), function.node.parameter: item}
        return self._verified(body.line, "lambda", claim, lambda _: self.value(body, bound, claim.path))

    def look_up(
        self, role: str, words: str, given: Mapping[str, Any], at: tuple[Path, int], line: int
    ) -> Any:
        """The place that words mean which stand where a place is wanted."""
        claim = self._claims.get((*at, (role, words)))
        if claim is None:
            raise NotTold
        return self._verified(
            line, words, claim, lambda cited: lookup.look_up(role, words, given, cited, claim.result)
        )

    def _named(self, name: str) -> Any:
        """What a name means."""
        if name in self._values:
            return self._values[name]
        here = self.situation
        given: Mapping[str, Any] = {
            "now": Moment(here.now) if here.now is not None else None,
            "here": here.here,
            "options": Items(here.options),
            "picture": here.picture,
        }
        if name not in given:
            raise NotTold
        return (
            Unknown(Why.UNSUPPORTED, f"`{name}` is not known here.") if given[name] is None else given[name]
        )

    def _listing(self, node: syntax.Listing, bound: Bound, path: Path, *_: Any) -> Any:
        return Items(tuple(self.value(item, bound, path) for item in node.items))

    def _mapped(self, node: syntax.Mapped, bound: Bound, path: Path, *_: Any) -> Any:
        source = self.value(node.source, bound, path)
        if not isinstance(source, Items):
            return source
        free = tuple(bound.items())
        kept, unstated = list(source), list[Any]()
        if node.condition is not None:
            kept, unstated = self.filtered(
                Function(node.condition, free, (*path, node.condition.number)), source.items
            )
        values = self.apply(Function(node.body, free, (*path, node.body.number)), kept)
        return source.like(values, unstated=(*source.unstated, *unstated))

    def filtered(
        self, condition: Function, members: Sequence[Any], *, first: bool = False
    ) -> tuple[list[Any], list[Any]]:
        """The members that fulfil a condition, and those of which that is not known.

        Raises:
            BrokenOff: Of one it was not found out; where only the first is wanted, that may not matter.
        """
        judged = [computing.truth(value) for value in self.apply(condition, members)]
        if not first:
            computing.sought(judged)
        kept = [one for one, verdict in zip(members, judged, strict=True) if verdict is True]
        return kept, [
            one for one, verdict in zip(members, judged, strict=True) if isinstance(verdict, Unknown)
        ]

    def _call(self, node: syntax.Call, bound: Bound, path: Path, claim: Derived, cited: Cited) -> Any:
        operator = self.operators[node.operator]
        given = [(one.name, node_) for one, node_ in zip(operator.plain, node.positional, strict=False)]
        arguments: dict[str, Any] = {}
        for name, argument in (*given, *node.keywords):
            parameter = operator.parameter(name)
            if isinstance(argument, syntax.Lambda):
                arguments[name] = Function(argument, tuple(bound.items()), (*path, argument.number))
                continue
            value = self.value(argument, bound, path)
            wanted = parameter.type if parameter is not None else Type("Any")
            arguments[name] = self.coerced(value, wanted, (path, node.number), node.line)
        for one in arguments.values():
            if isinstance(one, Unknown) and not operator.takes_unknown:
                return one
        check = CHECKS.get(operator.name)
        if check is not None:
            return check(Asked(self, (path, node.number), node.line, arguments, claim.result, cited))
        return _foreign(operator, Claim(arguments, claim.result, cited.items))

    def coerced(self, value: Any, wanted: Type, at: tuple[Path, int], line: int) -> Any:
        """A value as the type that is wanted: words as places, times and amounts."""
        name = wanted.name
        if isinstance(value, Unknown) or name in {"Any", "Item", "Same", "Fact"}:
            return value
        if name == "List":
            return self._listed(value, wanted, at, line)
        text = value.text if isinstance(value, Choice) else value
        if name in PLACE_LIKE - {"Route", "Stop"}:
            return self._placed(value, name, at, line)
        if name == "What":
            return (
                What(text=text)
                if isinstance(text, str)
                else What(things=value)
                if isinstance(value, Items)
                else value
            )
        if name == "Text":
            return text.name if isinstance(text, Thing) else text
        if not isinstance(text, str):
            return value
        if name == "Mode":
            return MODES.get(text.casefold(), text)
        if name == "Time":
            return read_moment(text, self.situation.now) or Unknown(
                Why.UNSUPPORTED, "The present day is not known."
            )
        if name == "Number":
            return Amount.of(float(text.replace(",", "")))
        return read_amount(text) if name in _MEASURES else text

    def _listed(self, value: Any, wanted: Type, at: tuple[Path, int], line: int) -> Any:
        """A value as a list of the members that are wanted; one member may stand for a lenient one."""
        if not isinstance(value, Items):
            return Items((value,)) if wanted.lenient else value
        if wanted.of is None or wanted.of.name == "Any":
            return value
        return value.like(self.coerced(one, wanted.of, at, line) for one in value)

    def _placed(self, value: Any, name: str, at: tuple[Path, int], line: int) -> Any:
        """A value as a place, an area, a line or a mark."""
        if isinstance(value, Stop | Visit):
            return value.thing
        text = value.text if isinstance(value, Choice) else value
        if name == "Area" and isinstance(value, Thing) and value.shape is None:
            text = value.reference if is_street(value.place.categories) else value
        if not isinstance(text, str):
            return value
        if name == "Mark" or (self.situation.only_picture and name not in {"Area", "Line"}):
            picture = self.situation.picture
            return Unknown(Why.UNSUPPORTED, "There is no picture.") if picture is None else picture.mark(text)
        return self.look_up({"Area": "area", "Line": "line"}.get(name, "place"), text, {}, at, line)

    def _field(self, node: syntax.Field, bound: Bound, path: Path, claim: Derived, cited: Cited) -> Any:
        value = self.value(node.value, bound, path)
        if isinstance(value, str) or (isinstance(value, Choice) and node.name not in {"text", "letter"}):
            value = self._placed(value, "Place", (path, node.number), node.line)
        if isinstance(value, Unknown):
            return value
        found = field_of(value, node.name, cited)
        measured = node.name in {"size", "perimeter", "length"} and isinstance(value, Thing)
        return space.within(found, claim.result, 0.01, 0.5) if measured else found

    def _index(self, node: syntax.Index, bound: Bound, path: Path, *_: Any) -> Any:
        value = self.value(node.value, bound, path)
        if not isinstance(value, Items) or -len(value) <= node.at < len(value):
            return value.items[node.at] if isinstance(value, Items) else value
        why = Why.NONE if value.complete and not value.unstated else Why.NOT_STATED
        return Unknown(why, f"There are only {len(value)}.")

    def _slice(self, node: syntax.Slice, bound: Bound, path: Path, *_: Any) -> Any:
        value = self.value(node.value, bound, path)
        if not isinstance(value, Items):
            return value
        return value.like(value.items[node.first : node.last], complete=True, unstated=())

    def _conditional(self, node: syntax.Conditional, bound: Bound, path: Path, *_: Any) -> Any:
        judged = computing.truth(self.value(node.condition, bound, path))
        if isinstance(judged, Unknown):
            return judged
        return self.value(node.then if judged else node.otherwise, bound, path)

    def _logic(self, node: syntax.Logic, bound: Bound, path: Path, *_: Any) -> Any:
        """All that the interpreter worked out; what it left out must not have mattered."""
        decisive, told_ = node.operator == "or", []
        for item in node.items:
            try:
                told_.append(self.value(item, bound, path))
            except NotTold:
                continue
        judged = computing.kleene(told_, decisive=decisive)
        if judged is not decisive and len(told_) < len(node.items):
            raise NotTold
        return judged

    def _negation(self, node: syntax.Negation, bound: Bound, path: Path, *_: Any) -> Any:
        return computing.not_(self.value(node.value, bound, path))

    def _comparison(self, node: syntax.Comparison, bound: Bound, path: Path, _: Derived, cited: Cited) -> Any:
        values = [self.value(item, bound, path) for item in node.items]
        triples = zip(values, node.comparators, values[1:], strict=False)
        placed = partial(self._placed, at=(path, node.number), line=node.line)
        return computing.kleene((self._compared(*one, placed, cited) for one in triples), decisive=False)

    def _compared(
        self, left: Any, comparator: str, right: Any, placed: Callable[[Any, str], Any], cited: Cited
    ) -> Any:
        now = self.situation.now
        if comparator not in {"in", "not in"}:
            return computing.compare(left, comparator, right, now)
        if isinstance(right, Items | str | Unknown) or isinstance(left, Unknown):
            inside = computing.member_of(right, left, now)
        else:
            inside = space.lies_in(placed(left, "Place"), placed(right, "Area"), cited)
        return inside if comparator == "in" else computing.not_(inside)

    def _arithmetic(self, node: syntax.Arithmetic, bound: Bound, path: Path, *_: Any) -> Any:
        left, right = self.value(node.left, bound, path), self.value(node.right, bound, path)
        return computing.calculate(node.operator, left, right, self.situation.now)

    def _negative(self, node: syntax.Negative, bound: Bound, path: Path, *_: Any) -> Any:
        value = self.value(node.value, bound, path)
        return (
            Amount(-value.high, -value.low, value.dimension, value.unit)
            if isinstance(value, Amount)
            else value
        )


def _foreign(operator: Operator, claim: Claim) -> Any:
    """What an operator's own check says; without one it is not checked."""
    if operator.check is None:
        return Unchecked(f"what `{operator.name}` gives")
    against = operator.check(claim)
    return Fault(f"something else: {against}") if against else claim.result
