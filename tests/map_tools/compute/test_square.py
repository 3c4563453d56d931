"""Areas in running text."""

import pytest

from map_tools.compute.measures import find_areas_m2, parse_area_m2


@pytest.mark.parametrize(
    ("text", "square_m"),
    [
        ("450 square metres", 450),
        ("1,200 m²", 1_200),
        ("3.5 km2", 3.5e6),
        ("2 hectares", 20_000),
        ("1 acre", 4_046.8564224),
        ("1 square mile", 2_589_988.110336),
        ("4 million sq m", 4e6),
    ],
)
def test_a_whole_text(text: str, square_m: float) -> None:
    assert parse_area_m2(text) == pytest.approx(square_m)
    assert find_areas_m2(f"It covers {text} in all.") == pytest.approx((square_m,))


def test_several_in_their_order() -> None:
    assert find_areas_m2("from 2 ha to 0.5 km²") == (20_000, 500_000)


@pytest.mark.parametrize("text", ["5 Acre Park", "3 km", "12", "", "about 3 ha"])
def test_what_is_no_area_as_a_whole(text: str) -> None:
    assert parse_area_m2(text) is None
