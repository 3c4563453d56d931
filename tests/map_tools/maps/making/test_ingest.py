"""What is in an extract is in the map: counted and located by pyosmium on its own."""

import os
import subprocess
import sys
from pathlib import Path

import osmium
import pytest
import shapely

from map_tools.errors import InputFileError, UsageError
from map_tools.maps.home import MapHome
from map_tools.maps.info import check_hashes, read_info
from map_tools.maps.making.ingest import add_map
from map_tools.maps.store import MapStore
from tests.support.data import demo_extract


def named_amenity_nodes(path: Path) -> dict[int, tuple[str, float, float]]:
    """Nodes with a name and an amenity, by their ids."""
    wanted = osmium.filter.KeyFilter("amenity")
    return {
        node.id: (node.tags["name"], node.location.lat, node.location.lon)
        for node in osmium.FileProcessor(str(path), osmium.osm.NODE).with_filter(wanted)
        if "name" in node.tags and node.tags["amenity"] != "no"
    }


def test_every_named_amenity_is_there_with_its_name_and_place(helsinki: MapStore) -> None:
    expected = named_amenity_nodes(demo_extract())
    assert len(expected) > 500
    for node, (name, lat, lng) in expected.items():
        row = helsinki.row_of(f"osm:n{node}")
        assert row is not None, name
        place = helsinki.place(row)
        assert place.name == name
        assert place.location is not None
        if place.id == f"osm:n{node}":
            assert (place.location.lat, place.location.lng) == pytest.approx((lat, lng), abs=1e-7)
        else:
            assert f"osm:n{node}" in place.merged_from


def test_counts_of_restaurants_agree_with_the_extract(
    liechtenstein: MapStore, liechtenstein_extract: Path
) -> None:
    wanted = osmium.filter.TagFilter(("amenity", "restaurant"))
    nodes = osmium.FileProcessor(str(liechtenstein_extract), osmium.osm.NODE).with_filter(wanted)
    ways = osmium.FileProcessor(str(liechtenstein_extract), osmium.osm.WAY).with_filter(wanted)
    relations = osmium.FileProcessor(str(liechtenstein_extract), osmium.osm.RELATION).with_filter(wanted)
    expected = sum(1 for found in (nodes, ways, relations) for _ in found)
    center = liechtenstein.info.bbox.center
    assert len(liechtenstein.nearby(center, 100_000, ("restaurant",))) == expected


def test_the_administrative_areas_of_liechtenstein(liechtenstein: MapStore) -> None:
    # Names by level from the documentation of the extract: the country, two regions, eleven municipalities.
    south = ("Balzers", "Planken", "Schaan", "Triesen", "Triesenberg", "Vaduz")
    north = ("Eschen", "Gamprin", "Mauren", "Ruggell", "Schellenberg")
    for name in ("Liechtenstein", "Oberland", "Unterland", *south, *north):
        row = liechtenstein.find(name)[0][0]
        place = liechtenstein.place(row)
        assert place.name == name
        assert "admin" in place.categories
        outline = liechtenstein.outline(row)
        assert outline is not None
        point = liechtenstein.location(row)
        assert shapely.from_wkb(outline).contains(shapely.Point(point.lng, point.lat))


def test_addresses_are_counted_and_found(liechtenstein: MapStore, liechtenstein_extract: Path) -> None:
    wanted = osmium.filter.KeyFilter("addr:housenumber")
    nodes = [
        (node.tags["addr:street"], node.tags["addr:housenumber"], node.id)
        for node in osmium.FileProcessor(str(liechtenstein_extract), osmium.osm.NODE).with_filter(wanted)
        if "addr:street" in node.tags
    ]
    assert nodes
    for street, number, node in nodes[:: max(1, len(nodes) // 25)]:
        found = [
            liechtenstein.place(row).address for row, _ in liechtenstein.find(f"{street} {number}", limit=20)
        ]
        assert any(address and address.startswith(f"{street} {number}") for address in found), (street, node)


def test_info_tells_what_the_map_is(helsinki: MapStore) -> None:
    info = read_info(helsinki.folder)
    assert info.attribution == "© OpenStreetMap contributors"
    assert info.timezone == "Europe/Helsinki"
    assert info.source_file == "Helsinki.osm.pbf"
    assert info.routable
    assert helsinki.tiles is not None
    assert list(helsinki.tiles.rglob("*.gph"))
    assert info.bbox.south < 60.17 < info.bbox.north
    assert info.counts["features"] == info.counts["points"] + info.counts["lines"] + info.counts["areas"]
    check_hashes(helsinki.folder, info)


def test_a_place_has_what_its_tags_say(helsinki: MapStore) -> None:
    place = helsinki.place(helsinki.find("Stockmann")[0][0])
    assert place.categories[:2] == ("department_store", "shop")
    assert place.address == "Aleksanterinkatu 52, 00100 Helsinki"
    assert place.hours is not None
    assert place.hours.text == "Mo-Fr 09:00-21:00; Sa 09:00-19:00; Su 11:00-18:00"
    assert place.services["wheelchair"] is True
    assert place.timezone == "Europe/Helsinki"
    assert place.rating is None
    assert "Stokka" in place.aliases


@pytest.mark.parametrize("content", [b"", b"not a map at all, just text\n" * 50])
def test_a_file_that_is_no_extract_is_refused_and_leaves_nothing(tmp_path: Path, content: bytes) -> None:
    extract = tmp_path / "bad.osm.pbf"
    extract.write_bytes(content)
    home = MapHome(tmp_path / "maps")
    with pytest.raises(InputFileError, match=r"bad\.osm\.pbf"):
        add_map(extract, home=home)
    assert leftovers(home) == []


def test_an_extract_cut_short_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    whole = demo_extract().read_bytes()
    extract = tmp_path / "cut.osm.pbf"
    extract.write_bytes(whole[: len(whole) * 2 // 3])
    home = MapHome(tmp_path / "maps")
    with pytest.raises(InputFileError, match="cut short"):
        add_map(extract, home=home)
    assert leftovers(home) == []


def test_a_missing_file_and_a_bad_name_are_refused(tmp_path: Path) -> None:
    home = MapHome(tmp_path / "maps")
    with pytest.raises(InputFileError, match="There is no file"):
        add_map(tmp_path / "none.osm.pbf", home=home)
    with pytest.raises(UsageError, match="cannot be the name"):
        add_map(demo_extract(), name="../evil", home=home)
    assert leftovers(home) == []


_ADD = """
import sys
from pathlib import Path
from map_tools.maps.home import MapHome
from map_tools.maps.making.ingest import add_map
add_map(Path(sys.argv[1]), name="demo", home=MapHome(Path(sys.argv[2])))
"""


def adding(root: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", _ADD, str(demo_extract()), str(root)], env=dict(os.environ)
    )


def test_two_processes_may_add_the_same_map_at_once(tmp_path: Path) -> None:
    processes = [adding(tmp_path), adding(tmp_path)]
    assert [process.wait(60) for process in processes] == [0, 0]
    home = MapHome(tmp_path)
    assert home.list() == ("demo",)
    check_hashes(home.path("demo"), read_info(home.path("demo")))
    assert leftovers(home) == ["demo"]


def test_what_a_killed_process_leaves_is_removed_by_the_next(tmp_path: Path) -> None:
    process = adding(tmp_path)
    while not leftovers(MapHome(tmp_path)):
        assert process.poll() is None
    process.kill()
    process.wait(60)
    home = MapHome(tmp_path)
    assert home.list() == ()
    assert len(leftovers(home)) == 1
    add_map(demo_extract(), name="demo", home=home)
    assert leftovers(home) == ["demo"]


def leftovers(home: MapHome) -> list[str]:
    """The maps that builds are there of."""
    return sorted(path.name.partition(".")[0] for path in home.root.glob(".builds/*"))


def test_squares_are_no_streets(helsinki: MapStore) -> None:
    """Whatever their way is tagged as; a pedestrian street that is drawn as an area remains one."""
    kinds = {}
    for area in osmium.FileProcessor(str(demo_extract())).with_areas():
        if area.is_area() and "name" in area.tags and "pedestrian" in area.tags.get("highway", ""):
            row = helsinki.row_of(f"osm:{'w' if area.from_way() else 'r'}{area.orig_id()}")
            assert row is not None
            kinds[area.tags["name"]] = set(helsinki.categories(row))
            if area.tags.get("place") == "square":
                assert kinds[area.tags["name"]].isdisjoint({"pedestrian", "street"})
    assert "square" in kinds["Senaatintori"] & kinds["Kolmensepänaukio"]
    assert kinds["Keskuskatu"] == kinds["Aleksanterinkatu"] == {"pedestrian", "street"}
