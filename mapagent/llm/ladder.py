"""Which way to ask for a value: settled by the probe, corrected by what the server does."""

from collections.abc import Callable
from datetime import datetime

from mapagent.llm.profile import ServerProfile
from mapagent.llm.request import Rung

RUNGS = (Rung.SCHEMA, Rung.TOOLS, Rung.TEXT)


class Ladder:
    """The rungs of one server and model, from the surest down.

    Args:
        profile: What is known, None if nothing is.
        remember: Called with each rung the server refuses, and its words.
    """

    def __init__(self, profile: ServerProfile | None, remember: Callable[[Rung, str], None]) -> None:
        self._profile = profile
        self._remember = remember
        self._out: dict[Rung, str] = {}
        for rung in RUNGS[:-1]:
            why = _known_against(profile, rung)
            if why:
                self._out[rung] = why

    def rungs(self) -> tuple[tuple[Rung, str], ...]:
        """The rungs still worth trying, each with the reason why it is tried; text is always one."""
        left = [rung for rung in RUNGS if rung not in self._out]
        return tuple((rung, self._reason(rung)) for rung in left)

    def refused(self, rung: Rung, words: str) -> None:
        """The server does not take this rung: it is not tried again."""
        self._out[rung] = f"{rung} refused ({words})" if words else f"{rung} refused"
        self._remember(rung, words)

    def ignored(self, rung: Rung) -> None:
        """The server took this rung and did not keep to it: it is not tried again by this client."""
        if rung is not Rung.TEXT:
            self._out[rung] = f"{rung} ignored"

    def _reason(self, rung: Rung) -> str:
        above = [self._out[other] for other in RUNGS[: RUNGS.index(rung)] if other in self._out]
        if above:
            return "; ".join(above)
        if self._profile is None or not self._profile.probed:
            return "not probed: the surest first"
        return f"the probe of {_day(self._profile.found_at)} found that it works"


def _known_against(profile: ServerProfile | None, rung: Rung) -> str:
    """Why a rung is of no use, empty if nothing speaks against it."""
    if profile is None:
        return ""
    if rung in profile.refused:
        return f"{rung} refused on {_day(profile.found_at)}"
    found = profile.schema_obeyed if rung is Rung.SCHEMA else profile.tools_called
    return f"the probe of {_day(profile.found_at)} found that {rung} does not work" if found is False else ""


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
