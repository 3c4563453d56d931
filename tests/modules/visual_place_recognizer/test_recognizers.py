"""What both recognizers promise: labels come back, and a place only where it can be shown."""

import asyncio
from collections.abc import Iterator

import pytest
from PIL import Image

from map_tools.compute.geodesy import distance_m
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng
from map_tools.vision.boxes import Box
from map_tools.vision.frame import to_plane
from map_tools.vision.pixels import as_png
from mapagent.core.ports import RequestContext
from modules.visual_place_recognizer.module import contradictions
from modules.visual_place_recognizer.picture import Sheet
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
