"""Programs of the right form that mean nothing, with how to mend them; kinds with properties become conditions."""

import inspect
import keyword

import pytest

from map_tools.errors import ProgramError
from mapagent.runtime.config import Settings
from modules.query.inventory import Inventory
from modules.query.language.checker import ALIASES, check
from modules.query.language.parser import parse
from modules.query.read_back import read_back

OPERATORS = Inventory.load(Settings()).operators


def _refusal(program: str) -> str:
    with pytest.raises(ProgramError) as caught:
        check(parse(program), OPERATORS)
    return str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("neerest", "nearest"),
        ("placess", "places"),
        ("travell", "travel"),
        ("is_opened", "is_open"),
        ("distances", "distance"),
    ],
)
def test_operator_did_you_mean(wrong: str, right: str) -> None:
    told = _refusal(f"x = 1\nanswer({wrong}('a', 'b'))")
    assert told.startswith("Line 2:")
    assert f"no operator `{wrong}`" in told
    assert f"Did you mean `{right}`?" in told


def test_operator_like_none() -> None:
    told = _refusal("answer(xyzzyq(1))")
    assert "There are:" in told
    assert "nearest" in told
    assert "lies_in" not in told  # programs write `in`


@pytest.mark.parametrize(
    "name", ["eval", "exec", "open", "getattr", "globals", "print", "type", "map", "range", "lies_in"]
)
def test_builtins_of_python_are_no_operators(name: str) -> None:
    assert f"no operator `{name}`" in _refusal(f"answer({name}('x'))")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("answer(food)", ("Line 1", "`food` is not set")),
        ('a = food\nfood = place("x")\nanswer(a)', ("Line 1", "`food` is not set")),
        ('museum = place("x")\nanswer(musuem)', ("Line 2", "Did you mean `museum`?")),
        ("a = a\nanswer(a)", ("`a` is not set",)),
        ('x = [p for p in places("cafe")]\nanswer(p)', ("Line 2", "`p` is not set")),
        ('a = place("x")\na = place("y")\nanswer(a)', ("Line 2", "set twice")),
        ('now = place("x")\nanswer(now)', ("`now` is always there",)),
        ("answer(count)", ("is an operator and must be called",)),
        ('a = place("x")', ("ends in one `answer", "answer(a)")),
        ('answer(place("x"))\nanswer(place("y"))', ("goes on after its answer",)),
        ('place("x")\nanswer(here)', ("value of this line is lost",)),
        ("a = answer(here)\nanswer(a)", ("an answer has no name",)),
        ('answer("about 25 minutes")', ("computed by nothing",)),
        ("answer(42)", ("computed by nothing",)),
        (
            'answer(nearest("cafe", to=here, radius="500 m", open_now=True))',
            ("`radius`", "`open_now`", 'within="500 m"'),
        ),
        ('answer(nearest("cafe"))', ("needs `to`",)),
        ("answer(distance(here, here, here))", ("takes 2 plain arguments",)),
        ("answer(distance(here, b=here, a=here))", ("given twice",)),
        ('answer(places("cafe", near=here, within=500))', ("needs a unit", '"500 m"')),
        ('answer(places("cafe", near=here, within="soon"))', ("“soon” is no length",)),
        ('answer(places("cafe", near=here, within="-5 m"))', ("`within` is “-5 m”", "above 0", '"5 m"')),
        ('answer(places("cafe", near=here, within="0 m"))', ("`within` is “0 m”", "above 0")),
        ('answer(visit("a", stay="-5 min"))', ("`stay` is “-5 min”", '"5 min"')),
        ('answer(travel("a", "b", "teleport"))', ("no mode of travel", '"walk"')),
        ('answer(is_open("a", "whenever"))', ("“whenever” is no time",)),
        ('answer(trip(["a"], mode="walk", order="best"))', ("is no order",)),
        ('answer(travel("a", "b", "walk").duration < 15)', ("bare number 15", '"15 min"')),
        ('answer(closes("a", "Mon") - 15)', ("bare number 15", '"15 min"')),
        ('answer(places("cafe", near=here, within="1 km").rating)', ("`.rating` of a list", "[0].rating")),
        ('answer(count(nearest("cafe", to=here)))', ("works on a list",)),
        ('answer(nearest("cafe", to=places("museum")))', ("is one place, and this is a list",)),
        ('answer(count(places("cafe", near=here)))', ("has no bound", 'within="1 km"')),
        ("answer(here.ratting)", ("no `ratting`", "rating")),
        ('answer(travel("a", "b", "walk").lenght)', ("no `lenght`", "length")),
        ('answer(distance("a", "b").walk)', ("has no `walk`",)),
        ('answer(place("a")[0])', ("only lists have members",)),
        ("answer([x for x in here])", ("goes through a list",)),
        ("answer(lambda p: p)", ("lambda",)),
        ('answer(min(places("cafe", near=here, within="1 km"), key="rating"))', ("takes a lambda",)),
        ("answer(distance(lambda p: p, here))", ("takes no lambda",)),
        ('answer(sort(places("cafe"), key=lambda p: q))', ("`q` is not set",)),
        ("answer(is_open(here, True))", ("`at` of `is_open` is a Time",)),
        (
            'place = nearest("cafe", to=here)\nanswer(place)',
            ("Line 1", "`place` is an operator", "`the_place = …`"),
        ),
        ('answer(places("cafe", where=lambda p: "x"))', ("condition is yes or no", "is a Text", "known(…)")),
        ('answer(places("cafe", where=lambda p: p))', ("condition is yes or no", "is a Place")),
        ('answer([p for p in places("cafe") if distance(p, here)])', ("yes or no", "is a Length")),
        ("answer(here if 3 else now)", ("yes or no", "is a Number")),
        ('answer(here if place("a") and here.wifi else now)', ("yes or no", "is a Place")),
    ],
)
def test_one_clear_error(program: str, words: tuple[str, ...]) -> None:
    told = _refusal(program)
    for word in words:
        assert word in told, told
    assert len(told) < 600


def test_lists_numbers_and_facts_of_the_map_may_be_conditions() -> None:
    for condition in (
        "p.wifi",
        "p.cuisine",
        "p.stars",
        'fact(p, "wifi")',
        'places("bench", near=p, within="9 m")',
    ):
        check(parse(f'answer(places("cafe", near=here, where=lambda p: {condition}))'), OPERATORS)


def test_aliases_are_resolved_and_never_printed() -> None:
    program = check(parse('answer(len(sorted(places("cafe", inside=area("x")))))'), OPERATORS)
    call = program.answer.expr
    assert call.positional[0].operator == "count"  # type: ignore[union-attr]
    assert set(ALIASES.values()) <= set(OPERATORS)
    assert not set(ALIASES) & set(OPERATORS)


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_signatures_can_be_written(name: str) -> None:
    """No name of a parameter is a keyword of Python, every one has a type, and the docstring says something."""
    operator = OPERATORS[name]
    assert operator.doc
    assert operator.phrase
    assert all(one.name.isidentifier() and not keyword.iskeyword(one.name) for one in operator.parameters)
    taken = [
        one
        for one in inspect.signature(operator.function).parameters.values()
        if one.kind is not one.VAR_KEYWORD
    ]
    assert len(taken) == len(operator.parameters) + 1


def _understood(program: str, *, listed: bool = False) -> str:
    return read_back(check(parse(program), OPERATORS, listed=listed), OPERATORS)


@pytest.mark.parametrize(
    ("program", "same"),
    [
        ('nearest("cafe with wifi", to=here)', 'nearest("cafe", to=here, where=lambda p: p.wifi)'),
        (
            'places("hotel with parking", near=here)',
            'places("hotel", near=here, where=lambda p: p.parking)',
        ),
        (
            'places("dog friendly cafe", near=here, where=lambda x: x.stars > 2)',
            'places("cafe", near=here, where=lambda x: x.dog and x.stars > 2)',
        ),
        (
            'count(places("cafe with wifi and outdoor seating", near=here, within="1 km"))',
            'count(places("cafe", near=here, within="1 km", where=lambda p: p.wifi and p.outdoor_seating))',
        ),
    ],
)
def test_properties_are_conditions(program: str, same: str) -> None:
    assert _understood(f"answer({program})") == _understood(f"answer({same})")


@pytest.mark.parametrize("kind", ["internet cafe", "vegan restaurant", "Wifi Cafe", "amenity=cafe", "wifi"])
def test_what_names_no_property_stays(kind: str) -> None:
    program = f'answer(nearest("{kind}", to=here))'
    assert check(parse(program), OPERATORS) == parse(program)


def test_in_a_supplied_text_words_are_as_the_text_has_them() -> None:
    program = parse('answer(nearest("cafe with wifi", to=here))')
    assert check(program, OPERATORS, listed=True) == program


def test_a_fact_reads_back_as_its_field() -> None:
    one = _understood('answer(nearest("cafe", to=here, where=lambda p: fact(p, "wifi")))')
    assert one == _understood('answer(nearest("cafe", to=here, where=lambda p: p.wifi))')
    assert "has wifi" in one
