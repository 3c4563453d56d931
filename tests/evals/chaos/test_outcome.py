"""How a question's end is judged, what is promised, and how it is shown."""

from collections import Counter

import pytest

from evals.chaos.faults import FaultKind
from evals.chaos.report import as_json, broken_promises, run_table
from evals.chaos.soak import Fate, Outcome, Run, fate
from map_tools.errors import ModelError
from mapagent.answer import Answer, Status
from tests.support.evidence import evidence, failure_fact

USUAL = Outcome("q", right=True, answered=True, said="Quay Inn", warnings=frozenset({"In beta."}))
REFUSED = Answer(status=Status.UNANSWERABLE, text="", reason="Nothing is known of the Mill.")


@pytest.mark.parametrize(
    ("outcome", "usual", "expected"),
    [
        (USUAL, USUAL, Fate.RIGHT),
        (Outcome("q", hung=True), USUAL, Fate.HUNG),
        (Outcome("q", crash="KeyError()", right=True), USUAL, Fate.CRASHED),
        (Outcome("q", said="Google is down."), USUAL, Fate.REFUSED),
        (Outcome("q", said=""), USUAL, Fate.REFUSED_UNNAMED),
        (Outcome("q", said="Sorry.", unnamed=("Mill: down",)), USUAL, Fate.REFUSED_UNNAMED),
        (Outcome("q", answered=True, said="Mill", warnings=USUAL.warnings), USUAL, Fate.SILENT),
        (
            Outcome("q", answered=True, said="Mill", warnings=frozenset({"In beta.", "Inn lost."})),
            USUAL,
            Fate.FLAGGED,
        ),
        (Outcome("q", answered=True, said="Mill"), Outcome("q", answered=True, said="Mill"), Fate.AS_USUAL),
        (Outcome("q", said="Not known."), Outcome("q", said="Not known."), Fate.AS_USUAL),
    ],
)
def test_how_a_question_ended(outcome: Outcome, usual: Outcome, expected: Fate) -> None:
    assert fate(outcome, usual) is expected


def test_a_loss_is_named_by_its_subject_or_its_message() -> None:
    found = evidence(
        failure_fact("Mill", "It is down.", code="provider"),
        failure_fact("Inn → Mill", "It is down.", code="provider"),
        failure_fact("Tower", "Nothing is known of the Mill.", code="provider"),
    )
    answer = REFUSED.model_copy(update={"evidence": found})
    assert Outcome.of_answer("q", answer, right=False, seconds=1).unnamed == ("Inn → Mill: It is down.",)


def test_a_module_that_broke_is_a_crash() -> None:
    broke = evidence(failure_fact("", "The module 'x' failed: KeyError", code="module"))
    answer = REFUSED.model_copy(update={"evidence": broke})
    assert Outcome.of_answer("q", answer, right=False, seconds=1).crash == "The module 'x' failed: KeyError"


def test_an_error_of_the_product_is_a_refusal_with_its_sentence() -> None:
    outcome = Outcome.of_error("q", ModelError("The model server failed.", "Ask again."), 1.0)
    assert fate(outcome, USUAL) is Fate.REFUSED


def run(share: float, *outcomes: Outcome, recoverable: bool = True) -> Run:
    usual = {one.id: Outcome(one.id, right=True, answered=True) for one in outcomes}
    return Run(
        way="osm",
        share=share,
        recoverable=recoverable,
        outcomes={one.id: one for one in outcomes},
        usual=usual,
        requests=10,
        struck=Counter({FaultKind.BUSY: 3}),
    )


def right(number: int) -> Outcome:
    return Outcome(str(number), right=True, answered=True)


LOST = Outcome("lost", said="Google is down.")
SILENT = Outcome("silent", answered=True, said="Mill")


def losses(count: int) -> list[Outcome]:
    return [Outcome(f"lost {number}", said="Google is down.") for number in range(count)]


def test_three_points_may_be_lost() -> None:
    assert broken_promises([run(0.3, *map(right, range(97)), *losses(3))]) == ()
    assert broken_promises([run(0.3, *map(right, range(96)), *losses(4))]) == (
        "osm, 30% recoverable faults: 4 fewer of 100 are right (at most 3)",
    )


def test_one_question_may_be_lost_however_few_are_asked() -> None:
    assert broken_promises([run(0.3, *map(right, range(9)), *losses(1))]) == ()
    assert len(broken_promises([run(0.3, *map(right, range(8)), *losses(2))])) == 1


def test_nothing_wrong_may_be_said_in_silence_while_faults_are_recoverable() -> None:
    many = tuple(map(right, range(99)))
    (problem,) = broken_promises([run(0.3, *many, SILENT)])
    assert "wrong, not flagged (silent)" in problem
    assert broken_promises([run(0.3, *many, SILENT, recoverable=False)]) == ()


@pytest.mark.parametrize("bad", [Outcome("x", hung=True), Outcome("x", crash="E"), Outcome("x")])
def test_no_hang_no_crash_no_loss_without_a_name_whatever_fails(bad: Outcome) -> None:
    many = tuple(map(right, range(99)))
    assert len(broken_promises([run(0.3, *many, bad, recoverable=False)])) == 1


def test_a_soak_in_which_nothing_is_right_anyway_proves_nothing() -> None:
    assert broken_promises([run(0.0, right(1))]) == ()
    (problem,) = broken_promises([run(0.0, right(1), LOST)])
    assert "only 50% are right" in problem


def test_beyond_a_third_of_the_requests_nothing_is_promised() -> None:
    assert broken_promises([run(0.5, LOST, SILENT)]) == ()


def test_the_table_counts_every_end() -> None:
    table = run_table([run(0.3, right(1), LOST, SILENT, recoverable=False)])
    row = [cell.strip() for cell in table.splitlines()[2].strip("|").split("|")]
    assert row == ["osm", "30% and lies", "3 of 10", "3", "1 (33.3%)", "1", "0", "0", "1", "0", "0", "0 s"]


def test_the_record_names_the_questions() -> None:
    record = as_json([run(0.3, right(1), LOST)], ["a promise"], {"seed": 4})
    assert record["broken_promises"] == ["a promise"]
    (told,) = record["runs"]
    assert told["fates"] == {"right": 1, "refused": 1}
    assert told["ids"]["refused"] == ["lost"]
    assert (told["accuracy"], told["struck"]) == (0.5, {"busy": 3})
