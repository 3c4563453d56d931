"""Measures of shapes against pyproj: its geodesics, its areas, and its azimuthal projection."""

import math

import numpy as np
import pyproj
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from map_tools.compute import shapes
from map_tools.compute.shape_text import geometry_of_json, parse_position, parse_shape
from map_tools.compute.shapes import Plane
from map_tools.errors import PlaceNotFoundError, UsageError
from map_tools.maps.geodesic import points_at, polar
from map_tools.types import Box, LatLng, Shape
from tests.support.effort import effort

GEOD = pyproj.Geod(ellps="WGS84")
EDGE = 0.01
"""Degrees: so short an edge is the same on the plane, on the great circle and on the ellipsoid."""


def flat(geometry: shapely.Geometry, at: LatLng) -> shapely.Geometry:
    """A geometry in pyproj's plane at a position."""
    to = pyproj.CRS.from_proj4(f"+proj=aeqd +lat_0={at.lat} +lon_0={at.lng} +ellps=WGS84 +units=m")
    project = pyproj.Transformer.from_crs("EPSG:4326", to, always_xy=True).transform
    return shapely.transform(geometry, project, interleaved=False)


def area(*corners: tuple[float, float]) -> Shape:
    return Shape(kind="area", wkt=shapely.Polygon(corners).wkt)


def line(*points: tuple[float, float]) -> Shape:
    return Shape(kind="line", wkt=shapely.LineString(points).wkt)


def square(lng: float, lat: float, size: float = EDGE) -> Shape:
    return Shape(kind="area", wkt=shapely.box(lng, lat, lng + size, lat + size).wkt)


lats, lngs = st.floats(-80, 80), st.floats(-170, 170)
steps = st.floats(-EDGE, EDGE)


@st.composite
def lines(draw: st.DrawFn, *, near: tuple[float, float] | None = None, reach: float = 1.0) -> Shape:
    lng, lat = near or (draw(lngs), draw(lats))
    lng, lat = lng + reach * draw(st.floats(-1, 1)), lat + reach * draw(st.floats(-1, 1))
    points = [(lng, lat)]
    for _ in range(draw(st.integers(1, 5))):
        points.append((points[-1][0] + draw(steps), points[-1][1] + draw(steps)))
    assume(len(set(points)) > 1)
    return line(*points)


@given(lats, lngs, st.floats(0, 5_000_000), st.floats(0, 360))
def test_the_direct_formula_agrees_with_pyproj(lat: float, lng: float, away_m: float, azimuth: float) -> None:
    there = points_at(lat, lng, np.array([away_m]), np.array([azimuth]))
    end_lng, end_lat, _ = GEOD.fwd(lng, lat, azimuth, away_m)
    assert GEOD.inv(float(there[1][0]), float(there[0][0]), end_lng, end_lat)[2] < 1e-3
    back_m, _ = polar(lat, lng, *there)
    assert back_m[0] == pytest.approx(away_m, abs=1e-3)


@given(lines(), lats, lngs)
def test_the_plane_is_that_of_pyproj_and_leads_back(shape: Shape, lat: float, lng: float) -> None:
    geometry = shapely.from_wkt(shape.wkt)
    at = LatLng(lat=lat, lng=lng)
    assume(GEOD.inv(lng, lat, *geometry.coords[0])[2] < 15_000_000)
    plane = Plane(at)
    expected = shapely.get_coordinates(flat(geometry, at))
    assert shapely.get_coordinates(plane.flat(geometry)) == pytest.approx(expected, abs=0.01)
    back = shapely.get_coordinates(plane.lifted(plane.flat(geometry)))
    assert back == pytest.approx(shapely.get_coordinates(geometry), abs=1e-6)


@given(lngs, lats)
def test_sizes_agree_with_geographiclib(lng: float, lat: float) -> None:
    size = EDGE / 5
    corners = [(lng, lat), (lng + size, lat + size / 3), (lng + size / 2, lat + size)]
    polygon = shapely.Polygon(corners)
    area_m2, perimeter_m = GEOD.geometry_area_perimeter(polygon)
    shape = area(*corners)
    assert shapes.area_m2(shape) == pytest.approx(abs(area_m2), rel=1e-4)
    assert shapes.perimeter_m(shape) == pytest.approx(perimeter_m, rel=1e-5)
    assert shapes.length_m(shape) == 0
    open_line = line(*corners)
    expected = GEOD.geometry_length(shapely.LineString(corners))
    assert shapes.length_m(open_line) == pytest.approx(expected, rel=1e-5)
    assert shapes.area_m2(open_line) == shapes.perimeter_m(open_line) == 0


def test_a_hole_is_no_area_and_has_a_border() -> None:
    holed = shapely.box(8, 47, 8.02, 47.02) - shapely.box(8.005, 47.005, 8.01, 47.01)
    expected_m2, _ = GEOD.geometry_area_perimeter(shapely.normalize(holed))
    rings = (holed.exterior, *holed.interiors)
    shape = Shape(kind="area", wkt=holed.wkt)
    assert shapes.area_m2(shape) == pytest.approx(abs(expected_m2), rel=1e-4)
    assert shapes.perimeter_m(shape) == pytest.approx(
        sum(GEOD.geometry_length(shapely.LineString(ring.coords)) for ring in rings), rel=1e-5
    )
    inside = LatLng(lat=47.0075, lng=8.0075)
    assert not shapes.contains(shape, inside)
    edge = shapely.Point(8.0075, 47.0075)
    expected = min(
        GEOD.inv(8.0075, 47.0075, end.x, end.y)[2]
        for end in (shapely.Point(8.005, 47.0075), shapely.Point(8.0075, 47.005))
    )
    assert edge.distance(holed) > 0
    assert shapes.distance_m(inside, shape) == pytest.approx(expected, abs=0.1)


@effort(0.5)
@given(st.data(), lngs, lats)
def test_distances_between_lines_are_those_of_a_local_plane(
    data: st.DataObject, lng: float, lat: float
) -> None:
    one = data.draw(lines(near=(lng, lat), reach=0.05))
    other = data.draw(lines(near=(lng, lat), reach=0.05))
    a, b = shapely.from_wkt(one.wkt), shapely.from_wkt(other.wkt)
    near = shapely.shortest_line(a, b)
    middle = near.centroid if near.length else a.centroid
    at = LatLng(lat=middle.y, lng=middle.x)
    expected = 0.0 if a.intersects(b) else flat(a, at).distance(flat(b, at))
    assert shapes.distance_m(one, other) == pytest.approx(expected, rel=1e-5, abs=0.05)
    assert shapes.distance_m(other, one) == pytest.approx(expected, rel=1e-5, abs=0.05)
    point = shapes.nearest_point(one, other)
    assert flat(a, at).distance(flat(shapely.Point(point.lng, point.lat), at)) < 0.05


def test_far_shapes_are_measured_by_the_geodesic() -> None:
    lisbon, tallinn = square(-9.15, 38.70), square(24.74, 59.43)
    found = shapes.nearest_point(lisbon, tallinn), shapes.nearest_point(tallinn, lisbon)
    grid = np.linspace(0, EDGE, 101)
    ring_a = [(-9.15 + x, 38.70 + y) for x in grid for y in (0, EDGE)]
    ring_a += [(-9.15 + x, 38.70 + y) for y in grid for x in (0, EDGE)]
    ring_b = [(x + 33.89, y + 20.73) for x, y in ring_a]
    shortest = min(
        GEOD.inv([a[0]] * len(ring_b), [a[1]] * len(ring_b), *zip(*ring_b, strict=True))[2]
        and min(GEOD.inv([a[0]] * len(ring_b), [a[1]] * len(ring_b), *zip(*ring_b, strict=True))[2])
        for a in ring_a
    )
    assert shapes.distance_m(lisbon, tallinn) == pytest.approx(shortest, abs=0.5)
    assert GEOD.inv(found[0].lng, found[0].lat, found[1].lng, found[1].lat)[2] == pytest.approx(
        shortest, abs=0.5
    )


@given(st.floats(-0.1, 0.1), st.floats(-0.1, 0.1))
def test_many_positions_at_once_are_measured_as_one_by_one(east: float, north: float) -> None:
    shape = Shape(kind="area", wkt=shapely.Point(25, 60).buffer(0.03, 8).wkt)
    position = LatLng(lat=60 + north, lng=25 + east)
    (found,) = shapes.measuring(shape)(np.array([position.lat]), np.array([position.lng]))
    assert found == pytest.approx(shapes.distance_m(position, shape), rel=1e-4, abs=0.01)


def test_within_is_no_distance() -> None:
    park, pond = square(8, 47), square(8.002, 47.002, 0.001)
    inside, outside = LatLng(lat=47.005, lng=8.005), LatLng(lat=47.005, lng=8.02)
    assert shapes.distance_m(inside, park) == shapes.distance_m(park, pond) == 0
    assert shapes.distance_m(park, outside) == pytest.approx(
        GEOD.inv(8.01, 47.005, 8.02, 47.005)[2], abs=0.05
    )
    assert shapes.nearest_point(park, inside) == inside
    assert shapes.nearest_point(inside, park) == inside
    assert shapes.nearest_point(park, outside).lng == pytest.approx(8.01, abs=1e-6)
    assert shapes.contains(park, inside)
    assert not shapes.contains(park, outside)
    assert shapes.contains(park, pond)
    assert not shapes.contains(pond, park)
    assert shapes.contains(park, shapes.nearest_point(park, pond))


def test_relations() -> None:
    park, beside, away = square(8, 47), square(8 + EDGE, 47), square(8.1, 47)
    through, into = line((7.99, 47.005), (8.02, 47.005)), line((7.99, 47.003), (8.005, 47.003))
    along = line((7.99, 47), (8.005, 47))
    across = line((8.005, 46.99), (8.005, 47.02))
    assert shapes.touches(park, beside)
    assert shapes.intersects(park, beside)
    assert not shapes.touches(park, away)
    assert shapes.disjoint(park, away)
    assert shapes.crosses(through, park)
    assert shapes.crosses(into, park)
    assert shapes.crosses(through, across)
    assert not shapes.crosses(along, park)
    assert shapes.touches(along, park)
    assert not shapes.contains(through, park)
    corner = LatLng(lat=47, lng=8)
    assert shapes.touches(corner, park)
    assert shapes.contains(park, corner)


def test_clipping() -> None:
    park = square(8, 47)
    street = line((7.995, 47.005), (8.015, 47.005))
    inside = shapes.clip(street, park)
    assert inside is not None
    assert inside.kind == "line"
    assert shapes.length_m(inside) == pytest.approx(GEOD.inv(8, 47.005, 8.01, 47.005)[2], abs=0.01)
    assert shapes.clip(square(9, 47), park) is None
    assert shapes.clip(square(8 + EDGE, 47), park) is None  # they share a border, no area
    half = shapes.clip(square(8.005, 47), park)
    assert half is not None
    assert shapes.area_m2(half) == pytest.approx(shapes.area_m2(park) / 2, rel=1e-3)
    with pytest.raises(UsageError, match="by an area"):
        shapes.clip(park, street)


@pytest.mark.parametrize(("lat", "radius_m"), [(0.0, 100.0), (47.0, 2_000.0), (-65.0, 50_000.0)])
def test_a_circle_has_the_area_of_one(lat: float, radius_m: float) -> None:
    circle = shapes.buffer_m(LatLng(lat=lat, lng=20), radius_m)
    assert shapes.area_m2(circle) == pytest.approx(math.pi * radius_m**2, rel=1e-3)
    for lng, lat_ in shapely.get_coordinates(shapely.from_wkt(circle.wkt)):
        assert GEOD.inv(20, lat, lng, lat_)[2] == pytest.approx(radius_m, rel=1e-4)


def test_a_strip_along_a_street() -> None:
    street = line((8, 47), (8.02, 47.01))
    strip = shapes.buffer_m(street, 25)
    expected = 2 * 25 * shapes.length_m(street) + math.pi * 25**2
    assert shapes.area_m2(strip) == pytest.approx(expected, rel=1e-3)
    assert shapes.contains(strip, street)
    with pytest.raises(UsageError, match="above 0"):
        shapes.buffer_m(street, 0)


def test_bounds() -> None:
    assert shapes.bounds(square(8, 47)) == Box(south=47, west=8, north=47 + EDGE, east=8 + EDGE)


def test_what_crosses_itself_is_mended() -> None:
    bow = shapes.shape_of(shapely.from_wkt("POLYGON((8 47,8.01 47.01,8.01 47,8 47.01,8 47))"))
    assert bow is not None
    assert shapely.from_wkt(bow.wkt).is_valid
    assert shapes.shape_of(shapely.Point(8, 47)) is None


@pytest.mark.parametrize(
    ("text", "lat", "lng"),
    [
        ("41.15, -8.61", 41.15, -8.61),
        ("(41.15; -8.61)", 41.15, -8.61),
        ("41.15 -8.61", 41.15, -8.61),
        ("5, 10", 5, 10),
        ("lat: 41.15, lon: -8.61", 41.15, -8.61),
        ("geo:41.15,-8.61", 41.15, -8.61),
        ("41.15 N, 8.61 W", 41.15, -8.61),
        ("N 41.15 W 8.61", 41.15, -8.61),
        ("41.15N, -8.61E", 41.15, -8.61),
        ("-41°30'N, 8E", -41.5, 8),
        ("8.61° W 41.15° N", 41.15, -8.61),
        ("41,15 N; 8,61 W", 41.15, -8.61),
        ("41°09'N 8°37'W", 41 + 9 / 60, -(8 + 37 / 60)),
        ("41º 9′ 12″ south, 8º 37′ east", -(41 + 9 / 60 + 12 / 3600), 8 + 37 / 60),
        ("POINT(8.5 47)", 47, 8.5),
        ('{"type": "Point", "coordinates": [8.5, 47]}', 47, 8.5),
    ],
)
def test_positions_in_many_forms(text: str, lat: float, lng: float) -> None:
    found = parse_shape(text)
    assert isinstance(found, LatLng)
    assert (found.lat, found.lng) == pytest.approx((lat, lng))


@pytest.mark.parametrize(
    "text",
    [
        *("Route 66", "12 34", "Platz 5, 10", "41.15 N, 8.61 N", "Polygon Street", "Point Street 5"),
        *("", "{", "{}", "100 metres", "5 N", '{"name": "x"}'),
    ],
)
def test_what_is_no_position(text: str) -> None:
    assert parse_shape(text) is None
    assert parse_position(text) is None


@pytest.mark.parametrize(
    "text",
    [
        *("91, 5", "5, 181", "16 S, 200 E", "41°60'N 8°37'W", "POINT(8 147)", "POLYGON((0 0, 1 1"),
        *('{"type": "Polygon", "coordinates": 5}', '{"type": "GeometryCollection", "geometries": []}'),
    ],
)
def test_what_is_not_on_earth(text: str) -> None:
    with pytest.raises(PlaceNotFoundError, match="not a position on Earth"):
        parse_shape(text)


def test_shapes_in_text() -> None:
    feature = {
        "type": "Feature",
        "properties": {},
        "geometry": {"type": "Polygon", "coordinates": [[[8, 47], [9, 47], [9, 48], [8, 47]]]},
    }
    expected = Shape(kind="area", wkt="POLYGON ((8 47, 9 47, 9 48, 8 47))")
    assert geometry_of_json(feature) == expected
    found = parse_shape("SRID=4326;LINESTRING Z (8 47 5, 9 48 5)")
    assert found == Shape(kind="line", wkt="LINESTRING (8 47, 9 48)")
    mixed = {"type": "FeatureCollection", "features": [feature, {**feature, "geometry": None}]}
    assert geometry_of_json(mixed) == expected


@pytest.mark.parametrize(
    ("lng", "inside"),
    [(179.5, True), (-179.5, True), (178.0, True), (-178.0, True), (177.9, False), (0.0, False)],
)
def test_a_box_across_the_antimeridian(lng: float, inside: bool) -> None:
    box = Box(south=-20, west=178, north=-15, east=-178)
    assert box.contains(LatLng(lat=-17, lng=lng)) == inside
    assert not box.contains(LatLng(lat=-14.9, lng=lng))


def metres(*points: tuple[float, float]) -> float:
    """Along positions (longitude, latitude), by pyproj's geodesics."""
    lngs, lats = zip(*points, strict=True)
    return float(GEOD.line_length(lngs, lats))


def test_the_middle_of_a_shape_lies_on_it() -> None:
    here = LatLng(lat=60, lng=25)
    assert shapes.center(here) == here
    bent = area((0, 0), (0.03, 0), (0.03, 0.03), (0.029, 0.03), (0.029, 0.001), (0, 0.001))
    assert shapes.contains(bent, shapes.center(bent))


def test_a_circle_around_a_shape_holds_its_corners() -> None:
    middle, radius_m = shapes.circle_around(area((25, 60), (25.02, 60), (25.02, 60.01)))
    assert (middle.lat, middle.lng) == pytest.approx((60.005, 25.01))
    assert radius_m == pytest.approx(metres((25.01, 60.005), (25, 60)), rel=1e-6)


def test_a_corridor_is_as_wide_as_its_share_on_both_sides() -> None:
    made = shapes.corridor(LatLng(lat=60, lng=25), LatLng(lat=60, lng=25.01), share=0.1)
    length_m = metres((25, 60), (25.01, 60))
    assert shapes.area_m2(made) == pytest.approx(length_m * 0.2 * length_m, rel=1e-3)
    assert shapes.contains(made, LatLng(lat=60, lng=25.001))
    assert not shapes.contains(made, LatLng(lat=60, lng=24.999))
    assert not shapes.contains(made, LatLng(lat=60.001, lng=25.005))


def test_how_far_along_a_course() -> None:
    bent = line((25, 60), (25.01, 60), (25.01, 60.01))
    at = shapes.along_m(bent, LatLng(lat=60.004, lng=25.0101))
    assert at == pytest.approx(metres((25, 60), (25.01, 60), (25.01, 60.004)), rel=1e-4)
    pieces = Shape(kind="line", wkt="MULTILINESTRING ((25 60, 25.01 60), (25.02 60, 25.03 60))")
    at = shapes.along_m(pieces, LatLng(lat=60, lng=25.03))
    assert at == pytest.approx(metres((25, 60), (25.01, 60)) + metres((25.02, 60), (25.03, 60)), rel=1e-4)
    block = area((25, 60), (25.01, 60), (25.01, 60.01), (25, 60.01))
    around = [shapes.along_m(block, LatLng(lat=lat, lng=25.01)) for lat in (60, 60.01)]
    assert around == pytest.approx(
        [metres((25, 60), (25.01, 60)), metres((25, 60), (25.01, 60), (25.01, 60.01))], rel=1e-4
    )
