"""Pictures of any make in one form; Web Mercator and frames against PROJ; fitting, and chance agreement refused."""

import io
import random
from cmath import exp
from math import pi
from typing import Any

import numpy as np
import pytest
from PIL import Image
from pyproj import Geod, Transformer

from map_tools.types import LatLng
from map_tools.vision.boxes import Box, Label
from map_tools.vision.frame import LEAST_HITS, Frame, fit_frame, to_latlng, to_plane
from map_tools.vision.pixels import WORKING_SIDE_PX, as_png, as_rgb, shrunk

PLACES = [(60.17, 24.94), (-33.86, 151.2), (0.0, 0.0), (49.25, -123.1), (84.9, 179.9)]
PROJ = Transformer.from_crs("EPSG:4326", "EPSG:3857", always_xy=True)


@pytest.mark.parametrize(("lat", "lng"), PLACES)
def test_the_plane_is_that_of_proj_with_y_down(lat: float, lng: float) -> None:
    x, y = PROJ.transform(lng, lat)
    point = to_plane(LatLng(lat=lat, lng=lng))
    assert (point.real, -point.imag) == pytest.approx((x, y), abs=0.01)
    back = to_latlng(point)
    assert (back.lat, back.lng) == pytest.approx((lat, lng), abs=1e-9)


def test_longitudes_wrap_at_the_date_line() -> None:
    beyond = to_plane(LatLng(lat=10, lng=179.99)) + 5_000
    assert -180 <= to_latlng(beyond).lng < -179.9


def test_a_frame_measures_as_geodesics_do() -> None:
    origin = to_plane(LatLng(lat=60.18, lng=24.93))
    frame = Frame(complex(2.4, 0), origin, 1000, 600)
    left, right = frame.at(400, 300), frame.at(600, 300)
    _, _, metres = Geod(ellps="WGS84").inv(left.lng, left.lat, right.lng, right.lat)
    assert 200 * frame.metres_per_px == pytest.approx(metres, rel=0.005)
    assert frame.pixel(frame.at(123, 456)) == pytest.approx((123, 456), abs=1e-6)
    south, west, north, east = frame.bounds
    assert south < frame.center.lat < north
    assert west < frame.center.lng < east
    assert frame.rotation_deg == 0.0
    assert frame.radius_m == pytest.approx(frame.metres_per_px * 583.095, rel=1e-4)


WIDTH, HEIGHT = 1000, 700
CORNER = complex(*PROJ.transform(24.93, 60.18)).conjugate()
SCALE = 2.39
"""Zoom 16: 156543.03 / 2**16 metres of the plane a pixel."""


def pixel_to_plane(x: float, y: float, turn_deg: float = 0.0) -> complex:
    return CORNER + SCALE * exp(1j * turn_deg * pi / 180) * complex(x, y)


def beside(x: float, y: float, side: str, *, seen: bool = False) -> Label:
    """A label of a place whose icon is at (x, y)."""
    left = {"right": x + 8, "left": x - 8 - 90, "below": x - 45}[side]
    top = y + 8 if side == "below" else y - 9
    return Label(Box("name", left, top, left + 90, top + 18), icon=(x, y) if seen else None)


def spots(count: int, seed: int = 4) -> list[tuple[float, float]]:
    dice = random.Random(seed)
    return [(dice.uniform(120, WIDTH - 120), dice.uniform(40, HEIGHT - 40)) for _ in range(count)]


def far_off(seed: int) -> complex:
    dice = random.Random(seed)
    return CORNER + complex(dice.uniform(-9e4, 9e4), dice.uniform(-9e4, 9e4))


@pytest.mark.parametrize("seen", [True, False])
def test_the_frame_is_found_among_namesakes(seen: bool) -> None:
    sides = ["right", "left", "right", "below"]
    labels = [beside(x, y, sides[i % 4], seen=seen) for i, (x, y) in enumerate(spots(14))]
    candidates = [[far_off(i), pixel_to_plane(x, y), far_off(99 + i)] for i, (x, y) in enumerate(spots(14))]
    fit = fit_frame(labels, candidates, WIDTH, HEIGHT)
    assert fit is not None
    assert {number for _, number in fit.matches} == {1}
    error_px = abs((fit.frame.origin - CORNER) / SCALE)
    assert error_px < (0.5 if seen else 6)
    assert abs(fit.frame.scale) == pytest.approx(SCALE, rel=0.001 if seen else 0.01)
    assert fit.frame.rotation_deg == 0.0


def test_names_that_agree_on_nothing_give_no_frame() -> None:
    labels = [beside(x, y, "right", seen=True) for x, y in spots(20)]
    for seed in range(8):
        candidates = [[far_off(1000 * seed + 10 * i + k) for k in range(4)] for i in range(20)]
        assert fit_frame(labels, candidates, WIDTH, HEIGHT) is None


def test_too_few_labels_give_no_frame() -> None:
    few = spots(LEAST_HITS - 1)
    labels = [beside(x, y, "right", seen=True) for x, y in few]
    assert fit_frame(labels, [[pixel_to_plane(x, y)] for x, y in few], WIDTH, HEIGHT) is None
    assert fit_frame([], [], WIDTH, HEIGHT) is None


def test_a_turned_map_is_found_where_the_evidence_says_so() -> None:
    labels = [beside(x, y, "right", seen=True) for x, y in spots(14)]
    candidates = [[pixel_to_plane(x, y, turn_deg=40.0)] for x, y in spots(14)]
    fit = fit_frame(labels, candidates, WIDTH, HEIGHT)
    assert fit is not None
    # Rows of the picture run 40 degrees clockwise of east, so north is 40 degrees to the left of its top.
    assert fit.frame.rotation_deg == pytest.approx(-40.0, abs=0.1)


def test_one_place_for_many_labels_is_no_frame() -> None:
    labels = [beside(x, y, "right", seen=True) for x, y in spots(9)]
    assert fit_frame(labels, [[pixel_to_plane(1, 1)]] * 9, WIDTH, HEIGHT) is None


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
