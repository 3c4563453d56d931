"""Programs read back: in words, as what was understood statement by statement, and as a plan.

The phrases are the operators' own. A name that is used once stands as what it is, so that short programs read as
one sentence; names of places stand as they were found. As a plan the statements are subgoals, each given to the
module that owns its operator.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from map_tools.kinds import concepts
from map_tools.types import TOLD
from mapagent.core.answer import Plan, Step
from modules.query import wording
from modules.query.conditions import DEFINITE, NUMBER_OF, ConditionReader, filled, given_to, plain, source_of
from modules.query.language import syntax
from modules.query.language.types import PLACE_LIKE
from modules.query.operators.base import Operator
from modules.query.wording import IT, ITS, OUTER, joined, label, resolved

_GIVEN = {"here": "your position", "now": "now", "options": "the options", "picture": "the picture"}
_SUMS = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}
_ORDERS = {"free": "the best", "fixed": "this"}
_LOOK_UPS = frozenset({"place", "area", "line", "mark"})
_SEVERAL = re.compile(r"^(the (?:time|length|straight-line distance))\b")
_OF_IT = re.compile(rf"the ([a-z-]+(?: [a-z]+)?) of {IT}")
ANSWER = "answer"
COMPUTING = "solution_generator"
"""The module of statements that only compute with values that are there already."""


def read_back(
    program: syntax.Program,
    operators: Mapping[str, Operator],
    *,
    found: Mapping[str, str] | None = None,
    came_to: Mapping[int, str] | None = None,
    now: datetime | None = None,
    assumed: Sequence[str] = (),
) -> str:
    """A program in words.

    Args:
        program: The program.
        operators: By name.
        found: The names under which places were found, by the words of the program.
        came_to: The names of the places that parts of the program came to, by the numbers of their nodes.
        now: The present moment, by which weekdays become dates.
        assumed: What was taken for granted, which is told at the end.
    """
    reader = _Reader(operators, found=found or {}, came_to=came_to or {}, now=now)
    phrases = []
    for statement in program.statements:
        if statement.name is None:
            phrases += reader.answer(statement.expr)
        elif not reader.inlined(statement, program):
            phrases.append(reader.definition(statement.name, statement.expr))
    told = f" (assumed: {'; '.join(assumed)})" if assumed else ""
    return f"{'; '.join(phrases)}{told}".rstrip(".") + "."


def phrase_of(expr: syntax.Argument, operators: Mapping[str, Operator]) -> str:
    """One expression in words."""
    return _Reader(operators).phrase(expr)


@dataclass
class _Reader(ConditionReader):
    found: Mapping[str, str] = field(default_factory=dict)
    came_to: Mapping[int, str] = field(default_factory=dict)
    now: datetime | None = None
    grouped_by: str = "key"

    def inlined(self, statement: syntax.Statement, program: syntax.Program) -> bool:
        """Whether a statement's name stands as what it is: a place looked up, or a name that is used once."""
        name, expr = statement.name or "", statement.expr
        self.made[name] = expr
        looked_up = isinstance(expr, syntax.Call) and expr.operator in _LOOK_UPS and not expr.keywords
        uses = Counter(one for other in program.statements for one in _uses(other.expr))
        if looked_up or uses[name] == 1 or self.is_condition(expr):
            self.inline[name] = expr
            return True
        return False

    def definition(self, name: str, expr: syntax.Expr) -> str:
        """A statement whose name is used several times, and how it is called from there on."""
        words, text = name.replace("_", " "), self.phrase(expr)
        place = self.came_to.get(expr.number)
        called = place or self._called(expr)
        own = called in {"", *self.told.values()}
        self.told[name] = words if own else called
        where = f" ({place})" if place is not None and place not in text else ""
        return f"{words}: {text}{where}" if own else f"{text}{where}"

    def _called(self, expr: syntax.Expr) -> str:
        """How something is pointed back to: "these cafes", "this trip"."""
        match expr:
            case syntax.Call(operator="places", positional=(syntax.String(text=kind), *_)):
                return f"these {wording.many(kind)}"
            case syntax.Call(operator="nearest", positional=(syntax.String(text=kind), *_)):
                return f"this {wording.one(kind)}"
            case syntax.Call(operator="trip" | "travel" | "routes" as operator):
                return {"trip": "this trip", "travel": "this way"}.get(operator, "these ways")
            case syntax.Mapped(body=syntax.Lambda(parameter=own, body=syntax.Name(name=name))) if name == own:
                return self._called(expr.source)
        return {"Time": "that time", "Number": "that number", "Area": "this area"}.get(self._type(expr), "")

    def _type(self, expr: syntax.Expr) -> str:
        return self.operators[expr.operator].returns.name if isinstance(expr, syntax.Call) else ""

    def answer(self, expr: syntax.Expr) -> list[str]:
        """The last line: the main value and the parts; what has been told by its own statement is left out."""
        if not isinstance(expr, syntax.Call) or expr.operator != "answer":
            return [self.phrase(expr)]
        values = [*(("", value) for value in expr.positional), *expr.keywords]
        known = {name for name in self.told if name not in self.inline}
        kept = [
            (name, value)
            for name, value in values
            if not (isinstance(value, syntax.Name) and value.name in known)
        ]
        return list(dict.fromkeys(self._part(name, value) for name, value in kept))

    def _part(self, name: str, value: syntax.Argument) -> str:
        text = self.phrase(value)
        bare = isinstance(value, syntax.String | syntax.Number | syntax.Truth) and name not in {"", "value"}
        return f"{name.replace('_', ' ')}: {text}" if bare else text

    def phrase(self, node: syntax.Argument) -> str:  # noqa: C901, PLR0912 (one case for each kind)
        """A node in words."""
        clause = self.clause(node)
        if clause is not None or isinstance(node, syntax.Logic | syntax.Negation):
            return f"whether {self.sentence(node)}"
        match node:
            case syntax.Number():
                return f"{node.value:g}"
            case syntax.String():
                return self.found.get(node.text, wording.time_of(node.text))
            case syntax.Truth():
                return "yes" if node.value else "no"
            case syntax.Name():
                return self._name(node.name)
            case syntax.Listing():
                lists = any(isinstance(one, syntax.Listing) for one in node.items)
                return (
                    joined([f"({one})" if lists else one for one in map(self.phrase, node.items)])
                    or "nothing"
                )
            case syntax.Lambda():
                return resolved(self.of_it(node, self.sentence))
            case syntax.Mapped():
                return self._mapped(node)
            case syntax.Call():
                return self._call(node)
            case syntax.Field():
                return self._field(node)
            case syntax.Index():
                return self._member(node)
            case syntax.Slice():
                return self._slice(node)
            case syntax.Conditional():
                then, otherwise = self.phrase(node.then), self.phrase(node.otherwise)
                return f"{then} if {self.sentence(node.condition)}, otherwise {otherwise}"
            case syntax.Arithmetic():
                return self._sum(node)
            case syntax.Negative():
                return f"minus {self.phrase(node.value)}"
        raise TypeError(f"{node!r} has no words")

    def _name(self, name: str) -> str:
        if name in self.bound:
            return IT if name == self.bound[-1] else OUTER
        if name in self.inline:
            return self.phrase(self.inline[name])
        return self.told.get(name) or _GIVEN.get(name, name.replace("_", " "))

    def _mapped(self, node: syntax.Mapped) -> str:
        condition, body = self.relative(node.condition, many=True), self.of_it(node.body, self.phrase)
        if body == IT:
            searched = self.members(node.source) != self.phrase(node.source)  # "cafes", and not "the options"
            return f"{'' if searched or not condition else 'those of '}{self.phrase(node.source)}{condition}"
        source = f"each of {self.members(node.source)}{condition}"
        if body.startswith(ITS) and body.count(ITS) == 1 and IT not in body:
            return f"the {body[1:]} of {source}"
        if body.count(IT) == 1 and ITS not in body:
            return body.replace(IT, source).replace(OUTER, IT)
        return f"{resolved(body)}, for {source}"

    def members(self, node: syntax.Argument) -> str:
        """A list where something is said of its members: "the cafes near Kiasma"."""
        if isinstance(node, syntax.Arithmetic) and node.operator == "+":
            return f"{self.members(node.left)} and {self.members(node.right)}"
        text, root = self.phrase(node).removeprefix("those of "), node
        while not isinstance(root, syntax.Listing):
            below = self.inline.get(root.name) if isinstance(root, syntax.Name) else source_of(root)
            if below is None:
                break
            root = below
        listed = isinstance(root, syntax.Call) and not text.startswith(DEFINITE)
        return f"the {text}" if listed else text

    def _field(self, node: syntax.Field) -> str:
        value = self._place(node.value)
        if node.name == "unstated":
            return f"those of which it is not stated whether they belong to {self.members(node.value)}"
        if node.name in wording.UNITS:
            return f"{value} in {wording.UNITS[node.name]}"
        if value.startswith("the direction ") and node.name in {"name", "degrees"}:
            return value if node.name == "name" else f"{value} in degrees"
        word = self.grouped_by if node.name == "key" else label(node.name)
        if value == IT:
            return f"{ITS}{word}"
        if value.startswith("the way ") and node.name in {"duration", "distance"}:
            word = "time" if node.name == "duration" else "length of the way"
            return f"the {word} {value[len('the way ') :]}"
        return f"the {word} of {value}"

    def _member(self, node: syntax.Index) -> str:
        if isinstance(node.value, syntax.Field) and node.value.name in wording.MEMBERS:
            of = self._place(node.value.value)
            return f"the {wording.ordinal(node.at)} {wording.MEMBERS[node.value.name]} of {of}"
        value = self.members(node.value)
        return f"the {wording.ordinal(node.at)} of {value}"

    def _slice(self, node: syntax.Slice) -> str:
        value, first, last = self.members(node.value), node.first or 0, node.last
        if last is None:
            return f"the last {-first} of {value}" if first < 0 else f"all but the first {first} of {value}"
        if first == 0:
            return f"the first {last} of {value}" if last > 0 else f"all but the last {-last} of {value}"
        return f"the {wording.ordinal(first)} to {wording.ordinal(last - 1)} of {value}"

    def _sum(self, node: syntax.Arithmetic) -> str:
        left, right = (self._term(one, node.operator) for one in (node.left, node.right))
        if node.operator in "+-" and self.is_time(node.left) and not self.is_time(node.right):
            return f"{right} {'after' if node.operator == '+' else 'before'} {left}"
        listed = node.operator == "+" and self.is_list(node)
        return f"{left} {'and' if listed else _SUMS[node.operator]} {right}"

    def _term(self, node: syntax.Expr, operator: str) -> str:
        """A term of a sum or product, in brackets where it is worked out first."""
        text = self.phrase(node)
        lower = isinstance(node, syntax.Arithmetic) and (operator in "*/" or operator == "-")
        return f"({text})" if lower else text

    def _place(self, node: syntax.Argument) -> str:
        """A part of a sentence, and the place that it came to where that is not said."""
        at = self.inline.get(node.name, node) if isinstance(node, syntax.Name) else node
        text, place = self.phrase(node), self.came_to.get(at.number)
        chosen = not (isinstance(at, syntax.Call) and at.operator in _LOOK_UPS)
        return f"{text} ({place})" if place is not None and chosen and place not in text else text

    def _call(self, node: syntax.Call) -> str:
        fact = plain(node)
        if isinstance(fact, syntax.Field):
            return self._field(fact)
        operator = self.operators[node.operator]
        given = given_to(node, operator)
        if node.operator in {"min", "max"} and isinstance(given.get("key"), syntax.Lambda):
            return self._extreme(given["xs"], given["key"], most=node.operator == "max")
        difference = given.get("x")
        if (
            node.operator == "abs"
            and isinstance(difference, syntax.Arithmetic)
            and difference.operator == "-"
        ):
            return (
                f"the difference between {self.phrase(difference.left)} and {self.phrase(difference.right)}"
            )
        text = filled(operator.phrase, self.slots(node, operator))
        of_it = _OF_IT.match(text)
        return f"{ITS}{of_it[1]}{text[of_it.end() :]}" if of_it else text

    def slots(self, node: syntax.Call, operator: Operator) -> dict[str, Callable[[str], str]]:
        """What stands in a slot of a phrase, by its name; each is told in the form that the slot asks for."""
        given = given_to(node, operator)
        ends = [self.phrase(given[name]) for name in ("start", "end") if name in given]
        if len(ends) == 2 and ends[0] == ends[1]:
            given["end|back"] = given.pop("end")

        def telling(name: str, value: syntax.Argument) -> Callable[[str], str]:
            known = operator.parameter(name)
            wanted = "Any" if known is None else "Place" if _is_name(operator, name) else known.type.name
            return lambda form: self._argument(value, wanted, form)

        return {name: telling(name, value) for name, value in given.items()}

    def _argument(self, node: syntax.Argument, wanted: str, form: str) -> str:
        told = self._in_form(node, wanted, form) if form else None
        if told is not None:
            return told
        text = self._place(node)
        if isinstance(node, syntax.String) and node.text not in self.found:
            if wanted == "Length":
                return wording.length(text)
            if wanted in PLACE_LIKE and text.islower() and concepts.lookup(text) is not None:
                return f"the {text}"
        return {"Mode": TOLD, "Order": _ORDERS}.get(wanted, {}).get(text, text)

    def _in_form(self, node: syntax.Argument, wanted: str, form: str) -> str | None:
        """What stands in a slot, in the form that the slot asks for (see `filled`); None: as it is."""
        if form in {"many", "one"}:
            return self._kind(node, many=form == "many") if wanted == "What" else self._several(node)
        match form, node:
            case "when", _:
                return self._when(node)
            case "counted", syntax.Field():
                return self.phrase(node).removeprefix("the ")
            case "tests", syntax.Listing(items=items):
                return "; ".join(f"{number}) {self.sentence(one)}" for number, one in enumerate(items, 1))
            case "of", _:
                text = self.members(node)
                return _SEVERAL.sub(r"\1s", text, count=1) if isinstance(node, syntax.Mapped) else text
            case "least" | "most", _:
                return self.degree(
                    node.body if isinstance(node, syntax.Lambda) else node, most=form == "most"
                )
        return self._of_lambda(node, form) if isinstance(node, syntax.Lambda) else None

    def _kind(self, node: syntax.Argument, *, many: bool) -> str:
        """What is searched for: one or several of a kind, or of a list."""
        if isinstance(node, syntax.String):
            return wording.many(node.text) if many else wording.one(node.text)
        return f"{'those' if many else 'one'} of {self.members(node)}"

    def _several(self, node: syntax.Argument) -> str | None:
        """Things that are no places in the plural: "ferries"; names of streets stay."""
        match node:
            case syntax.String(text=text):
                return wording.plural(text.replace("_", " ")) if text.islower() else text
            case syntax.Listing(items=items):
                return joined([self._several(one) or self.phrase(one) for one in items])
        return None

    def _when(self, node: syntax.Argument) -> str:
        if isinstance(node, syntax.String):
            return wording.when(node.text, self.now)
        text = self.phrase(node)
        return {IT: "then", "now": "now"}.get(text, f"at {text}")

    def _of_lambda(self, node: syntax.Lambda, form: str) -> str:
        if form == "by":
            return self._key(node)
        return self.relative(node, many=form == "those").strip()

    def _key(self, node: syntax.Lambda) -> str:
        """What a list is grouped or put in order by."""
        text = resolved(self.of_it(node, self.phrase), "each", "its").removeprefix("its ")
        self.grouped_by = text
        return text

    def _extreme(self, xs: syntax.Argument, key: syntax.Argument, *, most: bool) -> str:
        """The member of a list that has least or most of something."""
        among = self.members(xs)
        if not isinstance(key, syntax.Lambda):
            return among
        match plain(key.body):
            case syntax.Field(value=syntax.Name(name=own), name=name) if own == key.parameter:
                word = wording.SUPERLATIVES.get(
                    name, (f"with the lowest {label(name)}", f"with the highest {label(name)}")
                )[most]
                return f"the one of {among} {word}" if word.startswith("with ") else f"the {word} of {among}"
            case syntax.Call(operator="count", positional=(syntax.Field(name="items"),)):
                return f"the {'largest' if most else 'smallest'} group of {among}"
            case syntax.Call(operator="distance", positional=(a, b), keywords=()):
                other = b if isinstance(a, syntax.Name) and a.name == key.parameter else a
                ends = {one.name for one in (a, b) if isinstance(one, syntax.Name)}
                if key.parameter in ends and key.parameter not in _uses(other):
                    return (
                        f"the one of {among} {'farthest from' if most else 'nearest to'} {self._place(other)}"
                    )
        text, degree = self.of_it(key, self.phrase), self.degree(key.body, most=most)
        if text.startswith(NUMBER_OF):
            counted = resolved(text.removeprefix(NUMBER_OF))
            return f"the one of {among} with the {'most' if most else 'fewest'} {counted}"
        if text.startswith(ITS):
            return f"the one of {among} with the {degree} {resolved(text[1:])}"
        return f"the one of {among} for which {resolved(text)} is {degree}"


def _is_name(operator: Operator, parameter: str) -> bool:
    return operator.name in _LOOK_UPS and parameter == "name"


def _uses(expr: syntax.Argument) -> list[str]:
    return [node.name for node in syntax.walk(expr) if isinstance(node, syntax.Name)]


def plan_of(program: syntax.Program, operators: Mapping[str, Operator]) -> Plan:
    """The dataflow of a program as a plan."""
    known = {statement.name for statement in program.statements}
    steps = []
    for statement in program.statements:
        uses = [name for name in dict.fromkeys(syntax.names_in(statement.expr)) if name in known]
        steps.append(
            Step(
                id=statement.name or ANSWER,
                subgoal=statement.comment or phrase_of(statement.expr, operators),
                module=_owner(statement.expr, operators),
                depends_on=tuple(uses),
            )
        )
    return Plan(steps=tuple(steps))


def _owner(expr: syntax.Expr, operators: Mapping[str, Operator]) -> str:
    """The module of the outermost operator that is called."""
    for node in syntax.walk(expr):
        if isinstance(node, syntax.Call):
            return operators[node.operator].module
    return COMPUTING
