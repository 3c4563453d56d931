"""Pictures: refused where they cannot be used, and never ignored in silence where they can."""

import io
import json
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from mapagent.core.question import MAX_BYTES, MAX_PIXELS, check_image
from tests.support.cli import CommandLine, Ran

QUESTION = "Where is Ateneum?"

pytestmark = pytest.mark.usefixtures("untouched")


def png(width: int, height: int) -> bytes:
    """A picture of one colour."""
    stream = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(stream, "PNG")
    return stream.getvalue()


def bomb(side: int) -> bytes:
    """The head of a PNG that promises side × side pixels and holds none (PNG specification, section 11.2)."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        checked = kind + content
        return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(b"")), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def ask(mapagent: CommandLine, path: Path, *more: str) -> Ran:
    return mapagent("ask", QUESTION, "--image", path, *more)


def test_missing(mapagent: CommandLine, tmp_path: Path) -> None:
    ran = ask(mapagent, tmp_path / "none.png")
    assert (ran.code, ran.out) == (2, "")
    assert f"There is no picture '{tmp_path / 'none.png'}'. Give the path of a picture file." in ran.err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not a picture. Give one of PNG, JPEG"),
        (b"just text", "is not a picture"),
        (b"%PDF-1.7\n", "is not a picture"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "is not a picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is not a picture"),
        (png(300, 300)[:-300], "is damaged or cannot be read"),
        (bomb(20_000), "has more than 50 million pixels. Save it smaller."),
        (bomb(9_600), "has more than 50 million pixels"),
        (bomb(7_000), "is damaged or cannot be read"),
        (png(1, 300_000), "is a strip of 1 x 300000 pixels. Cut it"),
        (png(31_000, 1_000), "is a strip of 31000 x 1000 pixels"),
        (png(81, 1), "is a strip of 81 x 1 pixels"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * MAX_BYTES, "is larger than 20 MB. Save it smaller."),
    ],
    ids=[
        "empty",
        "text",
        "pdf",
        "postscript",
        "svg",
        "cut",
        "bomb",
        "near-bomb",
        "hollow",
        "needle",
        "ribbon",
        "strip",
        "large",
    ],
)
def test_unusable(mapagent: CommandLine, tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "map.png"
    path.write_bytes(content)
    for more in ((), ("--json",), ("--context", str(path))):
        ran = ask(mapagent, path, *more)
        assert (ran.code, ran.out) == (2, "")
        assert "Traceback" not in ran.err
    ran = ask(mapagent, path)
    assert str(path) in ran.err
    assert words in ran.err


@pytest.mark.parametrize("path", ["/dev/zero", "/"])
def test_what_is_no_file(mapagent: CommandLine, path: str) -> None:
    ran = ask(mapagent, Path(path))
    assert ran.code == 2
    assert "There is no picture" in ran.err


def test_a_good_picture_is_not_ignored(mapagent: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "map.png"
    path.write_bytes(png(320, 200))
    ran = mapagent(
        "ask",
        "Which of these can be seen on the map?",
        "-o",
        "Kiasma",
        "-o",
        "Zoo",
        "--image",
        path,
        "--json",
    )
    answer = json.loads(ran.out)
    assert ran.code == 0
    # a failure where no labels can be read
    assert {"picture", "failure"} & {item["kind"] for item in answer["evidence"]}
    assert answer["option"] is None, "a blank picture shows neither"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_usual_formats_pass(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "map"
    Image.new("RGB", (64, 48), "white").save(path, kind)
    picture = check_image(path)
    assert (picture.format, picture.width_px, picture.height_px) == (kind, 64, 48)
    assert picture.width_px * picture.height_px < MAX_PIXELS
