"""A check that cannot fail is worth nothing: an ideal provider passes, a defect breaks exactly its check.

For every check of the contract there is a provider that breaks it and nothing else. Values are looked at as deep as
they go, also those that were made without validation.
"""

import asyncio
from typing import Any

import pytest

from map_tools.errors import LimitError, NoRouteError, UnsupportedError
from map_tools.providers.recorded import RecordedProvider
from map_tools.testing.contract import CHECKS, ContractReport, Outcome, check_provider
from map_tools.testing.contract.checking import BreachError, demand_tuple_of, demand_value
from map_tools.types import LatLng, MatrixCell, NearbyPlace, Place, TravelMode
from tests.map_tools.testing.contract.changes import (
    all_alternatives,
    angry,
    any_kind,
    any_outline,
    as_the_crow_flies,
    blames,
    cells,
    crashes_on_unknown,
    drives,
    drives_matrix,
    elsewhere,
    foreign,
    forgetful,
    km,
    latitude_first,
    listed,
    narrow,
    no_keyword,
    no_waypoints,
    not_here,
    of_any_kind,
    only_the_future,
    own_ids,
    per_item,
    polar_error,
    renumbered,
    repeated,
    route_in_km,
    swapped,
    swapped_candidates,
    takes_any_mode,
    telling,
    transposed,
    two_legs,
    unlimited,
    unlimited_names,
    wider,
    without,
)
from tests.map_tools.testing.contract.defective import (
    KEY,
    Areas,
    BlockingDetails,
    ByName,
    ClosesOnce,
    EndsLate,
    LacksARank,
    LogsItsKey,
    LosesSlots,
    Maker,
    ReachesElsewhere,
    ReachesLess,
    Scores,
    SharesItsWork,
    ShowsItsKey,
    SwallowsCancellation,
    after,
    declaring,
    instead,
    reaching_despite,
)
from tests.map_tools.testing.contract.world import SAMPLE, Kit

AT_ONCE_THERE = MatrixCell(distance_m=0, duration_s=0)
DEFECTS: tuple[tuple[str, str, Maker], ...] = (
    ("interface", "a parameter is missing", LacksARank),
    ("interface", "a call is not async", BlockingDetails),
    ("terms", "no link", declaring(terms={"attribution_url": ""})),
    ("terms", "negative days", declaring(terms={"keep_payload_days": -1})),
    ("attribution", "markup", declaring(terms={"attribution": '<a href="x">©</a>'})),
    ("facts-exist", "unknown fact", declaring(facts=lambda facts: facts | {"colour"})),
    ("facts-declared", "undeclared fact", declaring(facts=lambda facts: facts - {"rating"})),
    ("facts-filled", "drops a fact", after(find_place=without("website"), place_details=without("website"))),
    ("known-names", "forgets a place", after(find_place=forgetful)),
    ("find-types", "a list", after(find_place=listed)),
    (
        "axis-order",
        "swapped axes",
        after(find_place=swapped_candidates, place_details=lambda r, *_: swapped(r)),
    ),
    ("ranking", "scores beyond 1", after(find_place=per_item(score=lambda score: 1.7 * score))),
    ("find-limit", "ignores the limit", instead(find_place=unlimited_names)),
    ("context-distance", "kilometres", after(find_place=per_item(distance_m=km))),
    ("unknown-name", "an error for nothing", after(find_place=angry)),
    ("details-by-id", "another id", after(place_details=renumbered)),
    (
        "full-candidates",
        "details differ",
        after(place_details=lambda place, *_: place.model_copy(update={"phone": "+1"})),
    ),
    ("unknown-id", "crashes on an unknown id", instead(place_details=crashes_on_unknown)),
    ("cheap-names", "percent", Scores),
    ("nearby-types", "a list", after(nearby=listed)),
    ("nearby-pages", "a place twice", after(nearby=repeated)),
    ("nearby-ids", "ids of a search's own", after(nearby=own_ids)),
    ("nearby-radius", "ignores the radius", instead(nearby=wider)),
    ("nearby-distances", "kilometres", after(nearby=per_item(distance_m=km))),
    ("nearby-order", "by name", ByName),
    ("nearby-kind", "other kinds", after(nearby=foreign)),
    ("nearby-no-kind", "unknown kinds are any kind", instead(nearby=any_kind)),
    ("nearby-keyword", "keywords find nothing", after(nearby=not_here)),
    ("nearby-keyword", "ignores the keyword", instead(nearby=no_keyword)),
    ("nearby-limit", "ignores the limit", instead(nearby=unlimited)),
    ("nearby-empty", "an error for nothing", after(nearby=polar_error)),
    ("nearby-place", "another centre", after(nearby=elsewhere)),
    ("shapes", "latitude first", after(shape=latitude_first)),
    ("shapes", "an outline for every id", instead(shape=any_outline)),
    ("narrow-names", "ignores the kind", instead(find_place=of_any_kind)),
    ("everywhere", "the first page", after(everywhere=lambda places, **_: places[:5])),
    ("everywhere", "a place twice", after(everywhere=lambda places, **_: (*places, *places[:1]))),
    ("reach", "less in more time", ReachesLess),
    ("reach", "latitude first", ReachesElsewhere),
    ("reach", "takes any mode", reaching_despite(UnsupportedError)),
    ("reach", "a circle where no road is", reaching_despite(NoRouteError)),
    ("reach", "any time", reaching_despite(LimitError)),
    ("areas", "nothing inside", after(inside=lambda *_, **__: ())),
    ("areas", "not declared, not refused", Areas),
    ("modes-refused", "takes any mode", instead(directions=takes_any_mode)),
    ("modes-served", "declared, not served", declaring(modes=lambda modes: modes - {TravelMode.WALKING})),
    ("route-types", "a list", after(directions=listed)),
    ("route-legs", "too many legs", after(directions=two_legs)),
    (
        "route-units",
        "kilometres",
        after(
            directions=route_in_km,
            matrix=cells(lambda cell: cell.model_copy(update={"distance_m": km(cell.distance_m)})),
        ),
    ),
    ("walking-is-not-driving", "walks like a car", instead(directions=drives, matrix=drives_matrix)),
    ("one-route", "always alternatives", instead(directions=all_alternatives)),
    ("waypoints", "ignores waypoints", instead(directions=no_waypoints)),
    ("no-way", "as the crow flies", instead(directions=as_the_crow_flies)),
    ("departure", "past departures crash", instead(directions=only_the_future)),
    ("matrix-shape", "drops a column", after(matrix=narrow)),
    ("matrix-order", "transposed", after(matrix=transposed)),
    (
        "matrix-gaps",
        "zero for no way",
        after(matrix=cells(lambda cell: AT_ONCE_THERE if cell.duration_s is None else cell)),
    ),
    (
        "matrix-agrees",
        "twice the time",
        after(
            matrix=cells(
                lambda cell: cell.model_copy(update={"duration_s": cell.duration_s and 2 * cell.duration_s})
            )
        ),
    ),
    ("concurrency", "shares its work", SharesItsWork),
    ("cancellation", "swallows it", SwallowsCancellation),
    ("cancellation", "ends late", EndsLate),
    ("cancellation", "loses slots", LosesSlots),
    ("error-sentences", "no sentence", instead(place_details=telling("404"))),
    ("secrets", "key in an error", instead(place_details=telling(f"No place at ?key={KEY}."))),
    ("secrets", "key in the cause of an error", instead(place_details=blames)),
    ("secrets", "key in a log line", LogsItsKey),
    ("secrets", "key in its repr", ShowsItsKey),
    ("close", "closes once", ClosesOnce),
)
"""Check, defect, provider."""


def check(provider: RecordedProvider) -> ContractReport:
    return asyncio.run(check_provider(provider, SAMPLE, secrets=(KEY,), patience_s=0.3, limit_s=2))


def test_an_ideal_provider_passes_every_check() -> None:
    report = check(Kit())
    assert [(each.check, each.seen) for each in report.findings if each.outcome is not Outcome.PASSED] == []


def test_every_check_has_a_defect() -> None:
    assert {each.id for each in CHECKS} | {"close"} == {check for check, _, _ in DEFECTS}


@pytest.mark.parametrize(
    ("broken", "make"),
    [pytest.param(check, make, id=f"{check}: {defect}") for check, defect, make in DEFECTS],
)
def test_a_defect_breaks_its_check_and_no_other(broken: str, make: Maker) -> None:
    report = check(make())
    assert [each.check for each in report.failed] == [broken]
    assert all(each.remedy for each in report.failed)
    assert KEY not in report.model_dump_json()


GOOD = Place(id="1", name="Quay", location=LatLng(lat=1, lng=2), hours=None, rating=4.5)


def altered(**fields: Any) -> Place:
    return GOOD.model_copy(update=fields)


def test_a_good_value() -> None:
    demand_value(Place, GOOD, "place_details")


@pytest.mark.parametrize(
    "place",
    [
        altered(rating="4.5"),
        altered(categories=[1]),
        altered(location=(1, 2)),
        altered(location=LatLng.model_construct(lat=130.75, lng=-12.5)),
        altered(rating_count=1.5),
        altered(name=None),
    ],
)
def test_a_field_of_a_wrong_type_or_range(place: Place) -> None:
    with pytest.raises(BreachError, match="place_details returned a Place with a"):
        demand_value(Place, place, "place_details")


def test_another_type() -> None:
    with pytest.raises(BreachError, match="a dict instead of a Place"):
        demand_value(Place, {"id": "1"}, "place_details")


@pytest.mark.parametrize("result", [None, [], {}, (GOOD,), iter(())])
def test_what_is_no_tuple_of_items(result: Any) -> None:
    with pytest.raises(BreachError, match="instead of a"):
        demand_tuple_of(NearbyPlace, result, "nearby")
