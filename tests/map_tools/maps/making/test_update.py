"""A map is brought up to date by published changes, or stays as it is."""

import gzip
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import osmium
import pytest

from map_tools.downloads.fetching import Fetcher
from map_tools.errors import DownloadError, LimitError, MapAgentError, MapStoreError, UsageError
from map_tools.maps.home import MapHome
from map_tools.maps.info import EXTRACT_FILE, check_hashes, read_info
from map_tools.maps.making.ingest import add_map
from map_tools.maps.making.update import Updated, update_map
from map_tools.maps.store import MapStore
from tests.support.cli import snapshot
from tests.support.data import demo_extract
from tests.support.loopback import Scripted
from tests.support.published import (
    CLOSED,
    EKBERG,
    EXTRACT,
    JAVA,
    MADE,
    OPENED,
    RENAMED,
    SEQUENCE,
    UPDATES,
    Published,
    change,
    dated_extract,
    publishing,
    state,
)

STEM = f"{UPDATES}/000/002/"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Published]:
    with publishing(tmp_path_factory.mktemp("published")) as served:
        yield served


@pytest.fixture(scope="module")
def built(server: Published, tmp_path_factory: pytest.TempPathFactory) -> MapHome:
    """A home with the published extract as a map that can be updated."""
    folder = tmp_path_factory.mktemp("built")
    extract = folder / "helsinki-latest.osm.pbf"
    extract.write_bytes(server.files[EXTRACT])
    home = MapHome(folder / "maps")
    add_map(extract, name="helsinki", home=home, keep=shutil.copyfile)
    return home


@pytest.fixture
def published(server: Published) -> Iterator[Published]:
    """The server, with what a test publishes gone after it."""
    files = dict(server.files)
    yield server
    server.files, server.instead = files, {}


@pytest.fixture
def maps(built: MapHome, tmp_path: Path) -> MapHome:
    shutil.copytree(built.root, tmp_path / "maps", symlinks=True)
    return MapHome(tmp_path / "maps")


def updated(maps: MapHome) -> Updated:
    with Fetcher(pause_s=0) as fetcher:
        return update_map("helsinki", home=maps, fetcher=fetcher)


def names(store: MapStore) -> set[str]:
    cafes = store.nearby(store.info.bbox.center, 10_000, ("cafe",))
    return {store.place(row).name for row, *_ in cafes}


def builds(maps: MapHome) -> list[str]:
    return [path.name for path in (maps.root / ".builds").iterdir()]


def test_changes_are_applied_and_readers_read_on(published: Published, maps: MapHome) -> None:
    published.put_change(SEQUENCE + 1, change(RENAMED))
    published.put_change(SEQUENCE + 2, change(OPENED + CLOSED))
    old_folder = maps.path("helsinki").resolve()
    with closing(MapStore.open(maps.path("helsinki"))) as reader:
        told = updated(maps)
        assert {"Cafe Engel", "Cafe Java"} <= names(reader)
        assert old_folder.is_dir()
    with closing(MapStore.open(maps.path("helsinki"))) as store:
        there = names(store)
        assert {"Kahvila Merituuli", "Kahvila Uusi", "Cafe Ekberg"} <= there
        assert there.isdisjoint({"Cafe Engel", "Cafe Java"})
        assert store.place(store.row_of("osm:n99000000001")).location.lat == pytest.approx(60.17)
        check_hashes(store.folder, store.info)
    assert told.changes == 2
    assert (told.before.data_time, told.info.data_time) == ("2026-03-10T21:21:21Z", "2026-03-12T21:21:21Z")
    assert (told.info.source_file, told.info.bbox) == ("helsinki-latest.osm.pbf", told.before.bbox)
    assert told.info.routable


def test_the_updated_extract_is_the_old_one_with_the_changes(published: Published, maps: MapHome) -> None:
    """Object by object, by pyosmium alone."""
    published.put_change(SEQUENCE + 1, change(RENAMED + CLOSED))
    updated(maps)
    found = {
        (item.type_str(), item.id): (item.version, dict(item.tags))
        for item in osmium.FileProcessor(str(maps.path("helsinki") / EXTRACT_FILE))
    }
    expected = {
        (item.type_str(), item.id): (item.version, dict(item.tags))
        for item in osmium.FileProcessor(str(demo_extract()))
    }
    del expected["n", JAVA]
    expected["n", 307465178] = (90, {"amenity": "cafe", "name": "Kahvila Merituuli"})
    assert found == expected


def test_the_next_update_goes_on_from_there(published: Published, maps: MapHome) -> None:
    published.put_change(SEQUENCE + 1, change(RENAMED))
    assert updated(maps).changes == 1
    published.put_change(SEQUENCE + 2, change(OPENED))
    lost(published)
    told = updated(maps)
    assert (told.changes, told.before.data_time) == (1, "2026-03-11T21:21:21Z")
    nothing = updated(maps)
    assert (nothing.changes, nothing.info.data_time) == (0, told.info.data_time)
    assert len(builds(maps)) == 1


def test_of_several_versions_the_newest_counts_whatever_their_order(
    published: Published, maps: MapHome
) -> None:
    late = RENAMED.replace('version="90"', 'version="91"').replace("Merituuli", "Iltatuuli")
    published.put_change(SEQUENCE + 1, change(late + RENAMED))
    published.put_change(SEQUENCE + 2, change(RENAMED))
    updated(maps)
    with closing(MapStore.open(maps.path("helsinki"))) as store:
        assert "Kahvila Iltatuuli" in names(store)


def test_a_map_that_is_updated_does_not_become_the_one_that_is_asked(
    published: Published, maps: MapHome
) -> None:
    with maps.building("newer") as folder:
        (folder / "map.json").write_text("{}", "utf-8")
    published.put_change(SEQUENCE + 1, change(RENAMED))
    updated(maps)
    assert maps.last_added() == "newer"


def lost(published: Published) -> None:
    del published.files[f"{STEM}042.osc.gz"]


def lost_state(published: Published) -> None:
    del published.files[f"{STEM}042.state.txt"]


def corrupted(published: Published) -> None:
    packed = bytearray(published.files[f"{STEM}042.osc.gz"])
    packed[len(packed) // 2] ^= 0xFF
    published.files[f"{STEM}042.osc.gz"] = bytes(packed)


def shortened(published: Published) -> None:
    published.files[f"{STEM}042.osc.gz"] = published.files[f"{STEM}042.osc.gz"][:-20]


def not_gzip(published: Published) -> None:
    published.files[f"{STEM}042.osc.gz"] = b"<html>Please log in</html>"


def not_osm(published: Published) -> None:
    published.files[f"{STEM}042.osc.gz"] = gzip.compress(b"<html>Please log in</html>")


def wrong_number(published: Published) -> None:
    published.files[f"{STEM}042.osc.gz"] = change(
        RENAMED.replace(f'"{EKBERG}"', '"x"').replace("307465178", "x")
    )


def wrong_place(published: Published) -> None:
    published.files[f"{STEM}042.osc.gz"] = change(RENAMED.replace("60.1689130", "600"))


def cut_off(published: Published) -> None:
    published.instead[f"{STEM}042.osc.gz"] = [Scripted(body=bytes(5000), cut=100)] * 4


def another_number(published: Published) -> None:
    published.files[f"{STEM}042.state.txt"] = state(SEQUENCE + 2, MADE + timedelta(days=1))


def back_in_time(published: Published) -> None:
    published.files[f"{STEM}042.state.txt"] = state(SEQUENCE + 1, MADE - timedelta(days=1))


def unreadable(published: Published) -> None:
    published.files[f"{STEM}042.state.txt"] = b"sequenceNumber=many\ntimestamp=2026-03-12T21\\:21\\:21Z\n"


def behind(published: Published) -> None:
    published.files[f"{UPDATES}/state.txt"] = state(SEQUENCE - 1, MADE)


def boundless(published: Published) -> None:
    published.files[f"{UPDATES}/state.txt"] = state(10**12, MADE + timedelta(days=3))


def empty_state(published: Published) -> None:
    published.files[f"{UPDATES}/state.txt"] = b""


def huge_state(published: Published) -> None:
    published.files[f"{UPDATES}/state.txt"] = b"#" * 20_000


def large(published: Published) -> None:
    """More than the 0.7 MB of the extract; what counts as much on the way is lowered."""
    published.files[f"{STEM}042.osc.gz"] = change(f"<!-- {random.Random(1).randbytes(900_000).hex()} -->")


def gone(published: Published) -> None:
    published.files.clear()


@pytest.mark.parametrize(
    ("spoil", "error", "words"),
    [
        (
            lost,
            DownloadError,
            "Change 2042 is missing on the server .*: nothing was changed.*042.osc.gz.*Fetch the region anew",
        ),
        (lost_state, DownloadError, "Change 2042 is missing on the server"),
        (corrupted, DownloadError, "Change 2042 is damaged"),
        (shortened, DownloadError, "Change 2042 is damaged"),
        (not_gzip, DownloadError, "Change 2042 is damaged"),
        (not_osm, DownloadError, "Change 2042 is damaged"),
        (wrong_number, DownloadError, "Change 2042 is damaged"),
        (wrong_place, DownloadError, "Change 2042 is damaged"),
        (cut_off, DownloadError, "broke off while change 2042 was fetched"),
        (another_number, DownloadError, "out of order: in place of change 2042 there is 2043"),
        (
            back_in_time,
            DownloadError,
            "out of order: change 2042 is of 2026-03-09T21:21:21Z, the one before it",
        ),
        (unreadable, DownloadError, "042.state.txt says of change 2042 cannot be read"),
        (behind, DownloadError, "is at change 2040, before the extract's 2041"),
        (boundless, LimitError, "999,999,997,959 changes are missing, more than the 2,000"),
        (empty_state, DownloadError, "state.txt says of the newest change cannot be read"),
        (huge_state, LimitError, "The state of the changes is longer than 0.01 MB"),
        (large, LimitError, "The changes together are larger than the extract itself. Fetch the region anew"),
        (gone, DownloadError, "The state of the changes is not there.*state.txt"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_with_spoilt_changes_the_old_map_stays(
    published: Published,
    maps: MapHome,
    spoil: Callable[[Published], None],
    error: type[MapAgentError],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("map_tools.downloads.changes._LEAST_FETCHED_BYTES", 0)
    published.put_change(SEQUENCE + 1, change(RENAMED))
    published.put_change(SEQUENCE + 2, change(OPENED))
    before = snapshot(maps.path("helsinki"))
    spoil(published)
    with pytest.raises(error, match=words):
        updated(maps)
    assert snapshot(maps.path("helsinki")) == before
    assert len(builds(maps)) == 1
    with closing(MapStore.open(maps.path("helsinki"))) as store:
        assert "Cafe Engel" in names(store)


def test_a_map_that_is_replaced_meanwhile_is_left_alone(published: Published, maps: MapHome) -> None:
    published.put_change(SEQUENCE + 1, change(RENAMED))

    def replace(done: int, total: int) -> None:
        with maps.building("helsinki") as folder:
            (folder / "map.json").write_text("another", "utf-8")

    with (
        Fetcher(pause_s=0) as fetcher,
        pytest.raises(MapStoreError, match="'helsinki' was replaced or removed by another process"),
    ):
        update_map("helsinki", home=maps, fetcher=fetcher, fetched=replace)
    assert (maps.path("helsinki") / "map.json").read_text("utf-8") == "another"


def keep(maps: MapHome, extract: Path) -> None:
    """Puts another extract in place of the one that is kept."""
    extract.replace(maps.path("helsinki") / EXTRACT_FILE)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (None, "does not say where its changes are published"),
        ("https://planet.openstreetmap.org/replication/day", "the changes of the whole planet"),
        ("file:///etc", "'file:///etc' in its extract is no web address"),
    ],
)
def test_an_extract_that_names_no_changes_of_its_own(
    maps: MapHome, tmp_path: Path, url: str | None, words: str
) -> None:
    keep(maps, dated_extract(tmp_path / "other.osm.pbf", url))
    with pytest.raises(UsageError, match=f"'helsinki' cannot be updated: .*{words}"):
        updated(maps)


def test_an_extract_that_is_not_kept(maps: MapHome) -> None:
    (maps.path("helsinki") / EXTRACT_FILE).unlink()
    with pytest.raises(
        UsageError, match=r"helsinki-latest\.osm\.pbf, which it was made from, was not kept.*--region"
    ):
        updated(maps)


def test_a_kept_extract_that_is_damaged(published: Published, maps: MapHome) -> None:
    published.put_change(SEQUENCE + 1, change(RENAMED))
    extract = maps.path("helsinki") / EXTRACT_FILE
    whole = extract.read_bytes()
    for content in (b"", b"nothing of the kind", whole[: len(whole) // 2]):
        extract.write_bytes(content)
        with pytest.raises(MapAgentError, match=r"damaged|cannot be merged"):
            updated(maps)
        assert read_info(maps.path("helsinki")).data_time == "2026-03-10T21:21:21Z"


def test_the_order_of_an_extract_is_looked_at_where_its_header_does_not_tell_it(
    published: Published, maps: MapHome, tmp_path: Path
) -> None:
    published.put_change(SEQUENCE + 1, change(RENAMED))
    keep(maps, dated_extract(tmp_path / "told-nothing.osm.pbf", published.url + UPDATES, sorting=""))
    assert updated(maps).changes == 1
    header = osmium.io.Header()
    header.set("osmosis_replication_base_url", published.url + UPDATES)
    header.set("osmosis_replication_sequence_number", str(SEQUENCE))
    with osmium.SimpleWriter(str(tmp_path / "shuffled.osm.pbf"), header=header) as writer:
        for number in (7, 3):
            writer.add_node(osmium.osm.mutable.Node(id=number, location=(24.94, 60.17), version=1))
    keep(maps, tmp_path / "shuffled.osm.pbf")
    with pytest.raises(UsageError, match="in another order"):
        updated(maps)


def test_what_does_not_fit_into_memory_is_merged_in_turn(
    published: Published, maps: MapHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("map_tools.downloads.changes._BATCH_BYTES", 1)
    published.put_change(SEQUENCE + 1, change(RENAMED))
    published.put_change(SEQUENCE + 2, change(OPENED))
    published.put_change(SEQUENCE + 3, change(CLOSED))
    assert updated(maps).changes == 3
    with closing(MapStore.open(maps.path("helsinki"))) as store:
        assert {"Kahvila Merituuli", "Kahvila Uusi"} <= names(store)
        assert "Cafe Java" not in names(store)
    assert [path.name for path in maps.path("helsinki").glob("*.osm.pbf")] == [EXTRACT_FILE]
