"""How far a wish reaches: what the program states, else the defaults of the paper."""

import pytest

from map_tools.types import TravelMode
from modules.query.operators.recommend import Given
from modules.recommender.retrieve import Geometry, Reach
from modules.recommender.understand import read_wish

PIER, QUARTER = Given("id:pier", "the pier"), Given("id:quarter", "the quarter")


def reach(words: str, **given: Given | float | None) -> Reach:
    wish = read_wish(f"cosy cafe {words}")
    assert wish is not None
    asked = {"near": None, "along": None, "inside": None, "within_m": None, **given}
    return Reach.of(**asked, scales=wish.scales)  # type: ignore[arg-type]


def way(mode: TravelMode | None) -> Given:
    return Given("", "the way", "LINESTRING (9 52, 9.01 52)", mode)


@pytest.mark.parametrize(
    ("words", "metres"),
    [
        # Appendix F.1, point-based: nearby 1 km, walking distance 2 km, not too far 3 km.
        ("", 1000),
        ("within walking distance", 2000),
        ("not too far away", 3000),
        # Cases 7 and 8 of appendix G: close to the way is 500 m.
        ("just steps away", 500),
    ],
)
def test_the_distance_from_a_point(words: str, metres: float) -> None:
    found = reach(words, near=PIER)
    assert (found.geometry, found.distance_m) == (Geometry.POINT, metres)
    assert reach(words, near=PIER, within_m=300.0).distance_m == 300


@pytest.mark.parametrize(
    ("words", "mode", "metres"),
    [
        # Appendix F.1, route-based: walking 1 km, general 2 km, scenic 3 km.
        ("", TravelMode.WALKING, 1000),
        ("", TravelMode.DRIVING, 2000),
        ("", TravelMode.BICYCLING, 2000),
        ("", None, 1000),
        ("on a scenic way", TravelMode.WALKING, 3000),
        ("a short walk away", TravelMode.DRIVING, 500),
    ],
)
def test_the_buffer_of_a_way(words: str, mode: TravelMode | None, metres: float) -> None:
    found = reach(words, along=way(mode))
    assert (found.geometry, found.distance_m) == (Geometry.LINE, metres)
    assert reach(words, along=way(mode), within_m=40.0).distance_m == 40


def test_a_region_has_no_distance_and_bounds_the_others() -> None:
    region = reach("not too far away", inside=QUARTER)
    assert (region.geometry, region.distance_m, region.bounds) == (Geometry.REGION, None, None)
    both = reach("", near=PIER, inside=QUARTER)
    assert (both.geometry, both.given, both.bounds) == (Geometry.POINT, PIER, QUARTER)
    assert both.name == "the pier in the quarter"


def test_a_reach_is_widened() -> None:
    assert reach("", near=PIER).widened(2.0).distance_m == 2000
    assert reach("", inside=QUARTER).widened(2.0) == reach("", inside=QUARTER)


def test_nothing_is_measured_from_nothing() -> None:
    with pytest.raises(ValueError, match="measured from"):
        reach("")
