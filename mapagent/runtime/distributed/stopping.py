"""Which errors end a whole run, and which are the answer to one question."""

from map_tools.errors import (
    ConfigError,
    Disposition,
    MapAgentError,
    MapStoreError,
    ModelError,
    UnknownNameError,
)


def stops_the_run(error: MapAgentError) -> bool:
    """Wrong settings, a damaged map and a lost server are no answers: the run stops and can be resumed."""
    lost = isinstance(error, ModelError) and error.disposition is Disposition.STOP
    return lost or isinstance(error, ConfigError | UnknownNameError | MapStoreError)
