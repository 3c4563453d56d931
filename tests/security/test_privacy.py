"""Caches, recordings and what is remembered of questions are their owner's alone; so should keys be.

What a picture says beside its pixels stays here: a model's server gets none of it.
"""

import asyncio
import io
import logging
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from map_tools.clock import FrozenClock
from map_tools.vision.pixels import as_png, shrunk
from map_tools.wire.policy import Retention, WirePolicy
from map_tools.wire.recording import Recorder
from map_tools.wire.request import WireRequest
from map_tools.wire.wire import Wire
from mapagent.core.ports import RequestContext
from mapagent.interfaces.http.history import History
from mapagent.llm.profile import ProfileStore, ServerProfile
from mapagent.llm.request import SHOWN_SIDE_PX
from mapagent.runtime.config import load_settings
from modules.visual_place_recognizer.picture import open_sheet
from tests.support.chat import chat_model, completion, user
from tests.support.loopback import in_turn, json_reply, serving

WHOSE = "Jane Doe at home"
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
NOON = datetime(2030, 5, 4, 12, tzinfo=UTC)
ATLAS = WirePolicy(name="atlas", requests_per_s=50, across_processes=True, keep=Retention.for_ever())


@pytest.fixture(autouse=True)
def _careless() -> Iterator[None]:
    """A user whose new files may be read by everybody unless a program takes care."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def assert_private(folder: Path) -> None:
    """The folder, and all in it, can be looked into by the owner alone."""
    found = [folder, *folder.rglob("*")]
    assert len(found) > 1
    assert {path: oct(path.stat().st_mode & 0o077) for path in found if path.stat().st_mode & 0o077} == {}


def test_replies_of_services_and_the_throttle(tmp_path: Path) -> None:
    async def ask(url: str) -> None:
        wire = Wire(ATLAS, folder=tmp_path / "wire")
        await wire.send(WireRequest(url=url))
        await wire.close()

    with serving(in_turn(json_reply({}))) as server:
        asyncio.run(ask(server.url))
    assert_private(tmp_path / "wire")


def test_replies_and_profiles_of_models(tmp_path: Path) -> None:
    folder = tmp_path / "models"

    async def ask(url: str) -> None:
        model = chat_model(f"{url}/v1", folder=folder)
        await model.complete(user("Hello?"), request_context=RequestContext(), label="test")
        await model.close()

    with serving(in_turn(json_reply(completion("Hello.")))) as server:
        asyncio.run(ask(server.url))
    ProfileStore(folder / "profiles").save(ServerProfile(base_url="x", model="y", found_at=NOON))
    assert_private(folder)


def test_recordings(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("an older one that everybody could read")
    recorder = Recorder(path, clock=FrozenClock(NOON))
    during = [found.stat().st_mode & 0o777 for found in tmp_path.iterdir() if found != path]
    recorder.close()
    assert during == [0o600]
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_the_web_page_remembers(tmp_path: Path) -> None:
    history = History(tmp_path / "state", keep=5)
    assert_private(tmp_path / "state")
    asyncio.run(history.close())


@pytest.mark.parametrize(("mode", "told"), [(0o600, False), (0o400, False), (0o640, True), (0o604, True)])
def test_a_key_file_that_others_can_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: int, told: bool
) -> None:
    key, config = tmp_path / "key", tmp_path / "settings.toml"
    key.write_text("sk-marker-77\n")
    key.chmod(mode)
    config.write_text(f'api_key_file = "{key}"\n')
    with caplog.at_level(logging.WARNING):
        loaded = load_settings(config=config, environ={})
    assert loaded.settings.api_key is not None
    assert (f"The key file {key} can be read by others" in caplog.text) is told
    assert "sk-marker-77" not in caplog.text


MAKER, GPS = 0x010F, 0x8825
"""Tags of EXIF 2.32: Make, and the pointer to the position."""


def photograph(path: Path) -> None:
    exif = Image.Exif()
    exif[MAKER] = WHOSE
    exif.get_ifd(GPS)[1] = "N"
    image = Image.new("RGB", (2400, 60), "green")
    image.save(path, "JPEG", exif=exif, comment=WHOSE.encode(), icc_profile=PROFILE, dpi=(300, 300))


def screenshot(path: Path) -> None:
    words = PngInfo()
    words.add_text("Author", WHOSE)
    words.add_itxt("XML:com.adobe.xmp", WHOSE)
    Image.new("RGBA", (300, 60), "green").save(path, "PNG", pnginfo=words, icc_profile=PROFILE)


@pytest.mark.parametrize("make", [photograph, screenshot])
def test_nothing_but_pixels_is_left(make: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "picture"
    make(path)
    sheet = open_sheet(path)
    for content in (sheet.png, as_png(shrunk(sheet.image, SHOWN_SIDE_PX))):
        assert WHOSE.encode() not in content
        with Image.open(io.BytesIO(content)) as picture:
            assert not picture.info
            assert not picture.getexif()
