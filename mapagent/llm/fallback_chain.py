"""Which way to ask for a value: settled by the probe, corrected by what the server does."""

from collections.abc import Callable
from datetime import datetime

from mapagent.llm.profile import ServerProfile
from mapagent.llm.request import OutputMode

RUNGS = (OutputMode.SCHEMA, OutputMode.TOOLS, OutputMode.TEXT)


class FallbackChain:
    """The output modes of one server and model, from the surest down.

    Args:
        profile: What is known, None if nothing is.
        remember: Called with each output mode the server refuses, and its words.
    """

    def __init__(self, profile: ServerProfile | None, remember: Callable[[OutputMode, str], None]) -> None:
        self._profile = profile
        self._remember = remember
        self._out: dict[OutputMode, str] = {}
        for output_mode in RUNGS[:-1]:
            why = _known_against(profile, output_mode)
            if why:
                self._out[output_mode] = why

    def output_modes(self) -> tuple[tuple[OutputMode, str], ...]:
        """The output modes still worth trying, each with the reason why it is tried; text is always one."""
        left = [output_mode for output_mode in RUNGS if output_mode not in self._out]
        return tuple((output_mode, self._reason(output_mode)) for output_mode in left)

    def refused(self, output_mode: OutputMode, words: str) -> None:
        """The server does not take this output mode: it is not tried again."""
        self._out[output_mode] = f"{output_mode} refused ({words})" if words else f"{output_mode} refused"
        self._remember(output_mode, words)

    def ignored(self, output_mode: OutputMode) -> None:
        """The server took this output mode and did not keep to it: it is not tried again by this client."""
        if output_mode is not OutputMode.TEXT:
            self._out[output_mode] = f"{output_mode} ignored"

    def _reason(self, output_mode: OutputMode) -> str:
        above = [self._out[other] for other in RUNGS[: RUNGS.index(output_mode)] if other in self._out]
        if above:
            return "; ".join(above)
        if self._profile is None or not self._profile.probed:
            return "not probed: the surest first"
        return f"the probe of {_day(self._profile.found_at)} found that it works"


def _known_against(profile: ServerProfile | None, output_mode: OutputMode) -> str:
    """Why an output mode is of no use, empty if nothing speaks against it."""
    if profile is None:
        return ""
    if output_mode in profile.refused:
        return f"{output_mode} refused on {_day(profile.found_at)}"
    found = profile.schema_obeyed if output_mode is OutputMode.SCHEMA else profile.tools_called
    return (
        f"the probe of {_day(profile.found_at)} found that {output_mode} does not work"
        if found is False
        else ""
    )


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
