"""The audits find what was put into small files, and in the public data what its README reports."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.audit.__main__ import audit_gsqa_world, main
from benchmarks.audit.records import Finding, audit_gsqa, audit_mapeval, audit_mapqa, shown
from tests.support.data import shared

PLACE = {"role": "subject", "lat": 34.0, "lon": -118.0, "name": "Pier"}


def keyed(findings: tuple[Finding, ...]) -> dict[str, Finding]:
    return {finding.key: finding for finding in findings}


def gsqa(number: int, template: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": number,
        "template": template,
        "question": "Which mill is near Old Quay?",
        "answer_type": "name",
        "answers": [{"name": "Old Mill", "lon": 9.0}],
        "entities": {"[1]": {"display_name": "Old Quay"}},
        "world_ok": True,
    } | changes


def mapqa(number: str, kind: int, *answers: str, **changes: Any) -> dict[str, Any]:
    base = {"id": number, "type": kind, "question": f"Question {number}?", "entities": [PLACE]}
    return base | {"answers": list(answers), "world_ok": True} | changes


def write(tmp_path: Path, *records: dict[str, Any]) -> Path:
    path = tmp_path / "dev.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_gsqa(tmp_path: Path) -> None:
    four = [{"name": name, "lon": 9.0} for name in ("A Mill", "B", "C", "D")]
    path = write(
        tmp_path,
        gsqa(1, "T4", towards_azimuth=10.0),
        gsqa(2, "T4", towards_azimuth=90.0, answers=four),
        gsqa(3, "T12"),
        gsqa(4, "T9", answers=[{"name": "Old Mill"}]),
        gsqa(5, "T5", question="Which mill is near old from quay?", world_ok=False),
        gsqa(6, "T8"),
    )
    found = keyed(audit_gsqa(path))
    ids = {key: finding.ids for key, finding in found.items()}
    assert ids["wedges"] == ("1",)
    assert ids["read_as_one"] == ("2",)
    assert ids["pieces"] == ("3",)
    assert ids["lost_positions"] == ("4",)
    assert ids["garbled"] == ids["not_in_extract"] == ("5",)
    assert ids["external"] == ("6",)
    assert len(ids["one_word"]) == 6  # "mill" is in every gold name


def test_mapqa(tmp_path: Path) -> None:
    north = {"role": "subject", "name": "Depot", "lat": 34.1, "lon": -118.0}
    options = [{"role": "option", "name": "A"}, {"role": "option", "name": "B"}]
    far = {"role": "answer", "name": "Quay", "lat": 34.01, "lon": -118.0}
    path = write(
        tmp_path,
        mapqa("a", 7, "13000 meters", entities=[PLACE, north]),  # some 11,090 m on the ground
        mapqa("b", 5, "B", entities=[PLACE, *options]),
        mapqa("c", 9, "Quay", amenity="bar"),
        mapqa("d", 9, "Quay", amenity="bar"),
        mapqa("e", 1, "Quay", entities=[PLACE, far]),
        mapqa("f", 2, "bar"),
        mapqa("g", 6),
        mapqa("h", 3, "bar", question="The same?"),
        mapqa("i", 3, "cafe", question="The same?"),
    )
    found = keyed(audit_mapqa(path))
    ids = {key: finding.ids for key, finding in found.items()}
    assert ids["planar"] == ("a",)
    assert found["planar"].figures["mean_ratio_to_the_ground"] == pytest.approx(13_000 / 11_091.6, rel=1e-3)
    assert ids["always_second"] == ("b",)
    assert ids["same_gold_9"] == ("c", "d")
    assert ids["far_apart_1"] == ("e",)
    assert ids["nothing_stored"] == ("f",)
    assert ids["nameless"] == ("g",)
    assert ids["twice"] == ("h", "i")


def test_no_text_of_the_data_is_shown(tmp_path: Path) -> None:
    path = write(tmp_path, gsqa(1, "T12"), gsqa(2, "T4", towards_azimuth=1.0))
    text = shown(audit_gsqa(path), with_ids=True)
    assert "ids: 1" in text
    assert "Mill" not in text
    assert "Quay" not in text


def test_what_the_readme_of_the_public_data_reports() -> None:
    """README, "mapqa": type 5 is always B; 69 kinds of type 8 and all 73 of type 9 have one gold."""
    found = keyed(audit_mapqa(shared("mapqa")))
    assert len(found["always_second"].ids) == 81
    assert found["same_gold_8"].figures == {"kinds_asked_more_than_once": 81, "with_one_gold": 69}
    assert found["same_gold_9"].figures == {"kinds_asked_more_than_once": 73, "with_one_gold": 73}
    assert found["planar"].figures["mean_ratio_to_the_ground"] == pytest.approx(1.2, abs=0.02)
    assert found["planar"].figures["true_answers_within_0.1_of_gold"] == 0


def test_the_wedges_of_the_public_data_miss_places() -> None:
    pytest.importorskip("duckdb")
    found = keyed(audit_gsqa_world(shared("gsqa"), shared("gsqa_world")))
    assert (len(found["missed_by_wedges"].ids), found["missed_by_wedges"].among) == (10, 21)
    assert found["shared_positions"].figures == {"positions": 18, "places": 36}


def test_mapeval() -> None:
    found = keyed(audit_mapeval(shared("mapeval_textual")))
    assert len(found["shared_context"].ids) == 62


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, gsqa(1, "T12"), gsqa(2, "T4", towards_azimuth=1.0))
    assert main(["gsqa", "--data", str(path)]) == 0
    assert "wedges: 1 of 1." in capsys.readouterr().out
    assert main(["gsqa", "--data", str(tmp_path / "none.jsonl")]) == 2
    assert main(["mapqa", "--data", str(path), "--world", str(tmp_path)]) == 2
