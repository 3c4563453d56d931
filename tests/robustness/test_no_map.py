"""Before the first map, and where maps cannot be kept."""

from pathlib import Path

from tests.support.cli import CommandLine
from tests.support.data import demo_extract


def test_without_a_map_the_remedy_is_named(mapagent: CommandLine, data_home: Path) -> None:
    ran = mapagent("ask", "Where is Ateneum?")
    assert ran.code == 2
    assert "There is no map yet. Add one with `mapagent map add FILE.osm.pbf`" in ran.err
    assert ran.out == ""
    assert not data_home.exists()  # asking makes no folders


def test_the_list_of_no_maps(mapagent: CommandLine) -> None:
    ran = mapagent("map", "list")
    assert ran.code == 0
    assert "No maps yet" in ran.out


def test_a_named_map_where_there_is_none(mapagent: CommandLine) -> None:
    ran = mapagent("ask", "Where is Ateneum?", "--map", "helsinki")
    assert ran.code == 2
    assert "There is no map 'helsinki'. There is none yet." in ran.err


def test_a_recorded_world_needs_no_map(mapagent: CommandLine, world: str) -> None:
    ran = mapagent("ask", "What is the address of Customs House?", "--provider", world)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "12 Quay Lane, Harbourtown")


def test_a_data_home_that_is_a_file(mapagent: CommandLine, data_home: Path) -> None:
    data_home.write_text("in the way")
    ran = mapagent("map", "add", demo_extract())
    assert ran.code == 1
    assert f"cannot be written below {data_home / 'maps'}: Not a directory." in ran.err
    assert "Traceback" not in ran.err
    assert data_home.read_text() == "in the way"


def test_a_map_without_its_description_is_no_map(mapagent: CommandLine, maps: Path) -> None:
    (maps / "helsinki" / "map.json").unlink()
    ran = mapagent("ask", "Where is Ateneum?")
    assert ran.code == 2
    assert "There is no map yet" in ran.err
