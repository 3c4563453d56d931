"""The interpreter of programs as the kernel uses it: check, run, verify, match options, say what was understood."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from map_tools.errors import LimitError, ProgramError
from map_tools.facts import FailureFact, PlaceFact
from map_tools.providers.base import Provider
from map_tools.types import MADE_PREFIX
from mapagent.core.answer import CHOICE, Answer, Evidence, Part, Plan, Source, Status
from mapagent.core.answer import Value as TypedValue
from mapagent.core.outcome import rounds_spent
from mapagent.core.ports import Closable, Module, Run, ToolCall
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from modules.answer_generator.matching import Match, NoMatch, match, match_one, option_for_unanswerable
from modules.answer_generator.render import render
from modules.context_reader.port import TextSource
from modules.query.choices import ambiguity_of, settled
from modules.query.extras import counted, made_shapes, planned_trip, remarks, walks
from modules.query.interpreter.context import Facts, ModuleRequest, PlaceRequest
from modules.query.interpreter.running import Outcome
from modules.query.interpreter.running import run as run_program
from modules.query.interpreter.several import Ambiguity
from modules.query.interpreter.showing import is_none, readings, shown, typed_value
from modules.query.inventory import Inventory
from modules.query.language import syntax
from modules.query.language.checker import check
from modules.query.language.linking import linked
from modules.query.language.types import PLACE_LIKE
from modules.query.operators.base import LISTED_PLACES, Operator
from modules.query.read_back import plan_of, read_back
from modules.query.situation import situation_of, sources_of
from modules.query.values.things import Items, Stop, Thing, Way
from modules.query.values.things import Plan as Trip
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import Objection, misstated, objections_to

_STATUSES: Mapping[Why, Status] = {
    Why.AMBIGUOUS: Status.AMBIGUOUS,
    Why.LIMIT: Status.LIMIT,
}
"""Status of an answer whose main value is not known for this reason; for any other it is unanswerable."""
ONE_OPTION = 0.6
"""Confidence of an option that is chosen because it is the only one among the candidate places."""
_LOOK_UPS = frozenset({"place", "area", "line"})
PICTURE_MODULE = "visual_place_recognizer"
NO_CHOICE = "There was nothing to choose from: no name in the program fits several places."
CHOSEN_BEFORE = "{} was chosen before in this conversation, and stays so; begin a new one to choose another."
FACTS, PICTURE = "query.facts", "query.picture"
"""Keys in `Run.kept` of what a question's programs have fetched and seen, for its next program."""


class ProgramInterpreter:
    """Implements `mapagent.core.ports.Interpreter`.

    Args:
        inventory: The modules and their operators.
        verify: Whether answers are checked by a second evaluation before they leave.
    """

    def __init__(self, inventory: Inventory, *, verify: bool = True) -> None:
        self._inventory = inventory
        self._verify = verify

    @classmethod
    def from_settings(cls, settings: Settings, modules: Mapping[str, Module]) -> "ProgramInterpreter":
        """The interpreter with the operators of all modules; `[modules.query]` has `verify` (default: true).

        Raises:
            ConfigError: Two operators have one name, or a module's settings are wrong.
        """
        told = settings.modules.get("query", {})
        return cls(Inventory.load(settings, modules), verify=told.get("verify", True) is not False)

    @property
    def operators(self) -> Mapping[str, Operator]:
        """All operators by name."""
        return self._inventory.operators

    def sources(self, question: Question, provider: Provider | None) -> Provider | None:
        """The map, the supplied text as a world of its own, or both."""
        return sources_of(question, provider)

    async def answer(self, program: str, run: Run) -> Answer:
        """Checks, runs and verifies a program.

        Raises:
            ProgramError: It cannot be run.
            UsageError: The question chooses a candidate that does not exist.
        """
        listed = isinstance(run.provider, TextSource) and run.provider.only
        whole = linked(program, [turn.program for turn in run.question.earlier if turn.program])
        try:
            return await self._answer(check(whole.program, self.operators, listed=listed), run)
        except ProgramError as error:
            raise whole.blamed(error) from None

    async def _answer(self, parsed: syntax.Program, run: Run) -> Answer:
        """Runs and verifies a checked program."""
        plan = plan_of(parsed, self.operators)
        run.request_context.watcher.planned(plan)
        caller = _Caller(run, plan, self._inventory)
        with run.request_context.trace.span("program", text=parsed.text) as span:
            picture = await caller.picture(parsed)
            situation = situation_of(run, picture=picture)
            _expect_names(run, parsed, self.operators)
            facts, chosen = _facts(run), list[str]()
            outcome = await run_program(parsed, situation, self.operators, caller, facts)
            choices = _Choices(run.question)
            while (ambiguity := ambiguity_of(outcome)) is not None:
                number = choices.of(ambiguity)
                if number is None:
                    break
                facts = caller.choose(facts, ambiguity, number)
                chosen.append(f"Chosen for “{ambiguity.words}”: {ambiguity.told(number)}.")
                outcome = await run_program(parsed, situation, self.operators, caller, facts)
            chosen += filter(None, [choices.unused()])
            notes = (*remarks(outcome), *await walks(outcome, caller, len(plan.steps) - 1))
            outcome = replace(outcome, warnings=(*outcome.warnings, *chosen, *notes))
            span.attributes |= {"rounds": outcome.rounds, "calls": outcome.calls}
        caller.finish()
        seen = () if picture is None else (picture.evidence_id,)
        evidence = _with_earlier(caller.evidence, outcome, run.evidence, seen)
        answering = _Answering(run.question, parsed, plan, outcome, self.operators, self._verify)
        answer = answering.answer(evidence)
        if answer.status is not Status.ANSWERED:
            return answer
        dated = situation.instant is not None or run.question.at is not None
        trip = planned_trip(outcome, run, dated=dated)
        return answer.model_copy(update={"shapes": made_shapes(outcome.finished), "trip": trip})

    def describe(self, *, picture: bool = False, examples: int = 0) -> str:
        """The operator card, and the first `examples` worked examples (`mapagent.core.ports.Interpreter`)."""
        from modules.query.card import card_with_examples

        return card_with_examples(self.operators, picture=picture, examples=examples)

    async def close(self) -> None:
        """Closes what the modules hold: all of them, even if one fails."""
        async with AsyncExitStack() as modules:
            for module in self._inventory.opened:
                if isinstance(module, Closable):
                    modules.push_async_callback(module.close)


class _Choices:
    """The user's choices: by name in the conversation so far, and in the order of asking for this question."""

    def __init__(self, question: Question) -> None:
        self._before = {words: place for turn in question.earlier for words, place in turn.chosen.items()}
        self.left = list(question.choice)
        self._again: list[str] = []

    def of(self, ambiguity: Ambiguity) -> int | None:
        """The number of the candidate that is meant by a name, from 1; None if nothing was chosen for it."""
        before = self._before.pop(ambiguity.words, None)
        for number, place in enumerate(ambiguity.places, 1):
            if place.id == before:
                self._again.append(ambiguity.words)
                return number
        return self.left.pop(0) if self.left else None

    def unused(self) -> str:
        """Why a number was not used; empty if all were."""
        if not self.left:
            return ""
        again = ", ".join(f"“{words}”" for words in self._again)
        return CHOSEN_BEFORE.format(again) if again else NO_CHOICE


def _facts(run: Run) -> Facts:
    """The facts that earlier programs of the question fetched; those that a limit refused may be asked again."""
    earlier: Facts | None = run.kept.get(FACTS)
    run.kept[FACTS] = facts = Facts()
    if earlier is not None:
        facts.take(
            {
                request: reply
                for request, reply in earlier.known.items()
                if reply.failure is None or reply.failure.code != LimitError.code
            }
        )
    return facts


def _with_earlier(
    own: tuple[Evidence, ...], outcome: Outcome, known: tuple[Evidence, ...], seen: Sequence[str]
) -> tuple[Evidence, ...]:
    """The evidence of a program, with what it uses of an earlier program's before it.

    Failures that it did not use (a way that another order of a trip would take) are left out.

    Args:
        own: The evidence that it fetched itself.
        outcome: Its outcome.
        known: All evidence of the question.
        seen: The ids of evidence that it uses without a call: the picture.
    """
    each = (outcome, *outcome.alternatives)
    cited = {*seen, *(evidence for one in each for node in one.derivation for evidence in node.evidence)}
    fetched = {item.id for item in own}
    earlier = (item for item in known if item.id in cited and item.id not in fetched)
    return (*earlier, *(item for item in own if item.id in cited or not _fails_beside(item)))


def _fails_beside(item: Evidence) -> bool:
    """Whether it is a failure about a place or a way, which is irrelevant if the program did not use it."""
    return isinstance(item.value, FailureFact) and bool(item.value.subject)


def _expect_names(run: Run, program: syntax.Program, operators: Mapping[str, Operator]) -> None:
    if isinstance(run.provider, TextSource):
        run.provider.expect(names_in(program, operators))


def names_in(program: syntax.Program, operators: Mapping[str, Operator]) -> tuple[str, ...]:
    """The words of a program that name places: they stand where a place, or a list of places, is wanted."""
    found = [
        name
        for statement in program.statements
        for node in syntax.walk(statement.expr)
        if isinstance(node, syntax.Call)
        for name in _named(node, operators[node.operator])
    ]
    return tuple(dict.fromkeys(found))


def _named(call: syntax.Call, operator: Operator) -> Iterator[str]:
    """The names that a call is given."""
    if operator.name in _LOOK_UPS and call.positional and isinstance(call.positional[0], syntax.String):
        yield call.positional[0].text
    given = [*zip(operator.plain, call.positional, strict=False)]
    given += [
        (found, value) for name, value in call.keywords if (found := operator.parameter(name)) is not None
    ]
    for parameter, value in given:
        if parameter.type.name in PLACE_LIKE and isinstance(value, syntax.String):
            yield value.text
        elif parameter.name in LISTED_PLACES and isinstance(value, syntax.Listing):
            yield from (item.text for item in value.items if isinstance(item, syntax.String))


@dataclass
class _Caller:
    """Makes the calls of a program and charges them to its statements (`running.Caller`)."""

    run: Run
    plan: Plan
    inventory: Inventory

    def __post_init__(self) -> None:
        self._pieces: dict[int, tuple[int, tuple[Evidence, ...]]] = {}
        """The statement and the evidence of each call, in the order in which the calls began."""
        self._started: set[int] = set()

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All evidence, statement by statement."""
        begun = [self._pieces[number] for number in sorted(self._pieces)]
        return tuple(item for _, items in sorted(begun, key=lambda piece: piece[0]) for item in items)

    async def call(self, statement: int, call: ToolCall) -> tuple[Evidence, ...]:
        """Makes a map-tool call."""
        self._start(statement)
        number = self._begun(statement)
        step = self.plan.steps[statement]
        return self._kept(number, await self.run.guarded(step, lambda: self.run.call_tool(step, call)))

    async def fetch(self, statement: int, request: ModuleRequest) -> tuple[Evidence, ...]:
        """Makes a request to a module."""
        self._start(statement)
        number, step = self._begun(statement), self.plan.steps[statement]
        module = self.inventory.module(request.module)
        with self.run.request_context.trace.span("module", module=request.module, request=request.name):
            evidence = await self.run.guarded(step, lambda: module.fetch(request, step, self.run))
        return self._kept(number, evidence)

    def choose(self, facts: Facts, ambiguity: Ambiguity, number: int) -> Facts:
        """The facts with an ambiguous name settled by the asker, and evidence that it was.

        Raises:
            UsageError: There is no candidate of this number.
        """
        fact = ambiguity.chosen(number)
        asked = {one for request in ambiguity.requests for one in facts.known[request].evidence}
        statement = next(
            (number for number, items in self._pieces.values() if any(one.id in asked for one in items)), 0
        )
        said = self.run.evidence_of(self.plan.steps[statement], fact, Source(tool=CHOICE))
        self._kept(self._begun(statement), (said,))
        return settled(facts, ambiguity, fact, (said.id,))

    def finish(self) -> None:
        """Reports all statements as done to the watcher, with their evidence."""
        for number, step in enumerate(self.plan.steps):
            self._start(number)
            own = tuple(
                item for statement, items in self._pieces.values() if statement == number for item in items
            )
            self.run.request_context.watcher.finished(step, own)

    def _start(self, statement: int) -> None:
        if statement not in self._started:
            self._started.add(statement)
            self.run.request_context.watcher.started(self.plan.steps[statement])

    async def picture(self, program: syntax.Program) -> Any:
        """What the picture of the question shows, if the program looks at it, or has nothing else to look at."""
        looks = (PICTURE in self.run.kept and self.run.provider is None) or any(
            (isinstance(node, syntax.Name) and node.name == "picture")
            or (
                isinstance(node, syntax.Call)
                and self.inventory.operators[node.operator].module == PICTURE_MODULE
            )
            for statement in program.statements
            for node in syntax.walk(statement.expr)
        )
        if not looks or self.run.question.image is None:
            return None
        from modules.visual_place_recognizer.observing import picture_of

        if PICTURE not in self.run.kept:
            request = ModuleRequest(PICTURE_MODULE, "picture", ())
            self.run.kept[PICTURE] = picture_of(await self.fetch(0, request))
        return self.run.kept[PICTURE]

    def left(self) -> int:
        """How many map calls may still be made."""
        ledger = self.run.request_context.ledger
        return ledger.limits.max_tool_calls - ledger.tool_calls

    def rounds_spent(self) -> FailureFact | None:
        """Why no further round may be made; None if one may."""
        ledger = self.run.request_context.ledger
        return rounds_spent(ledger.limits) if ledger.rounds >= ledger.limits.max_rounds else None

    def begin_round(self) -> None:
        """Counts a round of the question."""
        self.run.request_context.ledger.rounds += 1

    def _begun(self, statement: int) -> int:
        """The number of a call that begins; replies may come in any order."""
        number = len(self._pieces)
        self._pieces[number] = (statement, ())
        return number

    def _kept(self, number: int, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        self._pieces[number] = (self._pieces[number][0], evidence)
        return evidence


@dataclass(frozen=True, slots=True)
class _Answering:
    """An outcome, and the question it answers."""

    question: Question
    program: syntax.Program
    plan: Plan
    outcome: Outcome
    operators: Mapping[str, Operator]
    verify: bool = True

    def answer(self, evidence: tuple[Evidence, ...]) -> Answer:
        """The answer that an outcome gives; values that verification objects to are left out."""
        value = self.outcome.finished.value
        which = counted(self.program, self.outcome)
        made = self._of_value(value, which)
        parts = {name: _part(value, self.question) for name, value in self.outcome.finished.parts}
        objections = self._objections(evidence, made, parts) if self.verify else ()
        rejected = next((one for one in objections if one.reject), None)
        if rejected is not None:
            made, parts = _without(self.question, Status.UNANSWERABLE, rejected.message), {}
            value = which = None
        unchecked = (one.message for one in objections if not one.reject)
        warnings = (*made.warnings, *self.outcome.warnings, *unchecked)
        ambiguity = ambiguity_of(self.outcome)
        return made.model_copy(
            update={
                "parts": parts,
                "understood": read_back(
                    self.program,
                    self.operators,
                    found=_found(self.outcome),
                    came_to=_came_to(self.outcome),
                    now=self._now(),
                    assumed=self.outcome.assumptions,
                ),
                "assumptions": self.outcome.assumptions,
                "program": self.program.text.strip(),
                "plan": self.plan,
                "places": _places(value if which is None else which),
                "candidates": ambiguity.candidates if ambiguity is not None else (),
                "evidence": evidence,
                "warnings": tuple(dict.fromkeys(warnings)),
                "reason": made.reason or _missing_parts(parts),
                "confidence": made.confidence * self.outcome.sure,
            }
        )

    def _now(self) -> datetime | None:
        """The present moment, if it is one of a calendar and no day of an ordinary week."""
        situation = self.outcome.situation
        return situation.now if situation.instant is not None or self.question.at is not None else None

    def _objections(
        self, evidence: tuple[Evidence, ...], made: Answer, parts: Mapping[str, Part]
    ) -> tuple[Objection, ...]:
        """Objections to the outcome, or to the words it is put in."""
        found = list(objections_to(self.program, self.outcome, self.operators, evidence))
        if made.value is not None and not isinstance(self.outcome.finished.value, Unknown):
            text = made.text if made.option_index is None else None
            found += misstated("answer", made.value, text, self.outcome.finished.value)
        for name, value in self.outcome.finished.parts:
            found += misstated(name, parts[name].value, parts[name].text, value)
        return tuple(found)

    def _of_value(self, value: Any, which: Items | None) -> Answer:
        """The answer of a value; `which` are the members that a "yes" rests on."""
        if isinstance(value, Unknown):
            return self._of_unknown(value)
        if isinstance(value, Items) and len(value) and all(isinstance(one, Unknown) for one in value):
            return self._of_unknown(value.items[0])  # a list of nothing that is known answers nothing
        made = typed_value(value)
        if made is None:
            return _without(self.question, Status.UNANSWERABLE, "The program gives no value.")
        if not self.question.live_options():
            text = _text(value, made, self.question) + (f" ({shown(which)})" if which is not None else "")
            return Answer(
                status=Status.ANSWERED, text=text, value=made, confidence=1.0,
                explanation=self._explanation(),
            )  # fmt: skip
        return self._option(value, made)

    def _option(self, value: Any, made: TypedValue) -> Answer:
        """The option that states the value; failing that, one that names a runner-up of the search."""
        said = tuple(readings(value))
        parts = [value for _, value in self.outcome.finished.parts]
        told = [one for part in parts for one in (typed_value(part), *readings(part)) if one is not None]
        runners = [typed_value(one) for one in self.outcome.runners_up]
        ranking = (*said, *(one for one in runners if one is not None), *told)
        found = match(made, ranking, self.question, beside=(*said, *told))
        if isinstance(found, NoMatch):
            reason = f"{found.reason} What was found: {shown(value)}."
            return _without(self.question, Status.UNANSWERABLE, reason)
        return _chosen(found, made, self.question, self._explanation())

    def _only_option(self, value: Unknown) -> Answer | None:
        """The one option among several places of which it is not known which is meant."""
        fits: dict[int, tuple[Match, TypedValue]] = {}
        for place in value.candidates:
            made = typed_value(Thing(place))
            found = match_one(made, self.question) if made is not None else None
            if made is not None and isinstance(found, Match):
                fits[found.index] = found, made
        if len(fits) != 1:
            return None
        ((found, made),) = fits.values()
        warning = f"{value.reason} Only one of them is an option."
        chosen = replace(found, margin=found.margin * ONE_OPTION, warnings=(*found.warnings, warning))
        return _chosen(chosen, made, self.question, self._explanation())

    def _of_unknown(self, value: Unknown) -> Answer:
        if value.why is Why.NOT_STATED and value.candidates and self.question.live_options():
            only = self._only_option(value)
            if only is not None:
                return only
        if is_none(value) and not self.question.live_options():
            text = " ".join(part for part in (f"None: {value.reason}", value.shown) if part)
            return Answer(status=Status.ANSWERED, text=text, confidence=1.0, reason=value.reason)
        status = _STATUSES.get(value.why, Status.UNANSWERABLE)
        reason = " ".join(
            part
            for part in (value.reason, value.shown)
            if (part and part not in value.reason) or part == value.reason
        )
        return _without(self.question, status, reason)

    def _explanation(self) -> str:
        """Why things were chosen, and the values of the program's names."""
        told = []
        for statement in self.program.statements[:-1]:
            name = statement.name or ""
            value = self.outcome.values.get(name)
            if value is not None and not isinstance(value, Unknown):
                told.append(f"{name.replace('_', ' ')}: {shown(value)}")
        return " ".join(filter(None, (*self.outcome.explanations, "; ".join(told))))


def _chosen(found: Match, made: TypedValue, question: Question, explanation: str) -> Answer:
    return Answer(
        status=Status.ANSWERED,
        text=found.text,
        value=made,
        option=question.letter(found.index),
        option_index=found.index,
        confidence=found.margin,
        explanation=explanation,
        warnings=found.warnings,
    )


def _without(question: Question, status: Status, reason: str) -> Answer:
    """An answer without a value; where an option says just that ("Cannot be determined"), it is chosen."""
    option = option_for_unanswerable(question) if status is Status.UNANSWERABLE else None
    return Answer(
        status=status,
        text=option.text if option else "",
        option=question.letter(option.index) if option else None,
        option_index=option.index if option else None,
        reason=reason or "The evidence does not answer the question.",
    )


def _text(value: Any, made: TypedValue, question: Question) -> str:
    """A value in words; amounts in the unit that the question asks for."""
    if made.kind in {"quantity", "yes_no"} and not (made.kind == "quantity" and made.unit == "count"):
        return render(made, question.text)
    return shown(value)


def _part(value: Any, question: Question) -> Part:
    if isinstance(value, Unknown):
        # The candidates of an ambiguous name are told once, by the answer.
        shown_too = value.shown if value.why is not Why.AMBIGUOUS else ""
        return Part(text=f"{value.reason} {shown_too}".strip(), known=value.why is Why.NONE)
    made = typed_value(value)
    return Part(
        text=_text(value, made, question) if made is not None else shown(value),
        value=made,
        places=_places(value),
        members=tuple(_part(one, question) for one in value) if isinstance(value, Items) else (),
    )


def _missing_parts(parts: Mapping[str, Part]) -> str:
    lost = [f"{name.replace('_', ' ')}: {part.text}" for name, part in parts.items() if not part.known]
    return f"Not answered: {'; '.join(lost)}" if lost else ""


def _found(outcome: Outcome) -> dict[str, str]:
    """The names under which places were found, by the words of the program; first found, first told."""
    return {
        request.text: reply.fact.place.name
        for request, reply in reversed(outcome.facts.known.items())
        if isinstance(request, PlaceRequest) and isinstance(reply.fact, PlaceFact) and reply.fact.place.name
    }


def _came_to(outcome: Outcome) -> dict[int, str]:
    """The names of the map's places that parts of the program evaluate to, by the numbers of their nodes."""
    return {
        one.node: one.result.place.name
        for one in outcome.reached()
        if isinstance(one.result, Thing)
        and one.result.place.name
        and not one.result.id.startswith(MADE_PREFIX)
    }


def _places(value: Any) -> tuple[Any, ...]:
    """The places of a value, in order."""
    match value:
        case Thing():
            return (value.place,)
        case Items():
            return tuple(place for one in value for place in _places(one))
        case Trip():
            return tuple(stop.thing.place for stop in value.stops)
        case Stop():
            return (value.thing.place,)
        case Way():
            return (value.origin.place, value.destination.place)
    return ()
