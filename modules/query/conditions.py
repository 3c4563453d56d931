"""Conditions of programs in words: as sentences, and as they qualify a noun."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from modules.query import wording
from modules.query.language import syntax
from modules.query.language.types import FIELDS
from modules.query.operators.base import Operator
from modules.query.values import moment
from modules.query.values.amount import parse_amount
from modules.query.wording import IT, Clause, joined, label, resolved

NUMBER_OF = "the number of "
DEFINITE = ("the ", "these ", "those ", "what ")
_COMPARATORS = {
    "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least", "==": "is",
    "!=": "is not", "in": "is among", "not in": "is not among",
}  # fmt: skip
_TIMES = {"<": "is before", "<=": "is not after", ">": "is after", ">=": "is not before"}
_AMOUNTS = {
    "<": "fewer than {}", "<=": "at most {}", ">": "more than {}", ">=": "at least {}", "==": "exactly {}",
}  # fmt: skip
_OPPOSITES = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "in": "not in", "not in": "in",
}  # fmt: skip
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_CLOCKS = frozenset({"arrive", "depart", "leave", "begin", "start", "end"})
_LENGTHS = frozenset({"duration", "distance", "length", "travel", "stay", "wait"})
_WHETHER = re.compile(r"whether \{(\w+)\} (.*)")
_SILENT = frozenset({"yes", "no", "back"})
_SLOT = re.compile(r"\{(\w+)(?:\|(\w+))?\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


@dataclass
class ConditionReader:
    """The part of the read-back that words conditions; subclasses implement `phrase`, `members` and `slots`."""

    operators: Mapping[str, Operator]
    inline: dict[str, syntax.Expr] = field(default_factory=dict)
    """Names that are replaced by their expressions."""
    told: dict[str, str] = field(default_factory=dict)
    """Wording of names whose statements have been read back."""
    made: dict[str, syntax.Expr] = field(default_factory=dict)
    """The expression of each name."""
    bound: list[str] = field(default_factory=list)
    """Parameters of the lambdas around, the innermost last."""

    def phrase(self, node: syntax.Argument) -> str:
        """A node in words."""
        raise NotImplementedError

    def members(self, node: syntax.Argument) -> str:
        """A list in the plural, to say something about its members: "the cafes near Kiasma"."""
        raise NotImplementedError

    def slots(self, node: syntax.Call, operator: Operator) -> dict[str, Callable[[str], str]]:
        """The wording of each slot of a phrase, by its name: a function of the form that the slot asks for."""
        raise NotImplementedError

    def sentence(self, node: syntax.Argument) -> str:
        """A condition as a sentence."""
        if isinstance(node, syntax.Logic):
            parts = [
                f"({self.sentence(one)})" if isinstance(one, syntax.Logic) else self.sentence(one)
                for one in node.items
            ]
            return f" {node.operator} ".join(parts)
        clause = self.clause(node)
        if clause is not None:
            return str(clause)
        if isinstance(node, syntax.Negation):
            return f"it is not true that {self.sentence(node.value)}"
        return self.phrase(node).removeprefix("whether ")

    def clause(self, node: syntax.Argument) -> Clause | None:
        """A condition as subject and predicate; None if it is not a single condition."""
        match plain(node):
            case syntax.Name(name=name) if name in self.inline and name not in self.bound:
                return self.clause(self.inline[name])
            case syntax.Field(value=value, name=name) if told := wording.predicate(name):
                subject = f"the list of {self.phrase(value)}" if name == "complete" else self.phrase(value)
                return Clause(subject, told)
            case syntax.Comparison() as compared:
                return self._compared(compared)
            case syntax.Negation(value=value):
                below = plain(value)
                if isinstance(below, syntax.Comparison):
                    return self._compared(below, negated=True)
                clause = self.condition(below)
                return None if clause is None else clause.negated()
            case syntax.Call(operator="any" | "all" as operator, positional=(syntax.Mapped() as each,)):
                return self._of_all(each, "any of" if operator == "any" else "each of")
            case syntax.Call() as call:
                operator_ = self.operators[call.operator]
                whether = _WHETHER.fullmatch(operator_.phrase)
                if whether is not None:
                    slots = self.slots(call, operator_)
                    subject, predicate = filled(f"{{{whether[1]}}}", slots), filled(whether[2], slots)
                    if subject.startswith("whether "):
                        return Clause("it", f"{predicate} {subject}")
                    return Clause(subject, predicate)
        return None

    def condition(self, node: syntax.Argument) -> Clause | None:
        """A clause where a condition stands: any field is one there."""
        field_ = plain(node)
        if isinstance(field_, syntax.Field) and not wording.predicate(field_.name):
            if field_.name in FIELDS["Place"]:
                return Clause(self.phrase(field_), "is known")
            return Clause(self.phrase(field_.value), f"has {label(field_.name)}")
        return self.clause(node)

    def _compared(self, node: syntax.Comparison, *, negated: bool = False) -> Clause | None:
        """A comparison of two values, or of one with two bounds; longer chains are worded one by one."""
        if len(node.items) == 3 and not negated and node.comparators[0] in _MIRRORED:
            low, middle, high = node.items
            first = self._said(_MIRRORED[node.comparators[0]], middle, low)
            second = self._said(node.comparators[1], middle, high).removeprefix("is ")
            return Clause(self.phrase(middle), f"{first} and {second}")
        if len(node.items) != 2:
            return None
        left, right = node.items
        comparator = _OPPOSITES[node.comparators[0]] if negated else node.comparators[0]
        subject = self.phrase(left)
        if isinstance(right, syntax.Number) and (few := self._counted(subject, comparator, right.value)):
            return Clause("there", few)
        if comparator in {"in", "not in"} and isinstance(plain(right), syntax.Field):
            clause = Clause(self.phrase(right), f"includes {subject}")
            return clause if comparator == "in" else clause.negated()
        return Clause(subject, self._said(comparator, left, right))

    def _counted(self, subject: str, comparator: str, number: float) -> str:
        """A predicate about a count: "are more than 3 cafes"; empty if the subject is not a count."""
        things = subject.removeprefix(NUMBER_OF)
        if things == subject or comparator not in _AMOUNTS:
            return ""
        if things.startswith(DEFINITE) or things in self.told.values():
            return f"are any of {things}" if (comparator, number) == (">", 0.0) else ""
        if (comparator, number) in {(">", 0.0), (">=", 1.0)}:
            return f"are {things}"
        if (comparator, number) in {("==", 0.0), ("<", 1.0), ("<=", 0.0)}:
            return f"are no {things}"
        return f"are {_AMOUNTS[comparator].format(f'{number:g}')} {things}"

    def _said(self, comparator: str, left: syntax.Expr, right: syntax.Expr) -> str:
        timely = self.is_time(left) or self.is_time(right)
        verb = (_TIMES if timely else {}).get(comparator) or _COMPARATORS[comparator]
        text = self.phrase(right)
        if comparator in {"in", "not in"} and not self.is_list(right):
            return f"{'is' if comparator == 'in' else 'is not'} in {text}"
        if comparator in {"in", "not in"} and isinstance(right, syntax.Listing):
            return (
                f"{'is' if comparator == 'in' else 'is not'} {joined([*map(self.phrase, right.items)], 'or')}"
            )
        return f"{verb} {text}"

    def _of_all(self, node: syntax.Mapped, which: str) -> Clause | None:
        """What is said of some or all members of a list."""
        self.bound.append(node.body.parameter)
        clause = self.condition(node.body.body)
        self.bound.pop()
        if clause is None or clause.subject != IT:
            return None
        condition = self.relative(node.condition, many=True)
        return Clause(f"{which} {self.members(node.source)}{condition}", resolved(clause.predicate))

    def relative(self, node: syntax.Lambda | None, *, many: bool) -> str:
        """A condition as a relative clause after the noun that it qualifies."""
        if node is None:
            return ""
        text = self.of_it(node, lambda body: self._qualified(body, many=many))
        return f" {resolved(text, 'them', 'their') if many else resolved(text)}"

    def _qualified(self, node: syntax.Argument, *, many: bool) -> str:
        if not isinstance(node, syntax.Logic):
            clause = self.condition(node)
            told = clause.relative(many=many) if clause is not None else ""
            return told or f"for which {clause or self.sentence(node)}"
        parts = [self._qualified(one, many=many) for one in node.items]
        inner = [isinstance(one, syntax.Logic) for one in node.items]
        parts = [f"({part})" if below else part for part, below in zip(parts, inner, strict=True)]
        shorter = [
            part.removeprefix("that ") if before.startswith("that ") else part
            for before, part in pairwise(parts)
        ]
        return f" {node.operator} ".join((parts[0], *shorter))

    def of_it(self, node: syntax.Lambda, telling: Callable[[syntax.Argument], str]) -> str:
        """The body of a lambda."""
        self.bound.append(node.parameter)
        text = telling(node.body)
        self.bound.pop()
        return text

    def is_time(self, node: syntax.Argument) -> bool:
        """Whether a node is a moment or a time of day, as far as the program shows it."""
        match node:
            case syntax.Call(operator=operator):
                return self.operators[operator].returns.name == "Time"
            case syntax.Field(name=name):
                return name in _CLOCKS
            case syntax.String(text=text):
                return moment.is_time(text) and parse_amount(text) is None
            case syntax.Name(name=name):
                return name == "now" or (name in self.made and self.is_time(self.made[name]))
            case syntax.Arithmetic(left=left, right=right):
                return self.is_time(left) and not self.is_time(right)
        return False

    def is_list(self, node: syntax.Argument) -> bool:
        """Whether a node is a list, as far as the program shows it."""
        match node:
            case syntax.Call(operator=operator):
                return self.operators[operator].returns.name == "List"
            case syntax.Arithmetic(left=left, right=right):
                return self.is_list(left) or self.is_list(right)
            case syntax.Name(name=name):
                return name == "options" or (name in self.made and self.is_list(self.made[name]))
            case syntax.Field(name=name):
                return name in wording.MEMBERS
        return isinstance(node, syntax.Listing | syntax.Mapped | syntax.Slice)

    def is_condition(self, expr: syntax.Expr) -> bool:
        """Whether an expression is true or false."""
        return isinstance(expr, syntax.Logic | syntax.Negation) or self.clause(expr) is not None

    def degree(self, node: syntax.Argument, *, most: bool) -> str:
        """The superlative of an amount: the word for its least or greatest value."""
        match node:
            case syntax.Arithmetic(left=left) if not self.is_time(node):
                return self.degree(left, most=most)
            case syntax.Field(name=name) if name in _LENGTHS:
                return "longest" if most else "shortest"
            case syntax.Call(operator="distance"):
                return "longest" if most else "shortest"
            case syntax.Call(operator="min" | "max", positional=(syntax.Mapped() as each,)):
                return self.degree(each, most=most)
            case syntax.Mapped(body=body):
                return self.degree(body.body, most=most)
            case syntax.Listing(items=(first, *_)):
                return self.degree(first, most=most)
            case syntax.Call(operator="count" | "abs" | "features" | "sum"):
                return "largest" if most else "smallest"
        if self.is_time(node):
            return "latest" if most else "earliest"
        return "highest" if most else "lowest"


def plain(node: syntax.Argument) -> syntax.Argument:
    """`fact(place, "key")` as `place.key`, which means the same; all else as it is."""
    match node:
        case syntax.Call(operator="fact", positional=(of, syntax.String(text=key)), keywords=()) if (
            isinstance(of, syntax.Name | syntax.String | syntax.Call | syntax.Field | syntax.Index)
        ):
            return syntax.Field(node.number, node.line, of, key)
    return node


def source_of(node: syntax.Argument) -> syntax.Argument | None:
    """The list that a list was derived from."""
    match node:
        case syntax.Mapped(source=source):
            return source
        case syntax.Slice(value=value):
            return value
        case syntax.Call(operator="sort" | "group", positional=(xs, *_)):
            return xs
    return None


def given_to(node: syntax.Call, operator: Operator) -> dict[str, syntax.Argument]:
    """The arguments of a call by name; empty lists are left out, True and False become `name|yes` and `name|no`."""
    named = {one.name: value for one, value in zip(operator.plain, node.positional, strict=False)}
    given = {**named, **dict(node.keywords)}.items()
    truths = {
        f"{name}|{'yes' if value.value else 'no'}": value
        for name, value in given
        if isinstance(value, syntax.Truth)
    }
    return truths | {
        name: value for name, value in given if not (isinstance(value, syntax.Listing) and not value.items)
    }


def filled(template: str, slots: Mapping[str, Callable[[str], str]]) -> str:
    """A template with its slots filled.

    A bracketed part stands for the first of its alternatives (separated by slashes) whose slots are all given, if any.
    `{slot|form}` is the slot in a form: "many" (the plural), "one", "of" (the members), "that" and "those" (a relative
    clause of one or several), "by" (what a key is), "least" and "most" (what has least or most of it is), "when" (a
    time as an adverbial), "counted" (without an article), "tests" (numbered conditions). "yes", "no" and "back" say
    nothing: the part is told where the slot is True, False, or the end that a trip begins at.
    """

    def key(name: str, form: str) -> str:
        return f"{name}|{form}" if form in _SILENT else name

    def part(match: re.Match[str]) -> str:
        forms = (
            form
            for form in match[1].split("/")
            if all(key(name, kind) in slots for name, kind in _SLOT.findall(form))
        )
        return next(forms, "")

    def slot(match: re.Match[str]) -> str:
        name, form = match[1], match[2] or ""
        return slots[name](form) if name in slots and form not in _SILENT else ""

    return _SLOT.sub(slot, _OPTIONAL.sub(part, template))
