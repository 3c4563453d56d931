"""Programs as rows of tokens and back, and what the reader keeps of them."""

import json
from pathlib import Path

import pytest

from map_tools.errors import ProgramError
from modules.nlu.decoding import program_of
from modules.nlu.reader import Over, reader
from modules.nlu.rows import Literal, RowError, tokens_of
from modules.query.inventory import built_in
from modules.query.language.checker import check
from modules.query.language.parser import parse

OPERATORS = built_in()
BANK = Path(__file__).parents[3] / "scripts" / "reader" / "bank"


def back(program: str) -> str:
    return program_of(tokens_of(program, OPERATORS), OPERATORS)


@pytest.mark.parametrize("path", sorted(BANK.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_programs_of_the_bank_come_back_as_they_were(path: Path) -> None:
    """Their form is the one that a row comes back in, and they are well typed."""
    programs = {json.loads(line)["program"] for line in path.read_text(encoding="utf-8").splitlines()}
    for program in sorted(programs)[:: max(1, len(programs) // 60)]:
        assert back(program) == program
        check(parse(program.replace('"any"', '"walk"').replace("<map>", "Town")), OPERATORS, listed=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('x = nearest("cafe", "Kiasma")\nanswer(x.name)', 'answer(nearest("cafe", "Kiasma").name)'),
        ('a = place("A")\nanswer(a.phone)', 'answer(place("A").phone)'),
        ("answer(1 < 2 < 3)", "answer(1 < 2 and 2 < 3)"),
        (
            'answer(nearest("pub", "A").name, far=distance(nearest("pub", "A"), "A"))',
            'p1 = nearest("pub", "A")\nanswer(p1.name, d=distance(p1, place("A")))',
        ),
        (
            'answer(count(places("cafe", near="A", within="1 km")))',
            'answer(count(places("cafe", within="1 km", near="A")))',
        ),
    ],
)
def test_programs_that_say_the_same_are_one(one: str, other: str) -> None:
    assert back(one) == back(other)


def test_what_is_used_twice_is_set_once() -> None:
    program = back('answer(nearest("pub", "A").name, far=distance(nearest("pub", "A"), "B"))')
    assert program.count("nearest(") == 1
    assert len(program.splitlines()) == 2


def test_words_come_with_the_role_they_play() -> None:
    tokens = tokens_of('answer(count(places("cafe", near="Kiasma", within="400 m")))', OPERATORS)
    said = {token.text: token.role for token in tokens if isinstance(token, Literal)}
    assert said == {"cafe": "What", "Kiasma": "Place", "400 m": "Length"}


@pytest.mark.parametrize(
    "tokens",
    [
        [],
        ["answer("],
        ["answer(", ")"],
        ["answer(", "v0", ")"],
        ["answer(", Literal("Any", "x"), ")", ")"],
        ["nearest(", Literal("What", "cafe"), Literal("Place", "A"), ")"],
        ["answer(", "nosuch(", ")", ")"],
        ["answer(", "nearest(", Literal("What", "x"), Literal("Place", "y"), "nosuch=", "True", ")", ")"],
        ["unanswerable", ")"],
        ["answer(", "]", ")"],
    ],
    ids=str,
)
def test_rows_that_are_no_program_are_refused(tokens: list[str | Literal]) -> None:
    with pytest.raises(RowError):
        program_of(tokens, OPERATORS)


def test_a_way_without_a_mode_is_one_of_any() -> None:
    assert back('answer(travel("A", "B").distance)') == 'answer(travel("A", "B", "any").distance)'


def test_what_is_no_program_has_no_row() -> None:
    with pytest.raises(ProgramError):
        tokens_of("answer(", OPERATORS)
    with pytest.raises(RowError):
        tokens_of('answer(nosuch("x"))', OPERATORS)


def test_words_with_quotation_marks_stay_one_literal() -> None:
    assert back(r'answer(place("The \"Corner\"").phone)') == r'answer(place("The \"Corner\"").phone)'


def test_what_a_question_means_is_kept_until_it_is_forgotten_and_not_in_a_conversation() -> None:
    question = "Which cafe is nearest to Ateneum?"
    first = reader().readings(question, (), Over.MAP)
    assert reader().readings(question, [], Over.MAP) is first
    reader().forget()
    again = reader().readings(question, (), Over.MAP)
    assert again == first
    assert again is not first
    told = reader().readings(question, (), Over.MAP, ["Where is Kiasma?"])
    assert reader().readings(question, (), Over.MAP, ["Where is Kiasma?"]) is not told


def test_numbers_and_names_are_used_or_left() -> None:
    question = "I have 17 minutes, says Zorbin. How far is Kiasma from Ateneum on foot, Tuesday at 18:45?"
    for one in reader().readings(question, (), Over.MAP):
        left = " ".join(one.left)
        for words in ("17", "Zorbin", "Kiasma", "Ateneum", "Tuesday"):
            assert (words[:3] in one.program) != (words in left), (words, one)


def test_what_is_in_an_option_or_in_another_name_is_not_left() -> None:
    question = "Which is nearer to Kiasma, the Tivoli Bar or the Rex Cinema? I mean Kiasma."
    for one in reader().readings(question, ["Tivoli Bar", "Rex Cinema"], Over.MAP):
        assert not {"Tivoli", "Bar", "Rex", "Cinema"} & set(" ".join(one.left).split())
        assert "Kiasma" not in one.left or "Kiasma" not in one.program


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("What is the phone number of Ateneum?", 'answer(place("Ateneum").phone)'),
        ("and when does it close?", 'answer(closes(nearest("museum", "Kiasma"), after="today"))'),
    ],
)
def test_a_later_question_follows_up_or_stands_by_itself(question: str, program: str) -> None:
    first, *_ = reader().readings(question, (), Over.MAP, ["Which museum is closest to Kiasma?"])
    assert first.program == program


@pytest.mark.parametrize(
    ("said", "halves"),
    [
        ("half past four", {"4:30", "16:30"}),
        ("4:30 pm", set()),
        ("16:30", set()),
        ("Sunday at half past four", set()),
    ],
)
def test_a_time_of_day_may_mean_either_half_of_the_day(said: str, halves: set[str]) -> None:
    first = reader().readings(f"Is the Lighthouse Museum open at {said}?", (), Over.MAP)[0]
    assert {half for pair in first.halves for half in pair} == halves
    assert all(f'"{taken}"' in first.program for taken, _ in first.halves)
