"""Names that only faintly fit."""

from tests.modules.query.language.telling import told

TEXT = """Information of <b>Esplanadi Park</b>:
- Rating: 4.5.
Information of <b>Kiasma</b>:
- Rating: 4.2.
Information of <b>Ateneum</b>:
- Rating: 4.3.
Travel Time from Esplanadi Park to Kiasma on foot is 10 mins.
Travel Time from Ateneum to Kiasma on foot is 7 mins.
"""


def test_two_parks_are_not_one_because_both_are_parks() -> None:
    answer = told('answer(place("Hesperia Park").rating)', TEXT)
    assert answer.unanswerable
    assert "Hesperia Park" in answer.reason


def test_what_is_faintly_alike_is_told() -> None:
    answer = told('answer(travel("Esplanade Gardens", "Kiasma", "walk").duration)', TEXT)
    assert answer.text == "10 min"
    assert any("Esplanade Gardens" in one and "Esplanadi Park" in one for one in answer.assumptions)
    assert any("faintly alike" in one for one in answer.warnings)


def test_a_slip_is_told_and_sure() -> None:
    answer = told('answer(place("Ateneumm").rating)', TEXT)
    assert answer.text == "4.3"
    assert not answer.warnings
