"""What verification has to say against an answer."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Objection:
    """One thing that is wrong with an answer.

    Attributes:
        code: A short fixed name ("sum", "wrong_anchor", "implausible_leg", "letter", ...).
        message: One sentence for the user, with the figures.
        severity: "reject": the answer must not be given; "warn": it may, with this warning.
    """

    code: str
    message: str
    severity: Literal["reject", "warn"] = "reject"
