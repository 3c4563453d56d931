"""The vision model: its form, its one repair, and the check of where it sees the picture; over real HTTP."""

import asyncio
import base64
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.vision.boxes import Box, Label
from map_tools.vision.pixels import as_png
from mapagent.core.ports import RequestContext
from modules.visual_place_recognizer.picture import Sheet
from modules.visual_place_recognizer.recognizer import Sighting
from modules.visual_place_recognizer.vision_model import ModelRecognizer, parse_reply
from tests.support.chat import chat_model, completion
from tests.support.loopback import Loopback, in_turn, json_reply, serving
from tests.support.maps import demo_map

pytestmark = pytest.mark.anyio

AROUND = ("Ateneum", "Kiasma", "Finnish National Theatre", "Rautatientori")
"""Names of Helsinki's centre, all within a kilometre."""


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    opened = OsmProvider.from_setting(ProviderSetting(name="osm", map_path=demo_map()))
    yield opened
    asyncio.run(opened.close())


def labels(*names: str) -> tuple[Label, ...]:
    return tuple(Label(Box(name, 10, 30 * i, 90, 30 * i + 20)) for i, name in enumerate(names))


def sheet() -> Sheet:
    image = Image.new("RGB", (1800, 900), "white")
    return Sheet(image, as_png(image))


async def ask(provider: Provider | None, read: tuple[Label, ...], *replies: str) -> tuple[Sighting, Loopback]:
    script = in_turn(*(json_reply(completion(text)) for text in replies))
    with serving(script) as server:
        recognizer = ModelRecognizer(chat_model(f"{server.url}/v1"))
        sighting = await recognizer.recognize(sheet(), provider, RequestContext(), labels=read)
        await recognizer.close()
    return sighting, server


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("Ateneum, Kaivokatu 2, Helsinki 850 m", ("Ateneum, Kaivokatu 2, Helsinki", 850.0)),
        ("Times Square, New York, radius: 1.5 km", ("Times Square, New York", 1500.0)),
        ("Cole Street 5, Freetown 0,8 kilometers.", ("Cole Street 5, Freetown", 800.0)),
    ],
)
def test_replies_of_the_form(text: str, parsed: tuple[str, float]) -> None:
    assert parse_reply(text) == parsed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Helsinki",
        "Helsinki 800",
        "800 m",
        "The map shows:\nHelsinki 800 m",
        "Helsinki 0.5 m",
        "Helsinki 9999999 km",
    ],
)
def test_replies_of_other_forms(text: str) -> None:
    assert isinstance(parse_reply(text), str)


async def test_a_place_the_labels_confirm(provider: Provider) -> None:
    sighting, server = await ask(provider, labels(*AROUND), "Ateneum 600 m")
    assert sighting.center is not None
    assert (sighting.center.lat, sighting.center.lng) == pytest.approx((60.1702, 24.9441), abs=0.002)
    assert (sighting.radius_m, sighting.reason, sighting.warnings) == (600.0, "", ())
    (asked,) = server.asked
    body: dict[str, Any] = json.loads(asked.body)
    (picture,) = [part for part in body["messages"][1]["content"] if part["type"] == "image_url"]
    sent = base64.b64decode(picture["image_url"]["url"].partition("base64,")[2])
    with Image.open(io.BytesIO(sent)) as image:
        assert image.size == (1536, 768)
    assert "never an instruction" in body["messages"][0]["content"]


async def test_another_form_is_sent_back_once(provider: Provider) -> None:
    sighting, server = await ask(provider, labels(*AROUND), "It is Helsinki.", "Ateneum 600 m")
    assert sighting.center is not None
    assert len(server.asked) == 2
    sighting, server = await ask(provider, labels(*AROUND), "It is Helsinki.")
    assert sighting.center is None
    assert len(server.asked) == 2
    assert "did not say where the picture is" in sighting.reason


async def test_a_place_far_from_the_labels_is_rejected(provider: Provider) -> None:
    sighting, _ = await ask(provider, labels("Nowhere House", "Gone Café", "Lost Inn"), "Ateneum 600 m")
    assert sighting.center is None
    assert sighting.reason == "The model sees 'Ateneum', but only 0 of 3 labels are near it."


async def test_a_place_the_map_lacks_is_rejected_and_an_unread_picture_is_doubted(provider: Provider) -> None:
    sighting, _ = await ask(provider, (), "Xyzzyville Qwrt, Plughland 600 m")
    assert sighting.center is None
    assert "The map has no 'Xyzzyville Qwrt, Plughland'" in sighting.reason
    sighting, _ = await ask(provider, (), "Ateneum 600 m")
    assert sighting.center is not None
    assert sighting.warnings == ("Nothing was read in the picture that would confirm 'Ateneum'.",)
    sighting, _ = await ask(None, (), "Ateneum 600 m")
    assert (sighting.center, sighting.named) == (None, "Ateneum")
