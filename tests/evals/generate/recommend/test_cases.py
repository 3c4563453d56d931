"""Counterparts of the paper's case studies: searched where the paper does, run and drawn."""

import asyncio
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from evals.generate.recommend import cases as module
from evals.generate.recommend.cases import Case, ask, cases, listed_in, main, picture_of
from mapagent.answer import Status
from mapagent.config import Settings
from modules.query.language.parser import parse
from modules.query.language.syntax import Call, String, walk
from modules.query.operators.recommend import Given
from modules.query.values.amount import parse_amount
from modules.recommender.reach import Geometry, Reach
from modules.recommender.understand import read_wish
from tests.support.maps import demo_map

PAPER = {
    1: ("region", None),
    2: ("point", 1000),
    3: ("point", 1500),
    4: ("region", None),
    5: ("region", None),
    6: ("point", 2000),
    7: ("line", 500),
    8: ("line", 500),
}
"""Reference object and distance in metres of the cases of appendix G."""
DEMO = Case(
    number=9,
    shows="a cafe by a museum",
    map="helsinki",
    question="Recommend a cosy cafe near Ateneum",
    program='answer(recommend("cosy cafe", near="Ateneum")[:3])',
    geometry="point",
    distance_m=1000,
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data home with the demo map alone."""
    (tmp_path / "maps").symlink_to(demo_map().parent)
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case.number))
def test_each_program_searches_where_the_paper_does(case: Case) -> None:
    assert (case.geometry, case.distance_m) == PAPER[case.number]
    nodes = [node for statement in parse(case.program).statements for node in walk(statement.expr)]
    (call,) = (node for node in nodes if isinstance(node, Call) and node.operator == "recommend")
    (said,) = call.positional
    assert isinstance(said, String)
    wish = read_wish(said.text)
    assert wish is not None
    named = dict(call.keywords)
    within = named.get("within")
    stated = parse_amount(within.text) if isinstance(within, String) else None
    given = {name: Given("", name) if name in named else None for name in ("near", "along", "inside")}
    reach = Reach.of(**given, within_m=stated.value if stated else None, scales=wish.scales)
    assert (Geometry(case.geometry), case.distance_m) == (reach.geometry, reach.distance_m)


def test_every_case_of_the_paper_has_one() -> None:
    assert [case.number for case in cases()] == sorted(PAPER)


def test_a_case_is_asked_and_drawn(home: Path) -> None:
    answer = asyncio.run(ask(DEMO, Settings(data_home=home), home))
    assert answer.status is Status.ANSWERED
    assert listed_in(answer)
    assert ET.parse(home / picture_of(DEMO)).getroot().tag.endswith("svg")


def test_the_page_tells_and_shows_all_cases(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = 'answer(recommend("cosy casino", near="Ateneum", within="1 m")[:3])'
    hopeless = DEMO.model_copy(update={"number": 10, "program": nowhere})
    pages, images = home / "pages", home / "pages" / "images"
    images.mkdir(parents=True)
    monkeypatch.setattr(module, "cases", lambda: (DEMO,))
    assert main(["--out", str(pages), "--images", str(images)]) == 0
    text = (pages / module.PAGE).read_text("utf-8")
    assert "## Case 9: a cafe by a museum" in text
    assert "Searched: cafe within 1 km of Ateneum" in text
    assert "(images/recommend-case-9.svg)" in text
    monkeypatch.setattr(module, "cases", lambda: (DEMO, hopeless))
    assert main(["--out", str(pages), "--images", str(images)]) == 1
    assert not (images / picture_of(hopeless)).exists()


def test_a_map_that_is_not_there(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--out", str(home)]) == 1
    assert "munich" in capsys.readouterr().err
