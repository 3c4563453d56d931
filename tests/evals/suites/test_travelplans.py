"""The suite of day plans: plans made by hand against constraints made by hand, and what its files may say."""

import json
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from evals.ports import Item
from evals.suites.scoring.plans import Constraint, Plan, Stay, World, faults
from evals.suites.travelplans import Travelplans
from map_tools.errors import InputFileError
from map_tools.types import Place, TravelMode
from mapagent.core.answer import Answer, Status, Text, Trip, TripLeg, TripVisit, YesNo

H, M = 3600, 60
WALK, BIKE = TravelMode.WALKING, TravelMode.BICYCLING
PLACES = [
    {"id": "n1", "name": "Gate"},
    {"id": "n2", "name": "Mill", "open_s": [[10 * H, 12 * H]]},
    {"id": "n3", "name": "Inn", "price_level": 3},
    {"id": "n4", "name": "Pier", "open_s": []},
]
# Minutes on foot; nobody gets from the pier to the gate. By bike everything takes 4 minutes.
ON_FOOT = [[0, 10, 20, 30], [10, 0, 15, 25], [20, 15, 0, 5], [None, 25, 5, 0]]
WORLD: dict[str, Any] = {
    "places": PLACES,
    "travel_s": {
        "walking": [[None if leg is None else leg * M for leg in row] for row in ON_FOOT],
        "bicycling": [[4 * M] * 4] * 4,
    },
}


def clock(text: str) -> float:
    """Seconds after midnight."""
    hours, minutes = text.split(":")
    return int(hours) * H + int(minutes) * M


def plan(
    *stays: tuple[str, str, str], mode: TravelMode = WALK, start: str | None = "n1", end: str | None = "n1"
) -> Plan:
    """A plan by one mode, from the gate and back unless told otherwise."""
    made = tuple(Stay(place=place, begin_s=clock(begin), end_s=clock(end_)) for place, begin, end_ in stays)
    legs = len(made) - 1 + (start is not None) + (end is not None)
    return Plan(start=start, stays=made, end=end, modes=(mode,) * legs)


GOOD = plan(("n2", "10:00", "10:30"), ("n3", "10:45", "11:30"))


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (GOOD, ""),
        (plan(("n2", "10:00", "10:30"), ("n3", "10:44", "11:30")), ""),  # told to the minute
        (plan(("n2", "10:00", "10:30"), ("n3", "10:43", "11:30")), "from n2 to n3 is too short"),
        (plan(("n2", "10:00", "10:30"), ("n3", "10:43", "11:30"), mode=BIKE), ""),
        (plan(("n2", "10:00", "10:30"), ("n3", "10:45", "11:00"), ("n2", "11:15", "11:30")), "twice"),
        (plan(("n2", "10:00", "10:30"), ("n9", "10:45", "11:00")), "n9 is not known"),
        (plan(("n2", "10:30", "10:00")), "too early"),
        (plan(("n4", "10:30", "11:00")), "no way from n4 to n1"),
        (plan(("n2", "10:00", "10:30"), mode=TravelMode.DRIVING), "by driving"),
    ],
)
def test_what_cannot_be_carried_out(made: Plan, words: str) -> None:
    found = faults(made, World.model_validate(WORLD))
    assert words in " ".join(found)
    assert bool(found) == bool(words)


@pytest.mark.parametrize(
    ("constraint", "kept", "broken"),
    [
        ({"kind": "visits", "place": "n3"}, GOOD, plan(("n2", "10:00", "10:30"))),
        (
            {"kind": "visits_some", "places": ["n2", "n3", "n4"], "least": 2},
            GOOD,
            plan(("n2", "10:00", "10:30")),
        ),
        ({"kind": "avoids", "place": "n4"}, GOOD, plan(("n4", "10:00", "10:30"), end=None)),
        ({"kind": "stays", "places": ["n3"], "least_s": 45 * M}, GOOD, plan(("n3", "10:45", "11:20"))),
        ({"kind": "stays", "places": ["n3"], "least_s": 0}, GOOD, plan(("n2", "10:00", "10:30"))),
        (
            {"kind": "in_order", "places": ["n2", "n3"]},
            GOOD,
            plan(("n3", "10:00", "10:30"), ("n2", "10:45", "11:00")),
        ),
        ({"kind": "travels", "mode": "walking"}, GOOD, plan(("n2", "10:00", "10:30"), mode=BIKE)),
        ({"kind": "travels", "mode": "walking", "to": ["n3"]}, GOOD, plan(("n2", "10:00", "10:30"))),
        ({"kind": "begins", "place": "n1", "at_s": clock("9:51")}, GOOD, plan(("n2", "9:50", "10:30"))),
        ({"kind": "begins", "place": "n1", "at_s": 0}, GOOD, plan(("n2", "10:00", "10:30"), start="n3")),
        ({"kind": "ends", "place": "n1"}, GOOD, plan(("n2", "10:00", "10:30"), end="n3")),
        # From the inn it is 20 minutes to the gate.
        ({"kind": "over", "by_s": clock("11:49")}, GOOD, plan(("n3", "10:45", "11:31"))),
        ({"kind": "reached_by", "place": "n2", "by_s": clock("10:00")}, GOOD, plan(("n2", "10:02", "10:30"))),
        ({"kind": "open"}, GOOD, plan(("n2", "11:30", "12:02"))),
        ({"kind": "open"}, plan(("n3", "3:00", "4:00")), plan(("n4", "10:00", "10:30"), end=None)),
        ({"kind": "costs", "most": 2}, plan(("n2", "10:00", "10:30")), GOOD),
    ],
)
def test_constraints(constraint: dict[str, Any], kept: Plan, broken: Plan) -> None:
    world = World.model_validate(WORLD)
    one: Constraint = TypeAdapter(Constraint).validate_python(constraint)
    assert one.kept(kept, world)
    assert not one.kept(broken, world)


RECORD: dict[str, Any] = {
    "id": "q1",
    "family": "return",
    "text": "Plan Monday: the mill and the inn, and back at the gate by noon.",
    "at": "2026-11-29T18:00:00",
    "day": "2026-11-30",
    "world": WORLD,
    "constraints": [
        {"kind": "visits", "place": "n2"},
        {"kind": "visits", "place": "n3"},
        {"kind": "ends", "place": "n1"},
        {"kind": "over", "by_s": 12 * H},
    ],
    "feasible": True,
}


def items(folder: Path, *records: dict[str, Any]) -> tuple[Item, ...]:
    """The items of a file with these records."""
    (folder / "dataset.json").write_text(json.dumps(records), "utf-8")
    return Travelplans().load(folder, "fair")


def answered(*visits: tuple[str, str, str], day: int = 30, ways: int = 3) -> Answer:
    """An answer with a trip on foot from the gate and back, in places of the map by their ids."""
    names = {str(one["id"]): str(one["name"]) for one in PLACES}
    path = ["n1", *(place for place, _, _ in visits), "n1"]
    places = [Place(id=f"osm:{one}", name=names[one]) for one in path]
    at = [
        [datetime(2026, 11, day, *map(int, text.split(":"))) for text in (begin, end)]  # noqa: DTZ001
        for _, begin, end in visits
    ]
    trip = Trip(
        visits=tuple(
            TripVisit(place=place, begin=begin, end=end)
            for place, (begin, end) in zip(places[1:-1], at, strict=True)
        ),
        legs=tuple(TripLeg(origin=a, destination=b, mode=WALK) for a, b in pairwise(places))[:ways],
    )
    return Answer(status=Status.ANSWERED, text="…", trip=trip)


MILL, INN = ("n2", "10:00", "10:30"), ("n3", "10:45", "11:30")


@pytest.mark.parametrize(
    ("answer", "right", "values"),
    [
        (answered(MILL, INN), True, (1, 1, 4)),
        (answered(MILL, ways=2), False, (1, 1, 3)),
        (answered(MILL, ("n3", "10:35", "11:30")), False, (1, 0, 4)),
        (answered(MILL, INN, day=29), True, (1, 1, 4)),  # the day before: nothing here limits the begin
        (answered(MILL, INN, ways=0), False, (0, 0, 0)),
        (Answer(status=Status.ANSWERED, text="First the mill, then the inn."), False, (0, 0, 0)),
        (Answer(status=Status.UNANSWERABLE), False, (0, 0, 0)),
    ],
)
def test_answers_are_judged(tmp_path: Path, answer: Answer, right: bool, values: tuple[float, ...]) -> None:
    score = Travelplans().score(items(tmp_path, RECORD)[0], answer)
    assert score.correct == right
    assert (score.values["delivered"], score.values["possible"], score.values["kept"]) == values


def test_times_that_are_not_told_are_no_plan(tmp_path: Path) -> None:
    trip = Trip(visits=(TripVisit(place=Place(id="osm:n2", name="Mill")),))
    score = Travelplans().score(items(tmp_path, RECORD)[0], Answer(status=Status.ANSWERED, trip=trip))
    assert score.values["delivered"] == 0


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        (Answer(status=Status.UNANSWERABLE), True),
        (Answer(status=Status.ANSWERED, value=YesNo(value=False)), True),
        (Answer(status=Status.ANSWERED, value=Text(text="not possible: …", topic="impossible")), True),
        (Answer(status=Status.ANSWERED, value=Text(text="12:00 – 14:00", topic="hours")), False),
        (Answer(status=Status.ANSWERED, value=YesNo(value=True)), False),
        (Answer(status=Status.NOT_UNDERSTOOD), False),
        (answered(MILL, INN).model_copy(update={"value": YesNo(value=False)}), False),
    ],
)
def test_where_there_is_no_plan(tmp_path: Path, answer: Answer, right: bool) -> None:
    item = items(tmp_path, {**RECORD, "feasible": False})[0]
    assert item.category == "infeasible"
    assert Travelplans().score(item, answer).correct == right


def test_figures(tmp_path: Path) -> None:
    suite = Travelplans()
    first, second, third = items(
        tmp_path, RECORD, {**RECORD, "id": "q2"}, {**RECORD, "id": "q3", "feasible": False}
    )
    refused = Answer(status=Status.UNANSWERABLE)
    judged = [
        (item, suite.score(item, answer))
        for item, answer in ((first, answered(MILL, INN)), (second, answered(MILL, ways=2)), (third, refused))
    ]
    told = suite.metrics(judged)
    assert (told["delivery"], told["possible"], told["hard_micro"], told["hard_macro"]) == (1, 1, 7 / 8, 0.5)
    assert (told["final"]["share"], told["infeasible_said"]["share"]) == (0.5, 1)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"constraints": [{"kind": "visits", "place": "n9"}]}, "unknown place n9"),
        ({"constraints": [{"kind": "sings"}]}, "sings"),
        ({"constraints": []}, "constraints"),
        ({"world": {**WORLD, "travel_s": {"walking": [[0]]}}}, "4 places"),
        ({"world": {"places": [PLACES[0]] * 2, "travel_s": {}}}, "same id"),
        ({"text": ""}, "text"),
    ],
)
def test_files_that_are_none(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputFileError, match=words):
        items(tmp_path, {**RECORD, **changes})


@pytest.mark.parametrize("modes", [(), (WALK,), (WALK, WALK, WALK)])
def test_each_place_is_reached_by_some_mode(modes: tuple[TravelMode, ...]) -> None:
    stay = Stay(place="n2", begin_s=0, end_s=0)
    with pytest.raises(ValidationError, match="for 3 places"):
        Plan(start="n1", stays=(stay,), end="n1", modes=modes)
