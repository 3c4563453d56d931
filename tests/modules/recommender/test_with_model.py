"""Recommendations with a language model over real HTTP: reading, re-ranking, cascade, command line."""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from map_tools.providers.osm import OsmProvider
from mapagent.agent import MapAgent
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.ports import Account
from mapagent.question import Question
from modules.recommender.model import WishModel
from modules.recommender.model_reading import read_with
from modules.recommender.wish import Geometry, SpatialFunction, Wish
from tests.support.chat import completion
from tests.support.cli import CommandLine
from tests.support.loopback import Asked, Loopback, Scripted, json_reply, serving
from tests.support.maps import demo_map

FRIDAY = datetime(2026, 3, 6, 18)  # noqa: DTZ001 - local time of the place
ADVICE = "Could you suggest a spot for an ice cold beer close to Kiasma, for people who like football?"
"""Advice is wanted, but no vocabulary knows what football has to do with a place."""

WHERE = {
    "query_type": "point",
    "places": ["Kiasma"],
    "closeness": "walking distance",
    "distance": "",
    "travel": "walking",
    "scenic": False,
}
WHAT = {
    "type": "restaurant",
    "kind": "sports bar",
    "spatial": "",
    "semantic": "lively sports bar with football on screens",
    "where_counts": 2,
    "what_counts": 8,
}


@contextmanager
def model(**replies: Any) -> Iterator[Loopback]:
    """A server that answers by what it is asked for: the marks are words of the prompts' fixed parts."""
    marks = {"where": "You read where", "what": "You read what kind", "rerank": "You are a local expert"}

    def script(asked: Asked) -> Scripted:
        prompt = asked.body.decode()
        name = next((name for name, mark in marks.items() if mark in prompt), "other")
        if name == "other":  # the planner, which hands the wish on as it is
            question = re.search(r"Question: (.*?)(?:\\n|\")", prompt)
            assert question is not None
            wish = f'answer(recommend("{question[1]}")[:3])'
            replies[name] = {"tool": "run_query", "arguments": {"program": wish}}
        reply = replies.get(name, {"none": "of this"})
        return json_reply(completion(reply if isinstance(reply, str) else json.dumps(reply)))

    with serving(script) as server:
        yield server


def settings(server: Loopback, folder: Path, **more: Any) -> Settings:
    section = {"embed": {"model": "hashing"}, **more.pop("recommender", {})}
    return Settings(
        model=more.pop("model", "small"),
        base_url=f"{server.url}/v1",
        data_home=folder,
        model_cache=False,
        modules={"recommender": section},
        **more,
    )


def ask(settings: Settings, text: str) -> tuple[Answer, list[str]]:
    """The answer, and the labels of the model calls it took."""

    async def asked() -> tuple[Answer, list[str]]:
        async with MapAgent(settings, provider=OsmProvider.open(demo_map())) as agent:
            answer = await agent.ask(Question(text=text, at=FRIDAY))
            assert agent.last_trace is not None
            spans = agent.last_trace.spans
            labels = [str(span.attributes["label"]) for span in spans if span.name == "model"]
            return answer, [label for label in labels if label != "planner"]

    return asyncio.run(asked())


def wish_of(server: Loopback, folder: Path, text: str) -> tuple[Wish | None, Account]:
    """The wish as the model reads it."""
    account = Account()

    async def read() -> Wish | None:
        wishes = WishModel.from_settings(settings(server, folder))
        assert wishes is not None
        provider = OsmProvider.open(demo_map())
        try:
            return await read_with(wishes, text, provider, account)
        finally:
            await wishes.close()
            await provider.close()

    return asyncio.run(read()), account


def test_a_model_reads_what_no_vocabulary_knows(tmp_path: Path) -> None:
    with model(where=WHERE, what=WHAT, rerank={"order": [2, 1, 3]}) as server:
        answer, calls = ask(settings(server, tmp_path), ADVICE)
    assert answer.status is Status.ANSWERED, answer.reason
    assert calls == ["where", "what", "rerank"]
    assert "A language model puts" in answer.explanation
    with model(where=WHERE, what=WHAT) as server:
        wish, _ = wish_of(server, tmp_path, ADVICE)
    assert wish is not None
    assert (wish.geometry, wish.anchors) == (Geometry.POINT, ("Kiasma",))
    assert (wish.function, wish.distance_m) == (
        SpatialFunction.WITHIN_DISTANCE,
        2000,
    )  # F.1: walking distance
    assert wish.shares == (2, 8)
    assert wish.semantic_text == WHAT["semantic"]


def test_a_known_wish_is_only_put_in_order_by_the_model(tmp_path: Path) -> None:
    text = "Recommend a quiet restaurant near Kiasma"
    with model(rerank={"order": [3, 1]}) as server:
        answer, calls = ask(settings(server, tmp_path), text)
    assert calls == ["rerank"]
    assert "By the scores it would be" in answer.explanation
    assert any("left out" in warning for warning in answer.warnings)


def test_the_model_can_be_made_to_read_every_wish(tmp_path: Path) -> None:
    with model(where=WHERE, what=WHAT, rerank={"order": [1]}) as server:
        given = settings(server, tmp_path, recommender={"reading": "model"})
        _, calls = ask(given, "Recommend a lively pub near Kiasma")
    assert calls == ["where", "what", "rerank"]


def test_re_ranking_can_be_left_out(tmp_path: Path) -> None:
    with model() as server:
        given = settings(server, tmp_path, recommender={"without": ["rerank"]})
        answer, calls = ask(given, "Recommend a lively pub near Kiasma")
    assert answer.status is Status.ANSWERED
    assert calls == []


@pytest.mark.parametrize(
    ("where", "geometry", "distance_m"),
    [
        ({"distance": "five blocks"}, Geometry.POINT, 750),  # 150 m each
        ({"distance": "ten miles"}, Geometry.POINT, 2000),  # not the question's words
        ({"query_type": "region"}, Geometry.REGION, None),
        ({"query_type": "route"}, Geometry.POINT, 2000),  # F.1: a route has exactly two points
        ({"query_type": "route", "places": ["Kiasma", "Ateneum"]}, Geometry.ROUTE, 1000),
        ({"query_type": "route", "places": ["Kiasma", "Ateneum"], "scenic": True}, Geometry.ROUTE, 3000),
        ({"query_type": "route", "places": ["Kiasma", "Ateneum"], "travel": "driving"}, Geometry.ROUTE, 2000),
        ({"places": ["Kiasma", "Blobbeldi Zork"]}, Geometry.POINT, 2000),  # the second was made up
    ],
)
def test_footprints_follow_the_rules_of_the_paper(
    tmp_path: Path, where: dict[str, Any], geometry: Geometry, distance_m: float | None
) -> None:
    text = "Could you suggest a spot for a beer five blocks from Kiasma or Ateneum, for fans of football?"
    with model(where=WHERE | where, what=WHAT) as server:
        wish, _ = wish_of(server, tmp_path, text)
    assert wish is not None
    assert (wish.geometry, wish.distance_m) == (geometry, distance_m)
    assert "Blobbeldi Zork" not in wish.anchors


def test_places_that_the_question_does_not_name_are_not_searched(tmp_path: Path) -> None:
    with model(where=WHERE | {"places": ["Senaatintori"]}, what=WHAT) as server:
        wish, account = wish_of(server, tmp_path, ADVICE)
    assert wish is None
    assert any(span.name == "wish.refused" or "refused" in span.name for span in account.trace.spans)


def test_a_model_that_answers_rubbish_costs_the_order_not_the_answer(tmp_path: Path) -> None:
    with model(rerank="I would go to the harbour.") as server:
        answer, _ = ask(settings(server, tmp_path), "Recommend a lively pub near Kiasma")
    assert answer.status is Status.ANSWERED
    assert any("order is that of the scores" in warning for warning in answer.warnings)


def test_the_cascade_asks_nothing_for_a_wish_without_doubt(tmp_path: Path) -> None:
    with model(rerank={"order": [2, 1]}) as server:
        answer, calls = ask(
            settings(server, tmp_path, model="cascade:small"), "A cosy pub near Kiasma, any tips?"
        )
    assert answer.status is Status.ANSWERED
    assert calls == ["rerank"], "the wish itself is read without a model"


def test_the_cascade_hands_over_what_it_does_not_understand(tmp_path: Path) -> None:
    with model(where=WHERE, what=WHAT, rerank={"order": [2, 1]}) as server:
        text = "We celebrate twenty years together. Any recommendation for a meal to remember around Kiasma?"
        answer, calls = ask(settings(server, tmp_path, model="cascade:small"), text)
    assert answer.status is Status.ANSWERED
    assert "what" in calls


def test_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path))
    (tmp_path / "maps").symlink_to(demo_map().parent)
    with model(where=WHERE, what=WHAT, rerank={"order": [2, 1]}) as server:
        ran = CommandLine(capsys)(
            "ask", ADVICE, "--map", "helsinki", "--model", "small", "--base-url", f"{server.url}/v1", "--json"
        )
    assert ran.code == 0, ran.err
    answer = json.loads(ran.out)
    assert answer["status"] == "answered"
    assert answer["usage"]["llm_calls"] > 0
