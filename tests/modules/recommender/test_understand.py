"""Reading the words of a wish: kinds, tastes, sentences, conditions."""

import json

import pytest

from modules.recommender.understand import Emphasis, RecommendationQuery, kinds_of, read_wish, target_of
from tests.support.data import shared


def read(text: str) -> RecommendationQuery:
    wish = read_wish(text)
    assert wish is not None, text
    return wish


def test_a_whole_wish() -> None:
    wish = read("Somewhere cosy for a late Italian dinner, a short walk away, not a chain")
    assert wish.what == "place to eat"
    assert {"restaurant", "cafe"} <= set(wish.categories)
    assert (wish.semantic_words, wish.scales) == (("cosy",), {"short"})
    assert wish.conditions == ("Italian", "not a chain")
    assert set(wish.semantic_text.split()) == {"cosy", "late", "italian", "dinner", "independent"}


@pytest.mark.parametrize(
    ("text", "categories"),
    [
        ("a quiet library", ("library",)),
        ("lively pub or bar", ("pub", "bar")),
        ("pub, bar or cafe with live music", ("pub", "bar", "cafe")),
        ("boutique hotel", ("hotel",)),  # of a compound the last one
        ("cafe for people who love art", ("cafe",)),  # what comes later only qualifies
        ("cafe by a park", ("cafe",)),
        ("laundry with good coffee", ("laundry",)),
        ("hotel with a good breakfast", ("hotel",)),
        ("quiet place for coffee", None),
        ("vegan food for working", None),
        ("Italian dinner with live music", None),
    ],
)
def test_the_kind_of_place(text: str, categories: tuple[str, ...] | None) -> None:
    """Without a kind of its own a wish for food is for all places to eat (appendix F.2)."""
    wish = read(text)
    if categories is None:
        assert wish.what == "place to eat"
    else:
        assert wish.categories[: len(categories)] == categories
        assert kinds_of(text) == (wish.categories, wish.what)


@pytest.mark.parametrize("text", ["", "somewhere nice", "cosy and quiet", "The capital of France"])
def test_what_names_no_kind_is_no_wish(text: str) -> None:
    assert read_wish(text) is None
    assert kinds_of(text) is None


def test_spatial_and_semantic_sentences_are_disjoint() -> None:
    wish = read("a cafe for a relaxed breakfast by the water")
    assert wish.spatial_words == ("waterfront",)
    assert "water" in wish.spatial_text
    assert "water" not in wish.semantic_text
    assert "relaxed" in wish.semantic_text
    assert "relaxed" not in wish.spatial_text
    assert "cafe" not in wish.semantic_text  # all candidates are cafes


@pytest.mark.parametrize(
    ("words", "emphasis"),
    [
        ("", Emphasis.BALANCED),
        (", close is all that matters", Emphasis.DISTANCE),
        (", quality first", Emphasis.QUALITY),
        (", close is all that matters and worth the trip", Emphasis.BALANCED),
    ],
)
def test_the_wording_sets_the_emphasis(words: str, emphasis: Emphasis) -> None:
    wish = read(f"cosy cafe{words}")
    assert wish.emphasis is emphasis
    assert wish.contradictory is (" and " in words)


def test_a_taste_that_is_ruled_out_is_not_wished_for() -> None:
    wish = read("casual restaurant for lunch; we are not looking for fine dining")
    assert (wish.semantic_words, wish.unwanted_words) == (("casual",), ("elegant",))
    assert "dining" not in wish.semantic_text


def test_local_food_is_looked_for_by_what_maps_call_it() -> None:
    wish = read("a restaurant with local food")
    assert "regional" in wish.semantic_words  # https://wiki.openstreetmap.org/wiki/Key:cuisine
    assert "regional" in wish.semantic_text


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("quiet restaurant", ()),
        ("vegan cafe with wifi", ("vegan", "wifi")),
        ("wheelchair accessible Thai restaurant", ("wheelchair accessible", "Thai")),
    ],
)
def test_conditions_in_words(text: str, conditions: tuple[str, ...]) -> None:
    assert read(text).conditions == conditions


@pytest.mark.parametrize(
    ("text", "untold"),
    [
        ("Recommend a quiet Italian restaurant", ()),
        ("a cosy pub with wifi for dinner, please", ()),
        ("a bar for fans of football", ("fans", "football")),
    ],
)
def test_what_no_vocabulary_explains_is_left_over(text: str, untold: tuple[str, ...]) -> None:
    assert read(text).untold == untold


@pytest.mark.parametrize(
    ("text", "target"),
    [
        # Appendix F.2: direct words of each type, then its rules 2 and 4.
        ("a good restaurant in the theatre district", "restaurant"),
        ("traditional breakfast", "restaurant"),
        ("a clean budget hotel", "hotel"),
        ("which area to stay", "hotel"),
        ("museums to visit with kids", "attraction"),
        ("We are staying at the hotel, where should we eat?", "restaurant"),
        ("Museums near our hotel", "attraction"),
        ("", None),
    ],
)
def test_the_rules_of_the_paper(text: str, target: str | None) -> None:
    assert target_of(text) == target


def test_titles_of_real_questions() -> None:
    """Of the titles that say anything of a type, nine of ten name the type that answered them most often."""
    right = said = 0
    with shared("poi_text/tourismqa_question_titles.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            title = json.loads(line)
            found = target_of(title["title"])
            said += found is not None
            right += found == max(title["answer_types"], key=title["answer_types"].get)
    assert said > 3500
    assert right / said > 0.89
