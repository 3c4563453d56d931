"""What is wrong with outside data, in the words an error tells its user."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


@dataclass(frozen=True, slots=True)
class Fault:
    """One wrong value.

    Attributes:
        path: Names of fields and numbers of items down to it; empty for the whole.
        reason: Why it is wrong.
        kind: pydantic's name of the kind of fault ("extra_forbidden";
            https://docs.pydantic.dev/latest/errors/validation_errors/).
    """

    path: tuple[int | str, ...]
    reason: str
    kind: str

    @property
    def where(self) -> str:
        """The path with dots; empty for the whole."""
        return ".".join(map(str, self.path))


def first_fault(error: "ValidationError") -> Fault:
    """The first of the faults: one is enough to be told, for mending it often mends the others."""
    first = error.errors()[0]
    return Fault(first["loc"], first["msg"].removeprefix("Value error, "), first["type"])
