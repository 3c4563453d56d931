"""Questions over a spatial database as careful authors and paraphrasing models word them."""

import tomllib
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from map_tools.spatial_db.grounding.kinds import KindReader
from modules.offline.spatial_grammar import read_spatial
from tests.modules.offline.spatial_reading import Examiner
from tests.modules.spatial_database.engines import Names
from tests.modules.spatial_database.territory import POIS, REGIONS, STATE, territory

COMPARED = (
    "Which of the two lies nearer to Gas & Go: Bijou or Two Paws?",
    "Between Bean There and Patty Wagon, which is the closer one to Corner Drug?",
)


def _read(name: str) -> list[dict[str, Any]]:
    questions: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))[
        "questions"
    ]
    return questions


def _filled(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The frames with names of the territory in the places of {A}, {B} and {R}, each in its turn."""
    places = cycle(
        f"{name}, {city}, {STATE}" if city else f"{name}, {STATE}"
        for name, tags, city, *_ in POIS
        if not tags.keys().isdisjoint({"tourism", "leisure"})
    )
    regions = cycle(name for name, *_ in REGIONS)
    filled = []
    for frame in frames:
        (first, second), region = islice(places, 2), next(regions)
        question = dict(frame)
        question["text"] = frame["text"].replace("{A}", first).replace("{B}", second).replace("{R}", region)
        if "{A}" in frame["text"]:
            question["anchor"] = first
        if "{B}" in frame["text"]:
            question["toward"] = second
        if "{R}" in frame["text"] and not frame.get("described"):
            question["region"] = region
        filled.append(question)
    return filled


@pytest.fixture(scope="module")
def examiner(tmp_path_factory: pytest.TempPathFactory) -> Examiner:
    """Knows the invented territory."""
    return Examiner(territory(tmp_path_factory.mktemp("territory")))


@pytest.mark.parametrize(
    "question",
    [*_read("spatial_wordings.toml"), *_filled(_read("spatial_frames.toml"))],
    ids=lambda question: f"{question['t']} {question['text']}",
)
def test_wordings(examiner: Examiner, question: dict[str, Any]) -> None:
    """What is marked `skip` is out of the grammar's reach."""
    if "skip" in question:
        pytest.skip(question["skip"])
    assert examiner.mistakes(question) == {}


@pytest.mark.parametrize("text", COMPARED)
def test_named_places_compared_are_no_search(tmp_path: Path, text: str) -> None:
    engine = territory(tmp_path)
    assert read_spatial(text, Names(engine), KindReader(engine)) is None


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            "Which hotel with a heated pool is nearest to Gallery 19, Elmsdorf, WI?",
            "hotel with a heated pool",
        ),
        ("Name a pet-friendly hotel within 30 km of Gallery 19, Elmsdorf, WI.", "pet-friendly hotel"),
        ("How many Peruvian restaurants are there in Port Lacey?", "Peruvian restaurants"),
        ("We crave Peruvian dishes: which restaurant is nearest to Gas & Go?", "Peruvian restaurant"),
    ],
)
def test_what_nobody_understands_of_a_kind_is_kept(tmp_path: Path, text: str, what: str) -> None:
    """So the answer is that there is no such kind, and not one that leaves a condition out."""
    engine = territory(tmp_path)
    kinds = KindReader(engine)
    reading = read_spatial(text, Names(engine), kinds)
    assert reading is not None
    assert (reading.intent.what, reading.known) == (what, False)
