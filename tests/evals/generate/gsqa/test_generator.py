"""The generator's promises: reproducible, diverse, refreshed, honest about what it cannot fill."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest

from evals.generate.benchmark import shares
from evals.generate.cli import GSQA
from evals.generate.gsqa.generator import Generator, diverse, generate, refresh
from evals.generate.gsqa.reference import fast_azimuths_deg, fast_m, in_sector
from evals.generate.gsqa.solve import Gold
from evals.generate.gsqa.templates import (
    Options,
    Params,
    UnfitError,
    kinds,
    narrow_kinds,
    said_distance,
    templates,
)
from map_tools.errors import InputFileError, UsageError
from tests.evals.generate.gsqa.extract import GEOD
from tests.support.maps import demo_map

EMPTY = Gold((), ())


def counts(each: int, *names: str) -> dict[str, int]:
    return dict.fromkeys(names or tuple(templates()), each)


def records(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "dataset.json").read_text())
    return found


def test_all_templates_of_the_paper() -> None:
    """GS-QA, table 3: 28 templates; those with a narrower kind, a direction, a second anchor, a region."""
    table = templates()
    assert list(table) == [f"T{number}" for number in range(1, 29)]
    assert {name for name, one in table.items() if one.filter} == {"T2", "T6", "T14", "T18"}
    assert {name for name, one in table.items() if one.direction} == {"T3", "T9", "T15", "T19"}
    assert {name for name, one in table.items() if one.towards} == {"T4", "T10", "T16", "T20"}
    assert {name for name, one in table.items() if one.by_region} == {"T11", "T12", "T24", "T27", "T28"}
    assert all(len(set(one.wordings)) >= 3 for one in table.values() if one.external != "answer")


def test_words() -> None:
    by_tag = {kind.tag: kind for kind in kinds("poi")}
    assert by_tag["amenity=university"].with_article == "a university"
    assert by_tag["tourism=gallery"].with_article == "an art gallery"
    assert "Italian restaurant" in {kind.one for kind in narrow_kinds()}
    assert (said_distance(350), said_distance(1000), said_distance(1500)) == (
        *("350 meters", "1 kilometer", "1.5 kilometers"),
    )


def test_equal_seeds_make_equal_questions(tmp_path: Path) -> None:
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        generate(demo_map(), counts(2, "T1", "T5", "T9", "T26"), seed, tmp_path / name, Options())
    assert records(tmp_path / "a") == records(tmp_path / "b") != records(tmp_path / "c")


def test_what_cannot_be_filled_is_listed_with_the_reason(tmp_path: Path) -> None:
    manifest = generate(demo_map(), counts(3, "T5", "T28"), 1, tmp_path / "out", Options())
    assert set(manifest["given_up"]) == {"T28"}
    assert "of 3: mostly, " in manifest["given_up"]["T28"]
    assert manifest["attribution"]


def test_radii_scale_with_the_extract(tmp_path: Path) -> None:
    """The centre of Helsinki is some 6 km across; no circle may be as large as that, nor tiny."""
    generate(demo_map(), counts(12, "T1"), 1, tmp_path / "out", Options())
    radii = [record["entities"]["[2]"]["distance"] for record in records(tmp_path / "out")]
    assert min(radii) >= 50
    assert max(radii) <= 3_000


def test_every_record_is_traceable_to_the_map(tmp_path: Path) -> None:
    generate(demo_map(), counts(2), 1, tmp_path / "out", Options())
    truths = [json.loads(line) for line in (tmp_path / "out" / "truth.jsonl").read_text().splitlines()]
    assert all(truth["osm"] for truth in truths)
    for record in records(tmp_path / "out"):
        named = [one for one in (*record["answers"], *record["entities"].values()) if "name" in one]
        assert all(one["osm"][0] in "nwr" and one["osm"][1:].isdigit() for one in named)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    generate(demo_map(), counts(1, "T5"), 1, tmp_path / "out", Options())
    with pytest.raises(UsageError, match="nothing is overwritten"):
        generate(demo_map(), counts(1, "T5"), 1, tmp_path / "out", Options())


def test_small_groups_are_chosen_first() -> None:
    """Nine questions about cafés and one about a zoo: of two that are kept, one is about the zoo."""
    pool = [(Params("T5", "amenity=cafe", anchor=f"n{number}"), EMPTY) for number in range(9)]
    pool.append((Params("T5", "tourism=zoo", anchor="n9"), EMPTY))
    assert {params.tag for params, _ in diverse(pool, 2)} == {"amenity=cafe", "tourism=zoo"}
    assert len(diverse(pool, 20)) == 10


def test_sectors_cross_north() -> None:
    """Towards 338 degrees means 315.5 to 360 and 0 to 0.5."""
    assert in_sector(0.4, 338)
    assert in_sector(316, 338)
    assert not in_sector(0.6, 338)
    assert in_sector(359, 10)


@pytest.mark.parametrize("origin", [(60.17, 24.94), (-33.9, 18.4), (0.1, 179.9), (68.0, -150.0)])
def test_fast_bounds_hold(origin: tuple[float, float]) -> None:
    """Within 0.5 % and 0.5 degrees of the geodesic, up to 150 km, across the date line too."""
    import numpy as np

    azimuths = np.arange(0.0, 360.0, 15.0)
    for metres in (50.0, 5_000.0, 150_000.0):
        n = len(azimuths)
        lons, lats, _ = GEOD.fwd([origin[1]] * n, [origin[0]] * n, azimuths, [metres] * n)
        near = fast_m(origin, np.asarray(lats), np.asarray(lons))
        assert np.max(np.abs(near / metres - 1)) < 0.005
        turns = (fast_azimuths_deg(origin, np.asarray(lats), np.asarray(lons)) - azimuths + 180) % 360 - 180
        assert np.max(np.abs(turns)) < 0.5


def test_a_refresh_over_the_same_map_keeps_all(tmp_path: Path) -> None:
    generate(demo_map(), counts(2, "T1", "T9", "T23"), 1, tmp_path / "old", Options())
    manifest = refresh(demo_map(), tmp_path / "old", 2, tmp_path / "new", Options())
    assert (manifest["kept"], manifest["replaced"]) == (6, {})
    assert [(one["id"], one["answers"]) for one in records(tmp_path / "old")] == [
        (one["id"], one["answers"]) for one in records(tmp_path / "new")
    ]


def test_a_refresh_replaces_what_is_gone(tmp_path: Path) -> None:
    """An anchor that is no longer on the map: another question of the same template stands in its place."""
    generate(demo_map(), counts(2, "T5"), 1, tmp_path / "old", Options())
    truth = tmp_path / "old" / "truth.jsonl"
    first, second = (json.loads(line) for line in truth.read_text().splitlines())
    first["params"]["anchor"] = "n1"
    truth.write_text(json.dumps(first) + "\n" + json.dumps(second) + "\n")
    manifest = refresh(demo_map(), tmp_path / "old", 2, tmp_path / "new", Options())
    assert manifest["replaced"] == {first["id"]: "an object is no longer on the map"}
    old, new = records(tmp_path / "old"), records(tmp_path / "new")
    assert [one["id"] for one in new] == [one["id"] for one in old]
    assert new[1]["answers"] == old[1]["answers"]
    assert new[0]["entities"] != new[1]["entities"]


def test_a_refresh_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"truth\.jsonl"):
        refresh(demo_map(), tmp_path, 1, tmp_path / "new", Options())


@pytest.mark.parametrize(
    ("options", "let_in"),
    [
        (Options(ambiguous_anchors=True), "ambiguous"),
        (Options(same_category=True), "same"),
        (Options(empty=True), "empty"),
    ],
)
def test_switches_let_in_what_is_left_out(monaco: Path, options: Options, let_in: str) -> None:
    def seen(generator: Generator) -> bool:
        for one in generator.make(counts(60, "T24" if let_in == "empty" else "T5")):
            anchor = generator.reference.by_id[one.record["entities"]["[2]"]["osm"]]
            key, _, value = one.truth["params"]["tag"].partition("=")
            found = {
                "ambiguous": not generator.reference.is_unique(anchor.name),
                "same": anchor.tags.get(key) == value,
                "empty": one.record["answers"] == [{"count": 0}],
            }
            if found[let_in]:
                return True
        return False

    assert seen(Generator(monaco, 1, options))
    assert not seen(Generator(monaco, 1, Options()))


def test_a_chosen_relation_is_said_in_the_question(monaco: Path) -> None:
    generator = Generator(monaco, 1, Options(relation="contains"))
    made = list(generator.make(counts(3, "T24")))
    assert made
    assert all(one.record["question"].endswith("Count only what lies wholly inside.") for one in made)


def test_an_object_that_is_not_there_is_unfit() -> None:
    generator = Generator(demo_map(), 1, Options())
    with pytest.raises(UnfitError, match="no longer on the map"):
        generator.again("T5-001", Params("T5", "amenity=cafe", anchor="n0"))


def test_shares() -> None:
    assert shares("abc", 7, 0) == {"a": 3, "b": 2, "c": 2}
    assert shares("ab", None, 4) == {"a": 4, "b": 4}


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = demo_map()
    parser = ArgumentParser()
    GSQA.configure(parser)
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "helsinki").symlink_to(home)
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path))
    arguments = ["--map", "helsinki", "--n", "28", "--out", str(tmp_path / "out")]
    assert GSQA.run(parser.parse_args(arguments)) == 0
    shown = capsys.readouterr().out
    assert "questions about the map 'helsinki'" in shown
    assert "not filled: T28" in shown
    assert "OpenStreetMap" in shown
