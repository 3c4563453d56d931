"""The verifier's geodesy against pyproj's geodesics and areas, and relations of shapes read off a drawing."""

import pyproj
import pytest
from shapely import Polygon

from map_tools.types import LatLng, Shape
from modules.query.verify import measuring

GEOD = pyproj.Geod(ellps="WGS84")


def at(lng: float, lat: float) -> LatLng:
    return LatLng(lat=lat, lng=lng)


def area(*corners: tuple[float, float]) -> Shape:
    return Shape(kind="area", wkt=Polygon(corners).wkt)


def line(*points: tuple[float, float]) -> Shape:
    return Shape(kind="line", wkt=f"LINESTRING ({', '.join(f'{lng} {lat}' for lng, lat in points)})")


def metres(*points: tuple[float, float]) -> float:
    return float(GEOD.line_length(*zip(*points, strict=True)))


SQUARE = area((25, 60), (25.02, 60), (25.02, 60.01), (25, 60.01))
HOLED = Shape(
    kind="area",
    wkt="POLYGON ((25 60, 25.02 60, 25.02 60.01, 25 60.01, 25 60),"
    " (25.005 60.002, 25.01 60.002, 25.01 60.004, 25.005 60.004, 25.005 60.002))",
)
BEND = line((25, 60), (25.01, 60), (25.01, 60.01))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((25, 60), (25.01, 60.01)),
        ((0, 0), (90, 0)),
        ((179.9, -10), (-179.9, 10)),
        ((-70, -33), (139, 35)),
        ((10, 89), (-170, 89)),
        ((25, 60), (25, 40)),
    ],
)
def test_distance_and_azimuth(a: tuple[float, float], b: tuple[float, float]) -> None:
    azimuth, _, length_m = GEOD.inv(*a, *b)
    found_m, found = measuring.inverse(at(*a), at(*b))
    assert found_m == pytest.approx(length_m, abs=0.001)
    assert (found - azimuth + 180) % 360 - 180 == pytest.approx(0, abs=1e-6)


def test_no_distance_and_nearly_the_antipode() -> None:
    assert measuring.inverse(at(25, 60), at(25, 60)) == (0.0, 0.0)
    assert measuring.inverse(at(0, 0), at(179.9, 0.1))[0] == pytest.approx(
        GEOD.inv(0, 0, 179.9, 0.1)[2], rel=0.006
    )


@pytest.mark.parametrize(
    ("a", "b", "close"),
    [(100, 101.4, True), (100, 101.6, False), (10_000, 10_050, True), (10_000, 10_052, False), (0, 1, True)],
)
def test_close_is_half_a_percent_and_a_metre(a: float, b: float, close: bool) -> None:
    assert measuring.close(a, b) is measuring.close(b, a) is close


def test_sizes_and_lengths() -> None:
    corners = ((25, 60), (25.02, 60), (25.02, 60.01), (25, 60.01), (25, 60))
    hole = ((25.005, 60.002), (25.01, 60.002), (25.01, 60.004), (25.005, 60.004), (25.005, 60.002))
    whole_m2 = abs(GEOD.polygon_area_perimeter(*zip(*corners, strict=True))[0])
    hole_m2 = abs(GEOD.polygon_area_perimeter(*zip(*hole, strict=True))[0])
    assert measuring.size_m2(SQUARE) == pytest.approx(whole_m2, rel=1e-4)
    assert measuring.size_m2(HOLED) == pytest.approx(whole_m2 - hole_m2, rel=1e-4)
    assert measuring.size_m2(BEND) == 0
    assert measuring.length_m(SQUARE) == pytest.approx(metres(*corners), rel=1e-6)
    assert measuring.length_m(HOLED) == pytest.approx(metres(*corners) + metres(*hole), rel=1e-6)
    assert measuring.length_m(BEND) == pytest.approx(metres((25, 60), (25.01, 60), (25.01, 60.01)), rel=1e-6)


def test_how_far_away_and_how_far_along() -> None:
    off = at(25.012, 60.005)
    assert measuring.away_m(off, BEND) == pytest.approx(metres((25.01, 60.005), (25.012, 60.005)), rel=1e-4)
    assert measuring.away_m(BEND, off) == measuring.away_m(off, BEND)
    assert measuring.along_m(BEND, off) == pytest.approx(
        metres((25, 60), (25.01, 60), (25.01, 60.005)), rel=1e-4
    )
    assert measuring.away_m(at(25.01, 60.005), SQUARE) == 0
    assert measuring.away_m(at(25.03, 60.005), SQUARE) == pytest.approx(
        metres((25.02, 60.005), (25.03, 60.005)), rel=1e-4
    )
    other = area((25.03, 60), (25.04, 60), (25.04, 60.01), (25.03, 60.01))
    assert measuring.away_m(SQUARE, other) == pytest.approx(metres((25.02, 60.01), (25.03, 60.01)), rel=1e-4)
    assert measuring.away_m(SQUARE, BEND) == 0
    pieces = Shape(kind="line", wkt="MULTILINESTRING ((25 60, 25.01 60), (25.02 60, 25.03 60))")
    assert measuring.along_m(pieces, at(25.03, 60)) == pytest.approx(
        metres((25, 60), (25.01, 60)) + metres((25.02, 60), (25.03, 60)), rel=1e-4
    )


@pytest.mark.parametrize(
    ("lng", "lat", "inside"),
    [
        (25.001, 60.001, True),
        (25.007, 60.003, False),
        (25.021, 60.003, False),
        (24.999, 60.003, False),
        (25.015, 60.011, False),
        (25.02, 60.005, True),
        (25, 60, True),
        (25.005, 60.003, True),
    ],
)
def test_what_an_area_holds(lng: float, lat: float, inside: bool) -> None:
    """Its border belongs to it, that of its hole too."""
    assert measuring.holds(HOLED, at(lng, lat)) is inside
    assert not measuring.holds(BEND, at(lng, lat))


BESIDE = area((25.02, 60), (25.04, 60), (25.04, 60.01), (25.02, 60.01))
OVER = area((25.01, 60.005), (25.03, 60.005), (25.03, 60.02), (25.01, 60.02))
WITHIN = area((25.005, 60.002), (25.01, 60.002), (25.01, 60.004), (25.005, 60.004))
FAR = area((26, 60), (26.1, 60), (26.1, 60.1), (26, 60.1))
THROUGH = line((24.99, 60.005), (25.03, 60.005))
EDGE = line((24.99, 60), (25.03, 60))
RELATIONS = ("intersects", "disjoint", "touches", "crosses", "holds")


@pytest.mark.parametrize(
    ("a", "b", "hold"),
    [
        (SQUARE, BESIDE, {"intersects", "touches"}),
        (SQUARE, OVER, {"intersects"}),
        (SQUARE, WITHIN, {"intersects", "holds"}),
        (WITHIN, SQUARE, {"intersects"}),
        (SQUARE, FAR, {"disjoint"}),
        (SQUARE, THROUGH, {"intersects", "crosses"}),
        (THROUGH, SQUARE, {"intersects", "crosses"}),
        (SQUARE, EDGE, {"intersects", "touches"}),
        (THROUGH, line((25.01, 59.9), (25.01, 60.1)), {"intersects", "crosses"}),
        (THROUGH, line((25, 60.005), (25.01, 60.005)), {"intersects", "holds"}),
        (SQUARE, at(25.01, 60.005), {"intersects", "holds"}),
        (SQUARE, at(25.03, 60.005), {"disjoint"}),
        (SQUARE, at(25, 60.005), {"intersects", "touches", "holds"}),  # an area covers its border
    ],
)
def test_relations(a: Shape, b: Shape | LatLng, hold: set[str]) -> None:
    """As the pictures of the simple features standard have them."""
    assert {one for one in RELATIONS if measuring.related(a, b, one)} == hold


def ring(radius_m: float, *, off_m: float = 0.0) -> Shape:
    """A circle about (25, 60), its first eighth somewhat farther off."""
    points = [
        GEOD.fwd(25, 60, azimuth, radius_m + (off_m if azimuth < 45 else 0))[:2] for azimuth in range(360)
    ]
    return area(*points)


def test_all_that_lies_within_a_distance() -> None:
    assert measuring.is_buffer(ring(300), at(25, 60), 300)
    assert not measuring.is_buffer(ring(300), at(25, 60), 310)
    assert not measuring.is_buffer(ring(300), at(25.02, 60), 300)
    assert not measuring.is_buffer(ring(300, off_m=30), at(25, 60), 300)


def corridor(share: float, *, wide: float = 0.0, short_m: float = 0.0) -> Shape:
    """A rectangle about the line from (25, 60) to (25.01, 60)."""
    length_m = metres((25, 60), (25.01, 60))
    corners = []
    for lng, back in ((25, 90), (25.01, 270)):
        end = GEOD.fwd(lng, 60, back, short_m)[:2]
        sides = (0, 180) if back == 90 else (180, 0)
        corners += [GEOD.fwd(*end, side, length_m * (share + wide))[:2] for side in sides]
    return area(*corners)


def test_a_rectangle_about_a_line() -> None:
    ends = at(25, 60), at(25.01, 60)
    assert measuring.is_corridor(corridor(0.1), *ends, 0.1)
    assert not measuring.is_corridor(corridor(0.1, wide=0.02), *ends, 0.1)
    assert not measuring.is_corridor(corridor(0.1, short_m=100), *ends, 0.1)


def test_what_two_shapes_have_in_common() -> None:
    common = area((25.01, 60.005), (25.02, 60.005), (25.02, 60.01), (25.01, 60.01))
    assert measuring.is_part(common, SQUARE, OVER)
    assert not measuring.is_part(SQUARE, SQUARE, OVER)
    assert not measuring.is_part(WITHIN, SQUARE, OVER)
    assert measuring.is_part(line((25, 60.005), (25.02, 60.005)), THROUGH, SQUARE)
    assert not measuring.is_part(line((25, 60.005), (25.01, 60.005)), THROUGH, SQUARE)
