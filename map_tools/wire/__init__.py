"""The way to services on the network: throttle, retry, cache, record and replay, redaction, cost.

A provider makes a `WirePolicy` (what the service demands) and one `Wire`, sends `WireRequest`s and reads
`WireReply`s. `docs/wire.md` shows how.

The names below are imported on first use: whoever asks nothing of the network pays nothing at start-up.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from map_tools.wire.meter import CallMeter, Cost, Purse, metered
    from map_tools.wire.policy import DataKind, Retention, Verdict, WirePolicy
    from map_tools.wire.recording import Player, Recorder
    from map_tools.wire.request import WireReply, WireRequest
    from map_tools.wire.wire import Wire

__all__ = [
    "CallMeter",
    "Cost",
    "DataKind",
    "Player",
    "Purse",
    "Recorder",
    "Retention",
    "Verdict",
    "Wire",
    "WirePolicy",
    "WireReply",
    "WireRequest",
    "metered",
]

_MODULES = {
    "meter": ("CallMeter", "Cost", "Purse", "metered"),
    "policy": ("DataKind", "Retention", "Verdict", "WirePolicy"),
    "recording": ("Player", "Recorder"),
    "request": ("WireReply", "WireRequest"),
    "wire": ("Wire",),
}


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
