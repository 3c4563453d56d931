"""Kept vectors give the same answers as fresh ones, and never those of another map or model."""

import asyncio
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from pydantic import SecretStr

from map_tools.embed.embedders import HashingEmbedder, RemoteEmbedder
from map_tools.embed.index import MixedVectorsError, Precision, VectorIndex
from map_tools.errors import MapStoreError
from map_tools.maps.store import MapStore
from map_tools.providers.osm import OsmProvider
from map_tools.types import Place
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.runtime.config import Settings
from modules.recommender.describe import semantic_sentences
from modules.recommender.score import cosines
from modules.recommender.setting import RecommenderSetting
from modules.recommender.vectors import folder_of, kept_vectors, make_vectors
from tests.support.cli import CommandLine
from tests.support.maps import demo_map

EMBEDDER = HashingEmbedder(64)
HASHING = {"model": "hashing"}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the vectors of the demo map."""
    root = tmp_path_factory.mktemp("vectors")
    store = MapStore.open(demo_map())
    try:
        asyncio.run(make_vectors(root, store, EMBEDDER))
    finally:
        store.close()
    return root


def likeness(wanted: str, places: list[Place], kept: VectorIndex | None = None) -> list[float]:
    return list(asyncio.run(cosines(EMBEDDER, wanted, places, semantic_sentences, kept)))


def test_kept_vectors_score_as_fresh_ones(kept: Path) -> None:
    store = MapStore.open(demo_map())
    try:
        rows = [row for row in range(0, len(store), 50) if store.place(row).name and store.categories(row)]
        places: list[Place] = [store.place(row) for row in rows]
    finally:
        store.close()
    vectors = kept_vectors(kept, demo_map().resolve(), EMBEDDER)
    assert vectors is not None
    fresh = likeness("romantic italian restaurant", places)
    again = likeness("romantic italian restaurant", places, vectors.semantic)
    assert len(places) > 20
    assert again == pytest.approx(fresh, abs=1e-3)
    assert not any(likeness("", places, vectors.semantic))


def test_a_place_without_a_vector_is_embedded(kept: Path) -> None:
    vectors = kept_vectors(kept, demo_map().resolve(), EMBEDDER)
    assert vectors is not None
    stranger = Place(id="osm:n0", name="Quiet Cafe", categories=("cafe",))
    (score,) = likeness("quiet cafe", [stranger], vectors.semantic)
    assert score > 0.5
    assert vectors.around_of(stranger.id) == ()


def test_no_vectors_of_another_model(kept: Path) -> None:
    assert kept_vectors(kept, demo_map().resolve(), HashingEmbedder(32)) is None


def test_vectors_that_were_moved_are_refused(kept: Path, tmp_path: Path) -> None:
    build, other = demo_map().resolve(), HashingEmbedder(32)
    shutil.copytree(folder_of(kept, build, EMBEDDER), folder_of(tmp_path, build, other))
    with pytest.raises(MixedVectorsError, match="of the model 'hashing-1-64', not 'hashing-1-32'"):
        kept_vectors(tmp_path, build, other)


@pytest.mark.parametrize("part", ["semantic/vectors.bin", "spatial/ids.json", "around.npy"])
def test_damaged_vectors_are_refused(kept: Path, tmp_path: Path, part: str) -> None:
    build = demo_map().resolve()
    folder = folder_of(tmp_path, build, EMBEDDER)
    shutil.copytree(folder_of(kept, build, EMBEDDER), folder)
    (folder / part).unlink()
    with pytest.raises(MapStoreError, match="made again"):
        kept_vectors(tmp_path, build, EMBEDDER)


def test_making_them_twice_keeps_the_first(kept: Path) -> None:
    store = MapStore.open(demo_map())
    folder = folder_of(kept, demo_map().resolve(), EMBEDDER)
    before = (folder / "around.npy").stat().st_mtime_ns
    try:
        asyncio.run(make_vectors(kept, store, EMBEDDER))
    finally:
        store.close()
    assert (folder / "around.npy").stat().st_mtime_ns == before
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    store = MapStore.open(demo_map())
    try:
        with pytest.raises(MapStoreError, match="cannot be written"):
            asyncio.run(make_vectors(tmp_path / "file", store, EMBEDDER))
    finally:
        store.close()


def test_vectors_and_surroundings_of_different_length_are_refused(kept: Path, tmp_path: Path) -> None:
    build = demo_map().resolve()
    folder = folder_of(tmp_path, build, EMBEDDER)
    shutil.copytree(folder_of(kept, build, EMBEDDER), folder)
    np.save(folder / "around.npy", np.zeros(3, np.uint16))
    with pytest.raises(MapStoreError, match="made again"):
        kept_vectors(tmp_path, build, EMBEDDER)


def test_the_key_of_a_service_comes_from_the_settings() -> None:
    section = {"recommender": {"embed": {"model": "openai:small"}}}
    embedder = RecommenderSetting.of(Settings(modules=section, api_key=SecretStr("k-7"))).embedder()
    assert isinstance(embedder, RemoteEmbedder)
    assert embedder._api_key == "k-7"


def ask(vectors: Path, precision: Precision) -> Answer:
    section = {"embed": HASHING, "vectors": str(vectors), "precision": precision}
    settings = Settings(modules={"recommender": section})
    agent = MapAgent(settings, provider=OsmProvider.open(demo_map()))
    try:
        return agent.ask_blocking("Recommend a quiet Italian restaurant near Kiasma")
    finally:
        asyncio.run(agent.close())


@pytest.mark.parametrize("precision", ["float16", "int8"])
def test_the_command_keeps_vectors_that_answers_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, precision: Precision
) -> None:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path))
    (tmp_path / "maps").symlink_to(demo_map().parent)
    config = tmp_path / "config.toml"
    section = f'[modules.recommender]\nprecision = "{precision}"\nembed.model = "hashing"\n'
    config.write_text(section, "utf-8")
    ran = CommandLine(capsys)("vectors", "--map", "helsinki", "--config", config)
    assert ran.code == 0, ran.err
    assert "are kept (hashing-1-512)" in ran.out
    assert len(list((tmp_path / "vectors").rglob("vectors.bin"))) == 2
    kept = next((tmp_path / "vectors").rglob("vectors.json"))
    assert json.loads(kept.read_text("utf-8"))["precision"] == precision
    assert ask(tmp_path / "vectors", precision).text == ask(tmp_path / "none", precision).text
