"""How well generated pictures are located, measured against their frames."""

import json
from pathlib import Path

import pytest
from PIL import Image
from pyproj import Geod

from evals.suites.mapeval_visual import MapEvalVisual, location_metrics
from map_tools.errors import InputFileError
from map_tools.facts import PictureFact, PictureFrame
from map_tools.types import LatLng
from mapagent.answer import Answer, Status
from tests.support.evidence import evidence

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
