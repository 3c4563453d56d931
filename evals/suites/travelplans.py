"""Plans of a day with hard constraints: means of travel, stays, order, opening hours, limits of time and price.

Questions come from `mapagent generate travelplans`, in plain English with the constraints as data beside them; so
do the travel times and hours by which any plan is judged (`evals.suites.scoring.plans`). A plan that cannot be
carried out, or breaks a constraint, is wrong. Where no plan keeps all of them, saying so is right.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from evals.metrics.statistics import mean, wilson
from evals.ports import Item, OfferRule, Score, Task
from evals.suites.files import AskedText, read_typed
from evals.suites.scoring.plans import Constraint, Id, Plan, Stay, World, faults
from map_tools.providers.base import Provider
from map_tools.text import normalise
from map_tools.types import Frozen, Place
from mapagent.core.answer import Answer, Status, Text, TripVisit, YesNo
from mapagent.core.question import Question
from mapagent.runtime.config import Settings

FILE_NAMES = ("dataset.json", "dataset.jsonl")
IMPOSSIBLE = "impossible"
"""Topic of an answer that says why there is no such trip."""
INFEASIBLE = "infeasible"
"""Category of the questions that no plan fulfils."""


class PlanRecord(Frozen):
    """One question.

    Attributes:
        family: Which constraint it is about.
        at: The moment of asking, as the clocks of the place show it.
        day: The day to be planned; all times of `world` and `constraints` are reckoned from its midnight.
        feasible: Whether some plan keeps all constraints.
    """

    id: Id
    family: Id
    text: AskedText
    at: datetime
    day: date
    world: World
    constraints: Annotated[tuple[Constraint, ...], Field(min_length=1)]
    feasible: bool

    @model_validator(mode="after")
    def _whole(self) -> "PlanRecord":
        size = len(self.world.places)
        for mode, rows in self.world.travel_s.items():
            if len(rows) != size or any(len(row) != size for row in rows):
                raise ValueError(f"travel_s.{mode} has not a row and a column for each of the {size} places")
        known = {one.id for one in self.world.places}
        if len(known) < size:
            raise ValueError("two places have the same id")
        named = {
            place
            for one in self.constraints
            for value in (getattr(one, name, ()) for name in ("place", "places", "to"))
            for place in ((value,) if isinstance(value, str) else value)
        }
        if named - known:
            raise ValueError(f"a constraint names the unknown place {min(named - known)}")
        return self


class Travelplans:
    """Plans of a day, over the map that the questions were generated for."""

    name = "travelplans"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """The questions in the file's order."""
        return tuple(_item(record) for record in read_typed(data, PlanRecord, FILE_NAMES))

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """None: the map is the one the settings name."""
        return None

    def score(self, item: Item, answer: Answer) -> Score:
        """A plan has to be possible and to keep every constraint; where there is none, that has to be said."""
        record = PlanRecord.model_validate(item.gold)
        plan = plan_of(answer, record)
        said = says_impossible(answer)
        refused = said or answer.status is not Status.ANSWERED
        if not record.feasible:
            return Score(correct=said, refused=refused, values={"delivered": float(plan is not None)})
        if plan is None:
            return Score(correct=False, refused=refused, values=_undelivered(item))
        possible = not faults(plan, record.world)
        kept = [one.kept(plan, record.world) for one in record.constraints]
        return Score(correct=possible and all(kept), values=_values(kept, delivered=True, possible=possible))

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """The figures of TravelPlanner (arXiv 2402.01622, section 3.4), and the share kept of each constraint.

        Micro: of all constraints of all questions; macro: of the questions, those with all of them kept. What is
        not delivered keeps nothing.
        """
        feasible = [(item, score) for item, score in judged if item.answerable]
        others = [score for item, score in judged if not item.answerable]
        values = [score.values or _undelivered(item) for item, score in feasible]
        refused = sum(score.refused for _, score in feasible)
        constraints = sum(one["constraints"] for one in values)
        right = sum(score.correct for _, score in feasible)
        said = sum(score.correct for score in others)
        return {
            "delivery": mean([one["delivered"] for one in values]),
            "possible": mean([one["possible"] for one in values]),
            "hard_micro": sum(one["kept"] for one in values) / constraints if constraints else None,
            "hard_macro": mean([float(one["kept"] == one["constraints"]) for one in values]),
            "final": _share(right, len(feasible)),
            "infeasible_said": _share(said, len(others)),
            "feasible_refused": _share(refused, len(feasible)),
            "final_by_family": _by_family(feasible),
        }


def _undelivered(item: Item) -> dict[str, float]:
    """The values of a question without a plan, or of one whose method failed."""
    return _values([False] * len(item.gold["constraints"]), delivered=False, possible=False)


def _values(kept: Sequence[bool], *, delivered: bool, possible: bool) -> dict[str, float]:
    return {
        "delivered": float(delivered),
        "possible": float(possible),
        "kept": float(sum(kept)),
        "constraints": float(len(kept)),
    }


def _share(right: int, of: int) -> dict[str, Any]:
    return {"n": of, "share": right / of if of else None, "ci95": wilson(right, of)}


def _by_family(judged: Sequence[tuple[Item, Score]]) -> Mapping[str, Any]:
    families: dict[str, list[bool]] = defaultdict(list)
    for item, score in judged:
        families[item.category].append(score.correct)
    return {name: _share(sum(all_), len(all_)) for name, all_ in sorted(families.items())}


def says_impossible(answer: Answer) -> bool:
    """Whether an answer says, instead of giving a plan, that there is none, or that it cannot give one.

    Why a method cannot, words do not tell reliably: who refuses everything is shown by `feasible_refused`.
    """
    if answer.trip is not None:
        return False
    value = answer.value
    no = (isinstance(value, YesNo) and not value.value) or (
        isinstance(value, Text) and value.topic == IMPOSSIBLE
    )
    return no or answer.status is Status.UNANSWERABLE


def plan_of(answer: Answer, record: PlanRecord) -> Plan | None:
    """The plan that an answer delivers; None if it has none, or one without times or ways."""
    trip = answer.trip
    stays = [_stay(one, record) for one in trip.visits] if trip is not None else []
    told = tuple(stay for stay in stays if stay is not None)
    if trip is None or not told or len(told) < len(stays):
        return None
    more = len(trip.legs) + 1 - len(told)
    if not 0 <= more <= 2:
        return None
    origin = _known(trip.legs[0].origin, record.world) if trip.legs else told[0].place
    starts = more == 2 or (more == 1 and origin != told[0].place)
    return Plan(
        start=origin if starts else None,
        stays=told,
        end=_known(trip.legs[-1].destination, record.world) if more > starts else None,
        modes=tuple(leg.mode for leg in trip.legs),
    )


def _stay(visit: TripVisit, record: PlanRecord) -> Stay | None:
    if visit.begin is None or visit.end is None:
        return None
    midnight = datetime.combine(record.day, time())
    begin_s, end_s = ((at.replace(tzinfo=None) - midnight).total_seconds() for at in (visit.begin, visit.end))
    return Stay(place=_known(visit.place, record.world), begin_s=begin_s, end_s=end_s)


def _known(place: Place, world: World) -> str:
    """The id of a place of the question: by its id, that of another entry of it, or its name; else its own id."""
    ids = {one.rpartition(":")[2] for one in (place.id, *place.merged_from)}
    name = normalise(place.name)
    same = next((one.id for one in world.places if one.id in ids), None)
    named = next((one.id for one in world.places if one.name and normalise(one.name) == name), None)
    return same or named or place.id or "?"


def _item(record: PlanRecord) -> Item:
    return Item(
        id=record.id,
        category=record.family if record.feasible else INFEASIBLE,
        task=Task(question=Question(text=record.text, at=record.at)),
        gold=record.model_dump(mode="json"),
        answerable=record.feasible,
        group=record.id,
    )
