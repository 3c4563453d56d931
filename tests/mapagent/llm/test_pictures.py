"""Pictures on their way to a model: small, upright, and without what the camera wrote into them."""

import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from map_tools.errors import InputFileError, UsageError
from mapagent.llm.chat import ChatMessage
from mapagent.llm.pictures import data_url, picture_for_model
from mapagent.llm.request import ChatRequest

ORIENTATION, GPS, MAKER = 0x0112, 0x8825, 0x010F


def _opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


def test_a_large_photograph_becomes_small_upright_and_bare(tmp_path: Path) -> None:
    photograph = Image.new("RGB", (4000, 1000), (0, 0, 255))
    exif = Image.Exif()
    exif[ORIENTATION] = 6  # held upright: to be turned by 90 degrees
    exif[MAKER] = "Secret Camera Works"
    photograph.save(tmp_path / "photo.jpg", exif=exif, comment=b"at home")
    content = picture_for_model(tmp_path / "photo.jpg")
    with _opened(content) as picture:
        assert (picture.format, picture.size) == ("PNG", (384, 1536))
        assert not picture.getexif()
        assert not picture.info
    assert b"Secret" not in content
    assert b"at home" not in content


def test_a_small_picture_keeps_its_size(tmp_path: Path) -> None:
    Image.new("P", (40, 30), 3).save(tmp_path / "map.gif")
    with _opened(picture_for_model(tmp_path / "map.gif")) as picture:
        assert picture.size == (40, 30)


def test_what_is_no_picture_is_refused(tmp_path: Path) -> None:
    (tmp_path / "map.png").write_text("no picture")
    with pytest.raises(InputFileError, match=r"is not a picture"):
        picture_for_model(tmp_path / "map.png")


@pytest.mark.parametrize(("format_", "kind"), [("PNG", "image/png"), ("JPEG", "image/jpeg")])
def test_the_url_holds_the_picture(format_: str, kind: str) -> None:
    stream = io.BytesIO()
    Image.new("RGB", (8, 8)).save(stream, format=format_)
    head, _, data = data_url(stream.getvalue()).partition(",")
    assert head == f"data:{kind};base64"
    assert base64.b64decode(data) == stream.getvalue()


def test_other_bytes_are_refused() -> None:
    with pytest.raises(UsageError, match=r"neither PNG nor JPEG"):
        data_url(b"GIF89a")


def test_a_message_with_a_picture_has_parts() -> None:
    """https://platform.openai.com/docs/guides/images-vision"""
    png = b"\x89PNG\r\n\x1a\n"
    body = ChatRequest("m", (ChatMessage(role="user", text="What?", images=(png,)),)).body()
    (image, text) = body["messages"][0]["content"]
    assert image == {"type": "image_url", "image_url": {"url": data_url(png)}}
    assert text == {"type": "text", "text": "What?"}
