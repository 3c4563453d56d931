"""Day plans to be worked out: the search over all plans by hand, and what is made over an invented city."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.generate.travelplans.generator import TIGHTENED, generate, wordings
from evals.generate.travelplans.search import earliest, scaled, soonest
from evals.suites.scoring.plans import (
    Avoids,
    Begins,
    Constraint,
    Ends,
    Known,
    Over,
    ReachedBy,
    Stays,
    Travels,
    Visits,
    VisitsSome,
    World,
    faults,
)
from evals.suites.travelplans import PlanRecord, Travelplans
from map_tools.errors import UsageError
from map_tools.maps.home import MapHome
from map_tools.maps.synth import synth
from map_tools.types import TravelMode

M = 60.0
WORLD = World(
    places=(
        Known(id="s", name="Start"),
        Known(id="a", name="A", open_s=((60 * M, 90 * M),)),
        Known(id="b", name="B"),
        Known(id="c", name="C"),
    ),
    travel_s={
        TravelMode.WALKING: tuple(
            tuple(leg * M for leg in row)
            for row in ((0, 10, 20, 40), (10, 0, 15, 30), (20, 15, 0, 25), (40, 30, 25, 0))
        )
    },
)
BASE: tuple[Constraint, ...] = (
    Begins(place="s", at_s=0),
    Visits(place="a"),
    Visits(place="b"),
    Travels(mode=TravelMode.WALKING),
    Stays(places=("a",), least_s=20 * M),
    Ends(place="s"),
)


def test_the_soonest_plan() -> None:
    """B first: there at 20, at A at 35, open from 60 to 80, home at 90. A first: 60 to 80, B at 95, home at 115."""
    found = soonest(BASE, WORLD)
    assert found.plan is not None
    assert [stay.place for stay in found.plan.stays] == ["b", "a"]
    assert (found.finish_s, found.tried) == (90 * M, 2)


@pytest.mark.parametrize(
    ("more", "possible"),
    [
        (Over(by_s=90 * M), True),
        (Over(by_s=85 * M), False),
        (ReachedBy(place="b", by_s=20 * M), True),
        (ReachedBy(place="b", by_s=15 * M), False),
        (Stays(places=("a",), least_s=31 * M), False),
        (Avoids(place="b"), False),
    ],
)
def test_whether_there_is_a_plan(more: Constraint, possible: bool) -> None:
    assert (soonest((*BASE, more), WORLD).plan is not None) == possible


def test_one_of_several_is_chosen() -> None:
    found = soonest((*BASE[:1], VisitsSome(places=("b", "c")), *BASE[3:4]), WORLD)
    assert found.plan is not None
    assert [stay.place for stay in found.plan.stays] == ["b"]


def test_faster_travel_makes_plans_possible() -> None:
    limits = (*BASE[:1], Visits(place="c"), *BASE[3:4], Over(by_s=36 * M))
    assert soonest(limits, WORLD).plan is None
    assert soonest(limits, scaled(WORLD, 0.9)).plan is not None


def test_a_place_that_is_not_reached() -> None:
    lost = WORLD.model_copy(update={"travel_s": {TravelMode.WALKING: ((None,) * 4,) * 4}})
    assert earliest(("a",), BASE, lost) is None


@pytest.fixture(scope="module")
def city(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An invented city with streets."""
    home = MapHome(tmp_path_factory.mktemp("home"))
    return home.path(synth(seed=21, size=2_500, home=home, name="city").name)


@pytest.fixture(scope="module")
def made(city: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Questions over it, two of a family."""
    out = tmp_path_factory.mktemp("made") / "plans"
    generate(city, 2, 5, out)
    return out


@pytest.fixture
def records(made: Path) -> tuple[PlanRecord, ...]:
    """The questions."""
    return tuple(PlanRecord.model_validate(item.gold) for item in Travelplans().load(made, "fair"))


def named(record: PlanRecord) -> Iterator[str]:
    """The names of the places that have to be visited."""
    names = {one.id: one.name for one in record.world.places}
    yield from (names[one.place] for one in record.constraints if isinstance(one, Visits | Begins))


def test_questions_tell_what_is_asked(records: tuple[PlanRecord, ...]) -> None:
    for record in records:
        assert not set(record.text) & set("{}")
        assert all(name in record.text for name in named(record))
    families = {record.family for record in records if not record.feasible}
    assert families == set(TIGHTENED)


def test_what_is_possible_and_what_is_not(records: tuple[PlanRecord, ...]) -> None:
    for record in records:
        plan = soonest(record.constraints, record.world).plan
        assert (plan is not None) == record.feasible
        assert plan is None or not faults(plan, record.world)


def test_proofs_tell_how_many_plans_there_are(made: Path) -> None:
    truths: list[dict[str, Any]] = [
        json.loads(line) for line in (made / "truth.jsonl").read_text("utf-8").splitlines()
    ]
    tried = [one["tried_in_vain"] for one in truths if one["tried_in_vain"] is not None]
    assert tried
    assert set(tried) <= {
        1,
        2,
        6,
        24,
        36,
    }  # orders of up to four stops; two of four in the orders of three: 6 x 6


def test_equal_seeds_make_equal_files(city: Path, tmp_path: Path) -> None:
    for name, seed in (("one", 3), ("same", 3), ("other", 4)):
        generate(city, 1, seed, tmp_path / name)
    one, same, other = (
        (tmp_path / name / "dataset.json").read_text("utf-8") for name in ("one", "same", "other")
    )
    assert one == same != other


def test_each_hand_has_the_same_words() -> None:
    _, hands = wordings()
    assert len({frozenset(hand) for hand in hands}) == 1


def test_a_map_without_routes_is_refused(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    folder = home.path(synth(seed=1, size=300, home=home, name="town", roads=False).name)
    with pytest.raises(UsageError, match="no routes"):
        generate(folder, 1, 0, tmp_path / "out")
