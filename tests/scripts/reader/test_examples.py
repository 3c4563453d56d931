"""The example bank: what the reader is to write says the program, and the bank is what it claims to be.

Versions of an example have longer lists, other names and stays; pointers stand on the words they stood on.
"""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from modules.nlu.decoding import program_of
from modules.nlu.network import Row
from modules.nlu.reader import Over, with_words
from modules.query.inventory import built_in
from scripts.reader.examples import (
    BANK,
    MOST_MORE,
    UNSEEN,
    Example,
    Pool,
    Target,
    examples,
    pool_of,
    renamed,
    stretched,
    target_of,
)

EXAMPLES = list(examples())
SAMPLE = EXAMPLES[::41]
POOL = Pool(names=("Red Mill", "Quay 9"), kinds=("cafe", "bars"), stays=("two hours", "5 min"))
TOUR = (
    "Start at Amos Rex: Kiasma for 1 hour, Ateneum for 45 minutes and Zetor for 2 hours, on foot. When am I done?",
    """day = trip(
        [visit("Kiasma", stay="1 h"), visit("Ateneum", stay="45 min"), visit("Zetor", stay="2 h")],
        mode="walk", start="Amos Rex")
answer(day.arrive)""",
)
ROUND = (
    "How far is it by bike from Amos Rex -> Kiasma -> Ateneum -> Zetor?",
    'answer(trip(["Kiasma", "Ateneum", "Zetor"], mode="bike", start="Amos Rex").distance)',
)


def back(example: Example) -> str:
    target = target_of(example)
    assert target is not None
    row = Row(0.0, 0.0, target.tokens, target.spans)
    return program_of(with_words(row, target.words), built_in())


def plain(program: str) -> str:
    """A program without the case of names and the ending of many."""
    return program.casefold().replace("ies", "y").replace("s", "")


def test_pointers_say_the_programs() -> None:
    """Other words for the same kind, and units, may be the question's; all else must come back as it was."""
    same = sum(plain(back(example)) == plain(example.program) for example in SAMPLE)
    assert same >= 0.85 * len(SAMPLE)


def calls(program: str) -> int:
    """How many calls a program has but those that look a place up, which it may do once or twice."""
    return program.count("(") - program.count("place(")


def test_what_is_not_the_program_is_of_its_form() -> None:
    for example in SAMPLE:
        said, meant = back(example), example.program
        assert calls(said) == calls(meant)
        assert said.count("lambda") == meant.count("lambda")


def test_the_bank_is_large_and_has_many_authors() -> None:
    authors = {example.author for example in EXAMPLES}
    assert len(EXAMPLES) > 20_000
    assert len(authors) > 80
    assert authors >= set(UNSEEN)
    over = Counter(example.over for example in EXAMPLES)
    assert min(over[one] for one in Over) > 1_000


def test_texts_are_there_and_no_benchmark_is_named() -> None:
    texts = {example.text for example in EXAMPLES if example.over is Over.TEXT and example.text}
    assert all((BANK / "texts" / text).is_file() for text in texts)
    told = "\n".join(
        path.read_text(encoding="utf-8") for path in BANK.rglob("*") if path.is_file()
    ).casefold()
    assert not any(name in told for name in ("mapeval", "mapqa", "gs-qa", "gsqa", "tourismqa"))


@pytest.mark.parametrize("author", UNSEEN)
def test_unseen_authors_are_enough_to_measure_by(author: str) -> None:
    assert sum(example.author == author and not example.base for example in EXAMPLES) > 70


def target(question: str, program: str, options: Sequence[str] = ()) -> Target:
    made = target_of(Example("a", question, tuple(options), program, Over.MAP))
    assert made is not None
    return made


def pointed(made: Target) -> list[str]:
    return [made.words.said(*span) for span in made.spans if span is not None]


@pytest.mark.parametrize("seed", range(20))
def test_a_longer_list_is_told_as_it_is_written(seed: int) -> None:
    before = target(*ROUND)
    after = stretched(before, POOL, random.Random(seed))
    more = len(after.tokens) - len(before.tokens)
    assert 1 <= more <= MOST_MORE
    assert after.words.text.count(" -> ") == 3 + more
    told = after.words.text.removesuffix("?").partition(" from ")[2].split(" -> ")
    start, *stops = told
    assert pointed(after) == [*stops, start], "the program has the stops in their order, then the start"


@pytest.mark.parametrize("seed", range(20))
def test_a_new_stop_has_a_stay_of_its_own(seed: int) -> None:
    after = stretched(target(*TOUR), POOL, random.Random(seed))
    visits = after.tokens.count("visit(")
    assert 4 <= visits <= 3 + MOST_MORE
    assert after.words.text.count(" for ") == visits
    names, stays = pointed(after)[: 2 * visits : 2], pointed(after)[1 : 2 * visits : 2]
    told = [f"{name} for {stay}" for name, stay in zip(names, stays, strict=True)]
    assert (
        after.words.text.partition(": ")[2]
        == f"{', '.join(told[:-1])} and {told[-1]}, on foot. When am I done?"
    )


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("How far is Kiasma from Zetor?", 'answer(distance("Zetor", "Kiasma"))'),
        (
            "First Kiasma then Zetor by bike, how far?",
            'answer(trip(["Kiasma", "Zetor"], mode="bike").distance)',
        ),
        (
            "Zetor, Kiasma: by bike from the second to the first, how far?",
            'answer(trip(["Kiasma", "Zetor"], mode="bike").distance)',
        ),
    ],
    ids=["no list", "parted by words once", "told in another order"],
)
def test_what_is_no_list_to_add_to_stays_as_it_is(question: str, program: str) -> None:
    before = target(question, program)
    assert stretched(before, POOL, random.Random(1)) is before


def test_options_are_no_list_to_add_to() -> None:
    before = target(
        "How far is it?", 'answer(trip(["Kiasma", "Zetor"], mode="bike").distance)', ["Kiasma, Zetor"]
    )
    assert stretched(before, POOL, random.Random(1)) is before


@pytest.mark.parametrize("seed", range(10))
def test_stays_and_names_are_replaced_and_nothing_else(seed: int) -> None:
    before = target(*TOUR)
    after = renamed(before, POOL, random.Random(seed))
    assert after.tokens == before.tokens
    for old, new in zip(pointed(before), pointed(after), strict=True):
        assert new == old or new in POOL.stays or any(name in new for name in POOL.names)
    rest = after.words.text
    for word in sorted(pointed(after), key=len, reverse=True):
        rest = rest.replace(word, "…", 1)
    assert rest == "Start at …: … for …, … for … and … for …, on foot. When am I done?"


def test_a_pool_holds_what_the_examples_say() -> None:
    pool = pool_of([target(*TOUR), target(*ROUND)])
    assert set(pool.names) == {"Amos Rex", "Kiasma", "Ateneum", "Zetor"}
    assert set(pool.stays) == {"1 hour", "45 minutes", "2 hours"}
    assert "cafe" in pool.kinds


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "Kiasma for 1 hour, Zetor for 2 hours, Ateneum for 1 hour.",
            ["Kiasma for 1 hour", "Ateneum for 1 hour"],
        ),
        ("1 hour at Kiasma, 2 hours at Zetor, 1 hour at Ateneum.", ["1 hour at Kiasma", "1 hour at Ateneum"]),
        ("Ateneum, an hour. Zetor, 2 hours. Kiasma, 60 minutes.", ["Kiasma, 60 minutes", "Ateneum, an hour"]),
    ],
)
def test_equal_stays_point_to_words_of_their_own(question: str, told: Sequence[str]) -> None:
    made = target(
        question, 'answer(trip([visit("Kiasma", stay="1 h"), visit("Ateneum", stay="60 min")]).distance)'
    )
    said = pointed(made)
    spans = [span for span in made.spans if span is not None]
    whole = [
        made.words.said(min(a[0], b[0]), max(a[1], b[1]))
        for a, b in zip(spans[::2], spans[1::2], strict=True)
    ]
    assert whole == told
    assert len(said) == 4


def test_a_time_points_to_the_half_of_its_day() -> None:
    made = target("Is Zetor open on Sunday at 12:30 PM or later?", 'answer(is_open("Zetor", "Sun 12:30"))')
    assert pointed(made)[-1] == "Sunday at 12:30 PM"
