"""The embedders against the port, chosen by configuration; the remote one asks a real server on the loopback."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from map_tools.embed import embedders
from map_tools.embed.embedders import (
    Embedder,
    EmbedSetting,
    HashingEmbedder,
    RemoteEmbedder,
    StaticEmbedder,
    Vectors,
    open_embedder,
    unit_rows,
)
from map_tools.errors import ConfigError, ProviderError
from tests.support.loopback import Asked, Scripted, json_reply, serving

NAMES = ("hashing", "static")
EMBED = """
import asyncio, logging
from map_tools.embed.embedders import StaticEmbedder
asyncio.run(StaticEmbedder().embed(["a cafe"]))
print(logging.getLogger().handlers, logging.getLogger().level == logging.WARNING)
"""


@pytest.fixture(params=NAMES)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "hashing":
        return HashingEmbedder()
    if find_spec("wordllama") is None:
        pytest.skip("needs the extra 'embed'")
    return StaticEmbedder()


def vectors(embedder: Embedder, *texts: str) -> Vectors:
    return asyncio.run(embedder.embed(texts))


def test_rows_have_length_one(embedder: Embedder) -> None:
    rows = vectors(embedder, "a quiet café", "Bar", "large museum of art and design")
    assert rows.shape == (3, embedder.dimensions)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_a_text_does_not_depend_on_its_neighbours(embedder: Embedder) -> None:
    alone = vectors(embedder, "seafood restaurant")
    among = vectors(embedder, "hotel", "seafood restaurant", "a long text about many other things")
    assert among[1] == pytest.approx(alone[0], abs=1e-5)


def test_words_in_common_make_texts_alike(embedder: Embedder) -> None:
    rows = vectors(embedder, "italian pizza restaurant", "restaurant with italian pizza", "hardware shop")
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.3


def test_no_texts_and_no_words(embedder: Embedder) -> None:
    assert vectors(embedder).shape == (0, embedder.dimensions)
    assert np.isfinite(vectors(embedder, "", "...")).all()


def test_many_texts_are_the_same_as_few(embedder: Embedder) -> None:
    texts = [f"cafe number {number}" for number in range(300)]
    many = vectors(embedder, *texts)
    assert many[17] == pytest.approx(vectors(embedder, texts[17])[0], abs=1e-5)


def test_the_identity_tells_models_apart() -> None:
    assert HashingEmbedder(64).identity != HashingEmbedder(128).identity


def test_hashing_forgives_endings_and_accents() -> None:
    rows = asyncio.run(HashingEmbedder().embed(["Cafés", "cafe", "bank"]))
    assert rows[0] @ rows[1] == pytest.approx(1.0, abs=1e-5)
    assert abs(rows[0] @ rows[2]) < 0.3


def test_unit_rows_keep_zeros() -> None:
    assert unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist() == [
        [pytest.approx(0.6), pytest.approx(0.8)],
        [0.0, 0.0],
    ]


@pytest.mark.skipif(find_spec("wordllama") is None, reason="needs the extra 'embed'")
def test_the_logging_of_the_program_is_left_alone() -> None:
    """By itself wordllama has every library tell what it does."""
    ran = subprocess.run([sys.executable, "-c", EMBED], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[] True"


def test_the_static_model_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wordllama")
    assert isinstance(open_embedder(EmbedSetting()), StaticEmbedder)
    monkeypatch.setattr(embedders, "installed", lambda: False)
    assert isinstance(open_embedder(EmbedSetting()), HashingEmbedder)


def test_a_model_that_is_not_installed_says_how_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedders, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"mapagent\[embed\]"):
        open_embedder(EmbedSetting(model="wordllama"))


def test_by_name() -> None:
    assert isinstance(open_embedder(EmbedSetting(model="hashing")), HashingEmbedder)
    remote = open_embedder(EmbedSetting(model="openai:some-model", dimensions=8))
    assert isinstance(remote, RemoteEmbedder)
    assert remote.identity == "openai-some-model-8"


def test_an_unknown_model_says_which_there_are() -> None:
    with pytest.raises(ConfigError, match="Known: auto, hashing, wordllama"):
        open_embedder(EmbedSetting(model="word2vec"))


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
    monkeypatch.setattr(embedders, "BATCH_TEXTS", 2)
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
