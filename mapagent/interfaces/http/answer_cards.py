"""The places and ways of an answer as a person wants to see them: how far, open until when, by which streets.

Everything stands in the answer's evidence, but for two things: whether a place is open at the moment of the question,
which its hours tell, and the streets of a way of which the evidence has the time alone (`takeaway.features.ways_of`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from map_tools.clock import local_zone
from map_tools.compute.geodesy import distance_m
from map_tools.compute.hours import OpenState, closes_after, next_opening, open_state
from map_tools.facts import NearbyFact, PlaceFact, RoutesFact, TravelFact, called
from map_tools.types import ID_PREFIX, Place, Route
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from mapagent.core.rendering import clean
from mapagent.interfaces.cli.show import place_record
from mapagent.interfaces.takeaway.features import legs_of, spoken_of

MOST_CARDS = 100
"""More than that nobody reads; the map has them all."""
MOST_WAYS = 24
_HERE_ID = "here"
_HERE = {"id": ID_PREFIX + _HERE_ID, "name": "your position"}

type Record = dict[str, Any]


def place_cards(answer: Answer, question: Question, now: datetime) -> list[Record]:
    """A card for each place to show (`schemas.CardRecord`): the stays of a trip, what the answer and its parts give.

    An answer that gives no place but speaks of one alone, such as its address, shows that one, also where what was
    asked of it is not stated.

    Args:
        answer: The answer.
        question: What was asked: its moment and its position count.
        now: The present moment, zone-aware, for a question without a moment.
    """
    at = question.at or now
    away = dict(_distances(answer))
    cards: list[Record] = []
    shown: set[str] = set()
    for given in _given(answer):
        place = given.place
        if place.id in shown and "stay" not in given.told:
            continue
        shown.add(place.id)
        distance = away.get(place.id)
        if distance is None and question.near is not None and place.location is not None:
            distance = (distance_m(question.near, place.location), _HERE)
        cards.append(
            {
                **place_record(place),
                "phone": place.phone,
                "website": place.website,
                "hours": place.hours.text if place.hours is not None else None,
                "opening": _opening(place, at),
                "distance_m": round(distance[0], 1) if distance else None,
                "distance_from": distance[1] if distance else None,
                "part": None,
                "stay": None,
                "begin": None,
                "end": None,
                **given.told,
            }
        )
        if len(cards) == MOST_CARDS:
            break
    return cards


def way_cards(answer: Answer, ways: Mapping[str, Route]) -> list[Record]:
    """A card for each way that the answer speaks of (`schemas.WayRecord`); of a trip those that it takes.

    Args:
        answer: The answer.
        ways: Of `takeaway.features.ways_of`: the routes of those whose time alone is evidence.
    """
    legs = legs_of(answer)
    cards: list[Record] = []
    known: set[tuple[str, str, str, bool]] = set()
    for item in answer.evidence:
        fact = item.value
        if not isinstance(fact, RoutesFact | TravelFact) or (legs and item.id not in legs):
            continue
        for card in _ways(fact, ways.get(item.id)):
            one = (card["origin"]["id"], card["destination"]["id"], card["mode"], card["alternative"])
            if one in known and not card["alternative"]:
                continue
            known.add(one)
            cards.append({"evidence": item.id, "leg": legs.get(item.id, {}).get("leg"), **card})
    cards.sort(key=lambda card: card["leg"] or 0)
    return cards if len(cards) <= MOST_WAYS else []


@dataclass(frozen=True, slots=True)
class _Given:
    """A place to show, and what is told of it beside its facts."""

    place: Place
    told: Mapping[str, Any]


def _given(answer: Answer) -> Iterator[_Given]:
    if answer.status not in (Status.ANSWERED, Status.UNANSWERABLE):
        return
    for number, visit in enumerate(answer.trip.visits if answer.trip else (), start=1):
        times = {"begin": visit.begin, "end": visit.end}
        told = {name: at.isoformat() for name, at in times.items() if at is not None}
        yield _Given(visit.place, {"stay": number, **told})
    places = [_Given(place, {}) for place in answer.places]
    places += [_Given(place, {"part": name}) for name, part in answer.parts.items() for place in part.places]
    yield from places
    if not places and answer.trip is None:
        facts = [item.value for item in answer.evidence]
        sure = [fact.place for fact in facts if isinstance(fact, PlaceFact) and not fact.rivals]
        spoken = {place.id: place for place in sure}
        searched = any(isinstance(fact, NearbyFact | RoutesFact | TravelFact) for fact in facts)
        if len(spoken) == 1 and not searched:
            yield from (_Given(place, {}) for place in spoken.values())


def _distances(answer: Answer) -> Iterator[tuple[str, tuple[float, Record]]]:
    """How far places are from what they were searched around, by id; of an area no middle was asked for."""
    for item in answer.evidence:
        fact = item.value
        if isinstance(fact, NearbyFact) and not fact.inside and spoken_of(fact.anchor_place, answer):
            centre = _spot(fact.anchor_place, fact.anchor)
            for found in fact.items:
                if found.distance_m is not None:
                    yield found.place.id, (found.distance_m, centre)


def _opening(place: Place, at: datetime) -> Record | None:
    """Whether the place is open, and until when that stays so; None where its hours do not tell."""
    if place.hours is None or place.location is None:
        return None
    zone = ZoneInfo(place.timezone or local_zone(place.location))
    local = at.replace(tzinfo=zone) if at.tzinfo is None else at.astimezone(zone)
    state = open_state(place.hours, local)
    if state is OpenState.UNKNOWN:
        return None
    is_open = state is OpenState.OPEN
    until = (closes_after if is_open else next_opening)(place.hours, local)
    return {
        "open": is_open,
        "at": local.isoformat(timespec="minutes"),
        "until": until.replace(tzinfo=zone).isoformat(timespec="minutes") if until is not None else None,
    }


def _ways(fact: RoutesFact | TravelFact, looked_up: Route | None) -> Iterator[Record]:
    ends = {
        "origin": _spot(fact.origin_place, fact.origin),
        "destination": _spot(fact.destination_place, fact.destination),
        "mode": fact.mode.value,
    }
    if isinstance(fact, RoutesFact):
        for number, route in enumerate(fact.routes):
            yield {**ends, "alternative": number > 0, **_measures(route), **_course(route)}
    elif fact.duration_s is not None:
        yield {**ends, "alternative": False, **_measures(fact), **_course(looked_up)}


def _measures(of: Route | TravelFact) -> Record:
    return {
        "duration_s": of.duration_s,
        "distance_m": of.distance_m,
        "depart_at": of.depart_at.isoformat() if of.depart_at is not None else None,
        "arrive_at": of.arrive_at.isoformat() if of.arrive_at is not None else None,
    }


def _course(route: Route | None) -> Record:
    steps = route.steps if route is not None else ()
    return {
        "via": clean(route.summary) if route is not None else "",
        "steps": [
            {
                "instruction": clean(step.instruction),
                "distance_m": step.distance_m,
                "notes": [clean(note) for note in step.notes],
            }
            for step in steps
        ],
    }


def _spot(place: Place | None, words: str) -> Record:
    """A place as others refer to it; where it was not found, the words alone stand for it."""
    if place is not None and place.id == _HERE_ID:
        return _HERE
    known = "" if words.startswith(ID_PREFIX) else words  # an id is no name
    return {"id": ID_PREFIX + place.id if place is not None else "", "name": clean(called(place, known))}
