"""Corners: where two named streets share one point."""

from dataclasses import dataclass

from evals.generate.gsqa.reference import Reference, Thing
from evals.generate.world import fold


@dataclass(frozen=True, slots=True)
class Corner:
    """Two streets and the only point they share, as (latitude, longitude)."""

    first: str
    second: str
    point: tuple[float, float]
    osm: tuple[str, str]


def corners(reference: Reference) -> tuple[Corner, ...]:
    """All corners whose two streets meet nowhere else, by their names."""
    import shapely

    streets = [thing for thing in reference.things if _is_street(thing)]
    tree = shapely.STRtree([street.shape for street in streets])
    met: dict[tuple[str, str], dict[tuple[float, float], Corner]] = {}
    for one, other in tree.query(tree.geometries, predicate="intersects").T.tolist():
        a, b = streets[one], streets[other]
        if fold(a.name) >= fold(b.name):
            continue
        shared = shapely.get_coordinates(shapely.intersection(a.shape, b.shape)).tolist()
        for lng, lat in shared:
            met.setdefault((fold(a.name), fold(b.name)), {})[lat, lng] = Corner(
                a.name, b.name, (lat, lng), (a.osm, b.osm)
            )
    return tuple(next(iter(points.values())) for _, points in sorted(met.items()) if len(points) == 1)


def _is_street(thing: Thing) -> bool:
    return thing.is_line and bool(thing.name) and "highway" in thing.tags
