"""What an operator is: a function whose signature tells programs, people and models what it takes and gives.

The operator card, the reference page, the checks of programs and the descriptions that other programs read are
made of these signatures and docstrings, so that there is one truth.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from mapagent.core.answer import Evidence
from modules.query.interpreter.context import Context
from modules.query.language import types
from modules.query.language.types import Type
from modules.query.values import things
from modules.query.values.amount import Amount
from modules.query.values.moment import Moment

type Place = Annotated[things.Thing, types.PLACE]
type Area = Annotated[things.Thing, types.AREA]
type Line = Annotated[things.Thing | things.Way, types.LINE]
type Mark = Annotated[things.Thing, types.MARK]
type Text = Annotated[str, types.TEXT]
type Number = Annotated[Amount, types.NUMBER]
type YesNo = Annotated[bool, types.YES_NO]
type Length = Annotated[Amount, types.LENGTH]
type Duration = Annotated[Amount, types.DURATION]
type Quantity = Annotated[Amount, types.QUANTITY]
type Time = Annotated[Moment, types.TIME]
type Direction = Annotated[things.Bearing, types.DIRECTION]
type Route = Annotated[things.Way, types.ROUTE]
type Trip = Annotated[things.Plan, types.TRIP]
type Visit = Annotated[things.Visit, types.VISIT]
type What = Annotated[things.What, types.WHAT]
type Mode = Annotated[str, types.MODE]
type Order = Annotated[str, types.ORDER]
type Test = Annotated[things.Function, types.TEST]
type Key = Annotated[things.Function, types.KEY]
type Item = Annotated[Any, types.ITEM]
type Same = Annotated[Any, types.SAME]
type Any_ = Annotated[Any, types.ANY]
type Fact = Annotated[Any, types.FACT]
type Option = Annotated[things.Choice, types.OPTION]
type List = Annotated[things.Items, types.LIST]
type OneOrMore = Annotated[things.Items, types.ONE_OR_MORE]
type Places = Annotated[things.Items, types.list_of(types.PLACE)]
type Routes = Annotated[things.Items, types.list_of(types.ROUTE)]
type Steps = Annotated[things.Items, types.list_of(types.STEP)]
type Spans = Annotated[things.Items, types.list_of(types.SPAN)]
type Groups = Annotated[things.Items, types.list_of(types.GROUP)]
type Answer = Annotated[things.Finished, types.ANSWER]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operator; `keyword` ones are given by name only."""

    name: str
    type: Type
    required: bool
    keyword: bool
    default: Any = None


LISTED_PLACES = frozenset({"visits", "via", "what"})
"""Parameters for lists whose words are names of places."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The claimed result of a call of an operator, for its check.

    Attributes:
        arguments: Its arguments by name.
        result: The value.
        evidence: The evidence that the call cites.
    """

    arguments: Mapping[str, Any]
    result: Any
    evidence: tuple[Evidence, ...]


type Check = Callable[[Claim], str]
"""Returns the objection to a claim; empty if there is none. It must not call the operator."""


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator; made by `operator`.

    Attributes:
        name: Its name in programs.
        module: The module of the inventory that owns it.
        phrase: How a call is read back: a sentence with `{parameter}`s, `[…]` around those that may be omitted, and
            the forms that `modules.query.conditions.filled` lists (`{what|many}`).
        function: Its implementation: `function(context, **arguments)`.
        takes_unknown: Whether it is called with Unknown arguments too; else an Unknown argument is its result.
        others: Whether it takes any further named arguments (the parts of an answer).
        topic: The last part of its module path, by which the reference groups operators.
        check: Judges whether the evidence supports a result. Ours are checked by `modules.query.verify`; those of
            other packages bring their own, or the answer says that the step was not checked.
    """

    name: str
    module: str
    phrase: str
    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    returns: Type
    doc: str
    takes_unknown: bool = False
    others: bool = False
    topic: str = ""
    check: Check | None = None

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of this name."""
        return next((one for one in self.parameters if one.name == name), None)

    @property
    def plain(self) -> tuple[Parameter, ...]:
        """The parameters that may be given without their name."""
        return tuple(one for one in self.parameters if not one.keyword)

    @property
    def signature(self) -> str:
        """The signature as programs see it: "nearest(what: What, to: Place, *, within: Length = None) → Place"."""
        shown: list[str] = []
        for one in self.parameters:
            if one.keyword and not any(part.startswith("*") for part in shown):
                shown.append("*")
            default = "" if one.required else f" = {one.default!r}"
            shown.append(f"{one.name}: {one.type}{default}")
        if self.others:
            shown.append("**parts")
        return f"{self.name}({', '.join(shown)}) → {self.returns}"


def operator(
    *, module: str, phrase: str, takes_unknown: bool = False, name: str = "", check: Check | None = None
) -> Callable[[Callable[..., Any]], Operator]:
    """Makes an operator of a function.

    Args:
        module: The module that owns it.
        phrase: See `Operator.phrase`.
        takes_unknown: See `Operator.takes_unknown`.
        name: Its name in programs, if that is not the function's name.
        check: See `Operator.check`.
    """

    def make(function: Callable[..., Any]) -> Operator:
        hints = get_type_hints(function, include_extras=True)
        parameters, others = [], False
        for parameter in list(inspect.signature(function).parameters.values())[1:]:
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                others = True
                continue
            required = parameter.default is inspect.Parameter.empty
            parameters.append(
                Parameter(
                    name=parameter.name.removesuffix("_"),
                    type=_type_of(hints[parameter.name]),
                    required=required,
                    keyword=parameter.kind is inspect.Parameter.KEYWORD_ONLY,
                    default=None if required else parameter.default,
                )
            )
        return Operator(
            name=name or function.__name__.removesuffix("_"),
            module=module,
            phrase=phrase,
            function=function,
            parameters=tuple(parameters),
            returns=_type_of(hints["return"]),
            doc=inspect.getdoc(function) or "",
            takes_unknown=takes_unknown,
            others=others,
            topic=function.__module__.rpartition(".")[2],
            check=check,
        )

    return make


def _type_of(hint: Any) -> Type:
    """The type that an annotation carries; of a union (Unknown, None beside it) the first that carries one."""
    hint = getattr(hint, "__value__", hint)
    if get_origin(hint) is Annotated:
        return next(extra for extra in get_args(hint)[1:] if isinstance(extra, Type))
    for part in get_args(hint):
        inner = getattr(part, "__value__", part)
        if get_origin(inner) is Annotated:
            return _type_of(inner)
    raise TypeError(f"the annotation {hint!r} is no type of programs")


__all__ = [
    "Answer", "Any_", "Area", "Check", "Claim", "Context", "Direction", "Duration", "Fact",
    "Groups", "Item", "Key", "Length", "Line", "List", "Mark", "Mode", "Number", "OneOrMore",
    "Operator", "Option", "Order", "Parameter", "Place", "Places", "Quantity", "Route", "Routes",
    "Same", "Spans", "Test", "Text", "Time", "Trip", "Visit", "What", "YesNo", "operator",
]  # fmt: skip
