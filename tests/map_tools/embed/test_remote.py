"""Vectors from a real server on the loopback, in the documented shape of the API."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from map_tools.embed import remote
from map_tools.embed.port import Vectors
from map_tools.embed.remote import RemoteEmbedder
from map_tools.errors import ProviderError
from tests.support.loopback import Asked, Scripted, json_reply, serving


def embedding(index: int, *vector: float) -> dict[str, Any]:
    return {"object": "embedding", "index": index, "embedding": list(vector)}


def reply(*data: dict[str, Any]) -> Scripted:
    usage = {"prompt_tokens": 8, "total_tokens": 8}
    return json_reply({"object": "list", "data": list(data), "model": "small", "usage": usage})


def by_length(asked: Asked) -> Scripted:
    """A vector for each text: its length and 1."""
    texts = json.loads(asked.body)["input"]
    return reply(*(embedding(index, float(len(text)), 1.0) for index, text in enumerate(texts)))


def ask(url: str, texts: Sequence[str]) -> Vectors:
    async def run() -> Vectors:
        embedder = RemoteEmbedder("small", dimensions=2, base_url=f"{url}/v1", api_key="k-1")
        try:
            return await embedder.embed(texts)
        finally:
            await embedder.close()

    return asyncio.run(run())


def test_vectors_are_put_in_the_order_of_the_texts_and_scaled() -> None:
    with serving(lambda asked: reply(embedding(1, 0.0, 2.0), embedding(0, 3.0, 4.0))) as server:
        rows = ask(server.url, ["a", "b"])
    assert rows.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0.0, 1.0]]
    (asked,) = server.asked
    assert asked.path == "/v1/embeddings"
    assert asked.headers["authorization"] == "Bearer k-1"
    assert json.loads(asked.body)["model"] == "small"


def test_long_lists_go_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "BATCH_TEXTS", 2)
    with serving(by_length) as server:
        rows = ask(server.url, ["a", "bb", "ccc", "dddd", "eeeee"])
    assert len(server.asked) == 3
    assert rows[:, 0] / rows[:, 1] == pytest.approx([1, 2, 3, 4, 5], rel=1e-5)


def test_an_empty_text_is_a_row_of_zeros() -> None:
    with serving(by_length) as server:
        rows = ask(server.url, ["", "bb"])
    assert not rows[0].any()
    assert np.linalg.norm(rows[1]) == pytest.approx(1.0)
    assert all(json.loads(server.asked[0].body)["input"])


@pytest.mark.parametrize(
    "wrong",
    [
        reply(embedding(0, 1.0, 0.0)),
        reply(embedding(0, 1.0, 0.0), embedding(0, 1.0, 0.0)),
        reply(embedding(0, 1.0, 0.0), embedding(1, 1.0, 0.0, 0.0)),
    ],
    ids=["too few", "one twice", "too long"],
)
def test_other_vectors_than_asked_for_are_refused(wrong: Scripted) -> None:
    with serving(lambda asked: wrong) as server, pytest.raises(ProviderError, match="for 2 texts"):
        ask(server.url, ["a", "b"])


def test_a_refusal_names_the_model() -> None:
    refusal = json_reply({"error": {"message": "no such model", "type": "invalid_request_error"}}, 404)
    with serving(lambda asked: refusal) as server, pytest.raises(ProviderError, match="'small'"):
        ask(server.url, ["a"])
