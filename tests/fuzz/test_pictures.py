"""Pictures with damages: refused with a reason, or decoded; never anything else."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from PIL.ExifTags import Base

from map_tools.errors import InputFileError
from mapagent.core.question import FORMATS, MAX_PIXELS, check_image
from modules.visual_place_recognizer.picture import open_sheet
from tests.fuzz.damage import assert_told, damaged
from tests.support.effort import effort

PNG = b"\x89PNG\r\n\x1a\n"
MUCH = 10**6
"""Pixels that take long to be brought into form."""


def drawn(form: str) -> bytes:
    """A small picture with some content, in this format."""
    image = Image.new("RGB", (40, 30), "white")
    for x in range(40):
        image.putpixel((x, x * 29 // 39), (x * 6, 255 - x * 6, 128))
    turned = Image.Exif()
    turned[Base.Orientation] = 6
    stream = io.BytesIO()
    image.save(stream, form, **({} if form in {"BMP", "GIF"} else {"exif": turned}))
    return stream.getvalue()


@pytest.mark.parametrize("form", FORMATS)
def test_damaged_pictures(form: str, tmp_path: Path) -> None:
    whole = drawn(form)

    @effort()
    @given(damaged(whole))
    def looked_at(content: bytes) -> None:
        path = tmp_path / "map"
        path.write_bytes(content)
        try:
            picture = check_image(path)
            assert picture.format in FORMATS
            assert 0 < picture.width_px * picture.height_px <= MAX_PIXELS
            if picture.width_px * picture.height_px < MUCH:
                assert open_sheet(path).png.startswith(PNG)
        except InputFileError as error:  # also of metadata, which only the second one reads
            assert_told(error, str(path))

    looked_at()


@effort()
@given(st.binary(max_size=200), st.sampled_from([drawn(form)[:12] for form in FORMATS]))
def test_noise_behind_a_true_beginning(tmp_path: Path, noise: bytes, head: bytes) -> None:
    path = tmp_path / "map"
    path.write_bytes(head + noise)
    with pytest.raises(InputFileError):
        check_image(path)
