"""A reading that overlooks what a question turns on never wins in silence."""

import pytest

from mapagent.question import Question
from modules.offline.parser import THRESHOLD, parse, parse_all


@pytest.mark.parametrize(
    "text",
    [
        "Which is the largest park near the Odeon?",
        "What is the oldest church in Bergen?",
        "highest peak near Bergen",
        "Which is older, the Odeon or the Kunsthaus?",
        "Which cafe near the Odeon has a nice view over the harbour?",
        "Which way from the Odeon to the Kunsthaus is the safest?",
        "What's on the corner of Elm Street and Oak Street?",
    ],
)
def test_what_no_intent_covers_is_not_understood(text: str) -> None:
    assert parse(Question(text=text)) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What is the straight line distance between the Kunsthaus and the Odeon?", "trip"),
        ("What is the phone number of the hospital in Bergen?", "place_fact"),
        ("Is there anything open at 2am near the Odeon to drink?", "open"),
        ("Which pharmacy near the Odeon closes latest?", "open"),
        ("Is the Kunsthaus further north than the Odeon?", "bearing"),
    ],
)
def test_a_reading_that_overlooks_a_telling_cue_does_not_win(text: str, kind: str) -> None:
    parsed = parse_all(Question(text=text))
    assert parsed.best is not None
    assert parsed.best.intent.kind != kind
    assert all(reading.score < THRESHOLD for reading in parsed.readings if reading.intent.kind == kind)
