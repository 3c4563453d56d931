"""Names are cut from the areas behind them, the longest name first."""

import pytest

from map_tools.spatial_db.grounding.places import name_cuts


@pytest.mark.parametrize(
    ("words", "cuts"),
    [
        ("Old Mill", [("Old Mill", ())]),
        (
            "Old Mill, Westport, OH",
            [
                ("Old Mill, Westport, OH", ()),
                ("Old Mill, Westport", ("OH",)),
                ("Old Mill", ("Westport", "OH")),
            ],
        ),
        ("Old Mill in Westport", [("Old Mill in Westport", ()), ("Old Mill", ("Westport",))]),
        (
            "Museum in the Park, Stroud",
            [
                ("Museum in the Park, Stroud", ()),
                ("Museum in the Park", ("Stroud",)),
                ("Museum", ("the Park", "Stroud")),
            ],
        ),
        ("Old Mill, ", [("Old Mill,", ()), ("Old Mill", ())]),
    ],
)
def test_cuts(words: str, cuts: list[tuple[str, tuple[str, ...]]]) -> None:
    assert list(name_cuts(words)) == cuts
