"""Rules that judge an answer in words: what it has to say, read the same way for every method.

A name counts as said if its words stand in the text, whatever their case, accents and punctuation; a number, length,
duration or time counts if one in the text is near enough. What must not be said (the runner-up, the other branch) is
named by `none_of`.
"""

import re
from collections.abc import Callable
from datetime import time
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from evals.metrics.measures import WINDS
from map_tools.compute.clocks import find_clocks
from map_tools.compute.measures import find_areas_m2, find_distances, find_durations
from map_tools.compute.scanning import find_numbers
from map_tools.kinds.phrases import fold

SLACK_M = 30.0
"""A length may be off by this, or by `SLACK`, whichever is more: where a building begins is a matter of taste."""
SLACK_S = 120.0
"""A duration may be off by this, or by `SLACK`, whichever is more."""
SLACK = 0.1
"""Roads are measured, and speeds assumed, in more than one sound way."""
_VERDICT = re.compile(r"(?:^|[.:;,\n(])\W*(yes|no)\b", re.IGNORECASE)
"""Where an answer, or a part of one, begins with it."""

type Text = Annotated[str, Field(min_length=1)]
type Positive = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Right(BaseModel):
    """One thing an answer has to say. Exactly one field is set, `none_of` and `within` aside.

    Attributes:
        names: All of these words or names are said.
        one_of: At least one of them is.
        yes: The answer, or a part of it, begins with yes, or with no.
        number: A count or rating.
        metres: A length on the ground.
        square_metres: An area.
        minutes: A duration.
        clock: A time of day.
        direction: A wind of eight ("northeast").
        none: It says that there is none.
        none_of: None of these is said.
        within: The tolerance of a number in its own unit, instead of the usual one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    names: tuple[Text, ...] = ()
    one_of: tuple[Text, ...] = ()
    yes: bool | None = None
    number: float | None = None
    metres: Positive | None = None
    square_metres: Positive | None = None
    minutes: Positive | None = None
    clock: time | None = None
    direction: str | None = None
    none: bool | None = None
    none_of: tuple[Text, ...] = ()
    within: Positive | None = None

    @model_validator(mode="after")
    def _of_one_kind(self) -> "Right":
        given = [name for name in _RULES if getattr(self, name) not in (None, ())]
        if len(given) != 1:
            raise ValueError(f"exactly one of {', '.join(_RULES)} is given, not {len(given)}")
        if self.direction is not None and self.direction not in WINDS:
            raise ValueError(f"{self.direction} is none of {', '.join(WINDS)}")
        return self


def holds(right: Right, text: str) -> bool:
    """Whether an answer says it, and nothing of what must not be said."""
    (rule,) = (name for name in _RULES if getattr(right, name) not in (None, ()))
    return _RULES[rule](right, text) and not any(_says(text, name) for name in right.none_of)


def _says(text: str, name: str) -> bool:
    """Whether the words of a name stand in the text, one after the other."""
    return f" {_words(name)} " in f" {_words(text)} "


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", fold(text)))


def _verdict(right: Right, text: str) -> bool:
    return {word.casefold() for word in _VERDICT.findall(text)} == {"yes" if right.yes else "no"}


def _number(right: Right, text: str) -> bool:
    wanted, within = right.number or 0.0, right.within or 0.0
    said = [span.value for span in find_numbers(text)]
    if not said:
        return wanted == 0 and _none(right, text)
    return any(abs(one - wanted) <= within for one in said)


def _metres(right: Right, text: str) -> bool:
    wanted = right.metres or 0.0
    within = max(SLACK_M, SLACK * wanted) if right.within is None else right.within
    return any(abs(span.value - wanted) <= within for span in find_distances(text))


def _square_metres(right: Right, text: str) -> bool:
    wanted = right.square_metres or 0.0
    within = SLACK * wanted if right.within is None else right.within
    return any(abs(area - wanted) <= within for area in find_areas_m2(text))


def _minutes(right: Right, text: str) -> bool:
    wanted_s = 60 * (right.minutes or 0.0)
    within_s = max(SLACK_S, SLACK * wanted_s) if right.within is None else 60 * right.within
    return any(abs(span.value - wanted_s) <= within_s for span in find_durations(text))


def _clock(right: Right, text: str) -> bool:
    wanted = right.clock or time()
    off_min = [_minute(span.value) - _minute(wanted) for span in find_clocks(text)]
    return any(abs((off + 720) % 1440 - 720) <= (right.within or 0.0) for off in off_min)


def _minute(clock: time) -> int:
    return 60 * clock.hour + clock.minute


def _direction(right: Right, text: str) -> bool:
    said = re.findall(
        r"\b(north|south)?[\s-]?(east|west)?\b", re.sub(r"(?:ern|wards?)\b", "", text.casefold())
    )
    return right.direction in {f"{ns}{ew}" for ns, ew in said}


def _none(right: Right, text: str) -> bool:  # noqa: ARG001 (as the other rules)
    return re.match(r"\W*(none|no|there (is|are) (no|none))\b", text, re.IGNORECASE) is not None


_RULES: dict[str, Callable[[Right, str], bool]] = {
    "names": lambda right, text: all(_says(text, name) for name in right.names),
    "one_of": lambda right, text: any(_says(text, name) for name in right.one_of),
    "yes": _verdict,
    "number": _number,
    "metres": _metres,
    "square_metres": _square_metres,
    "minutes": _minutes,
    "clock": _clock,
    "direction": _direction,
    "none": _none,
}
