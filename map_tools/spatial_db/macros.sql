-- Geodesy on the WGS84 ellipsoid that DuckDB's spatial extension lacks; stored in the file when it is built.
-- Geometries are (longitude, latitude) in degrees; results are metres, square metres and radians.
-- One statement ends with a semicolon at the end of a line.

-- Reduced latitude's tangent, tan U = (1 - f) tan(latitude), with f = 1/298.257223563.
CREATE MACRO mg_reduced(lat) AS 0.9966471893352525 * tan(radians(lat));

-- cos U1 * cos U2 from the tangents, and the square of the chord between the points on the auxiliary sphere.
CREATE MACRO mg_cosines(t1, t2) AS 1 / sqrt((1 + t1 * t1) * (1 + t2 * t2));
CREATE MACRO mg_chord2(l, t1, t2, c) AS 2 - 2 * c * (t1 * t2 + cos(l));

-- The longitude difference on the auxiliary sphere: Vincenty's lambda = L + K sin(lambda) with
-- K = (1 - C) f cosU1 cosU2 / sin(sigma) * (sigma + C sin(sigma) cos(2 sigma_m)), taken as L / (1 - K); here
-- (1 - C) (1 + C cos(2 sigma_m)) is 1 - f/2 sinU1 sinU2 to first order (C = f/4 cos^2(alpha)), and
-- sigma / sin(sigma) = 1 + s/6 + s^2/30 + ... in the squared chord s; sin(L) / L = 1 - L^2/6 + L^4/120 - ...
-- T. Vincenty, Direct and inverse solutions of geodesics on the ellipsoid, Survey Review 23 (1975), eq. 10, 11, 18.
-- DuckDB evaluates every occurrence of a parameter in a filter anew, so each formula uses its own sparingly.
CREATE MACRO mg_series(s) AS 1 + s * (0.16666666666666666 + s * 0.03333333333333333);
CREATE MACRO mg_k(l, t1, t2, c) AS
    0.0033528106647474805 * c * (1 - 0.0016764053323737402 * t1 * t2 * c) * mg_series(mg_chord2(l, t1, t2, c));
CREATE MACRO mg_sinc(l2) AS 1 - l2 * (0.16666666666666666 - l2 * 0.008333333333333333);
CREATE MACRO mg_lambda(l, t1, t2) AS l / (1 - mg_k(l, t1, t2, mg_cosines(t1, t2)) * mg_sinc(l * l));

-- Forward azimuth in radians clockwise from north, 0 to 2 pi; NULL between equal points.
CREATE MACRO mg_bearing(lam, t1, t2) AS atan2(sin(lam), (t2 - t1 * cos(lam)) / sqrt(1 + t1 * t1));
CREATE MACRO mg_turn(degrees) AS radians((degrees + 540) % 360 - 180);
CREATE MACRO mg_azimuth_reduced(x1, t1, x2, t2) AS CASE
    WHEN x1 = x2 AND t1 = t2 THEN NULL
    ELSE (mg_bearing(mg_lambda(mg_turn(x2 - x1), t1, t2), t1, t2) + 2 * pi()) % (2 * pi()) END;

-- Whether an azimuth lies between two bounds in degrees, NULL between equal points. An azimuth costs three times as much as
-- to tell on which side of a great circle a point lies, so the two that bound the sector are looked at first, half a degree
-- further out, and with the difference of longitudes L in place of lambda: that turns a bearing by at most
-- K L / sin L <= 0.37 degrees for L <= 90 degrees (dA = K L sin(A1) cos(A2) / sin L, with K < 0.0041).
-- Around north the lower bound is negative.
CREATE MACRO mg_side(l, t1, t2, a) AS
    sin(l) * cos(a) - (t2 - t1 * cos(l)) / sqrt(1 + t1 * t1) * sin(a);
CREATE MACRO mg_in_sector(l, t1, t2, low, high) AS high - low > 178 OR abs(l) > 1.57
    OR (mg_side(l, t1, t2, radians(low - 0.5)) >= 0 AND mg_side(l, t1, t2, radians(high + 0.5)) <= 0);
CREATE MACRO mg_azimuth_between(x1, t1, x2, t2, low, high) AS (mg_in_sector(mg_turn(x2 - x1), t1, t2, low, high)
    AND degrees(mg_azimuth_reduced(x1, t1, x2, t2)) BETWEEN low AND high);
CREATE MACRO mg_azimuth_around_north(x1, t1, x2, t2, low, high) AS (mg_in_sector(mg_turn(x2 - x1), t1, t2, low, high)
    AND (degrees(mg_azimuth_reduced(x1, t1, x2, t2)) + 180) % 360 - 180 BETWEEN low AND high);
CREATE MACRO mg_azimuth(a, b) AS
    mg_azimuth_reduced(st_x(a), mg_reduced(st_y(a)), st_x(b), mg_reduced(st_y(b)));

-- The nearest points of two geometries in degrees scaled to be square at their mean latitude.
CREATE MACRO mg_squeeze(a, b) AS cos(radians((st_ymin(a) + st_ymax(a) + st_ymin(b) + st_ymax(b)) / 4));
CREATE MACRO mg_link_scaled(a, b, k) AS st_shortestline(st_scale(a, k, 1.0), st_scale(b, k, 1.0));
CREATE MACRO mg_ends_distance(link, k) AS st_distance_spheroid(
    st_point2d(st_x(st_startpoint(link)) / k, st_y(st_startpoint(link))),
    st_point2d(st_x(st_endpoint(link)) / k, st_y(st_endpoint(link))));
CREATE MACRO mg_ends_distance_sphere(link, k) AS st_distance_sphere(
    st_point(st_x(st_startpoint(link)) / k, st_y(st_startpoint(link))),
    st_point(st_x(st_endpoint(link)) / k, st_y(st_endpoint(link))));
CREATE MACRO mg_both_points(a, b) AS st_geometrytype(a) = 'POINT' AND st_geometrytype(b) = 'POINT';

-- Geodesic distance of any two geometries, in metres.
CREATE MACRO mg_point_distance(a, b) AS st_distance_spheroid(a::POINT_2D, b::POINT_2D);
CREATE MACRO mg_distance(a, b) AS CASE
    WHEN mg_both_points(a, b) THEN mg_point_distance(a, b)
    WHEN st_intersects(a, b) THEN 0.0
    ELSE mg_ends_distance(mg_link_scaled(a, b, mg_squeeze(a, b)), mg_squeeze(a, b)) END;

-- What PostGIS's <-> orders geographies by: the distance on a sphere of the mean radius (2a + b) / 3, where
-- DuckDB's sphere has 6371000 m.
CREATE MACRO mg_point_knn(a, b) AS st_distance_sphere(a, b) * (6371008.7714150598 / 6371000.0);
CREATE MACRO mg_knn(a, b) AS CASE
    WHEN mg_both_points(a, b) THEN mg_point_knn(a, b)
    WHEN st_intersects(a, b) THEN 0.0
    ELSE mg_ends_distance_sphere(mg_link_scaled(a, b, mg_squeeze(a, b)), mg_squeeze(a, b))
        * (6371008.7714150598 / 6371000.0) END;

-- A box in degrees that holds everything within d metres of a geometry: a degree of latitude is at least
-- 110,574 m, one of longitude at least 111,319 m times the cosine of the latitude. A box over a pole or over the
-- 180th meridian goes all the way round.
CREATE MACRO mg_dy(d) AS d / 110500.0;
CREATE MACRO mg_reach(g, d) AS greatest(abs(st_ymin(g)), abs(st_ymax(g))) + mg_dy(d);
CREATE MACRO mg_dx(g, d) AS CASE WHEN mg_reach(g, d) >= 89 THEN 360.0 ELSE d / (111000.0 * cos(radians(mg_reach(g, d)))) END;
CREATE MACRO mg_round(g, d) AS st_xmin(g) - mg_dx(g, d) < -180 OR st_xmax(g) + mg_dx(g, d) > 180;
CREATE MACRO mg_west(g, d) AS CASE WHEN mg_round(g, d) THEN -180.0 ELSE st_xmin(g) - mg_dx(g, d) END;
CREATE MACRO mg_east(g, d) AS CASE WHEN mg_round(g, d) THEN 180.0 ELSE st_xmax(g) + mg_dx(g, d) END;
CREATE MACRO mg_south(g, d) AS st_ymin(g) - mg_dy(d);
CREATE MACRO mg_north(g, d) AS st_ymax(g) + mg_dy(d);
CREATE MACRO mg_box(g, d) AS st_makeenvelope(mg_west(g, d), mg_south(g, d), mg_east(g, d), mg_north(g, d));

-- PostGIS's way of writing geometries and their types.
CREATE MACRO mg_astext(g) AS replace(replace(st_astext(g), ' (', '('), ', ', ',');
CREATE MACRO mg_type(g) AS CASE CAST(st_geometrytype(g) AS VARCHAR)
    WHEN 'POINT' THEN 'ST_Point' WHEN 'LINESTRING' THEN 'ST_LineString' WHEN 'POLYGON' THEN 'ST_Polygon'
    WHEN 'MULTIPOINT' THEN 'ST_MultiPoint' WHEN 'MULTILINESTRING' THEN 'ST_MultiLineString'
    WHEN 'MULTIPOLYGON' THEN 'ST_MultiPolygon' ELSE 'ST_GeometryCollection' END;
CREATE MACRO mg_upper_type(g) AS CAST(st_geometrytype(g) AS VARCHAR);
