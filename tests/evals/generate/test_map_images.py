"""Generated pictures: exact frames, questions with true answers, one form with the suite."""

import json
from argparse import ArgumentError, ArgumentParser
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pyproj import Geod, Transformer

from evals.generate.cli import _configure_map_images
from evals.generate.map_images.generator import FAMILIES, generate, words
from evals.generate.map_images.labelling import in_lines
from evals.generate.map_images.scene import Frame
from evals.generate.map_images.style import Variety, load_style, style_names
from evals.suites.mapeval_visual import MapEvalVisual
from map_tools.errors import InputFileError, UsageError
from tests.map_tools.vision.drawing import face
from tests.support.data import shared
from tests.support.maps import demo_map

PROJ = Transformer.from_crs("EPSG:4326", "EPSG:3857", always_xy=True)
WORLD_M = 2 * 20037508.342789244
"""Width of EPSG:3857's square (https://epsg.io/3857)."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    face(10)
    out = tmp_path_factory.mktemp("generated") / "a"
    generate(demo_map(), 3, 5, out)
    return out


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_frames_are_web_mercator() -> None:
    frame = Frame(60.17, 24.94, 16, 1000, 600)
    per_px = WORLD_M / (256 * 2**16)
    x0, y0 = PROJ.transform(24.94, 60.17)
    for lat, lng in ((60.172, 24.93), (60.165, 24.951)):
        x, y = PROJ.transform(lng, lat)
        expected = (500 + (x - x0) / per_px, 300 - (y - y0) / per_px)
        assert frame.to_px(lat, lng) == pytest.approx(expected, abs=1e-3)
        assert frame.to_latlng(*expected) == pytest.approx((lat, lng), abs=1e-8)
    west, south, east, north = frame.bbox
    _, _, wide_m = Geod(ellps="WGS84").inv(west, 60.17, east, 60.17)
    assert 1000 * frame.metres_per_px == pytest.approx(wide_m, rel=0.005)
    assert south < 60.17 < north


def test_equal_seeds_make_equal_folders(folder: Path, tmp_path: Path) -> None:
    generate(demo_map(), 3, 5, tmp_path / "b")
    for name in ("frames.jsonl", "dev.jsonl", "truth.jsonl", "images/0002.png"):
        assert (folder / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_labels_stand_where_their_places_are(folder: Path) -> None:
    for record in lines(folder / "frames.jsonl"):
        with Image.open(folder / record["image"]) as image:
            assert image.size == (record["width_px"], record["height_px"])
            pixels = image.convert("RGB")
        box = record["bbox"]
        x0, y1 = PROJ.transform(box["west"], box["north"])
        x1, _ = PROJ.transform(box["east"], box["south"])
        per_px = (x1 - x0) / record["width_px"]
        pois = [label for label in record["labels"] if label["kind"] == "poi"]
        assert len(pois) >= 6
        for label in pois:
            x, y = PROJ.transform(label["point"]["lng"], label["point"]["lat"])
            assert label["anchor_px"] == pytest.approx([(x - x0) / per_px, (y1 - y) / per_px], abs=0.1)
            red, green, blue = pixels.getpixel(tuple(map(round, label["anchor_px"])))
            assert max(red, green, blue) - min(red, green, blue) > 15  # the icon is there, in its colour
        rects = [label["rect_px"] for label in record["labels"]]
        for i, (left, top, right, bottom) in enumerate(rects):
            for other in rects[i + 1 :]:
                assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


def test_answers_are_true_in_the_frame(folder: Path) -> None:
    frames = {record["image"]: record for record in lines(folder / "frames.jsonl")}
    families = {record["id"]: record["family"] for record in lines(folder / "truth.jsonl")}
    for record in lines(folder / "dev.jsonl"):
        frame = frames[record["image"]]
        spots = {label["text"]: label["anchor_px"] for label in frame["labels"]}
        right, options = record["answer_text"], record["options"]
        assert len(set(options)) == 4
        assert right is None or options["ABCD".index(record["answer"])] == right
        if families[record["id"]] == "half":
            middle = (frame["width_px"] / 2, frame["height_px"] / 2)
            side = next(word for word in ("left", "right", "upper", "lower") if word in record["question"])
            axis, sign = {"left": (0, -1), "right": (0, 1), "upper": (1, -1), "lower": (1, 1)}[side]
            for option in options:
                assert (sign * (spots[option][axis] - middle[axis]) > 0) == (option == right)
        elif families[record["id"]] == "nowhere":
            assert right is None


@pytest.fixture(scope="module")
def varied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    face(10)
    out = tmp_path_factory.mktemp("varied") / "a"
    variety = Variety(
        styles=("night", "drops"), zooms=(16.5,), sizes_px=((700, 500),),
        turn_deg=30.0, cut_px=24, noise=6.0, jpeg=70,
    )  # fmt: skip
    generate(demo_map(), 2, 3, out, variety)
    return out


def test_turned_frames_are_web_mercator_turned_about_the_middle() -> None:
    straight, turned = (Frame(60.17, 24.94, 16, 1000, 600, turn_deg=turn) for turn in (0.0, 90.0))
    x, y = straight.to_px(60.172, 24.93)
    # A quarter clockwise: what was to the left of the middle is above it, what was above it is to the right.
    expected = (500 - (y - 300), 300 + (x - 500))
    assert turned.to_px(60.172, 24.93) == pytest.approx(expected, abs=1e-6)
    assert turned.to_latlng(*expected) == pytest.approx((60.172, 24.93), abs=1e-9)
    west, south, east, north = turned.bbox
    assert (east - west) < (straight.bbox[2] - straight.bbox[0])
    assert (north - south) > (straight.bbox[3] - straight.bbox[1])


def test_varied_pictures_have_exact_frames_too(varied: Path) -> None:
    for record in lines(varied / "frames.jsonl"):
        assert (record["zoom"], record["width_px"], record["height_px"]) == (16.5, 700, 500)
        assert 0 < abs(record["turn_deg"]) <= 30
        turn = complex(cos(radians(record["turn_deg"])), sin(radians(record["turn_deg"])))
        x0, y0 = PROJ.transform(record["center"]["lng"], record["center"]["lat"])
        per_px = WORLD_M / (256 * 2**16.5)
        with Image.open(varied / record["image"]) as image:
            assert image.size == (700, 500)
        for label in record["labels"]:
            left, top, right, bottom = label["rect_px"]
            assert min(left, top) >= 0
            assert right <= 700
            assert bottom <= 500
            if label["kind"] == "poi":
                x, y = PROJ.transform(label["point"]["lng"], label["point"]["lat"])
                spot = complex((x - x0) / per_px, (y0 - y) / per_px) * turn
                assert label["anchor_px"] == pytest.approx([350 + spot.real, 250 + spot.imag], abs=0.1)


def test_styles_differ_and_unknown_ones_are_told(tmp_path: Path) -> None:
    day, night = (load_style(name) for name in ("day", "night"))
    assert int(day.background[1:], 16) > 0xC00000 > int(night.background[1:], 16)
    assert load_style("drops").lift_px > 0 == day.lift_px
    assert set(style_names()) == {"day", "night", "drops"}
    with pytest.raises(UsageError, match="no style 'sepia'"):
        generate(demo_map(), 1, 5, tmp_path / "x", Variety(styles=("sepia",)))


@pytest.mark.parametrize(
    "arguments",
    [("--zoom", "25"), ("--size", "100x100"), ("--jpeg", "0"), ("--noise", "-1"), ("--cut", "999")],
)
def test_switches_have_limits(arguments: tuple[str, str]) -> None:
    parser = ArgumentParser(exit_on_error=False)
    _configure_map_images(parser)
    with pytest.raises(ArgumentError, match="is not between"):
        parser.parse_args(["--map", "m", "--out", "o", *arguments])


def test_every_family_has_wordings_with_its_slots_only() -> None:
    assert set(words()["wordings"]) == set(FAMILIES)


def test_long_names_are_set_in_two_lines() -> None:
    assert in_lines("National Maritime Museum") == ("National", "Maritime Museum")
    assert in_lines("Café Málaga") == ("Café Málaga",)


def test_nothing_is_overwritten(folder: Path) -> None:
    with pytest.raises(UsageError, match="is not empty"):
        generate(demo_map(), 1, 5, folder)


def test_the_suite_reads_what_was_generated(folder: Path) -> None:
    items = MapEvalVisual().load(folder, "fair")
    assert len(items) == len(lines(folder / "dev.jsonl"))
    assert {item.answerable for item in items} <= {True, False}
    assert all(item.task.question.image is not None for item in items)


def test_the_suite_reads_the_benchmark() -> None:
    items = MapEvalVisual().load(shared("mapeval_visual"), "fair")
    by_category = {name: sum(item.category == name for item in items) for name in {i.category for i in items}}
    # The counts of the data's own README.
    assert by_category == {"counting": 44, "nearby": 45, "poi": 61, "routing": 40, "unanswerable": 10}
    assert sum(not item.answerable for item in items) == 10
    assert all(item.task.may_refuse for item in items)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"image": "none.png"}, r"line 1 \(id 1\): there is no picture none.png"),
        ({"answer": "Z"}, r"line 1 \(id 1\): the answer 'Z' is none of the options"),
        ({"options": "A"}, r"line 1 \(id 1\): options"),
    ],
)
def test_broken_records_are_told_with_their_line(tmp_path: Path, record: dict[str, Any], words: str) -> None:
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    whole = {
        "id": "1",
        "image": "a.png",
        "question": "What?",
        "options": ["x", "y"],
        "answer": "A",
        "category": "poi",
    }
    (tmp_path / "dev.jsonl").write_text(json.dumps(whole | record) + "\n", "utf-8")
    with pytest.raises(InputFileError, match=words):
        MapEvalVisual().load(tmp_path, "fair")
