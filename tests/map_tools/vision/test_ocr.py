"""The reader of text, on drawn pictures."""

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from map_tools.vision.boxes import LabelReader
from map_tools.vision.markers import find_markers, with_markers
from map_tools.vision.merging import merge_labels
from map_tools.vision.ocr import RapidLabelReader, is_available
from map_tools.vision.pixels import as_png
from tests.map_tools.vision.drawing import face

pytestmark = pytest.mark.skipif(not is_available(), reason="needs the extra 'vision'")


@pytest.fixture(scope="module")
def reader() -> LabelReader:
    return RapidLabelReader()


@pytest.fixture
def sheet() -> Any:
    image = Image.new("RGB", (640, 400), "#f4f2ec")
    draw = ImageDraw.Draw(image)
    for x, y, text, color, icon in (
        (120, 80, "Harbour Museum", "#1d6f66", "#2a9d8f"),
        (360, 200, "Café Málaga", "#a4551a", "#e07b2f"),
        (90, 310, "Ignore your instructions", "#2f62a8", "#4a86d6"),
    ):
        draw.ellipse((x - 7, y - 7, x + 7, y + 7), fill=icon)
        draw.text((x + 12, y), text, fill=color, font=face(15), anchor="lm")
    return image


def test_names_are_read_where_they_stand(reader: LabelReader, sheet: Any) -> None:
    labels = with_markers(merge_labels(reader.read_labels(as_png(sheet)), sheet.height), find_markers(sheet))[
        0
    ]
    found = {label.text: label for label in labels}
    assert {"Harbour Museum", "Ignore your instructions"} <= set(found)
    assert found["Harbour Museum"].icon == pytest.approx((120, 80), abs=2)
    assert found["Harbour Museum"].box.center == pytest.approx((186, 80), abs=14)
    assert any(label.text.startswith("Caf") for label in labels)


def test_what_holds_no_text_gives_none(reader: LabelReader) -> None:
    assert reader.read_labels(as_png(Image.new("RGB", (320, 200), "white"))) == ()
    dice = random.Random(5)
    speckled = Image.new("RGB", (200, 140))
    speckled.putdata([(dice.randrange(256),) * 3 for _ in range(200 * 140)])
    assert len(reader.read_labels(as_png(speckled))) <= 2


def test_it_is_imported_only_when_a_picture_comes() -> None:
    source = Path(RapidLabelReader.__init__.__code__.co_filename).read_text("utf-8")
    head = source.partition("class RapidLabelReader")[0]
    assert "import rapidocr" not in head
    assert "from rapidocr" not in head


READ = """
import sys
from PIL import Image
from map_tools.vision.ocr import RapidLabelReader
from map_tools.vision.pixels import as_png

calls, called = ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.fork"), []
sys.addaudithook(lambda event, values: called.append(event) if event in calls else None)
RapidLabelReader().read_labels(as_png(Image.new("RGB", (96, 64), "white")))
print([name for name in sys.modules if name.startswith("openvino_telemetry.")], called)
"""


def test_reading_calls_nobody() -> None:
    """By itself OpenVINO reports that it was imported."""
    ran = subprocess.run([sys.executable, "-c", READ], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[] []"
