"""Pictures of any make in one form."""

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from map_tools.vision.pixels import WORKING_SIDE_PX, as_png, as_rgb, shrunk

ORIENTATION = 0x0112


def stored(image: Any, kind: str, **more: Any) -> Any:
    """The image as it comes back from a file."""
    stream = io.BytesIO()
    image.save(stream, kind, **more)
    return Image.open(io.BytesIO(stream.getvalue()))


@pytest.mark.parametrize(
    ("mode", "color", "kind", "expected"),
    [
        ("CMYK", (0, 255, 255, 0), "JPEG", (255, 0, 0)),
        ("RGBA", (0, 0, 0, 0), "PNG", (255, 255, 255)),
        ("RGBA", (200, 0, 0, 255), "PNG", (200, 0, 0)),
        ("LA", (0, 0), "PNG", (255, 255, 255)),
        ("L", 77, "PNG", (77, 77, 77)),
        ("1", 1, "PNG", (255, 255, 255)),
        ("P", 0, "GIF", None),
    ],
)
def test_modes(mode: str, color: Any, kind: str, expected: tuple[int, int, int] | None) -> None:
    with stored(Image.new(mode, (8, 8), color), kind) as image:
        rgb = as_rgb(image)
    assert rgb.mode == "RGB"
    if expected:
        assert rgb.getpixel((4, 4)) == pytest.approx(expected, abs=3)


def test_sixteen_bits_are_scaled_not_cut_off() -> None:
    values = np.linspace(0, 65535, 64, dtype=np.uint16).reshape(8, 8)
    with stored(Image.fromarray(values), "PNG") as image:
        rgb = np.asarray(as_rgb(image))[:, :, 0]
    assert (rgb[0, 0], rgb[7, 7]) == (0, 255)
    assert rgb[4, 0] == pytest.approx(65535 * 32 / 63 / 257, abs=1)


def test_exif_turns_and_animations_show_their_first_picture() -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    with stored(Image.new("RGB", (40, 10)), "JPEG", exif=exif) as image:
        assert as_rgb(image).size == (10, 40)
    frames = [Image.new("RGB", (8, 8), color) for color in ("red", "blue")]
    with stored(frames[0], "GIF", save_all=True, append_images=frames[1:]) as image:
        assert as_rgb(image).getpixel((1, 1)) == (255, 0, 0)


def test_large_ones_are_shrunk_and_png_is_bare() -> None:
    big = shrunk(Image.new("RGB", (3 * WORKING_SIDE_PX, 300)))
    assert big.size == (WORKING_SIDE_PX, 100)
    assert as_png(big).startswith(b"\x89PNG")
    small = Image.new("RGB", (10, 10))
    assert shrunk(small) is small
