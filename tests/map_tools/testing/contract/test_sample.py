"""Samples are read from TOML; what is wrong with one is named."""

from pathlib import Path

import pytest

from map_tools.errors import InputFileError
from map_tools.testing.contract import ContractSample, read_sample
from map_tools.types import LatLng, TravelMode

TEXT = """
place = "Lighthouse Museum"
position = {lat = -12.5, lng = 130.75}
facts = ["website"]
category = "cafe"
origin = "Lighthouse Museum"
destination = "Old Station"
modes = ["walking"]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "sample.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_sample(tmp_path: Path) -> None:
    assert read_sample(write(tmp_path, TEXT)) == ContractSample(
        place="Lighthouse Museum",
        position=LatLng(lat=-12.5, lng=130.75),
        facts=frozenset({"website"}),
        category="cafe",
        origin="Lighthouse Museum",
        destination="Old Station",
        modes=frozenset({TravelMode.WALKING}),
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (TEXT.replace("-12.5", "-112.5"), "'position.lat'"),
        (TEXT.replace("origin", "orgin"), "'origin'"),
        (TEXT + 'colour = "red"\n', "'colour'"),
        (TEXT.replace("walking", "flying"), "'modes."),
        (TEXT.replace("= {", "= "), "is not TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputFileError, match=r"sample\.toml") as raised:
        read_sample(write(tmp_path, text))
    assert words in raised.value.message
    assert raised.value.remedy


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"none\.toml cannot be read"):
        read_sample(tmp_path / "none.toml")
