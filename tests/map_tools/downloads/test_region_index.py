"""Regions are found by what people call them, and never guessed."""

import json
from typing import Any

import pytest

from map_tools.downloads.fetching import Fetcher, fetch_regions, find_region
from map_tools.errors import DownloadError, UnknownNameError, UsageError
from tests.support.published import INDEX, Published, feature


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ("Helsinki", "finland/helsinki"),
        ("HELSINKI ", "finland/helsinki"),
        ("finland", "europe/finland"),
        ("FI", "europe/finland"),
        ("us/georgia", "us/georgia"),
        ("Europe/Georgia", "europe/georgia"),
        ("US-GA", "us/georgia"),
        ("cote d'ivoire", "africa/ivory-coast"),
        ("Ivory Coast", "africa/ivory-coast"),
    ],
)
def test_names_ids_and_codes(fetcher: Fetcher, published: Published, wanted: str, path: str) -> None:
    regions = fetch_regions(fetcher, published.url + INDEX)
    assert find_region(regions, wanted).path == path


def test_what_has_no_extract_is_no_region(fetcher: Fetcher, published: Published) -> None:
    regions = fetch_regions(fetcher, published.url + INDEX)
    assert "europe" not in {region.id for region in regions}
    assert len(regions) == 5


def test_ambiguous_names_are_listed(fetcher: Fetcher, published: Published) -> None:
    regions = fetch_regions(fetcher, published.url + INDEX)
    with pytest.raises(UsageError) as caught:
        find_region(regions, "Georgia")
    assert str(caught.value) == (
        "Several regions are called 'Georgia': Georgia (europe/georgia), Georgia (us/georgia). "
        "Name one as it stands in brackets."
    )


def test_a_slip_is_met_with_what_is_meant(fetcher: Fetcher, published: Published) -> None:
    regions = fetch_regions(fetcher, published.url + INDEX)
    with pytest.raises(
        UnknownNameError, match=r"no region 'Helsnki'\. Did you mean Helsinki \(finland/helsinki\)"
    ):
        find_region(regions, "Helsnki")


@pytest.mark.parametrize("wanted", ["Atlantis", "", "  ", "/"])
def test_what_is_like_nothing(fetcher: Fetcher, published: Published, wanted: str) -> None:
    regions = fetch_regions(fetcher, published.url + INDEX)
    with pytest.raises(UnknownNameError, match=r"among the 5 of the index.*countries and their parts"):
        find_region(regions, wanted)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html></html>",
        b"[]",
        b"[" * 100_000,
        b"{}",
        b'{"features": [{"properties": {"id": 7}}]}',
        b'{"features": 1, "features": 2}',
        json.dumps({"features": [feature("a", "A", "file:///etc/passwd")]}).encode(),
    ],
)
def test_what_is_no_index(fetcher: Fetcher, published: Published, body: bytes) -> None:
    published.files[INDEX] = body
    with pytest.raises(DownloadError, match=r"is no index of regions \(.+`regions_index`"):
        fetch_regions(fetcher, published.url + INDEX)


def test_more_than_we_read_does_no_harm(fetcher: Fetcher, published: Published) -> None:
    """Geofabrik's index with outlines, and whatever it will have next."""
    outline: dict[str, Any] = {"type": "MultiPolygon", "coordinates": [[[[0, 0], [1, 0], [1, 1], [0, 0]]]]}
    told = feature("faroe-islands", "Faroe Islands", "https://a.example/f.osm.pbf", parent="europe", size=3)
    published.put_index(told | {"geometry": outline})
    (region,) = fetch_regions(fetcher, published.url + INDEX)
    assert (region.name, region.pbf_url) == ("Faroe Islands", "https://a.example/f.osm.pbf")
