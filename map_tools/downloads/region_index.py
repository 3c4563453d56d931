"""The regions that extracts are published of, in the format of Geofabrik's index.

The format: https://download.geofabrik.de/technical.html, "index-v1.json" and "index-v1-nogeom.json".
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from map_tools.downloads.fetching import Fetcher
from map_tools.errors import DownloadError, UnknownNameError, UsageError
from map_tools.text import normalise, similarity
from map_tools.validation import first_fault, read_json
from map_tools.wire.environment import WebAddress

_LIMIT_BYTES = 64_000_000
"""The index with the outlines of all regions has about 30 MB, without them 0.5 MB."""
_LIKE = 0.6
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Region:
    """A region with an extract.

    Attributes:
        id: Its id in the index: "denmark", "us/georgia".
        name: What it is called.
        parent: Id of the region it is part of; empty for a continent.
        pbf_url: Where its extract is.
        codes: ISO 3166 codes of what it covers.
    """

    id: str
    name: str
    parent: str
    pbf_url: str
    codes: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """What no other region is called: "europe/georgia", "us/georgia"."""
        return self.id if "/" in self.id or not self.parent else f"{self.parent}/{self.id}"

    def __str__(self) -> str:
        return f"{self.name} ({self.path})"


class _Urls(BaseModel):
    pbf: WebAddress | None = None


class _Properties(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    id: str
    name: str
    parent: str = ""
    urls: _Urls = _Urls()
    countries: tuple[str, ...] = Field(default=(), alias="iso3166-1:alpha2")
    subdivisions: tuple[str, ...] = Field(default=(), alias="iso3166-2")


class _Feature(BaseModel):
    properties: _Properties


class _Index(BaseModel):
    features: tuple[_Feature, ...]


def fetch_regions(fetcher: Fetcher, address: str) -> tuple[Region, ...]:
    """All regions of an index that have an extract.

    Args:
        fetcher: What fetches it.
        address: Where the index is.

    Raises:
        DownloadError: It cannot be fetched, or is no index.
    """
    text = fetcher.read(address, "the index of regions", limit_bytes=_LIMIT_BYTES)
    try:
        index = _Index.model_validate(read_json(text))
    except ValidationError as error:
        fault = first_fault(error)
        raise _no_index(address, f"{fault.where}: {fault.reason}" if fault.where else fault.reason) from error
    except (ValueError, RecursionError) as error:
        raise _no_index(address, "it is no JSON") from error
    found = (feature.properties for feature in index.features)
    return tuple(
        Region(each.id, each.name, each.parent, each.urls.pbf, each.countries + each.subdivisions)
        for each in found
        if each.urls.pbf is not None
    )


def find_region(regions: Sequence[Region], wanted: str) -> Region:
    """The region that is called so, by its path, id, name or ISO 3166 code; case and accents do not count.

    Nothing is guessed, for a wrong region is a long way: what is only like the name is offered.

    Raises:
        UnknownNameError: None is; says which are called alike.
        UsageError: Several are; says how to name each.
    """
    exact = [region for region in regions if wanted.strip().casefold() == region.path.casefold()]
    called = exact or [region for region in regions if _is_called(region, wanted)]
    if len(called) == 1:
        return called[0]
    if called:
        raise UsageError(
            f"Several regions are called '{wanted}': {_listed(called)}.",
            "Name one as it stands in brackets.",
        )
    alike = _alike(regions, wanted)
    if alike:
        raise UnknownNameError(f"There is no region '{wanted}'.", f"Did you mean {_listed(alike)}?")
    raise UnknownNameError(
        f"There is no region '{wanted}' among the {len(regions)} of the index.",
        "Extracts are of countries and their parts: name the one that your town is in.",
    )


def _is_called(region: Region, wanted: str) -> bool:
    names = (region.name, region.id, region.id.rpartition("/")[2], *region.codes)
    return normalise(wanted) in {normalise(name) for name in names} - {""}


def _alike(regions: Sequence[Region], wanted: str) -> list[Region]:
    scored = [
        (max(similarity(wanted, region.name), similarity(wanted, region.id)), region) for region in regions
    ]
    near = [(score, region) for score, region in scored if score >= _LIKE]
    near.sort(key=lambda pair: (-pair[0], pair[1].path))
    return [region for _, region in near[:_MOST_NAMED]]


def _listed(regions: Sequence[Region]) -> str:
    shown = ", ".join(map(str, regions[:_MOST_NAMED]))
    more = len(regions) - _MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def _no_index(address: str, why: str) -> DownloadError:
    return DownloadError(
        f"What is at {address} is no index of regions ({why}).",
        "Set `regions_index` to one in Geofabrik's format.",
    )
