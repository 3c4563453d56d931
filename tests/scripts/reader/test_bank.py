"""The example bank: what the reader is to write says the program, and the bank is what it claims to be."""

from collections import Counter

import pytest

from modules.nlu.decoding import program_of
from modules.nlu.network import Row
from modules.nlu.reader import Over, with_words
from modules.query.inventory import built_in
from scripts.reader.examples import BANK, UNSEEN, Example, examples, target_of

EXAMPLES = list(examples())
SAMPLE = EXAMPLES[::41]


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
