"""`mapagent map add --region`, `map update` and `map list`, over a server on the loopback."""

import builtins
import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from map_tools.maps.home import MapHome
from mapagent.interfaces.cli.maps import age_days, age_in_words
from tests.support.cli import CommandLine, snapshot
from tests.support.data import demo_extract
from tests.support.disks import on_a_full_disk
from tests.support.loopback import Scripted
from tests.support.overture import row, write_places
from tests.support.published import (
    EXTRACT,
    INDEX,
    MADE,
    OPENED,
    SEQUENCE,
    Published,
    change,
    etag_of,
    feature,
    publishing,
)

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Published]:
    with publishing(tmp_path) as served:
        monkeypatch.setenv("MAPAGENT_REGIONS_INDEX", served.url + INDEX)
        yield served


def maps(tmp_path: Path) -> Path:
    return tmp_path / "data" / "maps"


def sit_at_the_terminal(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    for stream in ("sys.stdin.isatty", "sys.stdout.isatty"):
        monkeypatch.setattr(stream, lambda: True)
    monkeypatch.setattr(builtins, "input", lambda _: answer)


def test_a_region_is_fetched_asked_updated_and_listed(
    mapagent: CommandLine, published: Published, tmp_path: Path
) -> None:
    size = len(published.files[EXTRACT])
    ran = mapagent("map", "add", "--region", "Helsinki", "--yes")
    assert ran.code == 0, ran.err
    announced, ready = ran.out.splitlines()
    assert announced == (
        f"Helsinki (finland/helsinki): {size / 1e6:.1f} MB, from {published.url}{EXTRACT}; for the map 'helsinki'."
    )
    assert ready.startswith("Map 'helsinki' is ready: ")
    assert f"{size / 1e6:.1f} of {size / 1e6:.1f} MB fetched" in ran.err
    assert list((maps(tmp_path) / ".downloads").iterdir()) == []

    question = "Where is Kahvila Uusi?"
    assert "No place called 'Kahvila Uusi'" in mapagent("ask", question).out

    published.put_change(SEQUENCE + 1, change(OPENED))
    ran = mapagent("map", "update", "helsinki")
    assert ran.code == 0, ran.err
    assert "from 2026-03-10T21:21:21Z to 2026-03-11T21:21:21Z: 1 changes" in ran.out
    assert "1 of 1 changes fetched" in ran.err
    assert "No place called" not in mapagent("ask", question).out

    ran = mapagent("map", "update", "helsinki")
    assert ran.out.startswith("Map 'helsinki' has all changes that are published: its data is ")

    (row,) = json.loads(mapagent("map", "list", "--json").out)["maps"]
    assert (row["name"], row["data_time"], row["updatable"]) == ("helsinki", "2026-03-11T21:21:21Z", True)
    assert row["data_age_days"] == (datetime.now(UTC) - MADE - timedelta(days=1)).days
    assert f"{age_in_words(row['data_age_days'])} (2026-03-11)" in mapagent("map", "list").out


def test_nobody_there_to_say_yes(mapagent: CommandLine, published: Published, tmp_path: Path) -> None:
    ran = mapagent("map", "add", "--region", "Helsinki")
    assert ran.code == 2
    assert "Add --yes" in ran.err
    assert published.asked(EXTRACT) == []
    assert not maps(tmp_path).exists()


@pytest.mark.parametrize("answer", ["", "n", "perhaps"])
def test_somebody_says_no(
    mapagent: CommandLine, published: Published, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    sit_at_the_terminal(monkeypatch, answer)
    ran = mapagent("map", "add", "--region", "helsinki")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "Nothing was fetched.")
    assert len(published.asked(EXTRACT, "HEAD")) == 1
    assert published.asked(EXTRACT) == []


def test_somebody_says_yes(
    mapagent: CommandLine, published: Published, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sit_at_the_terminal(monkeypatch, "y")
    assert mapagent("map", "add", "--region", "FI", "--name", "north").code == 0
    assert MapHome(maps(tmp_path)).list() == ("north",)


@pytest.mark.parametrize(
    ("region", "words"),
    [
        ("Georgia", ["Several regions are called 'Georgia'", "europe/georgia", "us/georgia"]),
        ("Helsnki", ["no region 'Helsnki'", "Did you mean Helsinki (finland/helsinki)?"]),
        ("Atlantis", ["no region 'Atlantis'", "countries and their parts"]),
    ],
)
def test_regions_that_are_not_found(
    mapagent: CommandLine, published: Published, region: str, words: list[str]
) -> None:
    ran = mapagent("map", "add", "--region", region, "--yes")
    assert (ran.code, ran.out) == (2, "")
    assert [word for word in words if word not in ran.err] == []
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "either a file or a region"),
        (["x.osm.pbf", "--region", "Helsinki"], "either a file or a region"),
        (["x.osm.pbf", "--yes"], "--yes is for fetching"),
        (["--region", "Helsinki", "--to", "host=nowhere"], "for maps on this machine"),
        (["x.osm.pbf", "--keep-extract", "--to", "host=nowhere"], "for maps on this machine"),
        (["--region", "Helsinki", "--name", "Not A Name"], "cannot be the name of a map"),
    ],
)
def test_what_does_not_go_together(mapagent: CommandLine, arguments: list[str], words: str) -> None:
    """No server is there: it is told before anybody is asked."""
    ran = mapagent("map", "add", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def missing(published: Published) -> None:
    del published.files[EXTRACT]


def wrong_checksum(published: Published) -> None:
    published.files[f"{EXTRACT}.md5"] = b"0" * 32


def no_extract(published: Published) -> None:
    published.put_extract(b"<html>Please log in</html>")


def other_size(published: Published) -> None:
    published.instead[EXTRACT] = [Scripted(body=b"short")]


def no_index(published: Published) -> None:
    published.files[INDEX] = b"<html></html>"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (missing, "The extract of Helsinki is not there: http"),
        (wrong_checksum, "does not have its checksum"),
        (no_extract, "is not an OpenStreetMap extract"),
        (other_size, "and sends 5 bytes"),
        (no_index, "is no index of regions"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_region_that_cannot_be_had_leaves_the_old_map(
    mapagent: CommandLine, published: Published, tmp_path: Path, spoil: object, words: str
) -> None:
    home = MapHome(maps(tmp_path))
    with home.building("helsinki") as folder:
        (folder / "map.json").write_text("old", "utf-8")
    before = snapshot(home.path("helsinki"))
    assert callable(spoil)
    spoil(published)
    ran = mapagent("map", "add", "--region", "Helsinki", "--yes")
    assert ran.code != 0
    assert ran.err.splitlines()[-1].startswith("mapagent: ")
    assert words in ran.err.splitlines()[-1]
    assert snapshot(home.path("helsinki")) == before
    downloads = maps(tmp_path) / ".downloads"
    assert not downloads.exists() or [path for path in downloads.iterdir() if path.stat().st_size] == []


def test_without_a_checksum_that_is_said(mapagent: CommandLine, published: Published) -> None:
    del published.files[f"{EXTRACT}.md5"]
    ran = mapagent("map", "add", "--region", "Helsinki", "--yes")
    assert ran.code == 0
    assert "publishes no checksum" in ran.err


def test_a_disk_that_is_too_small_is_told_before(
    published: Published, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = tmp_path / "disk"
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(disk))
    ran = on_a_full_disk(disk, 1_000_000, "map", "add", "--region", "Helsinki", "--yes")
    assert ran.code == 1
    assert "MB free below" in ran.err
    assert "take a smaller region" in ran.err
    assert published.asked(EXTRACT) == []


def test_a_file_can_be_kept_too(mapagent: CommandLine, published: Published, tmp_path: Path) -> None:
    own = tmp_path / "own.osm.pbf"
    own.write_bytes(published.files[EXTRACT])
    assert mapagent("map", "add", own, "--keep-extract").code == 0
    own.unlink()
    published.put_change(SEQUENCE + 1, change(OPENED))
    ran = mapagent("map", "update", "own")
    assert "Map 'own' is updated" in ran.out, ran.err


def test_places_of_overture_are_united_with_the_new_extract(
    mapagent: CommandLine, published: Published, tmp_path: Path
) -> None:
    places = write_places(
        tmp_path / "places.parquet",
        [
            row("uusi", "Kahvila Uusi", (60.1702, 24.9400), "cafe", phone="+358 40 1"),
            row("unsure", "Kahvila Ehkä", (60.1702, 24.9401), "cafe", confidence=0.55),
        ],
    )
    flags = ("--overture", places, "--overture-confidence", "0.6")
    ran = mapagent("map", "add", "--region", "Helsinki", "--yes", *flags)
    assert "0 places united with OpenStreetMap's, 1 added.\nLeft out: 1 below confidence 0.6.\n" in ran.out, (
        ran.err
    )
    places.unlink()  # the map has its own
    published.put_change(SEQUENCE + 1, change(OPENED))
    ran = mapagent("map", "update", "helsinki")
    assert "1 places united with OpenStreetMap's, 0 added.\nLeft out: 1 below confidence 0.6.\n" in ran.out, (
        ran.err
    )
    asked = mapagent("ask", "What is the phone number of Kahvila Uusi?")
    assert asked.out.startswith("+358 40 1\n")
    assert "© OpenStreetMap contributors, Overture Maps Foundation" in asked.out


def test_what_cannot_be_updated_says_why(mapagent: CommandLine, demo: None) -> None:
    ran = mapagent("map", "update", "helsinki")
    assert (ran.code, ran.out) == (2, "")
    assert "Helsinki.osm.pbf, which it was made from, was not kept" in ran.err
    ran = mapagent("map", "update", "atlantis")
    assert "no map 'atlantis'" in ran.err


def test_a_kept_extract_without_an_address_of_changes(mapagent: CommandLine, tmp_path: Path) -> None:
    assert mapagent("map", "add", demo_extract(), "--keep-extract").code == 0
    ran = mapagent("map", "update", "helsinki")
    assert ran.code == 2
    assert "does not say where its changes are published" in ran.err


def test_a_list_of_maps_with_a_damaged_one(mapagent: CommandLine, demo: None, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "maps"
    real = folder.resolve()
    folder.unlink()
    shutil.copytree(real, folder, symlinks=True)
    with MapHome(folder).building("broken") as build:
        (build / "map.json").write_text("{", "utf-8")
    broken, whole = json.loads(mapagent("map", "list", "--json").out)["maps"]
    assert (broken["name"], whole["name"]) == ("broken", "helsinki")
    assert "cannot be used" in broken["error"]
    assert (whole["data_time"], whole["data_age_days"], whole["updatable"]) == (None, None, False)
    assert "Helsinki.osm.pbf, of unknown age" in mapagent("map", "list").out


def test_no_maps(mapagent: CommandLine) -> None:
    assert json.loads(mapagent("map", "list", "--json").out) == {"maps": []}
    assert mapagent("map", "list").out.startswith("No maps yet")


@pytest.mark.parametrize(
    ("time", "words"),
    [
        ("2026-11-26T06:00:00Z", "less than a day old"),
        ("2026-11-27T06:00:00Z", "less than a day old"),
        ("2026-11-25T11:00:00Z", "1 day old"),
        ("2026-10-01T12:00:00Z", "56 days old"),
        ("2026-09-20T12:00:00", "2 months old"),
        ("2026-03-10T21:21:21Z", "8 months old"),
        ("2024-11-20T12:00:00+02:00", "2 years old"),
        ("2015-05-02T00:24:02Z", "11 years old"),
        ("", "of unknown age"),
        ("yesterday", "of unknown age"),
    ],
)
def test_ages_in_words(time: str, words: str) -> None:
    assert age_in_words(age_days(time, NOW)) == words


def test_what_an_earlier_run_has_left_is_told_and_gone_on_from(
    mapagent: CommandLine, published: Published, tmp_path: Path
) -> None:
    body = published.files[EXTRACT]
    part = maps(tmp_path) / ".downloads" / "helsinki.osm.pbf.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(body[:500_000])
    part.with_name(f"{part.name}.of").write_text(f"{published.url}{EXTRACT}\n{etag_of(body)}\n", "utf-8")
    ran = mapagent("map", "add", "--region", "Helsinki", "--yes")
    assert ran.code == 0, ran.err
    assert "MB, of which 0.5 MB are here, from" in ran.out
    assert [asked.headers["range"] for asked in published.asked(EXTRACT)] == ["bytes=500000-"]


def test_an_id_of_the_index_does_not_lead_out_of_the_folder(
    mapagent: CommandLine, published: Published, tmp_path: Path
) -> None:
    published.put_index(feature("../../../evil\x1b[31m", "Evil", published.url + EXTRACT))
    ran = mapagent("map", "add", "--region", "Evil", "--yes")
    assert ran.code == 0, ran.err
    assert "\x1b" not in ran.out
    assert MapHome(maps(tmp_path)).list() == ("evil-31m",)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "published.osm.pbf"]
