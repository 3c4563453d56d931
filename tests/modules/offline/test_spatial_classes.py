"""Word classes in phrases, with verbs in all their forms."""

import pytest

from modules.offline.spatial_classes import expanded, verb_forms


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("head", {"head", "heads", "heading", "headed"}),
        ("leave", {"leave", "leaves", "leaving", "leaved"}),
        ("travel", {"travel", "travels", "traveling", "travelling", "traveled", "travelled"}),
        ("approach", {"approach", "approaches", "approaching", "approached"}),
        ("lie", {"lie", "lies", "lying", "lied"}),
        ("stay", {"stay", "stays", "staying", "stayed"}),
        ("carry", {"carry", "carries", "carrying", "carried"}),
        ("stop", {"stop", "stops", "stopping", "stopped", "stoping", "stoped"}),
    ],
)
def test_the_forms_of_a_verb(verb: str, forms: set[str]) -> None:
    assert set(verb_forms(verb)) == forms


def test_a_class_stands_for_each_of_its_words() -> None:
    assert expanded(["<go> to|towards?", "now"], {"go": "walk~ went"}) == [
        "walk|walks|walking|walked|went to|towards?",
        "now",
    ]


def test_an_unknown_class_is_an_error() -> None:
    with pytest.raises(KeyError):
        expanded(["<fly> to"], {})
