"""What a question can ask about travel: one route, or a trip with stops."""

from datetime import time
from typing import Literal

from map_tools.types import Frozen, TravelMode
from modules.offline.intent_parts import What, When

BACK = "back"
"""What a route is compared with if that is the way back ("longer than back")."""


class RouteIntent(Frozen):
    """One route, from origin to destination.

    Attributes:
        destination: `UNSAID` where only the street `along` tells the way; the facts at hand know its ends.
        via: Stops on the way, in order.
        mode: None where the question does not say: driving is meant, and the explanation says so.
        modes: For `ask="best_mode"`: the modes compared (empty: the options').
        select: Which of the alternatives: the fastest, shortest (distance), longest (distance), slowest, or
            the one along `along`.
        along: Street that identifies the route ("on the Harbour Road route", "via A3").
        ask: What is wanted of it. "via": the street it runs along; "next_step": what to do after the street
            `after` (or from the start); "next_street": the street after it (or the first one);
            "previous_street": the one before it (or the last one); "exit": which roundabout exit
            at/onto `after`; "count": how many `feature`s; "has": whether it has a `feature`; "landmark": what
            one passes at/after `after`; "alternatives": how many routes there are; "difference": how much
            longer the second of `select` alternatives takes, or the way over `via` than the direct one;
            "steps": the whole instructions; "turn_onto": which way one turns onto the street `after`;
            "arrival_side": on which side the destination lies; "fewest"/"most": which route has fewest/most
            of `feature`; "order": the destinations in the order `select` gives them.
        feature: "roundabout", "turn", "left_turn", "right_turn", "uturn", "stairs", "toll", "ferry", "step",
            "highway", "street", "arrive_left" or "arrive_right" (the side the destination lies on), or a word
            to look for in the instructions; for "arrival_side" a place on the way whose side is asked for;
            for "next_step" what `after` is if that is no street ("after the second roundabout").
        more_features: For "fewest" and "most": features that count as well ("no tolls and no ferries").
        against: For "difference": what the route is compared with: the street of another one, "slowest" or
            "longest", or `BACK`: the same way in the other direction; None: the next best.
        at_most / at_least: For a yes/no question about the duration (seconds) or the distance (metres); for
            "via" and "alternatives" what the wanted routes must keep to, in `limit_unit`.
        claim: For `ask="best_mode"` as a yes/no question: the mode said to be the one ("am I quicker by car
            than on foot?": driving).
        pace: A way of moving whose speed no source knows ("running"), in the question's words; `mode` is the
            nearest one.
        others: For `ask="order"`: further destinations; all are wanted in the order `select` gives them
            ("rank A, B and C by walking time from X").
        also: For a duration or a distance: the other one is asked for too ("how long and how far").
        nth: For "exit", and for "next_step" after a `feature`: which of several ("the second roundabout"); -1
            is the last.
        stretch: For a duration or a distance: only the part of the route on this street.
        without: For a duration or a distance: `feature`s that the route must not have ("toll-free").
    """

    kind: Literal["route"] = "route"
    origin: str
    destination: str
    via: tuple[str, ...] = ()
    mode: TravelMode | None = None
    modes: tuple[TravelMode, ...] = ()
    select: Literal["fastest", "shortest", "longest", "slowest", "along"] = "fastest"
    along: str | None = None
    ask: Literal[
        "duration",
        "distance",
        "via",
        "next_step",
        "next_street",
        "previous_street",
        "exit",
        "count",
        "has",
        "landmark",
        "alternatives",
        "difference",
        "steps",
        "fewest",
        "most",
        "best_mode",
        "first_step",
        "last_step",
        "turn_onto",
        "arrival_side",
        "order",
    ] = "duration"
    after: str | None = None
    feature: str | None = None
    more_features: tuple[str, ...] = ()
    against: str | None = None
    at_most: float | None = None
    at_least: float | None = None
    limit_unit: Literal["s", "m"] = "s"
    claim: TravelMode | None = None
    pace: str | None = None
    others: tuple[str, ...] = ()
    also: bool = False
    nth: int | None = None
    stretch: str | None = None
    without: tuple[str, ...] = ()


class Visit(Frozen):
    """A stop of a trip.

    Attributes:
        dwell_s: How long one stays.
        mode: How one gets there from the stop before; None: the trip's mode.
        arrive_by / not_before: Limits on the arrival, local time of day.
        at_opening: One wants to be there when it opens.
        until: One stays there until then.
        along: The street of the way that leads there, where the question names one ("via A5").
        what: The stop is no place of that name but the one of this kind that is nearest to the stop before
            ("the nearest pharmacy"); `place` holds the question's words for it.
    """

    place: str
    dwell_s: float = 0
    mode: TravelMode | None = None
    arrive_by: time | None = None
    not_before: time | None = None
    at_opening: bool = False
    until: time | None = None
    along: str | None = None
    what: What | None = None


class TripIntent(Frozen):
    """A trip of several legs, with visits, opening times and deadlines.

    Attributes:
        start: Where it begins (None: at the first visit).
        visits: In the order of the question.
        end: Where it ends if that is another place than the last visit; `returns`: back to the start,
            by `return_mode`.
        ordered: True if the order of the question is binding.
        depart_at: When one leaves the start. `available_s`: time at hand. `end_by`: deadline at the end.
        meet_opening: Opening hours of the visited places bind.
        ask: "travel_time" (on the way only), "total_time" (with the stays), "distance", "arrival" (at the
            end), "latest_departure", "feasible", "max_visits", "best_order" (least time), "schedule",
            "leg_compare", "leave_at" (departure from the last stop), "spare" (time left over).
        begins: The trip begins at the first visit when that opens, or at the start when that closes.
        wanted: For "best_order": the whole order, or the place to visit first or last.
        before_closing: For "feasible": the last stay must be over before the place closes, for a break or for
            the night, so that one does not wait there until it opens again.
        counted: For a travel time or a distance: only the legs by this mode count.
    """

    kind: Literal["trip"] = "trip"
    start: str | None = None
    visits: tuple[Visit, ...]
    end: str | None = None
    returns: bool = False
    return_mode: TravelMode | None = None
    mode: TravelMode | None = None
    ordered: bool = True
    depart_at: time | None = None
    day: When | None = None
    available_s: float | None = None
    end_by: time | None = None
    meet_opening: bool = True
    ask: Literal[
        "travel_time",
        "total_time",
        "distance",
        "arrival",
        "latest_departure",
        "feasible",
        "max_visits",
        "best_order",
        "schedule",
        "leave_at",
        "spare",
    ] = "travel_time"
    begins: Literal["opening", "closing"] | None = None
    wanted: Literal["order", "first", "last"] = "order"
    before_closing: bool = False
    counted: TravelMode | None = None
