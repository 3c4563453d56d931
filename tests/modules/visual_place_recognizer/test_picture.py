"""Pictures that are awkward or unusable, as the recognizers get them."""

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from map_tools.errors import InputFileError
from map_tools.vision.pixels import WORKING_SIDE_PX
from modules.visual_place_recognizer.picture import open_sheet


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
