"""MapEval's files, and the frames of generated pictures."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pyproj import Geod

from evals.suites.files import read_records
from evals.suites.mapeval import read_mapeval
from evals.suites.mapeval_visual import MapEvalVisual, location_metrics
from map_tools.errors import InputFileError
from map_tools.facts import PictureFact, PictureFrame
from map_tools.types import LatLng
from mapagent.core.answer import Answer, Status
from tests.evals.support import LITTLE, little, write
from tests.support.data import shared
from tests.support.evidence import evidence


def test_all_records_in_order_with_their_categories() -> None:
    records = read_mapeval(LITTLE)
    assert [record.id for record in records] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [record.category for record in records][:4] == ["routing", "poi", "trip", "nearby"]
    assert records[6].category == "unanswerable"
    assert not records[6].answerable


def test_a_folder_with_the_file_will_do(tmp_path: Path) -> None:
    write(tmp_path / "dataset.json", little())
    assert len(read_mapeval(tmp_path)) == 8


def test_a_folder_without_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"holds 0 files of questions"):
        read_mapeval(tmp_path)


def test_json_lines_will_do(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in little()) + "\n", encoding="utf-8")
    assert read_mapeval(path) == read_mapeval(LITTLE)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": 2}, r"line 5: the id 2 was used before, in line 3"),
        ({"classification": "weather"}, r"line 5 \(id 4\): classification"),
        ({"classification": None}, r"line 5 \(id 4\): 'classification' is missing"),
        ({"question": ""}, r"line 5 \(id 4\): question"),
        ({"surprise": 1}, r"line 5 \(id 4\): surprise"),
        ({"answer": {"type": "mcq", "options": ["a", "b"], "correct": 2}}, r"answer: 'correct' is 2, but"),
        ({"answer": {"type": "mcq", "options": ["a", "b"], "correct": -2}}, r"answer\.correct"),
        ({"answer": {"type": "mcq", "options": ["a", "b"], "correct": "1"}}, r"answer\.correct"),
        ({"answer": {"type": "mcq", "options": ["a"], "correct": 0}}, r"answer\.options"),
        ({"answer": {"type": "open", "options": ["a", "b"], "correct": 0}}, r"answer\.type"),
    ],
)
def test_a_wrong_record_is_named_with_its_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    records = little()
    records[3] |= change
    with pytest.raises(InputFileError, match=message):
        read_mapeval(write(tmp_path / "data.json", records))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[\n{"a": 1},\n{"a": }\n]', r"line 3: not JSON"),
        ('[\n{"a": 1}\n{"a": 2}]', r"line 3: not JSON \(a comma or \] is missing\)"),
        ('[\n{"a": 1},\n]', r"line 3: not JSON"),
        ('[{"a": 1},\n 5]', r"line 2: a record is a JSON object"),
        ('[{"a": 1}]\nmore', r"line 1: there is more behind the end"),
        ('{"a": 1}\n{"a": \n', r"line 2: not JSON"),
        ('[{"a": 1}', r"line 1: not JSON"),
    ],
)
def test_what_is_no_json_is_named_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "data.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputFileError, match=message):
        list(read_records(path))


def test_a_file_that_is_missing_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="cannot be read"):
        read_mapeval(tmp_path / "absent.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputFileError, match="not UTF-8"):
        read_mapeval(tmp_path / "bytes.json")


def test_defects_that_show_in_the_record(tmp_path: Path) -> None:
    records = little()[:2]
    records[0]["answer"]["options"] = ["14 mins", "14 mins ", "2", "3"]
    records[1]["answer"]["options"] = ["1", "2", "", "4"]
    defects = [record.defect for record in read_mapeval(write(tmp_path / "data.json", records))]
    assert defects == ["the right option is listed twice", "the right option is empty"]


def test_the_original_file_has_the_counts_of_its_description() -> None:
    records = read_mapeval(shared("mapeval_textual/dev.json"))
    counts: dict[str, int] = {}
    for record in records:
        counts[record.category] = counts.get(record.category, 0) + 1
    assert counts == {"nearby": 41, "poi": 32, "routing": 33, "trip": 34, "unanswerable": 10}


CENTER = LatLng(lat=60.17, lng=24.94)
WIDTH_PX, METRES_PER_PX = 1000, 1.2


def folder(path: Path, **changes: object) -> Path:
    """A folder of one generated picture with one question."""
    Image.new("RGB", (4, 4)).save(path / "a.png")
    frame = {
        "image": "a.png", "center": {"lat": CENTER.lat, "lng": CENTER.lng},
        "width_px": WIDTH_PX, "metres_per_px": METRES_PER_PX,
    }  # fmt: skip
    question = {"id": "1", "image": "a.png", "question": "What?", "options": ["x", "y"], "answer": "A",
                "category": "poi"}  # fmt: skip
    (path / "frames.jsonl").write_text(json.dumps(frame | changes) + "\n", "utf-8")
    (path / "dev.jsonl").write_text(json.dumps(question) + "\n", "utf-8")
    return path


def answer(east_m: float) -> Answer:
    """An answer from a frame whose middle is so far east of the true one."""
    lng, lat, _ = Geod(ellps="WGS84").fwd(CENTER.lng, CENTER.lat, 90, east_m)
    frame = PictureFrame(
        center=LatLng(lat=lat, lng=lng), radius_m=700, south=60.1, west=24.9, north=60.2, east=25.0,
        metres_per_px=METRES_PER_PX,
    )  # fmt: skip
    fact = PictureFact(width_px=WIDTH_PX, height_px=600, labels=(), frame=frame)
    return Answer(status=Status.ANSWERED, text="x", option="A", option_index=0, evidence=evidence(fact))


@pytest.mark.parametrize(("east_m", "located", "wrong"), [(24.0, 1.0, 0.0), (90.0, 0.0, 1.0)])
def test_errors_are_shares_of_the_width(tmp_path: Path, east_m: float, located: float, wrong: float) -> None:
    suite = MapEvalVisual()
    (item,) = suite.load(folder(tmp_path), "fair")
    score = suite.score(item, answer(east_m))
    # Web Mercator's plane is a sphere's: at 60 degrees off by up to 0.5 % against the ellipsoid.
    assert score.values["off"] == pytest.approx(east_m / (WIDTH_PX * METRES_PER_PX), rel=0.01)
    metrics = suite.metrics([(item, score)])
    assert (metrics["pictures"], metrics["located"], metrics["located_wrong"]) == (1, located, wrong)
    assert metrics["off_median"] == metrics["off_worst"] == score.values["off"]


def test_a_picture_without_a_frame_is_not_located() -> None:
    assert location_metrics(4, (0.01, 0.2)) == {
        "pictures": 4, "located": 0.25, "located_wrong": 0.25, "off_median": pytest.approx(0.105),
        "off_worst": 0.2,
    }  # fmt: skip
    assert location_metrics(2, ())["off_median"] is None
    assert location_metrics(0, ()) == {}


def test_a_broken_frame_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"line 1: 'center\.lat'"):
        MapEvalVisual().load(folder(tmp_path, center={"lat": "north", "lng": 1}), "fair")
