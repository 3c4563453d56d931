"""Each rule of claims accepts what is right and rejects what was tampered with; pyproj is the reference."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod

from map_tools.facts import ComputedFact
from map_tools.types import LatLng, Route, RouteLeg, RouteStep, TravelMode
from mapagent.answer import Claim, Named, Quantity, Solution, Status
from mapagent.question import Question
from modules.answer_generator.matching import Match
from modules.answer_generator.verify import verify
from modules.answer_generator.verify.facts import Facts
from modules.answer_generator.verify.lambert import lambert_distance_m, sphere_bearing_deg
from modules.answer_generator.verify.plausible import check_facts
from modules.answer_generator.verify.rules import RULES, check_claim
from tests.support.effort import effort
from tests.support.evidence import evidence, nearby_fact, place, place_fact, routes_fact, travel_fact

GEOD = Geod(ellps="WGS84")
MILL = place("Mill", 60.17, 24.94, rating=4.5, hours="Mo-Fr 09:00-17:00", services={"wifi": True})
BANK = place("Bank", 60.18, 24.95)
STEPS = tuple(
    RouteStep(instruction=text)
    for text in ("Head north on Elm St", "Turn left onto Oak Ave", "Turn right onto Bay Rd")
)
ROUTE = Route(
    summary="Oak Ave",
    distance_m=3000,
    duration_s=600,
    legs=(RouteLeg(distance_m=3000, duration_s=600, steps=STEPS),),
)
WORLD = evidence(
    place_fact(MILL),
    place_fact(BANK),
    travel_fact("Mill", "Bank", 10, 3000),
    travel_fact("Bank", "Mill", 12, 3500),
    nearby_fact("Mill", "cafe", [(place("Bean"), 100.0), (place("Leaf"), 250.0)]),
    routes_fact("Mill", "Bank", [ROUTE]),
)

QUESTION = Question(text="I stay at the mill for 30 minutes. How long does it take?", options=("Ten", "Two"))
FACTS = Facts(WORLD, QUESTION)
AZIMUTH, _, METRES = GEOD.inv(24.94, 60.17, 24.95, 60.18)
LEGS = [["Mill", "Bank", 600], ["Bank", "Mill", 720]]

CLAIMS: list[tuple[str, tuple[str, ...], dict[str, Any], Any, Any]] = [
    ("lookup", ("e1",), {"place": "Mill", "field": "rating"}, 4.5, 4.4),
    ("lookup", ("e1",), {"place": "Mill", "field": "services.wifi"}, True, False),
    ("lookup", ("e1",), {"place": "Mill", "field": "hours"}, "Mo-Fr 09:00-17:00", "Mo-Su 09:00-17:00"),
    ("travel", ("e3",), {"origin": "Mill", "destination": "Bank", "mode": "driving"}, 600, 720),
    (
        "travel",
        ("e3",),
        {"origin": "Mill", "destination": "Bank", "mode": "driving", "unit": "m"},
        3000,
        3500,
    ),
    ("distance", ("e1", "e2"), {"a": "Mill", "b": "Bank"}, METRES, METRES * 1.003),
    ("bearing", ("e1", "e2"), {"a": "Mill", "b": "Bank"}, AZIMUTH, AZIMUTH + 2),
    ("sum", ("e3", "e4"), {"values": [600, 720], "unit": "s"}, 1320, 1380),
    ("sum", ("e3",), {"values": [600, 1800], "unit": "s"}, 2400, 2500),
    ("difference", ("e3", "e4"), {"values": [720, 600], "unit": "s"}, 120, 60),
    ("min", ("e5",), {"values": {"Bean": 100, "Leaf": 250}, "unit": "m", "k": 1}, "Bean", "Leaf"),
    ("min", ("e5",), {"values": {"Bean": 100, "Leaf": 250}, "unit": "m", "k": 2}, "Leaf", "Bean"),
    ("max", ("e5",), {"values": {"Bean": 100, "Leaf": 250}, "unit": "m", "k": 1}, "Leaf", "Bean"),
    ("count", ("e5",), {"labels": ["Bean", "Leaf"]}, 2, 3),
    ("open", ("e1",), {"place": "Mill", "at": "2026-11-23T10:00:00"}, True, False),
    ("open", ("e1",), {"place": "Mill", "at": "2026-11-22T10:00:00"}, False, True),
    (
        "step",
        ("e6",),
        {"route": "Oak Ave", "after": "Oak Ave"},
        "Turn right onto Bay Rd",
        "Turn left onto Bay Rd",
    ),
    (
        "itinerary",
        ("e3", "e4"),
        {"order": ["Mill", "Bank", "Mill"], "start_s": 32400, "dwell": {"Bank": 1800}, "legs": LEGS},
        32400 + 600 + 1800 + 720,
        32400 + 600 + 720,
    ),
    ("option", ("question",), {"texts": ["Ten", "Two"], "reason": "best"}, 1, 2),
]


@pytest.mark.parametrize(("rule", "inputs", "arguments", "right", "wrong"), CLAIMS)
def test_right_claims_pass_and_tampered_ones_do_not(
    rule: str, inputs: tuple[str, ...], arguments: dict[str, Any], right: Any, wrong: Any
) -> None:
    def problems(result: Any) -> list[str]:
        claim = Claim(rule=rule, inputs=inputs, arguments=arguments, result=result)
        return [one.message for one in check_claim(claim, FACTS)]

    assert problems(right) == []
    assert problems(wrong)


def test_every_rule_is_tested() -> None:
    assert set(RULES) - {"filter"} == {rule for rule, *_ in CLAIMS}


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        (Claim(rule="guess", inputs=(), result=1), "unknown_rule"),
        (Claim(rule="sum", inputs=("e99",), arguments={"values": [1]}, result=1), "no_such_evidence"),
        (Claim(rule="sum", inputs=("e3",), arguments={}, result=1), "sum"),
        (Claim(rule="sum", inputs=("e3",), arguments={"values": [600, 60], "unit": "s"}, result=660), "sum"),
        (
            Claim(
                rule="travel",
                inputs=("e3",),
                arguments={"origin": "Bank", "destination": "Mill", "mode": "driving"},
                result=600,
            ),
            "travel",
        ),
        (Claim(rule="filter", inputs=("e5",), arguments={"kept": ["Bean"], "dropped": ["Bean"]}), "filter"),
        (Claim(rule="count", inputs=("e5",), arguments={"labels": ["Bean", "Bean"]}, result=2), "count"),
        (
            Claim(
                rule="itinerary",
                inputs=("e3",),
                arguments={"start_s": 0, "legs": [LEGS[0]], "dwell": {}, "deadline_s": 300},
                result=600,
            ),
            "itinerary",
        ),
    ],
)
def test_claims_that_cannot_stand(claim: Claim, code: str) -> None:
    assert {one.code for one in check_claim(claim, FACTS)} == {code}


POINT = st.builds(LatLng, lat=st.floats(-80, 80), lng=st.floats(-180, 180))


@given(POINT, POINT)
@effort(2)
def test_lambert_agrees_with_the_geodesic(a: LatLng, b: LatLng) -> None:
    """pyproj's geodesic (Karney) is the reference; near antipodes only the sphere is left."""
    _, _, metres = GEOD.inv(a.lng, a.lat, b.lng, b.lat)
    share = 0.01 if metres > 19e6 else 0.001
    assert lambert_distance_m(a, b) == pytest.approx(metres, rel=share, abs=1.0)


@given(POINT, st.floats(0, 359), st.floats(100, 100_000))
@effort(2)
def test_the_bearing_agrees_with_the_geodesic(a: LatLng, azimuth: float, metres: float) -> None:
    lng, lat, _ = GEOD.fwd(a.lng, a.lat, azimuth, metres)
    off = abs(sphere_bearing_deg(a, LatLng(lat=lat, lng=lng)) - azimuth) % 360
    assert min(off, 360 - off) < 0.5


@pytest.mark.parametrize(
    ("minutes", "metres", "mode", "codes"),
    [
        (10, 3000, TravelMode.DRIVING, set()),
        (0, 900, TravelMode.DRIVING, {"implausible_leg"}),
        (1, 5000, TravelMode.WALKING, {"implausible_speed"}),
        (1, 90, TravelMode.WALKING, set()),
        (5, 20000, TravelMode.DRIVING, {"implausible_speed"}),
    ],
)
def test_plausibility_of_a_leg(minutes: float, metres: float, mode: TravelMode, codes: set[str]) -> None:
    facts = Facts(evidence(travel_fact("Alpha", "Beta", minutes, metres, mode)), QUESTION)
    assert {one.code for one in check_facts(facts, ["e1"])} == codes


def test_the_way_back_unmasks_a_tiny_leg() -> None:
    pair = (travel_fact("Alpha", "Beta", 1, 1), travel_fact("Beta", "Alpha", 15, 7600))
    facts = Facts(evidence(*pair), QUESTION)
    assert {one.code for one in check_facts(facts, ["e1"])} == {"implausible_leg"}
    assert not tuple(check_facts(facts, ["e2"]))


def test_a_third_place_unmasks_a_tiny_leg() -> None:
    legs = (
        travel_fact("Alpha", "Beta", 1, 1),
        travel_fact("Alpha", "Gamma", 20, 15000),
        travel_fact("Beta", "Gamma", 2, 900),
    )
    assert {one.code for one in check_facts(Facts(evidence(*legs), QUESTION), ["e1"])} == {"implausible_leg"}


def solved(value: Any, **fields: Any) -> Solution:
    return Solution(status=Status.ANSWERED, value=value, evidence_ids=("e3",), **fields)


def codes(solution: Solution, chosen: Match | None = None, question: Question = QUESTION) -> set[str]:
    return {one.code for one in verify(question, None, solution, WORLD, chosen) if one.severity == "reject"}


def test_a_value_that_stands_nowhere() -> None:
    assert codes(solved(Quantity(value=660, unit="s"))) == {"unsupported"}
    assert codes(solved(Quantity(value=600, unit="s"))) == set()
    assert codes(solved(Named(name="Castle of Nowhere"))) == {"unsupported"}
    assert codes(solved(Named(name="Bean"))) == set()


def test_a_letter_of_another_option() -> None:
    question = Question(text="How many cafes?", options=("One", "Two", "Three"))
    solution = solved(Quantity(value=2, unit="count"))
    assert codes(solution, Match(index=1, text="Two", margin=1, how="amount"), question) == set()
    assert codes(solution, Match(index=2, text="Two", margin=1, how="amount"), question) == {"letter"}
    assert codes(solution, Match(index=2, text="Three", margin=1, how="amount"), question) == {"letter"}


def test_computed_facts_prove_nothing() -> None:
    computed = evidence(ComputedFact(label="sum", value="600"))
    solution = Solution(status=Status.ANSWERED, value=Quantity(value=600, unit="s"))
    found = {one.code for one in verify(QUESTION, None, solution, computed, None)}
    assert {"no_evidence", "unsupported"} <= found


def test_unknown_numbers_of_an_explanation_are_told() -> None:
    solution = solved(Quantity(value=600, unit="s"), explanation="10 min, not the 47 min of last year")
    objections = verify(QUESTION, None, solution, WORLD, None)
    assert [(one.code, one.severity) for one in objections] == [("unknown_number", "warn")]
    assert "47 min" in objections[0].message


def test_time_left_over_is_what_the_question_grants_less_what_is_used() -> None:
    question = Question(text="I have 3 hours for the way from the mill to the bank. How much time is left?")
    used = Claim(rule="sum", inputs=("e3",), arguments={"values": [600], "unit": "s"}, result=600)
    assert codes(solved(Quantity(value=10200, unit="s"), claims=(used,)), None, question) == set()
    assert codes(solved(Quantity(value=9900, unit="s"), claims=(used,)), None, question) == {"unsupported"}


def test_a_count_is_what_was_counted() -> None:
    claim = Claim(rule="count", inputs=("e5",), arguments={"labels": ["Bean", "Leaf"]}, result=2)
    assert severities(2, claim) == []
    # Three numbers stand in the evidence, but two things were counted.
    assert severities(3, claim) == ["reject"]
    assert severities(3) == ["warn"]


def severities(number: int, *claims: Claim) -> list[str]:
    value = Quantity(value=number, unit="count")
    solution = Solution(status=Status.ANSWERED, value=value, claims=claims, evidence_ids=("e5",))
    return [one.severity for one in verify(QUESTION, None, solution, WORLD, None)]


@pytest.mark.parametrize(
    ("words", "known"),
    [
        ("3 steps via Oak Ave", True),
        ("7 steps via Oak Ave", False),
        ("Bean is 1st, Leaf 2nd, the 9th is unknown", True),
        ("2 cafes near Mill", True),
        ("8 cafes near Mill", False),
    ],
)
def test_numbers_of_things_listed_need_no_evidence_of_their_own(words: str, known: bool) -> None:
    solution = Solution(
        status=Status.ANSWERED, value=Named(name="Bean"), evidence_ids=("e5", "e6"), explanation=words
    )
    codes = {one.code for one in verify(QUESTION, None, solution, WORLD, None)}
    assert ("unknown_number" not in codes) is known
