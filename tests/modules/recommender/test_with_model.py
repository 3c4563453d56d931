"""Recommendations with a language model over real HTTP: reading, re-ranking, command line."""

import asyncio
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from map_tools.providers.osm import OsmProvider
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from modules.recommender.model import WishModel, read_with
from modules.recommender.understand import RecommendationQuery
from tests.support.chat import model
from tests.support.cli import CommandLine
from tests.support.loopback import Loopback
from tests.support.maps import demo_map

FRIDAY = datetime(2026, 3, 6, 18)  # noqa: DTZ001 - local time of the place
WISH = "an ice cold beer with people who like football"
"""No vocabulary knows what football has to do with a place."""
ADVICE = f'recommend("{WISH}", near="Kiasma")'
PUB = 'recommend("lively pub", near="Kiasma")'
WHAT = {
    "type": "restaurant",
    "kind": "sports bar",
    "spatial": "by a park",
    "semantic": "lively sports bar with football on screens",
    "where_counts": 2,
    "what_counts": 8,
}


def settings(server: Loopback, folder: Path, **recommender: Any) -> Settings:
    return Settings(
        model="small",
        base_url=f"{server.url}/v1",
        data_home=folder,
        model_cache=False,
        modules={"recommender": {"embed": {"model": "hashing"}, **recommender}},
    )


def best(settings: Settings, call: str) -> tuple[Answer, list[str]]:
    """The answer, and the labels of the model calls it took."""

    async def asked() -> tuple[Answer, list[str]]:
        async with MapAgent(settings, provider=OsmProvider.open(demo_map())) as agent:
            question = Question(text="A wish", at=FRIDAY)
            answer = await agent.query(f"answer({call}[:3])", question=question)
            assert agent.last_trace is not None
            spans = agent.last_trace.spans
            return answer, [str(span.attributes["label"]) for span in spans if span.name == "model"]

    return asyncio.run(asked())


def wish_of(server: Loopback, folder: Path, text: str) -> RecommendationQuery:
    """The wish as the model reads it."""

    async def read() -> RecommendationQuery:
        wishes = WishModel.from_settings(settings(server, folder))
        assert wishes is not None
        try:
            return await read_with(wishes, text, RequestContext())
        finally:
            await wishes.close()

    return asyncio.run(read())


def test_a_model_reads_what_no_vocabulary_knows(tmp_path: Path) -> None:
    with model(what=WHAT, rerank={"order": [2, 1, 3]}) as server:
        answer, calls = best(settings(server, tmp_path), ADVICE)
    assert answer.status is Status.ANSWERED, answer.reason
    assert calls == ["what", "rerank"]
    assert "A language model puts" in answer.explanation
    assert all("bar" in place.categories for place in answer.places)
    with model(what=WHAT) as server:
        wish = wish_of(server, tmp_path, WISH)
    assert (wish.what, wish.categories) == ("bar", ("bar",))
    assert wish.shares == (2, 8)
    assert (wish.spatial_words, wish.semantic_text) == (("park",), WHAT["semantic"])


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ({"kind": ""}, "place to eat"),
        ({"kind": "zorkery"}, "place to eat"),
        ({"type": "hotel", "kind": "zorkery"}, "lodging"),
    ],
)
def test_a_kind_that_no_map_knows_is_its_type(tmp_path: Path, said: dict[str, str], what: str) -> None:
    with model(what=WHAT | said) as server:
        wish = wish_of(server, tmp_path, WISH)
    assert wish.what == what


def test_a_known_wish_is_only_put_in_order_by_the_model(tmp_path: Path) -> None:
    with model(rerank={"order": [3, 1]}) as server:
        answer, calls = best(settings(server, tmp_path), 'recommend("quiet restaurant", near="Kiasma")')
    assert calls == ["rerank"]
    assert "By the scores it would be" in answer.explanation
    assert any("left out" in warning for warning in answer.warnings)


def test_the_model_can_be_made_to_read_every_wish(tmp_path: Path) -> None:
    with model(what=WHAT, rerank={"order": [1]}) as server:
        _, calls = best(settings(server, tmp_path, reading="model"), PUB)
    assert calls == ["what", "rerank"]


def test_re_ranking_can_be_left_out(tmp_path: Path) -> None:
    with model() as server:
        answer, calls = best(settings(server, tmp_path, without=["rerank"]), PUB)
    assert answer.status is Status.ANSWERED
    assert calls == []


def test_a_model_that_answers_rubbish_costs_the_order_not_the_answer(tmp_path: Path) -> None:
    with model(rerank="I would go to the harbour.") as server:
        answer, _ = best(settings(server, tmp_path), PUB)
    assert answer.status is Status.ANSWERED
    assert any("order is that of the scores" in warning for warning in answer.warnings)


def test_a_model_that_cannot_read_leaves_the_vocabularies_reading(tmp_path: Path) -> None:
    with model(what="I would go to the harbour.") as server:
        answer, calls = best(settings(server, tmp_path, without=["rerank"]), ADVICE)
    assert "what" in calls
    assert answer.status is Status.ANSWERED


def test_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path))
    (tmp_path / "maps").symlink_to(demo_map().parent)
    with model(f"answer({ADVICE}[:3])", what=WHAT, rerank={"order": [2, 1]}) as server:
        ran = CommandLine(capsys)(
            "ask",
            "Where to?",
            "--map",
            "helsinki",
            "--model",
            "small",
            "--base-url",
            f"{server.url}/v1",
            "--json",
        )
    assert ran.code == 0, ran.err
    answer = json.loads(ran.out)
    assert answer["status"] == "answered"
    assert answer["usage"]["llm_calls"] > 0
