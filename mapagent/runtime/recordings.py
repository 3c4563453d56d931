"""Opens the recording that the settings name: to write down a run, or to play one with the network off."""

from typing import TYPE_CHECKING

from map_tools.clock import Clock
from map_tools.errors import ConfigError
from mapagent.runtime.config import Settings

if TYPE_CHECKING:
    from map_tools.wire import Player, Recorder


def open_recording(settings: Settings, clock: Clock | None = None) -> "Recorder | Player | None":
    """The recording of these settings; None if they name none.

    Args:
        settings: `record` names a file to write, `replay` one to play.
        clock: Tells the moment of a new recording; default: the machine's clock.

    Raises:
        ConfigError: Both are named.
        InputFileError: The file cannot be written, read, or is damaged.
    """
    if settings.record is not None and settings.replay is not None:
        raise ConfigError("A run is either recorded or replayed.", "Set `record` or `replay`, not both.")
    if settings.replay is not None:
        from map_tools.wire import Player

        return Player(settings.replay)
    if settings.record is not None:
        from map_tools.wire import Recorder

        return Recorder(settings.record, clock=clock, allow_payloads=settings.record_payloads)
    return None
