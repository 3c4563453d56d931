"""What both recognizers promise: labels come back, and a place only where it can be shown."""

import asyncio
import io
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from map_tools.compute.geodesy import distance_m
from map_tools.errors import InputFileError
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng
from map_tools.vision.boxes import Box
from map_tools.vision.frame import to_plane
from map_tools.vision.pixels import WORKING_SIDE_PX, as_png
from mapagent.core.ports import RequestContext
from modules.visual_place_recognizer.module import contradictions
from modules.visual_place_recognizer.picture import Sheet, open_sheet
from modules.visual_place_recognizer.recognizer import LabelRecognizer, Recognizer, Sighting
from modules.visual_place_recognizer.vision_model import ModelRecognizer
from tests.support.chat import chat_model, completion
from tests.support.loopback import in_turn, json_reply, serving
from tests.support.maps import demo_map

pytestmark = pytest.mark.anyio

MIDDLE = LatLng(lat=60.1705, lng=24.9420)
PLANE_PER_PX = 2.39
NAMES = ("Ateneum", "Kiasma", "Finnkino Kinopalatsi", "Bio Rex", "Amos Anderson taidemuseo", "Tennispalatsi")
SIZE = (1000, 700)


class PrintedReader:
    """Reads what a picture of Helsinki's centre would say, at the pixels where it would stand."""

    def __init__(self, boxes: tuple[Box, ...]) -> None:
        self._boxes = boxes

    def read_labels(self, picture: bytes) -> tuple[Box, ...]:
        assert picture.startswith(b"\x89PNG")
        return self._boxes


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    opened = OsmProvider.from_setting(ProviderSetting(name="osm", map_path=demo_map()))
    yield opened
    asyncio.run(opened.close())


async def printed(provider: Provider) -> tuple[Box, ...]:
    """A box on the very spot of each place that the demo map has by that name."""
    boxes = []
    for name in NAMES:
        found = await provider.find_place(name, limit=1)
        location = found[0].place.location if found and found[0].score > 0.95 else None
        if location is not None:
            off = (to_plane(location) - to_plane(MIDDLE)) / PLANE_PER_PX + complex(500, 350)
            boxes.append(Box(name, off.real - 40, off.imag - 9, off.real + 40, off.imag + 9))
    return tuple(boxes)


def sheet() -> Sheet:
    image = Image.new("RGB", SIZE, "white")
    return Sheet(image, as_png(image))


async def look(kind: str, provider: Provider | None, boxes: tuple[Box, ...], reply: str) -> Sighting:
    """What the recognizer of a kind makes of the picture."""
    labels = (
        await LabelRecognizer(lambda: PrintedReader(boxes)).recognize(sheet(), None, RequestContext())
    ).labels
    with serving(in_turn(json_reply(completion(reply)))) as server:
        model = ModelRecognizer(chat_model(f"{server.url}/v1"))
        chosen: Recognizer = LabelRecognizer(lambda: PrintedReader(boxes)) if kind == "labels" else model
        sighting = await chosen.recognize(sheet(), provider, RequestContext(), labels=labels)
        await model.close()
    return sighting


@pytest.mark.parametrize("kind", ["labels", "model"])
async def test_a_picture_that_can_be_placed(kind: str, provider: Provider) -> None:
    boxes = await printed(provider)
    assert len(boxes) >= 4
    sighting = await look(kind, provider, boxes, "Ateneum, Helsinki 900 m")
    assert sighting.center is not None, sighting.reason
    assert sighting.radius_m is not None
    assert distance_m(sighting.center, MIDDLE) < sighting.radius_m
    assert [label.text for label in sighting.labels] == [
        box.text for box in sorted(boxes, key=lambda b: b.y0)
    ]
    assert sighting.reason == ""


@pytest.mark.parametrize("kind", ["labels", "model"])
async def test_a_picture_of_elsewhere_is_not_placed(kind: str, provider: Provider) -> None:
    boxes = tuple(Box(f"Qwxz Vrtl {i}", 60, 60 * i, 160, 60 * i + 18) for i in range(1, 8))
    sighting = await look(kind, provider, boxes, "Ateneum, Helsinki 900 m")
    assert (sighting.center, sighting.radius_m, sighting.located) == (None, None, None)
    assert sighting.reason


@pytest.mark.parametrize("kind", ["labels", "model"])
async def test_without_a_map_there_is_a_reason(kind: str, provider: Provider) -> None:
    sighting = await look(kind, None, await printed(provider), "Ateneum, Helsinki 900 m")
    assert sighting.center is None
    assert "no map" in sighting.reason


def test_recognizers_that_disagree_are_told() -> None:
    here = Sighting(center=MIDDLE, radius_m=600)
    near = Sighting(center=LatLng(lat=60.172, lng=24.94), radius_m=500, named="Kiasma")
    far = Sighting(center=LatLng(lat=60.30, lng=24.94), radius_m=500, named="Airport")
    assert list(contradictions([here, near])) == []
    (said,) = contradictions([here, far])
    # 0.1295 degrees of latitude are 14.4 km (111.4 km a degree at 60 degrees north).
    assert said.startswith("The recognizers disagree: Airport is 144")
    assert list(contradictions([here, Sighting(reason="unknown")])) == []


def saved(path: Path, image: Any, kind: str, **more: Any) -> Path:
    image.save(path, kind, **more)
    return path


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        ("CMYK", "JPEG"),
        ("I;16", "PNG"),
        ("RGBA", "PNG"),
        ("P", "GIF"),
        ("1", "TIFF"),
        ("L", "WEBP"),
        ("LA", "PNG"),
    ],
)
def test_every_make_becomes_one_form(tmp_path: Path, mode: str, kind: str) -> None:
    path = saved(tmp_path / "map", Image.new(mode, (60, 40)), kind)
    sheet = open_sheet(path)
    assert (sheet.image.mode, sheet.width_px, sheet.height_px) == ("RGB", 60, 40)
    with Image.open(io.BytesIO(sheet.png)) as again:
        assert (again.format, again.mode, again.size) == ("PNG", "RGB", (60, 40))


def test_an_animation_is_its_first_picture_and_a_wide_one_is_shrunk(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (20, 20), color) for color in ("red", "blue")]
    moving = saved(tmp_path / "a.gif", frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert open_sheet(moving).image.getpixel((1, 1)) == (255, 0, 0)
    wide = saved(tmp_path / "w.png", Image.new("L", (2 * WORKING_SIDE_PX, 100)), "PNG")
    assert open_sheet(wide).width_px == WORKING_SIDE_PX


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"no picture", "is not a picture"), (b"\x89PNG\r\n\x1a\n", "picture"), (b"", "is not a picture")],
)
def test_what_is_unusable_is_told(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "map.png"
    path.write_bytes(content)
    with pytest.raises(InputFileError, match=words):
        open_sheet(path)


def test_a_picture_too_large_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = saved(tmp_path / "huge.png", Image.new("1", (8_000, 8_000)), "PNG")
    with pytest.raises(InputFileError, match="million pixels"):
        open_sheet(path)


def test_thirty_thousand_pixels_square_cost_nothing(tmp_path: Path) -> None:
    """A file of 57 bytes that declares 900 million pixels (PNG, W3C 2003, section 11.2.2)."""
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", b""), (b"IEND", b"")
    path = tmp_path / "bomb.png"
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in chunks
        )
    )
    with pytest.raises(InputFileError, match="million pixels"):
        open_sheet(path)


def test_a_picture_cut_short_is_told(tmp_path: Path) -> None:
    path = saved(tmp_path / "map.png", Image.effect_noise((300, 200), 40), "PNG")
    path.write_bytes(path.read_bytes()[:4_000])
    with pytest.raises(InputFileError):
        open_sheet(path)


def test_exif_turns_are_applied(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter (Exif 2.32, tag Orientation)
    path = tmp_path / "turned.jpg"
    Image.new("RGB", (60, 40)).save(path, exif=exif)
    assert (open_sheet(path).width_px, open_sheet(path).height_px) == (40, 60)
