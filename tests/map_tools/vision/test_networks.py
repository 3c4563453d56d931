"""The networks behind the reader of text."""

import subprocess
import sys

import pytest

from map_tools.vision.ocr import is_available

pytestmark = pytest.mark.skipif(not is_available(), reason="needs the extra 'vision'")

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
