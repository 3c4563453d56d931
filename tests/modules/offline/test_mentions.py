"""Names of places and the roles their surroundings give them."""

from collections.abc import Mapping

import pytest

from modules.offline.analyser import analyse
from modules.offline.marks import Mention


class KnownNames:
    """Name hints from a list."""

    def __init__(self, scores: Mapping[str, float]) -> None:
        self.scores = scores

    def score(self, text: str) -> float:
        return self.scores.get(text.casefold(), 0.0)

    def exact(self, text: str) -> bool:
        return self.score(text) == 1.0


def places(text: str) -> list[tuple[str, str]]:
    return [(item.place, item.role) for item in analyse(text).places]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("How do I get from Kiasma to the Tower of London?", [("Kiasma", "from"), ("Tower of London", "to")]),
        ("I am at Heron Lake,what is the nearest mosque to me?", [("Heron Lake", "self")]),
        ("Is the Grand Bazaar open?", [("Grand Bazaar", "subject")]),
        ("Cafes near St. Mark's Square in Venice", [("St. Mark's Square, Venice", "near")]),
        ("Where is Café de Tacuba?", [("Café de Tacuba", "subject")]),
        ("the rating of Lodge by Marlow", [("Lodge by Marlow", "of")]),
        ("how far is kamppi from the old town square", [("kamppi", "subject"), ("old town square", "from")]),
        ("i am at the university of oulu", [("university of oulu", "self")]),
        (
            "parks near Norden University - Harbour Campus",
            [("Norden University - Harbour Campus", "near")],
        ),
        ("is 5th Avenue Theatre open", [("5th Avenue Theatre", "subject")]),
        ("I'm staying at the Bowery House in New York.", [("Bowery House, New York", "self")]),
        ("Who runs “Salt and Pepper”?", [("Salt and Pepper", "subject")]),
    ],
)
def test_names_and_roles(text: str, found: list[tuple[str, str]]) -> None:
    assert places(text) == found


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("between Kiasma and Ateneum", ["Kiasma", "Ateneum"]),
        ("between the Pilarico and the Casa Verde", ["Pilarico", "Casa Verde"]),
        ("Which of Kiasma, Ateneum and Oodi is open?", ["Kiasma", "Ateneum", "Oodi"]),
        ("visit Kiasma -> Ateneum -> Oodi", ["Kiasma", "Ateneum", "Oodi"]),
    ],
)
def test_lists_fall_into_their_names(text: str, parts: list[str]) -> None:
    found = [item for item in analyse(text).places if item.parts]
    assert [part.text for part in found[0].parts] == parts


def test_the_map_decides_whether_a_name_contains_and() -> None:
    text = "Is Heart and Soul open?"
    assert analyse(text).places[0].parts
    known = KnownNames({"heart and soul": 0.97})
    assert not analyse(text, known).places[0].parts


def test_the_map_tells_a_name_made_of_kinds_from_a_search() -> None:
    text = "does museum tavern serve lunch"
    known = KnownNames({"museum tavern": 0.97})
    assert [item.text for item in analyse(text, known).places] == ["museum tavern"]


@pytest.mark.parametrize(
    "text", ["nearest Starbucks to Oslo", "a Starbucks near Oslo", "Which Starbucks in Oslo is open?"]
)
def test_a_brand_that_is_looked_for_is_a_target(text: str) -> None:
    targets = [item.text for item in analyse(text).by_role("target")]
    assert targets == ["Starbucks"]


def test_a_kind_refers_back_to_a_name() -> None:
    found = analyse("I'm at Raven Castle. What is north of the castle?").places
    assert [item.text for item in found] == ["Raven Castle", "Raven Castle"]


def test_a_mention_without_parts_is_its_own_list() -> None:
    mention = Mention(0, 6, "Kiasma", "to")
    assert mention.split() == (mention,)
