"""What programs may not do to who runs them: bounds, hostile data, values of the wrong kind."""

from typing import Any

import pytest

from map_tools.errors import MapAgentError, ProgramError, ProviderError
from map_tools.types import Matrix
from mapagent.core.answer import Status
from modules.query.interpreter.context import MAX_STEPS
from modules.query.values.things import MAX_MEMBERS
from tests.modules.query.language.running import QUESTION, run
from tests.modules.query.verify.town import PLACES, Town, _place, metres
from tests.modules.query.verify.worked import work

KIOSKS = tuple(_place(f"Kiosk {n}", "kiosk", n % 97 * 10 - 500, n // 97 * 10 - 500) for n in range(3_000))
TOO_FAR = 'travel("Opera", k, "walk").duration'
HOSTILE = (
    "'); DROP TABLE places;--",
    "answer(1)\nunanswerable('x')",
    "{0.__class__.__mro__} %s %n ${HOME}",
    "\u202e\x1b[31mred\x1b[0m\x00",
    "<script>alert(1)</script>",
    "lambda p: p",
    "__import__('os').system('true')",
    "10:00",
    "500 m",
    "True",
    "A" * 5_000,
)


@pytest.mark.parametrize(
    ("program", "word"),
    [
        ('answer(count(pairs(places("kiosk"))))', str(MAX_MEMBERS)),
        (
            'xs = places("kiosk")\nanswer(count([count([a for a in xs if a == b]) for b in xs]))',
            str(MAX_STEPS),
        ),
        ('xs = places("kiosk")\nanswer(count(xs + xs + xs + xs))', str(MAX_MEMBERS)),
        (
            "a = [1, 2, 3]\nb = pairs(a, a)\nc = pairs(b, b)\nd = pairs(c, c)\nanswer(count(d))",
            str(MAX_MEMBERS),
        ),
        (
            "a0 = [1]\n"
            + "".join(f"a{n} = a{n - 1} + a{n - 1}\n" for n in range(1, 28))
            + "answer(count(a27))",
            str(MAX_MEMBERS),
        ),
        (
            "a0 = 999999999999999\n"
            + "".join(f"a{n} = a{n - 1} * a{n - 1}\n" for n in range(1, 28))
            + "answer(a27)",
            "larger",
        ),
        ('answer(now + "999999999999 h")', "larger"),
        ('answer(closes("Opera", "9999-12-31"))', "larger"),
        ('answer([travel("Opera", k, "walk").duration for k in places("kiosk")])', "3000 ways"),
        ('answer([place(k.name) for k in places("kiosk")])', "look-ups"),
        (f'answer(count([k for k in places("kiosk") if {TOO_FAR} < "5 min"]))', "3000 ways"),
        (f'answer(count(places("kiosk", where=lambda k: {TOO_FAR} < "5 min")))', "3000 ways"),
        (f'answer(mean([{TOO_FAR} for k in places("kiosk")]))', "3000 ways"),
        (f'answer(min(places("kiosk"), key=lambda k: {TOO_FAR}))', "3000 ways"),
        (f'answer(sort(places("kiosk"), key=lambda k: {TOO_FAR}))', "3000 ways"),
        (f'answer(group(places("kiosk"), by=lambda k: {TOO_FAR}))', "3000 ways"),
        (
            'answer(count([k for k in places("kiosk") if count(places("cafe", near=k, within="99 m")) > 0]))',
            "3000 look-ups",
        ),
    ],
)
def test_endless_and_huge(program: str, word: str) -> None:
    """Each ends at once, with what to do, and nothing is given for an answer."""
    answer = run(program, *KIOSKS).answer()
    assert answer.status is Status.LIMIT, answer
    assert word in answer.reason
    assert answer.value is None
    assert not answer.text


def test_more_look_ups_than_a_list_of_a_service_has_members() -> None:
    """A round of 300 searches is made on a map of one's own."""
    kiosks = KIOSKS[:300]
    cafes = [one for one in PLACES if "cafe" in one.categories]
    near = [one for one in kiosks if any(metres(one.location, cafe.location) <= 100 for cafe in cafes)]
    program = (
        'answer(count([k for k in places("kiosk") if count(places("cafe", near=k, within="100 m")) > 0]))'
    )
    assert 0 < len(near) < 300
    assert run(program, *kiosks).answer().text == str(len(near))


def test_a_branch_next_door_is_not_doubted_for_one_far_away() -> None:
    branches = [_place("Kiosk", "kiosk", east, 262, id=f"kiosk-{east}") for east in (425, -900)]
    program = f'answer(count([k for k in places("kiosk") if {TOO_FAR} < "5 min"]))'
    assert run(program, *branches).answer().text == "1"


class _Broken(Town):
    """Has no ways to the Zoo for the moment."""

    async def matrix(self, origins: Any, destinations: Any, **asked: Any) -> Matrix:
        if any(one.name == "Zoo" for one in destinations):
            raise ProviderError("The router is out of order.", "Try again.")
        return await super().matrix(origins, destinations, **asked)


@pytest.mark.parametrize(
    "program",
    [
        f'answer(count([k for k in [place("Zoo"), place("Castle")] if {TOO_FAR} < "5 min"]))',
        f'answer(count(places(["Zoo", "Castle"], where=lambda k: {TOO_FAR} < "5 min")))',
        f'answer(mean([{TOO_FAR} for k in [place("Zoo"), place("Castle")]]))',
        f'answer(sort([place("Zoo"), place("Castle")], key=lambda k: {TOO_FAR}))',
    ],
)
def test_what_failed_is_not_called_unstated(program: str) -> None:
    worked = work(program, _Broken(), question=QUESTION)
    answer = worked.answer()
    assert worked.rejections == []
    assert answer.value is None
    assert "The router is out of order. Try again." in answer.reason


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: name[:16])
def test_hostile_names_are_names(name: str) -> None:
    """What a map calls things is data: it is shown, compared and searched for, and nothing else."""
    place = _place(name, "kiosk", 10, 10, id="odd", cuisine=name)
    worked = run(
        'k = places("kiosk")[0]\nanswer(k, name=k.name, cuisine=k.cuisine, same=k.name == k.cuisine, here=k in [k])',
        place,
    )
    answer = worked.answer()
    assert worked.rejections == []
    assert answer.status is Status.ANSWERED
    assert [one.id for one in answer.places] == ["odd"]
    assert answer.places[0].name == name
    assert answer.parts["here"].text == "Yes"


@pytest.mark.parametrize(
    "name", [one for one in HOSTILE if len(one) <= 40 and one.isprintable() and "\\" not in one]
)
def test_hostile_words_in_programs_are_words(name: str) -> None:
    quoted = '"' + name.replace('"', '\\"') + '"'
    answer = run(f"answer(place({quoted}))").answer()
    assert answer.status is not Status.ANSWERED
    assert answer.value is None


@pytest.mark.parametrize(
    "key",
    [
        "__class__",
        "__dict__",
        "__init__",
        "model_fields",
        "model_dump",
        "__globals__",
        "mro",
        "func_code",
        "gi_frame",
    ],
)
def test_no_way_to_python(key: str) -> None:
    """Fields are those of the language and keys of the map, never attributes of the objects that carry them."""
    answer = run(f'answer(fact("Opera", "{key}"))').answer()
    assert answer.status is Status.UNANSWERABLE
    assert "not stated" in answer.reason


def test_a_deed_that_is_asked_beside_a_question_is_refused_as_a_part_of_its_answer() -> None:
    program = 'answer(nearest("pharmacy", to="Library"), call=unanswerable("a map calls nobody"))'
    worked = run(program)
    answer = worked.answer()
    assert (answer.status, answer.text) == (Status.ANSWERED, "Pharmacy North")
    assert (answer.parts["call"].text, answer.parts["call"].known) == ("a map calls nobody", False)
    assert answer.reason == "Not answered: call: a map calls nobody"
    assert "no answer: a map calls nobody" in answer.understood
    assert not worked.objections()


@pytest.mark.parametrize("key", ["model_fields", "model_dump", "func_code", "gi_frame", "mro"])
def test_fields_are_no_attributes(key: str) -> None:
    try:
        told = run(f'answer(place("Opera").{key})').answer().reason
    except ProgramError as error:
        told = f"not stated: {error}"
    assert "not stated" in told


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("answer(answer(here))", ("Line 1", "within another value")),
        ('answer([unanswerable("x")])', ("within another value",)),
        ('answer(here if here.wifi else unanswerable("x"))', ("within another value",)),
        ("answer(here, a=lambda p: p)", ("takes no lambda",)),
        ('answer(min(places("cafe"), key=lambda p: p))', ("cannot be compared",)),
        ('answer(sort(places("cafe"), key=lambda p: [p]))', ("compare its count",)),
        ('answer(sum(["a", "b"]))', ("“a”",)),
        ("answer(sort([1, True, now]))", ("Line 1",)),
        ('answer("a" * 3)', ("“a” is no number",)),
        ("answer([1] * 5)", ("lists can only be added",)),
        ("answer(True + True)", ("means nothing",)),
        ("answer(now in now)", ("a place is wanted",)),
        ('answer("a" in 1)', ("a place is wanted",)),
        ('x = here\nanswer(lies(x, "sideways", of="Zoo"))', ("Line 2", "no side")),
        ("answer(judge([True]))", ("one test for each of the 0 options",)),
        ('answer(quote("x"))', ("no supplied text",)),
        ('answer(visit("Opera", window=["25:00", "26:00"]))', ("two times",)),
        ("answer(place(True))", ("words are wanted",)),
        ("answer(abs(here))", ("`x` of `abs` is a Quantity",)),
        ('answer(-place("Opera"))', ("no negative",)),
        ('answer(count(places("cafe", near="Opera", within="-5 m")))', ("Line 1", "`within`", "above 0")),
        (
            'answer(count(places("cafe", near="Opera", within=distance("Opera", "Zoo") - "9 km")))',
            ("Line 1", "a length above 0"),
        ),
    ],
)
def test_values_of_the_wrong_kind(program: str, words: tuple[str, ...]) -> None:
    with pytest.raises(ProgramError) as caught:
        run(program)
    told = str(caught.value)
    assert all(word in told for word in words), told
    assert len(told) < 400


@pytest.mark.parametrize(
    ("program", "status"),
    [
        ('answer(places("cafe", where=lambda p: [][0]))', Status.ANSWERED),
        (
            'answer(min(places("cafe"), key=lambda p: p.rating if known(p.lit) else [][0]))',
            Status.UNANSWERABLE,
        ),
        ("answer(min([]))", Status.ANSWERED),
        ("answer(picture)", Status.UNANSWERABLE),
        ("answer(1 / 0)", Status.UNANSWERABLE),
        ("answer([1, 2][999999999999])", Status.ANSWERED),
        ('answer(place("-999, 999"))', Status.UNANSWERABLE),
        ('answer(trip([], mode="walk", start="Zoo"))', Status.ANSWERED),
    ],
)
def test_nothing_to_give_is_said(program: str, status: Status) -> None:
    """A lambda that gives nothing, an empty list, a member that there is none of: a value with its reason."""
    answer = run(program).answer()
    assert answer.status is status
    assert answer.text or answer.reason


def test_errors_are_the_projects_own() -> None:
    assert issubclass(ProgramError, MapAgentError)
