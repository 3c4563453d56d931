"""The method `chameleon` with scripted modules over a recorded world."""

import pytest

from evals.methods.agents import Chameleon, read_program
from map_tools.tools import TOOLS
from mapagent.answer import Status
from tests.evals.methods.desk import calls_of, harbour, run, task
from tests.support.scripted_model import ScriptedModel

WALK = task(
    "How long is the walk from Customs House to the restaurant nearest to it?", "2 min", "5 min", "9 min"
)
NEARBY = '{"query": "restaurant", "location": "Customs House", "radius": 1000}'
TRIP = '{"current_location": "Customs House", "visiting_places": ["Salt & Smoke"], "travel_mode": "walking"}'


def test_modules_run_in_order_and_see_what_came_before() -> None:
    model = ScriptedModel(
        '["Nearby", "Trip", "Solution_Generator", "Answer_Generator"]',
        f"```json\n{NEARBY}\n```",
        TRIP,
        "Salt & Smoke is nearest (350 m); the walk takes 5 min. ^^2^^",
    )
    answer, account = run(Chameleon(), WALK, model, provider=harbour())
    assert (answer.status, answer.option_index) == (Status.ANSWERED, 1)
    assert [name for name, _ in calls_of(account)] == ["Nearby", "Trip"]
    assert "1. Salt & Smoke, restaurant" in model.prompt(3)
    assert "walking from Customs House to Salt & Smoke: 5.0 min, 350 m" in model.prompt(4)
    assert answer.usage.llm_calls == 4


def test_a_module_may_run_for_several_places_at_once() -> None:
    places = '{"location_address": "Old Light"}\n{"location_address": "Green Bowl"}'
    model = ScriptedModel('["PlaceInfo", "Solution_Generator"]', places, "^^1^^")
    _, account = run(Chameleon(), WALK, model, provider=harbour())
    assert [arguments["location_address"] for _, arguments in calls_of(account)] == [
        "Old Light",
        "Green Bowl",
    ]


def test_a_solution_without_an_answer_is_asked_once_for_it() -> None:
    model = ScriptedModel(
        '["Solution_Generator", "Answer_Generator"]', "It takes about five minutes.", "^^2^^"
    )
    answer, _ = run(Chameleon(), WALK, model, provider=harbour())
    assert model.labels[-1] == "chameleon.last"
    assert "It takes about five minutes." in model.prompt(3)
    assert answer.option_index == 1


def test_a_plan_that_cannot_be_read_falls_back_to_the_default_program() -> None:
    model = ScriptedModel("First I would think.", "^^3^^")
    answer, account = run(Chameleon(), WALK, model, provider=harbour())
    assert model.labels == ["chameleon.chameleon_plan", "chameleon.chameleon_solution"]
    assert calls_of(account) == []
    assert answer.option_index == 2


def test_map_modules_leave_room_for_the_solution() -> None:
    modules = ["PlaceInfo"] * 9
    arguments = [f'{{"location_address": "Nowhere {n}"}}' for n in range(3)]
    model = ScriptedModel(f"{modules}", *arguments, "Nothing is known.", "^^0^^")
    answer, account = run(Chameleon(), WALK, model, provider=harbour())
    assert len(calls_of(account)) == 3
    assert answer.status is Status.UNANSWERABLE
    assert model.left == 0


def test_broken_arguments_and_repeats_are_told() -> None:
    model = ScriptedModel(
        '["Nearby", "Nearby", "Nearby", "Solution_Generator"]', NEARBY, "around here", NEARBY, "^^2^^"
    )
    answer, account = run(Chameleon(), WALK, model, provider=harbour())
    assert "[Nearby] did not run: its arguments could not be read." in model.prompt(4)
    assert "see above" in model.prompt(5)
    assert len(calls_of(account)) == 1
    assert answer.option_index == 1


def _tool(word: str) -> str | None:
    return next((name for name in TOOLS if name.casefold() == word.casefold().replace("_", "")), None)


@pytest.mark.parametrize(
    ("text", "program"),
    [
        (
            "['trip', 'solution_generator', 'answer_generator']",
            ("Trip", "Solution_Generator", "Answer_Generator"),
        ),
        ('Modules: ["Place_Info", "Weather"', ("PlaceInfo", "Answer_Generator")),
        ("Route, Nearby", ("Route", "Nearby", "Answer_Generator")),
        ("[]", ("Solution_Generator", "Answer_Generator")),
        ("__import__('os').system('true')", ("Solution_Generator", "Answer_Generator")),
    ],
)
def test_reads_programs(text: str, program: tuple[str, ...]) -> None:
    assert read_program(text, _tool) == program
