"""`resolve_place`: which places of the map some names may mean."""

import asyncio
from collections.abc import Iterable, Iterator
from typing import ClassVar

from pydantic import Field

from map_tools.errors import ToolError
from map_tools.ids import is_own
from map_tools.types import Frozen, Place
from mapagent.core.answer import Answer
from mapagent.core.rendering import told_apart
from mapagent.interfaces.mcp.programs import answer, call, quoted
from mapagent.interfaces.mcp.replies import Outcome, Reply, clipped
from mapagent.interfaces.mcp.tools.base import CandidateBrief, notes_of, whole
from mapagent.interfaces.mcp.workbench import Workbench

MOST_NAMES = 10
CANDIDATES = 6
"""So many places are told of a name."""
OTHERS_FROM = 0.9
"""A place whose name fits so much as well as the best one's is told beside it, 0 to 1."""


class ResolvePlaceArguments(Frozen):
    """Names."""

    names: tuple[str, ...] = Field(
        description="Names, addresses or positions.", min_length=1, max_length=MOST_NAMES
    )
    near: str | None = Field(None, description="Of several of a name the one nearest to this.", min_length=1)


class ResolvedName(Frozen):
    """What a name may mean. Other tools take the first candidate, unless the name is ambiguous."""

    name: str
    ambiguous: bool = Field(description="Nothing tells which is meant: other tools ask back.")
    candidates: tuple[CandidateBrief, ...] = ()
    total: int = Field(0, description="How many places it may mean, listed here or not.")
    reason: str = Field("", description="Why there is none.")

    def lines(self) -> Iterator[str]:
        """A numbered line for each candidate."""
        if not self.candidates:
            yield f"{self.name}: {self.reason}"
            return
        count = len(self.candidates)
        first = f", the first {count}" if count < self.total else ""
        yield f"{self.name}: any of {self.total}{first}:" if self.ambiguous else f"{self.name}:"
        for one in self.candidates:
            where = "" if one.position in one.told else one.position
            yield "; ".join(part for part in (f"{one.number}. {one.told}", where, one.id) if part)


class ResolvePlaceReply(Reply):
    """The names with their candidates."""

    shortened: ClassVar[tuple[str, ...]] = ("names",)

    names: tuple[ResolvedName, ...]

    def lines(self) -> Iterator[str]:
        """Each name with its candidates."""
        for one in self.names:
            yield from one.lines()


class ResolvePlace:
    """Tells places of a name apart."""

    name: ClassVar[str] = "resolve_place"
    title: ClassVar[str] = "Find what names mean"
    description: str = (
        "Tells which places of the map names may mean, numbered and told apart by kind, address, district or "
        "position, each with its id, which every other tool takes. The first of a name is what the other "
        "tools take, unless it is ambiguous."
    )
    arguments: ClassVar[type[Frozen]] = ResolvePlaceArguments
    result: ClassVar[type[Reply]] = ResolvePlaceReply
    open_world: ClassVar[bool] = True

    async def __call__(self, arguments: ResolvePlaceArguments, bench: Workbench) -> Outcome:
        """The candidates of each name, all looked up at once."""
        found = await asyncio.gather(*(_resolved(name, arguments.near, bench) for name in arguments.names))
        names = tuple(one for one, _ in found)
        clear = sum(bool(one.candidates) and not one.ambiguous for one in names)
        answers = [told for _, told in found if told is not None]
        reply = ResolvePlaceReply(
            summary=f"{clear} of {len(names)} names are clear.",
            names=names,
            warnings=tuple(dict.fromkeys(note for told in answers for note in notes_of(told))),
            attribution=bench.provider.terms.attribution,
        )
        return Outcome(reply, {"answers": [whole(told)["answer"] for told in answers]})


async def _resolved(name: str, near: str | None, bench: Workbench) -> tuple[ResolvedName, Answer | None]:
    anchor = quoted(near) if near else None
    try:
        found = await bench.look_up(answer(call("place", quoted(name), near=anchor), {}))
    except ToolError as error:
        return ResolvedName(name=clipped(name), ambiguous=False, reason=clipped(str(error))), None
    told = found.candidates or told_apart(
        name, (*found.places, *await _others(name, found.places, bench))[:CANDIDATES]
    )
    resolved = ResolvedName(
        name=clipped(name),
        ambiguous=bool(found.candidates),
        candidates=tuple(CandidateBrief.numbered(*pair) for pair in enumerate(told[:CANDIDATES], start=1)),
        total=len(told),
    )
    return resolved, found


async def _others(name: str, taken: Iterable[Place], bench: Workbench) -> list[Place]:
    """Places whose names fit about as well as the one that is taken, where looking them up costs nothing."""
    provider = bench.provider
    if not provider.capabilities.cheap_names or any(is_own(place.id) for place in taken):
        return []  # providers are not told the names of own places
    candidates = await provider.find_place(name, limit=CANDIDATES)
    known = {place.id for place in taken}
    best = max((one.score for one in candidates), default=0.0)
    return [one.place for one in candidates if one.place.id not in known and one.score >= OTHERS_FROM * best]
