"""The opening hours behind a value, and the moments a program means by a time."""

from map_tools.ids import is_of_no_map
from map_tools.types import Hours
from modules.query.interpreter.context import Context
from modules.query.interpreter.requests import DetailsRequest
from modules.query.values.things import Thing
from modules.query.values.unknown import Unknown, Why


def hours_of(thing: Thing, context: Context) -> Hours | Unknown:
    """The opening hours of a place.

    Raises:
        Waiting: Its details are still to be fetched.
    """
    hours = thing.place.hours
    if hours is None and not context.situation.full and not is_of_no_map(thing.id):
        reply = context.need(DetailsRequest(thing.reference))
        hours = None if reply.fact is None else reply.fact.place.hours
    if hours is None:
        return Unknown(Why.NOT_STATED, f"The opening hours of {thing.name} are not stated.")
    return hours
