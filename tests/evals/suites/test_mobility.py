"""The suite `mobility` with hand-made records, replies and traces, and bad input."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest

from evals.ports import EvalContext, Item, ScoresRuns, Task
from evals.report.own_tables import mobility_tables
from evals.report.runs import FinishedRun
from evals.runner.run import LocalAsker
from evals.suites.mobility import SCORES, Mobility
from map_tools.errors import InputFileError
from map_tools.providers.recorded import RecordedProvider
from map_tools.types import TravelMode
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import RequestContext
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger
from mapagent.runtime.trace import Trace

WAY = {
    "tool": "Route",
    "parameters": {"origin": "Old Mill", "destination": "Crown Inn", "travel_mode": "walking"},
}
SEARCH = {"tool": "Nearby", "parameters": {"query": "inn", "location": "Old Mill"}}
RECORDS: list[dict[str, Any]] = [
    {
        "id": "1",
        "category": "route",
        "query": "How long is the walk from Old Mill to Crown Inn?",
        "context": {"preferences": ["I avoid stairs."], "moment": "2026-11-25T18:00:00"},
        "tool_calls": [WAY],
        "outcome": [{"minutes": 12}],
        "places": {"Old Mill": ["osm:n1"], "Crown Inn": ["osm:n2"]},
    },
    {
        "id": "2",
        "category": "nearest",
        "query": "Which inn is nearest to Old Mill, and how long is the walk?",
        "context": {"position": {"lat": 47.0, "lng": 8.0}},
        "tool_calls": [SEARCH, {**WAY, "round": 2}],
        "outcome": [{"names": ["Crown Inn"]}, {"minutes": 12}],
        "choices": ["Bell Inn"],
        "places": {"Crown Inn": ["osm:n2"]},
    },
    {"id": "3", "category": "unanswerable", "query": "How long is the walk from Old Mill to Nowhere Hall?"},
]
WORLD = {
    "format": "mapagent-world",
    "version": 1,
    "travel_times": [
        {"origin": "Old Mill", "destination": "Crown Inn", "mode": "walking", "duration": "12 mins"}
    ],
}


def written(folder: Path, records: Sequence[Any] = RECORDS) -> Path:
    (folder / "dataset.json").write_text(json.dumps(records), "utf-8")
    return folder


def said(text: str) -> Answer:
    return Answer(status=Status.ANSWERED, text=text)


def run(*calls: dict[str, Any], rounds: int = 0, tokens: int = 0) -> RequestContext:
    trace = Trace()
    for call in calls:
        trace.event("tool", tool=call["tool"], arguments=call["parameters"])
    return RequestContext(Ledger(rounds=rounds, prompt_tokens=tokens), trace)


@pytest.fixture
def items(tmp_path: Path) -> tuple[Item, ...]:
    return Mobility().load(written(tmp_path), "fair")


def test_items(items: tuple[Item, ...]) -> None:
    first, second, third = (item.task.question for item in items)
    assert first.text == "I avoid stairs. How long is the walk from Old Mill to Crown Inn?"
    assert first.at is not None
    assert first.at.hour == 18
    assert second.near is not None
    assert second.near.lat == 47
    assert third.text == RECORDS[2]["query"]
    assert [item.answerable for item in items] == [True, True, False]


@pytest.mark.parametrize(
    ("number", "text", "instruction", "outcome"),
    [
        (0, "12 min", 1, 1),
        (0, "25 min", 1, 0),
        (0, "1.2 km", 0, 0),
        (1, "Crown Inn, 12 min", 1, 1),
        (1, "Bell Inn, 12 min", 1, 0),
        (1, "12 min", 0, 0),
        (2, "12 min", 0, 0),
    ],
)
def test_instruction_and_outcome(
    items: tuple[Item, ...], number: int, text: str, instruction: int, outcome: int
) -> None:
    score = Mobility().score(items[number], said(text))
    assert score.values == {"instruction": instruction, "outcome": outcome}
    assert score.correct == bool(outcome)


def test_refusals(items: tuple[Item, ...]) -> None:
    refused = Answer(status=Status.UNANSWERABLE)
    assert Mobility().score(items[2], refused).values == {"instruction": 1, "outcome": 1}
    wrongly = Mobility().score(items[0], refused)
    assert (wrongly.correct, wrongly.refused) == (False, True)
    unread = Mobility().score(items[2], Answer(status=Status.NOT_UNDERSTOOD))
    assert (unread.correct, unread.refused) == (False, True), "no answer is no wrong one"


def test_the_gold_calls_are_worth_everything(items: tuple[Item, ...]) -> None:
    score = Mobility().score_run(items[1], said("Crown Inn, 12 min"), run(SEARCH, WAY, rounds=2))
    assert score.values == dict.fromkeys(("instruction", "planning", "tool_use", "outcome", "efficiency"), 1)


def test_calls_of_a_run_are_judged(items: tuple[Item, ...]) -> None:
    """One of two gold calls with right parameters; the look-ups make four calls, in one round of the two."""
    look_up = {"tool": "PlaceInfo", "parameters": {"location_address": "Old Mill"}}
    values = (
        Mobility().score_run(items[1], said("?"), run(look_up, look_up, look_up, SEARCH, rounds=1)).values
    )
    assert (values["planning"], values["tool_use"]) == (1 / 2, 1 / 2)
    assert values["efficiency"] == (2 / 4 + 1) / 2


def test_tokens_count_where_a_model_is_asked(items: tuple[Item, ...]) -> None:
    plain = Mobility().score_run(items[0], said("12 min"), run(WAY, rounds=1)).values["efficiency"]
    costly = Mobility().score_run(items[0], said("12 min"), run(WAY, rounds=1, tokens=1_000_000)).values
    assert plain == 1
    assert costly["efficiency"] == pytest.approx(2 / 3, abs=1e-3)


def test_no_calls_are_judged_where_there_is_no_answer(items: tuple[Item, ...]) -> None:
    values = Mobility().score_run(items[2], Answer(status=Status.UNANSWERABLE), run(WAY)).values
    assert set(values) == {"instruction", "outcome"}


class Walker:
    """Makes the gold call, and is a minute off."""

    name = "walker"

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        request_context.trace.event("tool", tool=WAY["tool"], arguments=WAY["parameters"])
        request_context.ledger.rounds = 1
        return said("13 min")


def test_a_run_is_scored_with_its_trace(items: tuple[Item, ...]) -> None:
    assert isinstance(Mobility(), ScoresRuns)
    asker = LocalAsker(Mobility(), Walker(), EvalContext(Settings()))
    record = anyio.run(lambda: asker.ask(items[0], Settings().limits())).record
    assert record.values == dict.fromkeys(("instruction", "planning", "tool_use", "outcome", "efficiency"), 1)


def test_means_by_class(items: tuple[Item, ...]) -> None:
    suite = Mobility()
    judged = [
        (items[0], suite.score_run(items[0], said("12 min"), run(WAY, rounds=1))),
        (items[2], suite.score_run(items[2], said("12 min"), run())),
    ]
    told = suite.metrics(judged)
    assert told["scores"] == {
        "instruction": 1 / 2, "planning": 1, "tool_use": 1, "outcome": 1 / 2, "efficiency": 1,
    }  # fmt: skip
    assert told["scores_by_category"]["unanswerable"]["planning"] is None


def test_tables_are_those_of_the_suite() -> None:
    records = tuple(
        SimpleNamespace(category=name, values=values)
        for name, values in (
            ("route", dict.fromkeys(SCORES, 1.0)),
            ("route", {}),  # the method failed
            ("unanswerable", {"instruction": 1.0, "outcome": 0.0}),
        )
    )
    run = FinishedRun(Path(), SimpleNamespace(method="m", model="", provider=""), records, {})
    (table,) = mobility_tables("mobility", (run,))
    of_class = {
        row[1]: [float(cell) if cell[0].isdigit() else None for cell in row[2:]] for row in table.rows[1:]
    }
    assert of_class["route"] == [0.5] * len(SCORES)
    assert of_class["unanswerable"] == [{"instruction": 1.0, "outcome": 0.0}.get(name) for name in SCORES]
    assert mobility_tables("everyday", (run,)) == ()


def test_replies_beside_the_queries_are_replayed(tmp_path: Path) -> None:
    data = written(tmp_path)
    assert Mobility().provider(data, Settings()) is None
    (tmp_path / "world.json").write_text(json.dumps(WORLD), "utf-8")
    provider = Mobility().provider(data / "dataset.json", Settings())
    assert isinstance(provider, RecordedProvider)

    async def took_s() -> float | None:
        (mill,), (inn,) = await provider.find_place("Old Mill"), await provider.find_place("Crown Inn")
        matrix = await provider.matrix((mill.place,), (inn.place,), mode=TravelMode.WALKING)
        return matrix.rows[0][0].duration_s

    assert anyio.run(took_s) == 720


def test_tools_of_another_set_are_told_in_ours(tmp_path: Path) -> None:
    foreign = {"tool": "walking_route", "parameters": {"from": "Old Mill", "to": "Crown Inn"}}
    data = written(tmp_path, [{**RECORDS[0], "tool_calls": [foreign]}])
    (tmp_path / "tools.toml").write_text(
        '[walking_route]\ntool = "Route"\nfixed = { travel_mode = "walking" }\n'
        'names = { from = "origin", to = "destination" }\n',
        "utf-8",
    )
    (item,) = Mobility().load(data, "fair")
    (call,) = item.gold["tool_calls"]
    assert (call["tool"], call["parameters"]) == (WAY["tool"], WAY["parameters"])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"query": " "}, "query"),
        ({"outcome": []}, "outcome"),
        ({"category": "unanswerable"}, "outcome"),
        ({"tool_calls": []}, "gold calls"),
        ({"tool_calls": [{"tool": "walking_route"}]}, "no tool 'walking_route'"),
        ({"outcome": [{"colour": "red"}]}, "outcome"),
        ({"context": {"position": [47, 8]}}, "position"),
        ({"mood": "good"}, "mood"),
    ],
)
def test_records_that_are_none(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputFileError, match=words):
        Mobility().load(written(tmp_path, [{**RECORDS[0], **changes}]), "fair")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[walking_route\n", "cannot be read"),
        ('[walking_route]\nname = "Route"\n', "walking_route"),
        ('[walking_route]\ntool = "Teleport"\n', "Teleport"),
    ],
)
def test_tables_of_tools_that_are_none(tmp_path: Path, text: str, words: str) -> None:
    data = written(tmp_path)
    (tmp_path / "tools.toml").write_text(text, "utf-8")
    with pytest.raises(InputFileError, match=words):
        Mobility().load(data, "fair")
