"""A place with stated hours, and the question put to them: the days it is about, and what holds on all."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, time

from map_tools.compute.hours import Interval, intervals_on
from map_tools.types import Hours, Place
from mapagent.answer import Status, Text, Value
from modules.offline.intents import OpenIntent, When
from modules.solvers.common import Trail, title
from modules.solvers.moments import WEEKDAYS, Moment, Moments, moments
from modules.solvers.opening_verdict import open_at
from modules.view import CannotTellError, View

NOON = time(12)
CLOSED = "closed"
"""What is said of a day of rest."""


@dataclass(slots=True)
class OpeningCase:
    """A place with stated hours, and the question put to them."""

    view: View
    place: Place
    hours: Hours
    intent: OpenIntent
    trail: Trail
    inputs: tuple[str, ...]

    @property
    def name(self) -> str:
        """How the place is called."""
        return title(self.place)

    @property
    def when(self) -> When:
        """The moment asked about."""
        return self.intent.when

    def cite(self) -> None:
        """Claims the hours as stated."""
        self.trail.claim("lookup", self.inputs, self.hours.text, place=self.name, field="hours")

    def said(self) -> str:
        """The hours as the source has them, in a sentence."""
        return f"{self.name} states: {self.hours.text}."

    def spans(self, day: date) -> tuple[Interval, ...]:
        """The intervals that begin on a day.

        Raises:
            CannotTellError: The hours were not understood.
        """
        if open_at(self.hours, Moment(day)) is None:
            raise CannotTellError(f"The hours of {self.name} do not tell: '{self.hours.text}'.")
        return intervals_on(self.hours, day)

    def days_meant(self) -> Moments:
        """The days asked about: like `moments`, but a question without any day leaves the whole week open."""
        whole_day = self.when.model_copy(update={"at": None, "until": None})
        if not whole_day.is_now:
            return moments(self.view, self.place, whole_day)
        return moments(self.view, self.place, When(at=NOON))

    def agreed[V: Value](self, value: Callable[[date], V]) -> tuple[V, Moment | None]:
        """The value of the day meant; where none is fixed, of all working days if they agree, else of today.

        Returns:
            The value, and the moment it holds for (None: every day).
        """
        meant = self.days_meant()
        values = {moment: value(moment.day) for moment in meant.choices}
        chosen = next(iter(values.values()))
        if all(one == chosen for one in values.values()):
            return chosen, meant.choices[0] if len(values) == 1 or self.when.days else None
        if self.when.days:
            others = [WEEKDAYS[moment.day.weekday()] for moment, one in values.items() if one != chosen]
            self.trail.warn(
                f"This is for {day_words(meant.choices[0])}; it differs on {' and '.join(others)}."
            )
            return chosen, meant.choices[0]
        working = [one for one in values.items() if not _is_rest(one[1])]
        if meant.preferred is None and working and all(one == working[0][1] for _, one in working):
            rest = [WEEKDAYS[moment.day.weekday()] for moment, one in values.items() if _is_rest(one)]
            self.trail.warn(f"It is closed on {' and '.join(rest)}.")
            return working[0][1], working[0][0]
        if meant.preferred is None:
            differing = f"The hours of {self.name} differ between the days ({self.hours.text})"
            raise CannotTellError(f"{differing}; say which day is meant.", Status.AMBIGUOUS)
        self.trail.warn(f"No day was given; today, {WEEKDAYS[meant.preferred.day.weekday()]}, is assumed.")
        return values[meant.preferred], meant.preferred


def day_words(moment: Moment | None) -> str:
    """The day of a moment; None: of every day."""
    return WEEKDAYS[moment.day.weekday()] if moment else "every day"


def _is_rest(value: Value) -> bool:
    """True for what is said of a day on which a place does not open."""
    return isinstance(value, Text) and value.text == CLOSED
