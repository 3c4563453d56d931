"""What a picture says beside its pixels stays here: a model's server gets none of it."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from map_tools.vision.pixels import as_png, shrunk
from mapagent.llm.pictures import SHOWN_SIDE_PX
from modules.visual_place_recognizer.picture import open_sheet

MAKER, GPS = 0x010F, 0x8825
"""Tags of EXIF 2.32: Make, and the pointer to the position."""
WHOSE = "Jane Doe at home"
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


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
