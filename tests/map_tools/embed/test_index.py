"""The index against brute force, and what it refuses."""

import json
from pathlib import Path

import numpy as np
import pytest

from map_tools.embed import index as index_module
from map_tools.embed.index import MixedVectorsError, VectorIndex
from map_tools.embed.port import Vectors, unit_rows
from map_tools.errors import MapStoreError


def some_rows(count: int = 500, dimensions: int = 32) -> Vectors:
    return unit_rows(np.random.default_rng(8).normal(size=(count, dimensions)))


def made(rows: Vectors) -> VectorIndex:
    return VectorIndex([f"p{row}" for row in range(len(rows))], rows, model="m1", source="map1")


@pytest.mark.parametrize("block_rows", [7, 65_536])
def test_the_best_are_those_of_brute_force(monkeypatch: pytest.MonkeyPatch, block_rows: int) -> None:
    monkeypatch.setattr(index_module, "_BLOCK_ROWS", block_rows)
    rows = some_rows()
    query = rows[123]
    exact = np.asarray(rows, np.float64) @ np.asarray(query, np.float64)
    found = made(rows).top(query, 10)
    # Half precision may swap neighbours closer than its error, no others.
    assert [score for _, score in found] == pytest.approx(sorted(exact, reverse=True)[:10], abs=1e-3)
    assert all(exact[int(name[1:])] == pytest.approx(score, abs=1e-3) for name, score in found)
    assert found[0][0] == "p123"


def test_cosines_of_chosen_ids() -> None:
    rows = some_rows()
    cosines = made(rows).cosines(rows[0], ["p3", "p0"])
    assert cosines == pytest.approx([float(rows[3] @ rows[0]), 1.0], abs=1e-3)


def test_more_than_there_is_and_nothing() -> None:
    rows = some_rows(3)
    assert len(made(rows).top(rows[0], 10)) == 3
    assert made(rows[:0]).top(rows[0], 10) == []


def test_it_comes_back_from_disk(tmp_path: Path) -> None:
    rows = some_rows()
    made(rows).save(tmp_path / "vectors" / "m1")
    again = VectorIndex.load(tmp_path / "vectors" / "m1", model="m1", source="map1")
    assert again.top(rows[5], 4) == made(rows).top(rows[5], 4)
    assert len(again) == 500


def test_saving_twice_keeps_the_first(tmp_path: Path) -> None:
    folder = tmp_path / "m1"
    made(some_rows(5)).save(folder)
    made(some_rows(5)).save(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["m1"]


@pytest.mark.parametrize(("model", "source"), [("m2", "map1"), ("m1", "map2")])
def test_vectors_of_another_model_or_map_are_refused(tmp_path: Path, model: str, source: str) -> None:
    made(some_rows(5)).save(tmp_path / "m1")
    with pytest.raises(MixedVectorsError, match="not '"):
        VectorIndex.load(tmp_path / "m1", model=model, source=source)


@pytest.mark.parametrize("broken", ["vectors.json", "ids.json", "vectors.npy"])
def test_a_damaged_index_is_refused(tmp_path: Path, broken: str) -> None:
    folder = tmp_path / "m1"
    made(some_rows(5)).save(folder)
    (folder / broken).write_bytes((folder / broken).read_bytes()[:5])
    with pytest.raises(MapStoreError, match="cannot be read"):
        VectorIndex.load(folder, model="m1", source="map1")


def test_an_index_of_another_version_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "m1"
    made(some_rows(5)).save(folder)
    about = json.loads((folder / "vectors.json").read_text("utf-8"))
    (folder / "vectors.json").write_text(json.dumps({**about, "schema_version": 0}), "utf-8")
    with pytest.raises(MapStoreError, match="cannot be read"):
        VectorIndex.load(folder, model="m1", source="map1")


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(MapStoreError, match="cannot be written"):
        made(some_rows(5)).save(tmp_path / "file" / "m1")


def test_ids_and_rows_must_match() -> None:
    with pytest.raises(ValueError, match="ids"):
        VectorIndex(["a"], some_rows(2), model="m", source="s")


def test_of_several_vectors_the_most_alike_counts(tmp_path: Path) -> None:
    rows = some_rows(6)
    index = VectorIndex(["a", "b", "c"], rows, [1, 3, 2], model="m", source="s")
    index.save(tmp_path / "m")
    for opened in (index, VectorIndex.load(tmp_path / "m", model="m", source="s")):
        by_hand = {"a": rows[:1], "b": rows[1:4], "c": rows[4:]}
        expected = [float((by_hand[name] @ rows[2]).max()) for name in ("c", "b", "a")]
        assert opened.cosines(rows[2], ["c", "b", "a"]) == pytest.approx(expected, abs=1e-3)
        assert opened.top(rows[2], 1) == [("b", pytest.approx(1.0, abs=1e-3))]
        assert len(opened.cosines(rows[2], [])) == 0


def test_vectors_that_are_not_shared_out_are_refused() -> None:
    with pytest.raises(ValueError, match="3 ids do not share out 6 vectors"):
        VectorIndex(["a", "b", "c"], some_rows(6), [1, 1, 1], model="m", source="s")
