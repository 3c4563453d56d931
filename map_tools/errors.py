"""The one tree of errors.

    MapAgentError
    ├── UsageError               wrong use: command line exit 2, HTTP 422
    │   ├── ConfigError          a setting is missing, unknown or has a wrong value
    │   ├── UnknownNameError     no such map, provider, module, ...; says what there is
    │   │   └── UnknownConversationError  no such conversation, or no longer
    │   ├── InputFileError       a file that is missing, unreadable or not what it should be
    │   └── ProgramError         a program of the query language that cannot be run: its line, fault and mend
    ├── MapStoreError            a map's folder is damaged, foreign or of another version
    ├── ToolError                a map tool could not do what was asked; becomes evidence, never a crash
    │   ├── PlaceNotFoundError   nothing on the map has this name
    │   ├── NoRouteError         the two places are not connected for this mode
    │   ├── UnsupportedError     the provider cannot do this (a travel mode, a kind of fact)
    │   ├── QueryRefusedError    a spatial database will not run this SQL: not allowed, or not translatable
    │   ├── QueryError           a spatial database tried and could not: unknown column, too slow, ...
    │   └── ProviderError        the provider failed: refused, over quota, unreachable, broken reply
    ├── ModelError               the model server refused, cannot be reached, or has no such model
    │   └── ModelReplyError      the model's reply is of no use, even after it was told what is wrong
    ├── PlanError                a plan that cannot run: unknown module, cycle, unresolved reference
    ├── DownloadError            a file on the network is not there, cut off, or not what it should be
    ├── OutputFileError          results cannot be written any more: no space, no permission
    ├── WorkerLostError          the process that was asked died, and the question with it
    └── LimitError               a budget, a deadline or a size limit was reached

Each message names the thing; `remedy` says what to do about it.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any


class Disposition(StrEnum):
    """What the planner may do after an error."""

    RETRY = "retry"
    """Other arguments may help."""
    FINAL = "final"
    """Final for this call; the run goes on without it."""
    STOP = "stop"
    """The whole run cannot go on."""


class MapAgentError(Exception):
    """Base of all errors of this project.

    Args:
        message: One sentence that names the thing.
        remedy: What the user can do, empty if nothing.
    """

    code = "error"
    disposition = Disposition.STOP

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel between processes, whatever a subclass wants to be made with."""
        return _made_anew, (type(self), self.args, self.__dict__)


def _made_anew(kind: type[MapAgentError], args: tuple[Any, ...], values: dict[str, Any]) -> MapAgentError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(values)
    return error


class UsageError(MapAgentError):
    """Wrong use of the command line, the API or a setting."""

    code = "usage"


class ConfigError(UsageError):
    """A setting is missing, unknown or has a wrong value."""

    code = "config"


class UnknownNameError(UsageError):
    """A name that nothing is registered under."""

    code = "unknown_name"


class UnknownConversationError(UnknownNameError):
    """A conversation that was never begun, was deleted, or is no longer kept."""

    code = "unknown_conversation"


class InputFileError(UsageError):
    """A file that is missing, unreadable or not what it should be."""

    code = "input_file"


class ProgramError(UsageError):
    """A program of the query language that cannot be run: its form, a name, a type or a bound.

    Args:
        line: Where, from 1; 0 for the program as a whole.
        problem: What was found and what the language wants, as one sentence.
        mend: What to write instead.
    """

    code = "program"

    def __init__(self, line: int, problem: str, mend: str = "") -> None:
        where = f"Line {line}: " if line else ""
        super().__init__(where + problem, mend)
        self.line = line
        self.problem = problem

    def __reduce__(self) -> tuple[type["ProgramError"], tuple[int, str, str]]:
        """As it was made."""
        return type(self), (self.line, self.problem, self.remedy)


class MapStoreError(MapAgentError):
    """A map's folder is damaged, foreign or of another version."""

    code = "map_store"


class ToolError(MapAgentError):
    """A map tool could not do what was asked; recorded as evidence of kind `failure`."""

    code = "tool"
    disposition = Disposition.FINAL


class PlaceNotFoundError(ToolError):
    """Nothing on the map has this name."""

    code = "place_not_found"
    disposition = Disposition.RETRY


class NoRouteError(ToolError):
    """The two places are not connected for this mode of travel."""

    code = "no_route"


class UnsupportedError(ToolError):
    """The provider cannot do this: a travel mode, a kind of fact."""

    code = "unsupported"


class ProviderError(ToolError):
    """The provider failed: refused, over quota, unreachable, or a broken reply."""

    code = "provider"


class QueryRefusedError(ToolError):
    """A spatial database will not run this SQL: it is not allowed, or this engine has no equal of it."""

    code = "query_refused"
    disposition = Disposition.RETRY


class QueryError(ToolError):
    """A spatial database could not carry out this SQL: an unknown column, a wrong type, too slow."""

    code = "query"
    disposition = Disposition.RETRY


class ModelError(MapAgentError):
    """The model server refused, cannot be reached, or has no such model."""

    code = "model"


class ModelReplyError(ModelError):
    """The model's reply is of no use, even after it was told once what is wrong with it."""

    code = "model_reply"
    disposition = Disposition.FINAL


class PlanError(MapAgentError):
    """A plan that cannot run: unknown module, cycle, unresolved reference, no answer step."""

    code = "plan"
    disposition = Disposition.RETRY


class OutputFileError(MapAgentError):
    """Results cannot be written any more: no space, no permission."""

    code = "output_file"


class DownloadError(MapAgentError):
    """A file on the network is not there, was cut off, or is not what it should be.

    Args:
        missing: The server has no such file.
        passing: Another attempt may bring it.
    """

    code = "download"

    def __init__(
        self, message: str, remedy: str = "", *, missing: bool = False, passing: bool = False
    ) -> None:
        super().__init__(message, remedy)
        self.missing = missing
        self.passing = passing


class WorkerLostError(MapAgentError):
    """The process that was asked died, and the question with it; another one may answer it."""

    code = "worker_lost"
    disposition = Disposition.FINAL


class LimitError(MapAgentError):
    """A budget, a deadline or a size limit was reached."""

    code = "limit"


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """The known name most like a wrong one, as a sentence; empty if none is like it."""
    import difflib

    near = difflib.get_close_matches(wrong, list(known), n=1, cutoff=0.6)
    return f"Did you mean `{near[0]}`?" if near else ""
