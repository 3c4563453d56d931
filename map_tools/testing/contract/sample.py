"""What the contract must know of the world a provider serves: a handful of facts from elsewhere.

A provider may offer them beside the port, so that it can be checked without anybody's help (`Sampled`, `Rehearsed`).
"""

import tomllib
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Protocol, runtime_checkable

from pydantic import Field, ValidationError

from map_tools.errors import InputFileError
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.types import Frozen, LatLng, TravelMode

NOWHERE = LatLng(lat=-54.4208, lng=3.3464)
"""Bouvet Island: no road leads there, and no city map reaches it."""


class ContractSample(Frozen):
    """Facts of the world behind a provider, known from elsewhere: a paper map, the raw data, a walk.

    Attributes:
        place: Words that mean exactly one place.
        position: Where it lies, give or take `tolerance_m`. Latitude and longitude should differ by more than
            a few degrees: a provider that mixes them up is found out by this point.
        facts: Attributes of `Place` that the service is known to have of this place ("website", "rating").
            Those that the provider declares must be there.
        category: A category id of `map_tools.kinds.concepts`; at least `at_least` places of it lie within
            `radius_m` of `position`. More than one page of the service's replies makes the better check.
        origin, destination: Words for two places some kilometres apart, with a way between them by each of
            `modes`.
        modes: Empty: all the modes that the provider declares.
        via: Words for a third place, to go from origin to destination over it.
        area: Words for a place with an outline, for a provider that can search inside one.
        area_category: A category id that some place inside the area has; None: any.
        missing: Words that no place is called by.
        missing_id: An id that no place has.
        nowhere: A position with nothing around it, and no way to it.
    """

    place: str = Field(min_length=1)
    position: LatLng
    tolerance_m: Annotated[float, Field(gt=0)] = 300.0
    facts: frozenset[str] = frozenset()
    category: str = Field(min_length=1)
    radius_m: Annotated[float, Field(gt=0)] = 2_000.0
    at_least: Annotated[int, Field(ge=2)] = 2
    origin: str = Field(min_length=1)
    destination: str = Field(min_length=1)
    modes: frozenset[TravelMode] = frozenset()
    via: str | None = None
    area: str | None = None
    area_category: str | None = None
    missing: str = "Zyxwvut Qqqqqq"
    missing_id: str = "no-such-id"
    nowhere: LatLng = NOWHERE


def read_sample(path: Path) -> ContractSample:
    """Reads a sample from a TOML file with the fields of `ContractSample`.

    Raises:
        InputFileError: The file is missing, not TOML, or a field is missing, unknown or wrong.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputFileError(
            f"The sample file {path} cannot be read: {error.strerror}.", "Name a TOML file you may read."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputFileError(f"The sample file {path} is not TOML: {error}.", "Correct the line.") from error
    try:
        return ContractSample.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputFileError(
            f"The sample file {path}: '{field}': {first['msg']}.", "See docs/how-to/add-a-provider.md."
        ) from error


@runtime_checkable
class Sampled(Protocol):
    """A provider that knows a sample of its own world, so that nobody has to write one."""

    async def contract_sample(self) -> ContractSample:
        """A sample, the same one each time.

        Raises:
            UnsupportedError: Its world is too small to be checked.
        """
        ...


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A provider that asks a stand-in for its service.

    Attributes:
        provider: The provider; everything but the service is the real thing.
        sample: What is known of the stand-in's world.
        secrets: The keys it was opened with.
    """

    provider: Provider
    sample: ContractSample
    secrets: tuple[str, ...] = ()


@runtime_checkable
class Rehearsed(Protocol):
    """A provider factory whose provider can be checked with no network and no key."""

    def rehearsal(self, setting: ProviderSetting) -> AbstractAsyncContextManager[Rehearsal]:
        """Opens the provider over a stand-in: replies written by hand in the service's documented shape."""
        ...
