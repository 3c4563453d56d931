"""What holds of every program: only the project's errors, bounds kept, one value in any order of fetching."""

# Programs stand as they are written.
# ruff: noqa: E501

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from map_tools.errors import MapAgentError
from mapagent.core.answer import Status
from modules.query.interpreter.context import MAX_STEPS
from modules.query.language.checker import check
from modules.query.language.parser import MAX_NODES, parse
from modules.query.verify.agreement import agree
from tests.modules.query.language.running import CHOOSING, inventory, run, run_in_any_order
from tests.modules.query.verify.programs import PROGRAMS
from tests.modules.query.verify.worked import Worked

OPERATORS = inventory().operators
WORDS = st.sampled_from([
    "Opera", "Castle", "Zoo", "Library", "Market", "City Park", "Old Town", "Long Street", "Nowhere", "", "cafe", "museum",
    "restaurant", "school", "hotel", "walk", "bike", "transit", "10:00", "Sun 20:00", "today", "9999-12-31", "500 m", "1 km",
    "15 min", "99999999 h", "-1 m", "5 EUR", "90 deg", "north", "wifi", "addr:street", "free", "amenity=bench", "é ß \u202e",
])  # fmt: skip
FIELDS = st.sampled_from([
    "name", "wifi", "rating", "stars", "street", "district", "lat", "size", "length", "duration", "distance", "arrive", "depart",
    "feasible", "order", "legs", "visits", "stay", "wait", "key", "items", "km", "min", "clock", "degrees", "unstated",
    "complete", "text", "steps", "turns", "streets", "perimeter", "charge", "start", "end", "location", "cuisine",
])  # fmt: skip
NAMES = st.sampled_from(["a", "b", "c", "p", "here", "now", "options", "picture"])
SIGNS = st.sampled_from(["+", "-", "*", "/", "<", "<=", "==", "!=", ">", ">=", "in", "not in", "and", "or"])
NUMBERS = st.sampled_from(["0", "1", "2.5", "999999999999999"])
USED = sorted(set(OPERATORS) - {"answer", "unanswerable", "lies_in", "recommend"})
LEAVES = NAMES | NUMBERS | WORDS.map(lambda word: f'"{word}"') | st.sampled_from(["True", "False", "[]"])


def _call(pieces: tuple[str, list[str], str]) -> str:
    """A call with as many arguments as the operator takes, some by name; conditions and keys are lambdas."""
    operator, arguments, body = OPERATORS[pieces[0]], list(pieces[1]), pieces[2]
    told = []
    for parameter in operator.parameters:
        if not arguments or (not parameter.required and len(arguments) % 2):
            continue
        value = arguments.pop()
        value = f"lambda p: {body}" if parameter.type.name in {"Test", "Key"} else value
        told.append(f"{parameter.name}={value}" if parameter.keyword else value)
    return f"{operator.name}({', '.join(told)})"


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(st.sampled_from(USED), st.lists(inner, min_size=2, max_size=4), inner).map(_call),
        st.tuples(inner, SIGNS, inner).map(" ".join),
        st.tuples(inner, FIELDS).map(lambda two: f"({two[0]}).{two[1]}"),
        st.tuples(inner, st.sampled_from(["[0]", "[-1]", "[:2]", "[1:]"])).map(
            lambda two: f"({two[0]}){two[1]}"
        ),
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.tuples(inner, inner, inner).map(lambda three: f"({three[0]} if {three[1]} else {three[2]})"),
        st.tuples(inner, inner, inner).map(
            lambda three: f"[{three[0]} for p in ({three[1]}) if ({three[2]})]"
        ),
        inner.map(lambda one: f"not ({one})"),
        inner.map(lambda one: f"-({one})"),
    )


EXPRESSIONS = st.recursive(LEAVES, _larger, max_leaves=12)
GENERATED = st.lists(EXPRESSIONS, min_size=1, max_size=4).map(
    lambda lines: "\n".join(
        [*(f"{name} = {line}" for name, line in zip("abc", lines, strict=False)), f"answer({lines[-1]})"]
    )
)


def _written(template: str, **parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A text with its parts filled in."""
    return st.fixed_dictionaries(parts).map(lambda found: template.format(**found))


KINDS = st.sampled_from(['"cafe"', '"museum"', '"restaurant"', '"hotel"', '"bench"', '"Nowhere"'])
NAMED = st.sampled_from([
    '"Opera"', '"Castle"', '"Zoo"', '"Library"', '"Town Hall"', '"Market"', '"City Park"', "here", '"Nowhere"', "options[1]",
])  # fmt: skip
CLOCKS = st.sampled_from(['"10:00"', '"Sun 20:00"', '"Fri"', "now", '"today"'])
LENGTHS = st.sampled_from(['"300 m"', '"1 km"', '"5 km"'])
SIZES = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
KEYS = st.sampled_from(["rating", "stars", "lat", "price", "charge", "name"])

PLACE: st.SearchStrategy[str] = st.deferred(lambda: st.one_of(
    NAMED, NAMED,
    _written("nearest({k}, to={a})", k=KINDS, a=PLACE),
    _written("nearest({k}, to={a}, where=lambda p: {t})", k=KINDS, a=NAMED, t=TEST),
    _written("{xs}[0]", xs=PLACES),
    _written("min({xs}, key=lambda p: {m})", xs=PLACES, m=OF_P),
    _written("({a} if {t} else {b})", a=PLACE, t=YES_NO, b=NAMED),
))  # fmt: skip
PLACES: st.SearchStrategy[str] = st.deferred(lambda: st.one_of(
    _written("places({k}, near={a}, within={d})", k=KINDS, a=NAMED, d=LENGTHS),
    _written("places({k})", k=KINDS),
    _written('places({k}, inside=area("Old Town"), where=lambda p: {t})', k=KINDS, t=TEST),
    _written("[p for p in {xs} if {t}]", xs=PLACES, t=TEST),
    _written("sort({xs}, key=lambda p: {m}, reverse=True)", xs=PLACES, m=OF_P),
    _written("{xs}[:2]", xs=PLACES), _written("({xs} + {ys})", xs=PLACES, ys=PLACES),
))  # fmt: skip
TEST: st.SearchStrategy[str] = st.deferred(lambda: st.one_of(
    st.just("p.wifi"),
    _written("p.rating {c} 4", c=SIZES), _written("is_open(p, {t})", t=CLOCKS), _written("known(p.{k})", k=KEYS),
    _written("distance(p, {a}) {c} {d}", a=NAMED, c=SIZES, d=LENGTHS),
    _written('travel({a}, p, "walk").duration < "9 min"', a=NAMED),
    _written("({a} and {b})", a=TEST, b=TEST), _written("({a} or {b})", a=TEST, b=TEST), _written("not {a}", a=TEST),
))  # fmt: skip
OF_P = st.one_of(
    _written("p.{k}", k=KEYS), _written("distance(p, {a})", a=NAMED), _written('travel(p, {a}, "bike").duration', a=NAMED),
    _written("closes(p, {t})", t=CLOCKS), _written("count(places({k}, near=p, within={d}))", k=KINDS, d=LENGTHS),
)  # fmt: skip
YES_NO: st.SearchStrategy[str] = st.deferred(lambda: st.one_of(
    _written("is_open({a}, {t})", a=NAMED, t=CLOCKS), _written("(count({xs}) {c} 2)", xs=PLACES, c=SIZES),
    _written("({a} {c} {b})", a=LENGTH, c=SIZES, b=LENGTH), _written("({a} in {xs})", a=PLACE, xs=PLACES),
    _written("known({a}.{k})", a=PLACE, k=KEYS), _written("any([{t} for p in {xs}])", t=TEST, xs=PLACES),
    _written("all([{t} for p in {xs}])", t=TEST, xs=PLACES), _written('lies({a}, "north", of={b})', a=NAMED, b=NAMED),
))  # fmt: skip
LENGTH: st.SearchStrategy[str] = st.deferred(lambda: st.one_of(
    _written("distance({a}, {b})", a=PLACE, b=NAMED), _written('travel({a}, {b}, "walk").distance', a=NAMED, b=PLACE),
    _written("({a} + {b})", a=LENGTH, b=LENGTH), _written("({a} - {b})", a=LENGTH, b=LENGTH), _written("({a} * 2)", a=LENGTH),
))  # fmt: skip
VALUE = st.one_of(
    PLACE, PLACES, YES_NO, LENGTH,
    _written("count({xs})", xs=PLACES), _written("mean([{m} for p in {xs}])", m=OF_P, xs=PLACES),
    _written("sum([p.charge for p in {xs}])", xs=PLACES), _written("{a} / {b}", a=LENGTH, b=LENGTH),
    _written("[g.key for g in group({xs}, by=lambda p: {m})]", xs=PLACES, m=OF_P),
    _written("max([{m} for p in {xs}])", m=OF_P, xs=PLACES), _written("[{m} for p in {xs}]", m=OF_P, xs=PLACES),
    _written("closes({a}, {t}) - opens({a}, {t})", a=NAMED, t=CLOCKS), _written("direction({a}, to={b}).name", a=PLACE, b=PLACE),
    _written('trip([{a}, {b}], start={c}, mode="walk", order="free", depart={t}).arrive', a=PLACE, b=NAMED, c=NAMED, t=CLOCKS),
    _written("min(pairs({xs}), key=lambda q: distance(q[0], q[1]))", xs=PLACES),
    _written("judge([{a}, {b}, {c}, {d}])", a=YES_NO, b=YES_NO, c=YES_NO, d=YES_NO),
)  # fmt: skip
TYPED = st.lists(VALUE, min_size=1, max_size=2).map(
    lambda values: f"answer({', '.join([values[0], *(f'part={one}' for one in values[1:])])})"
)
CHECKS = list(HealthCheck)


@settings(max_examples=400, suppress_health_check=CHECKS)
@given(st.text(alphabet=st.sampled_from("abp.,()[]{}\"'=<>+-*/:# \n\\0129_@é"), max_size=120))
def test_any_text_is_a_program_or_an_error(text: str) -> None:
    try:
        program = check(parse(text), OPERATORS)
    except MapAgentError as error:
        told = str(error)
    else:
        told = program.text
        assert program.nodes <= MAX_NODES
    assert told


def _checked_answer(worked: Worked) -> str:
    """What an answer says; fails where the program passed its bounds."""
    answer = worked.answer()
    assert len(worked.outcome.derivation) <= MAX_STEPS
    return answer.text or answer.reason or answer.status.value


@settings(max_examples=400, suppress_health_check=CHECKS)
@given(GENERATED | TYPED)
def test_any_program_gives_an_answer_or_an_error(program: str) -> None:
    """Nothing but the project's errors, within the bounds; verification speaks against no value."""
    try:
        worked = run(program, question=CHOOSING)
    except MapAgentError as error:
        told = str(error)
    else:
        told = _checked_answer(worked)
    assert 0 < len(told) < 20_000


@settings(max_examples=60, suppress_health_check=CHECKS)
@given(TYPED, st.integers(0, 2**32))
def test_one_value_in_any_order_of_fetching(program: str, seed: int) -> None:
    try:
        outcome = run(program, question=CHOOSING).outcome
    except MapAgentError:
        return
    result, warnings = run_in_any_order(program, seed)
    if outcome.alternatives:  # an ambiguous name is followed up by the runner, in all that it may mean
        return
    assert agree(result, outcome.finished)
    assert warnings == set(outcome.warnings)


@settings(max_examples=40, suppress_health_check=CHECKS)
@given(st.sampled_from(sorted(PROGRAMS)), st.integers(0, 2**32))
def test_worked_programs_in_any_order(name: str, seed: int) -> None:
    outcome = run(PROGRAMS[name].replace('"Market"', '"Opera"'), question=CHOOSING).outcome
    result, _ = run_in_any_order(PROGRAMS[name].replace('"Market"', '"Opera"'), seed)
    assert agree(result, outcome.finished)


@settings(max_examples=400, suppress_health_check=CHECKS)
@given(TYPED)
def test_verification_rejects_no_right_value(program: str) -> None:
    try:
        rejections = run(program).rejections
    except MapAgentError:
        return
    assert rejections == []


@pytest.mark.parametrize("field", ["duration", "distance"])
def test_way_to_where_one_is(field: str) -> None:
    answer = run(f'answer(travel("Opera", "Opera", "walk").{field})').answer()
    assert answer.status is Status.ANSWERED
    assert answer.text.startswith("0 ")
