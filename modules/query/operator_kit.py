"""A kit for operators of other packages: says what is wrong with one, before a program calls it.

    example = Example('stroll_away("Ateneum", to="Kiasma")', result=True, most_requests=3)
    assert faults_of(stroll_away, [example], provider) == ()

An operator is pure (what it needs beyond its arguments it asks its context for), makes Unknown of what is not known,
asks for no more than is declared, and can be read back.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from map_tools.errors import LimitError, ProgramError
from map_tools.facts import FailureFact
from map_tools.providers.base import Provider
from map_tools.tools.base import ToolContext
from mapagent.core.answer import Evidence, Source
from mapagent.core.runstate import ToolBox
from modules.query.interpreter.context import Context, Facts, PlaceRequest, Reply, Situation
from modules.query.interpreter.evaluator import Evaluator
from modules.query.interpreter.fetching import fetches, replies
from modules.query.inventory import built_in
from modules.query.language import syntax, types
from modules.query.language.checker import check
from modules.query.language.parser import parse
from modules.query.language.types import Type
from modules.query.operator_form import WATCHED, faults_of_code, faults_of_form, state_of, watch
from modules.query.operators.base import Claim, Operator
from modules.query.values.algebra import ValueTypeError
from modules.query.values.amount import Amount
from modules.query.values.moment import Moment
from modules.query.values.things import Bearing, Finished, Items, Plan, Thing, Visit, Way
from modules.query.values.unknown import Unknown, Why

_MISSING = "missing"
_VALUES: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("Place", "Area", "Mark"), (Thing,)),
    "Line": (Thing, Way),
    "Text": (str,),
    "YesNo": (bool,),
    "Time": (Moment,),
    "Direction": (Bearing,),
    "Route": (Way,),
    "Trip": (Plan,),
    "Visit": (Visit,),
    "List": (Items,),
    **dict.fromkeys(("Number", "Length", "Size", "Duration", "Angle", "Money", "Quantity"), (Amount,)),
}  # fmt: skip
"""The Python classes of the values of a type."""
_DIMENSIONS = {
    "Number": "number",
    "Length": "length",
    "Size": "area",
    "Duration": "duration",
    "Angle": "angle",
}
MAX_ROUNDS = 20
"""Maximum number of rounds of fetching for an example."""


@dataclass(frozen=True, slots=True)
class Example:
    """A call of an operator, and its expected result.

    Attributes:
        call: As a program writes it: `stroll_away("Ateneum", to="Kiasma")`.
        result: The value: True, "words", 12.5 for an amount (metres, seconds, …), the name of a place, a list of these;
            None for one that is not known.
        most_requests: The most facts that the call may ask for, including those that its arguments
            need (one for each place by its name).
    """

    call: str
    result: Any
    most_requests: int


def faults_of(
    operator: Operator,
    examples: Sequence[Example],
    provider: Provider | None = None,
    *,
    now: datetime | None = None,
) -> tuple[str, ...]:
    """What is wrong with an operator; empty if nothing is.

    Args:
        operator: The operator.
        examples: At least one call; together they should give each parameter once.
        provider: Where the facts of the examples come from; None for operators that need none.
        now: The present moment of the examples, in local time.

    Raises:
        Exception: Whatever the operator raises that is none of the project's errors.
    """
    faults = [*faults_of_form(operator), *faults_of_code(operator)]
    if not examples:
        faults.append("There is no example.")
    for example in examples:
        faults += asyncio.run(faults_of_example(operator, example, provider, now))
    return tuple(dict.fromkeys(faults))


@dataclass
class _Run:
    """An example that was run until all its facts were there."""

    program: syntax.Program
    operators: Mapping[str, Operator]
    situation: Situation
    facts: Facts = field(default_factory=Facts)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    outside: list[str] = field(default_factory=list)

    def passed(
        self, facts: Facts | None = None, program: syntax.Program | None = None
    ) -> tuple[Any, tuple[str, ...]]:
        """What one pass gives, with its warnings."""
        situation = self.situation
        evaluator = Evaluator(program or self.program, self.operators, facts or self.facts, situation)
        watching = WATCHED.set(self.outside)
        try:
            result = evaluator.run()
        except (ProgramError, ValueTypeError, LimitError) as error:
            return Unknown(Why.FAILED, str(error)), ("refused",)
        finally:
            WATCHED.reset(watching)
        return result.value if isinstance(result, Finished) else result, tuple(evaluator.context.warnings)


async def faults_of_example(
    operator: Operator, example: Example, provider: Provider | None, now: datetime | None
) -> list[str]:
    """What is wrong with an operator, as one call of it shows."""
    watch()
    calls: list[Claim] = []
    operators = {**built_in(), operator.name: replace(operator, function=_recording(operator, calls))}
    try:
        program = check(parse(f"answer({example.call})"), operators)
    except ProgramError as error:
        return [f"{example.call}: {error}"]
    if not any(
        isinstance(node, syntax.Call) and node.operator == operator.name
        for node in syntax.walk(program.answer.expr)
    ):
        return [f"{example.call}: it does not call `{operator.name}`."]
    run = _Run(program, operators, Situation(now=now))
    before = state_of(operator.function)
    result, warnings = await _finished(run, provider)
    again = [run.passed() for _ in range(2)]
    found = [*_faults_of_result(operator, example, run, result)]
    if any(repr(one) != repr((result, warnings)) for one in again):
        found.append("It is not pure: called again with the same facts it gives something else.")
    if state_of(operator.function) != before:
        found.append("It is not pure: it keeps something between calls.")
    if run.outside:
        found.append(
            f"It is not pure: it reaches outside ({run.outside[0]}); what it needs it asks its context for."
        )
    found += _faults_of_unknown(operator, run)
    found += _faults_of_check(operator, calls, run)
    return [f"{example.call}: {one}" for one in dict.fromkeys(found)]


def _recording(operator: Operator, calls: list[Claim]) -> Any:
    """The function of an operator, with what it was called with and came to."""

    def work(context: Context, **arguments: Any) -> Any:
        result = operator.function(context, **arguments)
        calls.append(Claim(arguments, result, ()))
        return result

    return work


async def _finished(run: _Run, provider: Provider | None) -> tuple[Any, tuple[str, ...]]:
    """Evaluates and fetches until nothing is wanted any more."""
    toolbox = ToolBox(provider, ToolContext())
    for _ in range(MAX_ROUNDS):
        result, warnings = run.passed()
        if result is not None or not run.facts.wanted:
            return result, warnings
        for fetch in fetches(list(run.facts.wanted), database=False):
            facts = await toolbox.call(fetch.call)
            told = [
                Evidence(
                    id=f"e{len(run.evidence) + n}",
                    step_id="1",
                    value=one,
                    source=Source(tool=fetch.call.tool),
                )
                for n, one in enumerate(facts)
            ]
            run.evidence |= {one.id: one for one in told}
            run.facts.take(replies(fetch, told))
    return Unknown(Why.LIMIT, f"It is not done after {MAX_ROUNDS} rounds."), ()


def _faults_of_result(operator: Operator, example: Example, run: _Run, result: Any) -> Iterator[str]:
    """The value, its type, and what it cost."""
    if not _is(result, example.result):
        yield f"It gives {_said(result)}, and not {example.result!r}."
    if (
        not isinstance(result, Unknown)
        and example.call.startswith(operator.name)
        and not _fits(result, operator.returns)
    ):
        yield f"It gives {_said(result)}, which is no {operator.returns}."
    cost = len(run.facts.known) + len(run.facts.wanted)
    if cost > example.most_requests:
        yield f"It asks for {cost} facts, and {example.most_requests} are declared."


def _faults_of_unknown(operator: Operator, run: _Run) -> Iterator[str]:
    """Unknown in, Unknown out: arguments that are not known, and facts that cannot be had."""
    missing = Unknown(Why.NOT_STATED, "It is not stated.")
    asked = [one for one in run.facts.known if not isinstance(one, PlaceRequest)]
    if asked:  # places are found by their names all the same: they are what the operator is given
        lost = Facts()
        failure = Reply(failure=FailureFact(code="provider", message="The source does not answer."))
        lost.take(run.facts.known | dict.fromkeys(asked, failure))
        result, _ = run.passed(facts=lost)
        if result is not None and not isinstance(result, Unknown):
            yield f"Where no fact can be had it gives {_said(result)}, and not Unknown."
    bound = replace(run, situation=replace(run.situation, bindings={_MISSING: missing}))
    for name, program in _without_one(run.program, operator):
        result, _ = bound.passed(program=program)
        if result is not None and not isinstance(result, Unknown) and not operator.takes_unknown:
            yield f"Where {name} is not known it gives {_said(result)}, and not Unknown."


def _without_one(program: syntax.Program, operator: Operator) -> Iterator[tuple[str, syntax.Program]]:
    """The program with one argument of its outermost call at a time that is not known."""
    end = program.answer.expr
    call = end.positional[0] if isinstance(end, syntax.Call) else end
    if not isinstance(call, syntax.Call) or call.operator != operator.name:
        return
    for number, (parameter, argument) in enumerate(zip(operator.plain, call.positional, strict=False)):
        if not isinstance(argument, syntax.Lambda):
            given = (
                *call.positional[:number],
                syntax.Name(argument.number, argument.line, _MISSING),
                *call.positional[number + 1 :],
            )
            yield parameter.name, _ending_in(program, replace(call, positional=given))
    for number, (name, argument) in enumerate(call.keywords):
        if not isinstance(argument, syntax.Lambda):
            one = (name, syntax.Name(argument.number, argument.line, _MISSING))
            yield (
                name,
                _ending_in(
                    program,
                    replace(call, keywords=(*call.keywords[:number], one, *call.keywords[number + 1 :])),
                ),
            )


def _ending_in(program: syntax.Program, call: syntax.Call) -> syntax.Program:
    end = program.answer.expr
    if not isinstance(end, syntax.Call):
        return program
    last = replace(program.answer, expr=replace(end, positional=(call, *end.positional[1:])))
    return replace(program, statements=(*program.statements[:-1], last))


def _faults_of_check(operator: Operator, calls: Sequence[Claim], run: _Run) -> Iterator[str]:
    """Its own check lets right values pass, and others not."""
    if operator.check is None or not calls:
        return
    claim = replace(calls[0], evidence=tuple(run.evidence.values()))
    against = operator.check(claim)
    if against:
        yield f"Its check speaks against a right value: {against}"
    for other in _others(claim.result):
        if not operator.check(replace(claim, result=other)):
            yield f"Its check lets {_said(other)} pass where {_said(claim.result)} is right."


def _others(value: Any) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case Amount():
            yield replace(value, low=value.low * 2 + 1, high=value.high * 2 + 1)
        case str():
            yield f"{value} II"
        case Items() if value.items:
            yield value.like(value.items[:-1])
        case Bearing():
            yield Bearing((value.degrees + 90.0) % 360.0)


def _is(value: Any, expected: Any) -> bool:
    """Whether a value is the one that an example expects."""
    match value:
        case Unknown():
            return expected is None
        case Amount():
            number = isinstance(expected, int | float) and not isinstance(expected, bool)
            return number and abs(value.low - expected) <= 1e-6 * max(1.0, abs(expected)) and value.exact
        case Items():
            return (
                isinstance(expected, list) and len(expected) == len(value) and all(map(_is, value, expected))
            )
        case Thing():
            return bool(value.name == expected)
        case Moment():
            return bool(value.at == expected)
        case Bearing():
            return isinstance(expected, int | float) and abs(value.degrees - expected) <= 1e-6
    return type(value) is type(expected) and bool(value == expected)


def _fits(value: Any, wanted: Type) -> bool:
    """Whether a value is of a type."""
    kinds = _VALUES.get(wanted.name)
    if kinds is None:
        return True
    if isinstance(value, Amount) and wanted.name in _DIMENSIONS and value.kind != _DIMENSIONS[wanted.name]:
        return False
    if isinstance(value, Items) and wanted.of is not None and wanted.of != types.ANY:
        return all(isinstance(one, Unknown) or _fits(one, wanted.of) for one in value)
    return isinstance(value, kinds)


def _said(value: Any) -> str:
    if isinstance(value, Unknown):
        return f"Unknown ({value.reason})"
    if isinstance(value, Amount):
        return f"{value.low:g}" if value.exact else f"{value.low:g} to {value.high:g}"
    if isinstance(value, Thing):
        return value.name
    return repr(value) if isinstance(value, str | bool) else str(value)
