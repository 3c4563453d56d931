"""Folders of maps: names, replacing, removing, and what a killed process leaves."""

from pathlib import Path

import pytest

from map_tools.errors import UnknownNameError, UsageError
from map_tools.maps.home import MapHome, Pin, check_name, name_from_file
from map_tools.maps.info import INFO_FILE


def put(home: MapHome, name: str, content: str = "{}") -> None:
    with home.building(name) as folder:
        (folder / INFO_FILE).write_text(content, "utf-8")


def builds(root: Path) -> list[str]:
    """Names of the maps whose builds are there."""
    return sorted(path.name.partition(".")[0] for path in (root / ".builds").iterdir())


def build_and_fail(home: MapHome) -> None:
    with home.building("one") as folder:
        (folder / INFO_FILE).write_text("new", "utf-8")
        raise ValueError("broken")


def test_a_map_appears_when_it_is_complete(tmp_path: Path) -> None:
    home = MapHome(tmp_path / "deep" / "maps")
    assert home.list() == ()
    assert home.last_added() is None
    with home.building("one") as folder:
        assert home.list() == ()
        (folder / INFO_FILE).write_text("{}", "utf-8")
    assert home.list() == ("one",)
    assert home.path("one").is_dir()


def test_a_failed_build_leaves_nothing_and_keeps_the_old_map(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    put(home, "one", "old")
    with pytest.raises(ValueError, match="broken"):
        build_and_fail(home)
    assert (home.path("one") / INFO_FILE).read_text("utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == ["one"]
    assert len(builds(tmp_path)) == 1


def test_the_same_name_replaces(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    put(home, "one", "old")
    put(home, "two", "other")
    put(home, "one", "new")
    assert (home.path("one") / INFO_FILE).read_text("utf-8") == "new"
    assert home.last_added() == "one"


def test_removing(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    put(home, "one")
    home.remove("one")
    assert home.list() == ()
    with pytest.raises(UnknownNameError, match="no map 'one'"):
        home.remove("one")


def test_a_removal_cut_in_the_middle_is_finished(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    put(home, "one")
    (tmp_path / "one").unlink()
    put(home, "two")
    assert home.list() == ("two",)
    assert builds(tmp_path) == ["two"]


def test_a_link_that_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    put(home, "one", "old")
    (tmp_path / ".link-one.abc123").symlink_to(tmp_path / ".builds" / "one.abc123")
    put(home, "one", "new")
    assert (home.path("one") / INFO_FILE).read_text("utf-8") == "new"
    assert not list(tmp_path.glob(".link-*"))


def test_a_build_that_is_read_stays_until_it_is_let_go(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    put(home, "one", "old")
    pin = Pin(home.path("one"))
    put(home, "one", "new")
    assert (pin.folder / INFO_FILE).read_text("utf-8") == "old"
    assert (home.path("one") / INFO_FILE).read_text("utf-8") == "new"
    home.remove("one")
    assert (pin.folder / INFO_FILE).read_text("utf-8") == "old"
    pin.close()
    put(home, "two")
    assert builds(tmp_path) == ["two"]


def test_a_folder_copied_into_place_by_hand_is_a_map_and_can_be_replaced_and_removed(tmp_path: Path) -> None:
    home = MapHome(tmp_path / "maps")
    for name in ("one", "two"):
        (tmp_path / "maps" / name).mkdir(parents=True)
        (tmp_path / "maps" / name / INFO_FILE).write_text("by hand", "utf-8")
    assert Pin(home.path("one")).folder == tmp_path / "maps" / "one"
    put(home, "one", "new")
    assert (home.path("one") / INFO_FILE).read_text("utf-8") == "new"
    home.remove("two")
    assert home.list() == ("one",)
    assert builds(tmp_path / "maps") == ["one"]


def test_an_unknown_name_says_what_there_is(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    put(home, "vaduz")
    with pytest.raises(UnknownNameError, match="vaduz"):
        home.path("berlin")


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../a", "A", "-a", "a b", "é", "x" * 65, "a\n"])
def test_names_that_could_be_paths_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be the name"):
        check_name(name)
    with pytest.raises(UsageError):
        MapHome(tmp_path).path(name)


@pytest.mark.parametrize(
    ("file", "name"),
    [("Helsinki.osm.pbf", "helsinki"), ("My Town (2020).pbf", "my-town-2020"), ("ÄÖ.osm.pbf", "map")],
)
def test_names_made_of_file_names(file: str, name: str) -> None:
    assert name_from_file(Path(file)) == name


def test_a_build_under_way_is_left_alone(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    with home.building("one") as folder:
        put(home, "two")
        assert folder.is_dir()
        (folder / INFO_FILE).write_text("{}", "utf-8")
    assert home.list() == ("one", "two")
