"""Whether a place is open at a moment: the verdict that several solvers rest on."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time

from map_tools.compute.hours import OpenState, intervals_on, open_state, open_through
from map_tools.types import Hours, Place
from modules.offline.intents import When
from modules.solvers.common import Trail, title
from modules.solvers.moments import WEEKDAYS, Moment, moments
from modules.view import View

NOON = time(12)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a place is open at a moment: None if its hours do not tell. `note` says what was assumed."""

    state: bool | None
    moment: Moment
    note: str = ""


def open_at(hours: Hours, moment: Moment) -> bool | None:
    """True if open then; None if the hours do not tell.

    A day without a time asks whether the place opens at some time of it; a span, whether it is open
    throughout.
    A stay that began the day before counts for a moment after midnight.
    """
    if moment.at is None:
        if intervals_on(hours, moment.day):
            return True
        return None if _state(hours, datetime.combine(moment.day, NOON)) is None else False
    if moment.until is None:
        return _state(hours, moment.at)
    return None if _state(hours, moment.at) is None else open_through(hours, moment.at, moment.until)


def verdict(view: View, place: Place, when: When) -> Verdict:
    """Whether a place is open at the moment a question means.

    Of several days named ("on weekends") one is enough, and the note tells them apart. If the question gives
    a time but no day, all days must agree; otherwise today is meant, and the note says so.

    Raises:
        CannotTellError: "Now" or "today" is meant and no present moment is known.
    """
    meant = moments(view, place, when)
    if place.hours is None:
        return Verdict(None, meant.preferred or meant.choices[0])
    states = {moment: open_at(place.hours, moment) for moment in meant.choices}
    if len(set(states.values())) == 1:
        return Verdict(next(iter(states.values())), meant.preferred or meant.choices[0])
    if when.days and None not in states.values():
        return _some_days(place, states)
    if meant.preferred is None:
        return Verdict(None, meant.choices[0], f"The hours of {title(place)} differ between the days.")
    note = f"No day was given; today, {WEEKDAYS[meant.preferred.day.weekday()]}, is assumed."
    return Verdict(states[meant.preferred], meant.preferred, note)


def _some_days(place: Place, states: Mapping[Moment, bool | None]) -> Verdict:
    """Open on some of the days meant, closed on others."""
    first = next(moment for moment, state in states.items() if state)
    closed = ", ".join(WEEKDAYS[moment.day.weekday()] for moment, state in states.items() if not state)
    return Verdict(state=True, moment=first, note=f"{title(place)} is not open then on {closed}.")


def cite_opening(trail: Trail, inputs: tuple[str, ...], place: Place, found: Verdict) -> None:
    """Claims a verdict: recomputable for one moment, else by the hours as stated."""
    if found.moment.at is not None and found.moment.until is None:
        at = found.moment.at.isoformat()
        trail.claim("open", inputs, found.state, place=title(place), at=at)
    elif place.hours is not None:
        trail.claim("lookup", inputs, place.hours.text, place=title(place), field="hours")


def _state(hours: Hours, at: datetime) -> bool | None:
    state = open_state(hours, at)
    return None if state is OpenState.UNKNOWN else state is OpenState.OPEN
