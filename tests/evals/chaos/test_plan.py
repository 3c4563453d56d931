"""The plan of faults: as many as asked for, the same ones each time, whatever the order."""

from collections import Counter

from evals.chaos.faults import ChaosPlan, FaultKind, ServerKind, fault_cards, kinds_at

KINDS = (FaultKind.BUSY, FaultKind.RESET, FaultKind.HALF_JSON)
REQUESTS = tuple(f"GET /{number % 400}".encode() for number in range(2000))
"""Each request five times."""


def drawn(plan: ChaosPlan, requests: tuple[bytes, ...] = REQUESTS) -> Counter[tuple[bytes, FaultKind | None]]:
    strikes = [(request, plan.next(request)) for request in requests]
    return Counter((request, strike.kind if strike else None) for request, strike in strikes)


def test_about_as_many_requests_are_struck_as_asked_for() -> None:
    struck = sum(count for (_, kind), count in drawn(ChaosPlan(KINDS, 0.3, seed=4)).items() if kind)
    assert 520 < struck < 680  # 600 expected, 20 is one standard deviation


def test_every_kind_is_about_as_frequent() -> None:
    kinds: Counter[FaultKind | None] = Counter()
    for (_, kind), count in drawn(ChaosPlan(KINDS, 1.0, seed=4)).items():
        kinds[kind] += count
    assert set(kinds) == set(KINDS)
    assert all(560 < count < 775 for count in kinds.values())  # 667 expected, 21 is one standard deviation


def test_equal_seeds_draw_equal_faults_in_any_order() -> None:
    backwards = tuple(reversed(REQUESTS))
    assert drawn(ChaosPlan(KINDS, 0.3, seed=4)) == drawn(ChaosPlan(KINDS, 0.3, seed=4), backwards)


def test_other_seeds_draw_other_faults() -> None:
    assert drawn(ChaosPlan(KINDS, 0.3, seed=4)) != drawn(ChaosPlan(KINDS, 0.3, seed=5))


def test_a_request_that_was_struck_may_pass_the_next_time() -> None:
    plan = ChaosPlan(KINDS, 0.5, seed=4)
    assert {plan.next(b"GET /") is None for _ in range(40)} == {True, False}


def test_nothing_is_struck_without_a_share_or_without_kinds() -> None:
    assert {kind for _, kind in drawn(ChaosPlan(KINDS, 0.0, seed=4))} == {None}
    assert {kind for _, kind in drawn(ChaosPlan((), 1.0, seed=4))} == {None}


def test_every_fault_has_its_card() -> None:
    assert [card.kind for card in fault_cards()] == list(FaultKind)
    assert all(set(card.recoverable) <= set(card.strikes) for card in fault_cards())


def test_what_a_server_says_wrongly_in_good_form_is_not_recoverable() -> None:
    lies = set(kinds_at(ServerKind.MAP, recoverable=False)) - set(kinds_at(ServerKind.MAP, recoverable=True))
    assert lies == {FaultKind.EMPTY_LIST, FaultKind.MISSING_FIELDS}
    model = kinds_at(ServerKind.MODEL, recoverable=False)
    assert model == kinds_at(ServerKind.MODEL, recoverable=True)
