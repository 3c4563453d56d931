"""Generated everyday questions: their form, their answers against the extract itself, and maps that give few."""

import re
import tomllib
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evals.generate.cli import EVERYDAY
from evals.generate.everyday.draws import CATEGORIES
from evals.generate.everyday.generator import generate, templates
from evals.suites.everyday import Everyday
from evals.suites.scoring.rules import Right
from evals.worlds.maps import ListedPlace, build_place_map
from map_tools.errors import LimitError, UsageError
from map_tools.maps.home import MapHome
from mapagent.core.answer import Answer, Status
from tests.evals.generate.gsqa.extract import GEOD, Object, objects
from tests.support.data import demo_extract
from tests.support.maps import demo_map

EACH = 12


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / "helsinki.toml"
    assert generate(demo_map(), EACH, 5, out)["given_up"] == {}
    return out


@pytest.fixture(scope="module")
def named() -> dict[str, Object]:
    """The objects by name, but for names that are words of a template."""
    sentences, _ = templates()
    words = str(sentences)
    found = {one.tags["name"].strip(): one for one in objects(demo_extract()) if "name" in one.tags}
    return {name: one for name, one in found.items() if name not in words}


def of(made: Path, family: str) -> list[dict[str, Any]]:
    questions = tomllib.loads(made.read_text("utf-8"))["questions"]
    found = [one for one in questions if re.match(rf"{family}-\d", one["id"])]
    assert found
    return found


def subjects(question: dict[str, Any], named: dict[str, Object]) -> list[Object]:
    """The places a question names, in its order."""
    text, found = question["text"], []
    for name in sorted(named, key=len, reverse=True):
        if (at := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)) is not None:
            found.append((at.start(), named[name]))
            text = text.replace(name, "\0" * len(name))
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def rule_of(right: dict[str, Any]) -> tuple[str, Any]:
    """The one rule that is set, with its value."""
    ((rule, value),) = ((rule, value) for rule, value in right.items() if rule != "none_of" and value != ())
    return rule, value


def gold(right: dict[str, Any]) -> str:
    """An answer in words that says what is right."""
    rule = Right.model_validate(right)
    match rule_of(right):
        case ("names", texts):
            return " ".join(texts)
        case ("one_of", texts):
            return str(texts[0])
        case ("yes", said):
            return "yes" if said else "no"
        case ("clock", _):
            return f"{rule.clock:%H:%M}"
        case ("number" | "direction", value):
            return str(value)
        case (unit, value):
            return f"{value} {({'metres': 'm', 'square_metres': 'm²', 'minutes': 'min'})[unit]}"


def changed(right: dict[str, Any]) -> dict[str, Any]:
    """Another answer of the same sort."""
    rule, value = rule_of(right)
    others: dict[str, Any] = {
        "names": ["Nowhere Lane", "999"], "one_of": ["Nowhere Inn"], "yes": value is False,
        "clock": "03:33", "direction": "north" if value != "north" else "south",
    }  # fmt: skip
    return {rule: others.get(rule) if rule in others else 3 * value + 500}


def test_the_judge_takes_what_is_right_and_nothing_else(made: Path) -> None:
    suite = Everyday()
    items = suite.load(made, "fair")
    assert Counter(item.category for item in items) == dict.fromkeys(CATEGORIES, EACH)
    for item in items:
        if not item.answerable:
            assert suite.score(item, Answer(status=Status.UNANSWERABLE)).correct
            assert not suite.score(item, Answer(status=Status.ANSWERED, text="Yes.")).correct
            continue
        for say, verdict in ((gold, True), (lambda right: gold(changed(right)), False)):
            answer = Answer(status=Status.ANSWERED, text="; ".join(map(say, item.gold["right"])))
            assert suite.score(item, answer).correct == verdict, (item.id, answer.text)


def test_distances_are_those_on_the_ground(made: Path, named: dict[str, Object]) -> None:
    for question in of(made, "between"):
        a, b = (one.shape for one in subjects(question, named))
        metres = GEOD.inv(a.x, a.y, b.x, b.y)[2]
        assert question["right"] == [{"metres": pytest.approx(metres, abs=1)}]


def test_areas_are_those_on_the_ground(made: Path, named: dict[str, Object]) -> None:
    for question in of(made, "area"):
        (one,) = subjects(question, named)
        assert question["right"] == [{"square_metres": pytest.approx(one.area_m2(), rel=1e-3)}]


def test_facts_are_those_of_the_extract(made: Path, named: dict[str, Object]) -> None:
    for question in of(made, "address"):
        (one,) = subjects(question, named)
        assert question["right"] == [{"names": [one.tags["addr:street"], one.tags["addr:housenumber"]]}]
    for question in of(made, "wheelchair"):
        (one,) = subjects(question, named)
        assert question["right"] == [{"yes": one.tags["wheelchair"] == "yes"}]


def test_equal_seeds_make_equal_files(made: Path, tmp_path: Path) -> None:
    generate(demo_map(), EACH, 5, tmp_path / "same.toml")
    generate(demo_map(), EACH, 6, tmp_path / "other.toml")
    assert (tmp_path / "same.toml").read_bytes() == made.read_bytes()
    assert (tmp_path / "other.toml").read_bytes() != made.read_bytes()


def test_sentences_of_four_hands() -> None:
    sentences, _ = templates()
    assert {name: set(families) for name, families in sentences.items()} == {
        name: set(draws) for name, draws in CATEGORIES.items()
    }
    for families in sentences.values():
        assert all(set(hands) == {"terse", "chatty", "foreign", "clauses"} for hands in families.values())
        assert sum(len(texts) for hands in families.values() for texts in hands.values()) >= 6


def test_a_map_with_hardly_anything_gives_fewer_questions_and_says_so(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    listed = [
        ListedPlace(60.0, 25.0, {"name": "Copper Inn", "tourism": "hotel", "wheelchair": "no"}),
        ListedPlace(60.0, 25.02, {"name": "Salt Mill", "historic": "mill"}),
    ]
    build_place_map(listed, name="little", home=home, source="a test", attribution="nobody")
    made = generate(home.path("little"), 7, 1, tmp_path / "little.toml")
    assert 0 < made["n"] < 7 * len(CATEGORIES)
    assert "no ways" in made["given_up"]["ways, duration"]
    assert {"facts, phone", "comparing, later", "distances, area"} <= set(made["given_up"])
    assert len(Everyday().load(tmp_path / "little.toml", "fair")) == made["n"]
    build_place_map(
        [ListedPlace(60.0, 25.0, {"shop": "kiosk"})], name="bare", home=home, source="", attribution=""
    )
    with pytest.raises(LimitError, match="no question"):
        generate(home.path("bare"), 7, 1, tmp_path / "bare.toml")


def test_the_command_overwrites_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = ArgumentParser()
    EVERYDAY.configure(parser)
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "helsinki").symlink_to(demo_map())
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path))
    given = parser.parse_args(["--map", "helsinki", "--per-category", "1", "--out", str(tmp_path / "a.toml")])
    assert EVERYDAY.run(given) == 0
    assert "7 questions about the map 'helsinki'" in capsys.readouterr().out
    with pytest.raises(UsageError, match="nothing is overwritten"):
        EVERYDAY.run(given)
    with pytest.raises(UsageError, match="nothing is overwritten"):  # told before a map is looked for
        generate(tmp_path / "no map here", 1, 1, tmp_path / "a.toml")
