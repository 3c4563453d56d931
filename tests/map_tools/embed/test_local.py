"""The embedders that run in process, against the port."""

import asyncio
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from map_tools.embed.hashing import HashingEmbedder
from map_tools.embed.port import Embedder, Vectors, unit_rows
from map_tools.embed.static import StaticEmbedder

NAMES = ("hashing", "static")
EMBED = """
import asyncio, logging
from map_tools.embed.static import StaticEmbedder
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
