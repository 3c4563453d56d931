"""Pictures as they stand in messages to a model."""

import base64
import io

import pytest
from PIL import Image

from map_tools.errors import UsageError
from mapagent.llm.chat import ChatMessage
from mapagent.llm.request import ChatRequest, data_url


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
