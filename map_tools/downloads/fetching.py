"""Fetches what servers publish for everybody, and finds the region that an extract is published of.

No key goes along, redirects are followed, every size is bounded. Services that are asked about places go through
`map_tools.wire`, which throttles and keeps replies; files of any size do not fit there.

The format of the index of regions: https://download.geofabrik.de/technical.html, "index-v1.json" and
"index-v1-nogeom.json".
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from map_tools.errors import DownloadError, LimitError
from map_tools.wire.environment import UNTRUSTED, is_untrusted, opened

if TYPE_CHECKING:
    import httpx2
    from tenacity import Retrying
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from map_tools.errors import UnknownNameError, UsageError
from map_tools.text import normalise, similarity
from map_tools.validation import first_fault, read_json
from map_tools.wire.environment import WebAddress

_STALL_S = 60.0
"""A server that is silent for so long has gone."""
_WHOLE_S = 300.0
"""Longest time for a file that is read as a whole, for a server may also send a byte a minute."""
_ATTEMPTS = 4
_BUSY: Final = frozenset(
    {
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.INTERNAL_SERVER_ERROR,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)
_AGAIN = "Run the same command again later."
_REMEDY = "Check the network connection and the address."


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file as its server announces it.

    Attributes:
        url: Where it is.
        size_bytes: How long it is; None if the server does not say.
    """

    url: str
    size_bytes: int | None


class Fetcher:
    """An HTTP client for published files, to be closed by leaving its context.

    Args:
        pause_s: Wait before the second attempt; it doubles with each further one.

    Raises:
        ConfigError: A proxy or the certificates of the environment cannot be used.
    """

    def __init__(self, pause_s: float = 1.0) -> None:
        import httpx2

        self._pause_s = pause_s
        self._client = opened(
            httpx2.Client,
            # Sizes, ranges and checksums are those of the file as it lies on the server.
            headers={"user-agent": "mapagent", "accept-encoding": "identity"},
            timeout=httpx2.Timeout(_STALL_S),
            follow_redirects=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def attempts(self) -> "Retrying":
        """Attempts to make something of the network, as long as another one may help (`DownloadError.passing`)."""
        from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential

        return Retrying(
            stop=stop_after_attempt(_ATTEMPTS),
            wait=wait_exponential(multiplier=self._pause_s),
            retry=retry_if_exception(lambda error: isinstance(error, DownloadError) and error.passing),
            reraise=True,
        )

    def announced(self, url: str, what: str) -> RemoteFile:
        """What the server says of a file without sending it.

        Args:
            url: Where it is.
            what: How sentences call it: "the extract of Denmark".

        Raises:
            DownloadError: It is not there, or the server cannot be reached.
        """

        def once() -> RemoteFile:
            with self.opened("HEAD", url, what) as reply:
                return RemoteFile(url, announced_bytes(reply))

        return self.attempts()(once)

    def read(self, url: str, what: str, *, limit_bytes: int) -> bytes:
        """The whole of a file.

        Raises:
            DownloadError: It is not there, or did not arrive in full.
            LimitError: It is longer than the limit.
        """

        def once() -> bytes:
            until = time.monotonic() + _WHOLE_S
            body = bytearray()
            with self.opened("GET", url, what) as reply:
                for chunk in reply.iter_raw():
                    body += chunk
                    if len(body) > limit_bytes:
                        raise LimitError(
                            f"{_capital(what)} is longer than {limit_bytes / 1e6:g} MB at {url}.",
                            "Is that the right address?",
                        )
                    if time.monotonic() > until:
                        raise DownloadError(
                            f"{_capital(what)} did not arrive in {_WHOLE_S:g} s from {url}.", _AGAIN
                        )
            return bytes(body)

        return self.attempts()(once)

    @contextmanager
    def opened(
        self, method: str, url: str, what: str, headers: dict[str, str] | None = None
    ) -> Iterator["httpx2.Response"]:
        """A reply whose body is still to be read; also its reading is watched.

        Raises:
            DownloadError: The server refused, cannot be reached, or broke off.
        """
        import httpx2

        host = url.split("/", 3)[2] if url.count("/") > 1 else url
        try:
            with self._client.stream(method, url, headers=headers) as reply:
                _check_status(reply, url, what)
                yield reply
        except httpx2.TimeoutException:
            raise DownloadError(
                f"The server {host} went silent while {what} was fetched.", _AGAIN, passing=True
            ) from None
        except httpx2.ConnectError as error:
            raise DownloadError(
                f"The server {host} cannot be reached for {what} ({error}).",
                UNTRUSTED if is_untrusted(error) else _REMEDY,
            ) from None
        except (httpx2.NetworkError, httpx2.RemoteProtocolError):
            raise DownloadError(
                f"The server {host} broke off while {what} was fetched.", _AGAIN, passing=True
            ) from None
        except (httpx2.RequestError, httpx2.InvalidURL) as error:
            raise DownloadError(
                f"{_capital(what)} cannot be fetched from {url} ({error}).", _REMEDY
            ) from None


def announced_bytes(reply: "httpx2.Response") -> int | None:
    """The length that a reply's header promises; None if it promises none."""
    text: str = reply.headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdecimal() else None


def _check_status(reply: "httpx2.Response", url: str, what: str) -> None:
    status = reply.status_code
    if reply.is_success or status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        return
    if status in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}:
        raise DownloadError(f"{_capital(what)} is not there: {url} (HTTP {status}).", missing=True)
    raise DownloadError(f"The server refuses {what}: {url} (HTTP {status}).", _AGAIN, passing=status in _BUSY)


def _capital(what: str) -> str:
    return what[:1].upper() + what[1:]


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
