"""What is not known, and why: a value like any other, never an error and never "no"."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from map_tools.types import Place


class Why(StrEnum):
    """Why something is not known."""

    NONE = "none"
    """A complete search has no such member. That is an answer, and no refusal."""
    NOT_STATED = "not_stated"
    """The source knows the thing and does not say this of it."""
    NOT_FOUND = "not_found"
    """Nothing on the map bears the name."""
    AMBIGUOUS = "ambiguous"
    """A name fits several places."""
    NO_ROUTE = "no_route"
    """There is no way in this mode of travel."""
    UNSUPPORTED = "unsupported"
    """The source of facts cannot tell such things at all."""
    LIMIT = "limit"
    """It would cost more than the question may."""
    FAILED = "failed"
    """The source of facts failed."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that is not known.

    Attributes:
        why: The kind of reason.
        reason: One sentence for a person.
        candidates: Of an ambiguous name: the places it may mean; where nothing tells which of several is the
            nearest: all of them.
        shown: Where a search came out empty: what lies just outside of it, to be told beside "none". Of an
            ambiguous name: the first of its candidates, numbered.
    """

    why: Why
    reason: str
    candidates: tuple[Place, ...] = ()
    shown: str = ""


_BROKEN_OFF = frozenset({Why.LIMIT, Why.FAILED})


def broken_off(values: Iterable[object]) -> Unknown | None:
    """The first value that is not known for a limit or a failure; None if there is none.

    The map may well state it: such a member is never left out as one of which something is not stated.
    """
    return next((one for one in values if isinstance(one, Unknown) and one.why in _BROKEN_OFF), None)


class Waiting(Exception):  # noqa: N818 (no error: the value comes with the next round of facts)
    """A fact is still to be fetched; the value is worked out when it is there."""


class _Wait:
    """The value of what still waits for facts."""

    def __repr__(self) -> str:
        return "WAIT"


WAIT = _Wait()
"""Stands for a value that waits for facts; `is WAIT` tells."""
