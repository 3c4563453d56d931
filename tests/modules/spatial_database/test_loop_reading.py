"""The parts of a question as a reading for the exact solver."""

import pytest
from evals.methods.geo_react.reading import reading_of

from modules.offline.spatial_intent import SpatialIntent
from modules.spatial_database.tools.parse_question import QuestionParts


@pytest.mark.parametrize(
    ("parts", "reading"),
    [
        (
            QuestionParts(feature_type="mill", metric="location", pick="nearest", anchors=("Alder Hall",)),
            SpatialIntent(what="mill", anchor="Alder Hall", pick="nearest", ask="location"),
        ),
        (
            QuestionParts(
                feature_type="mill",
                metric="names",
                anchors=("Alder Hall",),
                radius_m=5000,
                direction="north-east",
            ),
            SpatialIntent(what="mill", anchor="Alder Hall", within_m=5000, direction="NE", ask="names"),
        ),
        (
            QuestionParts(feature_type="canal", metric="length", region="Fernshire"),
            SpatialIntent(what="canal", region="Fernshire", ask="length"),
        ),
        (
            QuestionParts(metric="distance", anchors=("Alder Hall", "Fern Mill")),
            SpatialIntent(anchor="Alder Hall", other="Fern Mill", ask="distance"),
        ),
        (
            QuestionParts(
                feature_type="mill", metric="name", pick="nearest", streets=("Quay Lane", "Pier Road")
            ),
            SpatialIntent(what="mill", corner=("Quay Lane", "Pier Road"), pick="nearest"),
        ),
        (
            QuestionParts(feature_type="mill", metric="name", pick="largest", anchors=("Fernshire",)),
            SpatialIntent(what="mill", region="Fernshire", pick="largest"),
        ),
        (
            QuestionParts(feature_type="mill", metric="count", anchors=("Fernshire",)),
            SpatialIntent(what="mill", region="Fernshire", ask="count"),
        ),
        (
            QuestionParts(feature_type="mill", metric="count", anchors=("Alder Hall",), radius_m=500),
            SpatialIntent(what="mill", anchor="Alder Hall", within_m=500, ask="count"),
        ),
        (
            QuestionParts(feature_type="mill", metric="name", pick="beside", anchors=("Alder Hall",)),
            SpatialIntent(what="mill", anchor="Alder Hall", within_m=50, ask="names"),
        ),
        (
            QuestionParts(feature_type="mill", metric="count", pick="beside", anchors=("Hall",), radius_m=90),
            SpatialIntent(what="mill", anchor="Hall", within_m=90, ask="count"),
        ),
        (
            QuestionParts(feature_type="amenity", metric="kinds", anchors=("Alder Hall",), radius_m=200),
            SpatialIntent(anchor="Alder Hall", within_m=200, ask="kinds"),
        ),
        (
            QuestionParts(feature_type="", metric="kind", anchors=("Alder Hall",)),
            SpatialIntent(anchor="Alder Hall", ask="kind"),
        ),
        (
            QuestionParts(feature_type="amenities", metric="names", anchors=("Alder Hall",), radius_m=200),
            SpatialIntent(anchor="Alder Hall", within_m=200, ask="kinds"),
        ),
        (
            QuestionParts(feature_type="amenity", metric="name", anchors=("Alder Hall",)),
            SpatialIntent(anchor="Alder Hall", ask="kind"),
        ),
        (QuestionParts(feature_type="mill", metric="name"), None),
        (QuestionParts(metric="count", region="Fernshire"), None),
    ],
)
def test_parts_become_a_reading(parts: QuestionParts, reading: SpatialIntent | None) -> None:
    assert reading_of(parts, "?") == reading


def test_a_fact_is_asked_in_the_questions_words() -> None:
    parts = QuestionParts(feature_type="stadium", metric="fact", pick="nearest", anchors=("Alder Hall",))
    reading = reading_of(parts, "How many seats has the nearest stadium?")
    assert reading is not None
    assert (reading.ask, reading.fact) == ("fact", "How many seats has the nearest stadium?")


def test_a_word_of_a_name_is_no_kind() -> None:
    """ "Market" is looked for in "how far is the nearest market", not in "how far is 168 Market from X"."""
    parts = QuestionParts(feature_type="markets", metric="distance", anchors=("168 Market", "Fern Mill"))
    assert reading_of(parts, "How far is 168 Market from Fern Mill?") == SpatialIntent(
        anchor="168 Market", other="Fern Mill", ask="distance"
    )


def test_a_place_that_would_be_left_out_is_no_reading() -> None:
    parts = QuestionParts(feature_type="mill", metric="name", anchors=("Alder Hall", "Fern Street"))
    assert reading_of(parts, "Which mill is nearest to Alder Hall, Fern Street?") is None
