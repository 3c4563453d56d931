"""When a trip begins: at a time the question names, when a place opens or closes, or now."""

from modules.solvers.trip_case import TripCase, seconds_of
from modules.solvers.trip_hours import days_meant, open_times, opening_s
from modules.view import CannotTellError


def begin_s(case: TripCase) -> float | None:
    """When the trip begins, in seconds after midnight; None if that is open or still being fetched.

    Raises:
        CannotTellError: It begins with the opening or closing of a place whose hours do not tell.
    """
    if case.intent.depart_at is not None:
        return seconds_of(case.intent.depart_at)
    if case.intent.begins is not None:
        return _edge_s(case)
    at = case.view.question.at
    return seconds_of(at.time()) if at is not None else None


def departure_s(case: TripCase) -> float:
    """As `begin_s`.

    Raises:
        CannotTellError: Neither the question nor its moment tells.
    """
    begin = begin_s(case)
    if begin is None and not case.view.waiting:
        raise CannotTellError("The question does not say when the trip begins; name the time one leaves.")
    return begin or 0.0


def _edge_s(case: TripCase) -> float | None:
    """The opening of the first visit, or the closing of the start, on the day of the trip."""
    closing = case.intent.begins == "closing"
    words = case.intent.start if closing and case.intent.start else case.visits[0].place
    found = case.view.place(case.book.of(words))
    if found is None:
        return None
    hours = open_times(found.place, days_meant(case.view, case.intent.day, found.place), case.trail)
    if not hours.windows or hours.differ:
        raise CannotTellError(f"When {words} {'closes' if closing else 'opens'} that day is not known.")
    case.trail.use(found.evidence_id)
    return hours.windows[-1][1] if closing else opening_s(hours.windows)
