"""What a check is, and what it must know of the world a provider serves: a handful of facts from elsewhere.

A provider may offer such facts beside the port, to be checked without anybody's help (`Sampled`, `Rehearsed`).
"""

import tomllib
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Protocol, runtime_checkable

from pydantic import Field, ValidationError
from pydantic_core import PydanticSerializationError

from map_tools.errors import InputFileError, MapAgentError
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.types import Frozen, LatLng, NearbyPlace, Place, TravelMode

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


LINEAR_TOLERANCE = 0.01
"""Share by which two measures of one distance may differ: a sphere instead of the ellipsoid makes 0.6 %
(https://en.wikipedia.org/wiki/Great-circle_distance#Radius_for_spherical_Earth)."""
ROUNDING_M = 2.0
"""Metres by which rounded coordinates and distances may differ."""


class BreachError(Exception):
    """The provider does not keep the sentence of a check; the message is what was seen."""


class NotApplicableError(Exception):
    """The check cannot be made here; the message says why."""


@dataclass(slots=True)
class Subject:
    """A provider under check.

    Attributes:
        provider: The provider.
        sample: Facts of the world behind it.
        secrets: Keys it was opened with, which must appear nowhere.
        patience_s: How long a cancelled call may take to end, and a call after it to answer.
        heard: Texts that came out of it so far: errors with their traces, log lines.
    """

    provider: Provider
    sample: ContractSample
    secrets: tuple[str, ...] = ()
    patience_s: float = 10.0
    heard: list[str] = field(default_factory=list)
    _places: dict[str, Place] = field(default_factory=dict, init=False)
    _whole_list: tuple[NearbyPlace, ...] | None = field(default=None, init=False)

    @property
    def modes(self) -> tuple[TravelMode, ...]:
        """The modes to travel by: those of the sample that the provider declares."""
        declared = self.provider.capabilities.modes
        wanted = self.sample.modes & declared if self.sample.modes else declared
        return tuple(mode for mode in TravelMode if mode in wanted)

    async def place(self, text: str) -> Place:
        """The best place for these words; a check that needs it is not applicable where it is not found."""
        if text not in self._places:  # asked once: real services bill every call
            found = await self.provider.find_place(text)
            if not found:
                raise NotApplicableError(f"needs '{text}', which is not found; see 'known-names'")
            self._places[text] = found[0].place
        return self._places[text]

    async def ends(self) -> tuple[Place, Place]:
        """The two places of the sample that are connected."""
        return await self.place(self.sample.origin), await self.place(self.sample.destination)

    async def everything(self) -> tuple[NearbyPlace, ...]:
        """All places of the sample's category around its position, asked for once."""
        if self._whole_list is None:
            self._whole_list = await self.around()
        return self._whole_list

    async def around(self, *, limit: int | None = None, **more: Any) -> tuple[NearbyPlace, ...]:
        """The places of the sample's category around its position.

        Raises:
            NotApplicableError: The provider does not declare searches around a position.
        """
        self.demand_nearby()
        kind = {"categories": (self.sample.category,), **more}
        return await self.provider.nearby(
            self.sample.position, radius_m=self.sample.radius_m, limit=limit, **kind
        )

    def demand_nearby(self) -> None:
        """Checks of searches around a position are not applicable where they are not declared."""
        if not self.provider.capabilities.nearby:
            raise NotApplicableError("searches around a position are not declared")

    def some_mode(self) -> TravelMode:
        """A mode to travel by; checks of travel are not applicable where there is none."""
        if not self.modes:
            raise NotApplicableError("the provider serves none of the sample's modes of travel")
        return self.modes[0]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that every provider must keep.

    Attributes:
        id: Short and stable ("axis-order").
        sentence: What a provider must keep.
        remedy: What to do about it if it does not.
        run: Returns what was seen; raises `BreachError` or `NotApplicableError`. Whatever else it raises was
            raised by the provider, and is a failure as well.
    """

    id: str
    sentence: str
    remedy: str
    run: Callable[[Subject], Awaitable[str]]


def demand(kept: object, otherwise: str) -> None:
    """Raises `BreachError` with what was seen, unless the condition is kept."""
    if not kept:
        raise BreachError(otherwise)


def same_length(stated_m: float, true_m: float) -> bool:
    """True if two measures of one distance agree within the contract's tolerance."""
    return abs(stated_m - true_m) <= max(ROUNDING_M, LINEAR_TOLERANCE * true_m)


def demand_tuple_of(kind: type[Frozen], result: object, what: str) -> None:
    """Demands a tuple of well-formed values of one type."""
    if not isinstance(result, tuple):
        raise BreachError(f"{what} returned a {type(result).__name__} instead of a tuple")
    for value in result:
        demand_value(kind, value, what)


def demand_value(kind: type[Frozen], value: object, what: str) -> None:
    """Demands a value of a type whose fields have the declared types and ranges."""
    if not isinstance(value, kind):
        raise BreachError(f"{what} returned a {type(value).__name__} instead of a {kind.__name__}")
    try:
        # Values made without validation (`model_construct`) are seen through by writing and reading them.
        kind.model_validate_json(value.model_dump_json(warnings="error"), strict=True)
    except PydanticSerializationError as error:
        raise BreachError(f"{what} returned a {kind.__name__} with a field of a wrong type") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BreachError(
            f"{what} returned a {kind.__name__} with a wrong '{where}': {first['msg']}"
        ) from error


async def refusal(work: Awaitable[object], kind: type[MapAgentError]) -> MapAgentError:
    """The error of this kind that a call must end in.

    Raises:
        BreachError: It ended otherwise.
    """
    try:
        result = await work
    except kind as error:
        return error
    raise BreachError(f"{kind.__name__} was expected, and it returned {shown(result)}")


def shown(value: object) -> str:
    """A value in a finding: short, on one line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 120 else f"{text[:117]}..."
