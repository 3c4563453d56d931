"""The index against brute force, what comes back from its files, and what it refuses."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from map_tools.embed import index as index_module
from map_tools.embed.embedders import Vectors, unit_rows
from map_tools.embed.index import IndexWriter, MixedVectorsError, Precision, VectorIndex, pack
from map_tools.errors import MapStoreError

WITHIN: dict[Precision, float] = {"float16": 1e-3, "int8": 1e-2}
"""How far a cosine may be off: 2^-11, or half of 1/127, of each of 32 components of at most 1/2 or so."""


def some_rows(count: int = 500, dimensions: int = 32) -> Vectors:
    return unit_rows(np.random.default_rng(8).normal(size=(count, dimensions)))


def write(
    folder: Path, rows: Vectors, sizes: Sequence[int] | None = None, precision: Precision = "float16"
) -> None:
    """An index of p0, p1, ..., written in two pieces."""
    shares = list(sizes) if sizes is not None else [1] * len(rows)
    ids = [f"p{number}" for number in range(len(shares))]
    half = len(shares) // 2
    cut = sum(shares[:half])
    with IndexWriter(
        folder, model="m1", source="map1", dimensions=rows.shape[1], precision=precision
    ) as writer:
        writer.add(ids[:half], rows[:cut], shares[:half])
        writer.add(ids[half:], rows[cut:], shares[half:])


@pytest.fixture(params=["float16", "int8"])
def precision(request: pytest.FixtureRequest) -> Precision:
    """Each way to pack vectors."""
    packed: Precision = request.param
    return packed


def opened(folder: Path) -> VectorIndex:
    return VectorIndex.load(folder, model="m1", source="map1")


@pytest.mark.parametrize("block_rows", [7, 65_536])
def test_the_best_are_those_of_brute_force(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, precision: Precision, block_rows: int
) -> None:
    monkeypatch.setattr(index_module, "_BLOCK_ROWS", block_rows)
    rows = some_rows()
    query = rows[123]
    exact = np.asarray(rows, np.float64) @ np.asarray(query, np.float64)
    write(tmp_path / "m1", rows, precision=precision)
    found = opened(tmp_path / "m1").top(query, 10)
    # Packing may swap neighbours closer than its error, no others.
    within = WITHIN[precision]
    assert [score for _, score in found] == pytest.approx(sorted(exact, reverse=True)[:10], abs=within)
    assert all(exact[int(name[1:])] == pytest.approx(score, abs=within) for name, score in found)
    assert found[0][0] == "p123"


def test_cosines_of_chosen_ids(tmp_path: Path, precision: Precision) -> None:
    rows = some_rows()
    write(tmp_path / "m1", rows, precision=precision)
    cosines = opened(tmp_path / "m1").cosines(rows[0], ["p3", "p0"])
    assert cosines == pytest.approx([float(rows[3] @ rows[0]), 1.0], abs=WITHIN[precision])


def test_bytes_are_scaled_to_the_greatest_component() -> None:
    packed = pack(np.array([[0.5, -0.25, 0.0], [0.0, 0.0, 0.0]], np.float32), "int8")
    assert packed.values.tolist() == [[127, -64, 0], [0, 0, 0]]  # -0.25 / 0.5 * 127 = -63.5, to even
    assert packed.scales is not None
    assert packed.scales.tolist() == pytest.approx([0.5 / 127, 0.0])


def test_bytes_take_half_the_room(tmp_path: Path) -> None:
    rows = some_rows(100, 256)
    write(tmp_path / "half", rows)
    write(tmp_path / "bytes", rows, precision="int8")
    sizes = [
        sum(path.stat().st_size for path in folder.glob("*.bin")) for folder in sorted(tmp_path.iterdir())
    ]
    assert sizes == [100 * (256 + 4), 100 * 256 * 2]


def test_more_than_there_is_and_nothing(tmp_path: Path, precision: Precision) -> None:
    rows = some_rows(3)
    write(tmp_path / "three", rows, precision=precision)
    write(tmp_path / "none", rows[:0], precision=precision)
    assert len(opened(tmp_path / "three").top(rows[0], 10)) == 3
    assert opened(tmp_path / "none").top(rows[0], 10) == []


@pytest.mark.parametrize(("model", "source"), [("m2", "map1"), ("m1", "map2")])
def test_vectors_of_another_model_or_map_are_refused(tmp_path: Path, model: str, source: str) -> None:
    write(tmp_path / "m1", some_rows(5))
    with pytest.raises(MixedVectorsError, match="not '"):
        VectorIndex.load(tmp_path / "m1", model=model, source=source)


@pytest.mark.parametrize("broken", ["vectors.json", "ids.json", "ends.npy", "vectors.bin", "scales.bin"])
def test_a_damaged_index_is_refused(tmp_path: Path, broken: str) -> None:
    folder = tmp_path / "m1"
    write(folder, some_rows(5), precision="int8")
    (folder / broken).write_bytes((folder / broken).read_bytes()[:5])
    with pytest.raises(MapStoreError, match="cannot be read"):
        opened(folder)


@pytest.mark.parametrize(("key", "value"), [("schema_version", 0), ("precision", "int4"), ("vectors", None)])
def test_an_index_of_another_version_is_refused(tmp_path: Path, key: str, value: object) -> None:
    folder = tmp_path / "m1"
    write(folder, some_rows(5))
    about = json.loads((folder / "vectors.json").read_text("utf-8"))
    (folder / "vectors.json").write_text(json.dumps({**about, key: value}), "utf-8")
    with pytest.raises(MapStoreError, match="cannot be read"):
        opened(folder)


def test_of_several_vectors_the_most_alike_counts(tmp_path: Path) -> None:
    rows = some_rows(6)
    write(tmp_path / "m1", rows, [1, 3, 2])
    index = opened(tmp_path / "m1")
    by_hand = {"p0": rows[:1], "p1": rows[1:4], "p2": rows[4:]}
    expected = [float((by_hand[name] @ rows[2]).max()) for name in ("p2", "p1", "p0")]
    assert index.cosines(rows[2], ["p2", "p1", "p0"]) == pytest.approx(expected, abs=1e-3)
    [(best, cosine)] = index.top(rows[2], 1)
    assert best == "p1"
    assert cosine == pytest.approx(1.0, abs=1e-3)
    assert len(index.cosines(rows[2], [])) == 0


def test_vectors_that_are_not_shared_out_are_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(ValueError, match="3 ids do not share out 6 vectors"),
        IndexWriter(tmp_path / "m1", model="m", source="s", dimensions=32) as writer,
    ):
        writer.add(["a", "b", "c"], some_rows(6), [1, 1, 1])


def test_what_was_not_finished_is_no_index(tmp_path: Path) -> None:
    with (
        pytest.raises(ValueError, match="do not share out"),
        IndexWriter(tmp_path / "m1", model="m1", source="map1", dimensions=32) as writer,
    ):
        writer.add(["p0"], some_rows(2), [1])
    with pytest.raises(MapStoreError, match="cannot be read"):
        opened(tmp_path / "m1")
