"""The user's own places in tables: they are known to his own process, and leave it with no row."""

import json
import os
from pathlib import Path

import pytest

from map_tools.errors import ModelError
from map_tools.own_places import OwnPlace
from map_tools.types import LatLng
from mapagent.interfaces.batch.part import BATCH_FILE, Outcome, part_of
from mapagent.interfaces.batch.run import BatchAsker
from mapagent.interfaces.batch.table import Row
from mapagent.runtime.ledger import Limits
from mapagent.runtime.own_places import OwnPlacesFile
from tests.support.cli import CommandLine
from tests.support.tables import read, write

pytestmark = pytest.mark.usefixtures("demo")

HOME, MOVED = LatLng(lat=60.16507, lng=24.94013), LatLng(lat=60.17603, lng=24.94207)


@pytest.fixture
def file(tmp_path: Path, demo: None) -> OwnPlacesFile:
    """The own places: home."""
    file = OwnPlacesFile(tmp_path / "data")
    file.add([OwnPlace(name="home", location=HOME)])
    return file


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The nearest cafe to home, and to where home is."""
    rows = [
        ("Which cafe is nearest to home?", None),
        ("Which cafe is nearest to me?", f"{HOME.lat},{HOME.lng}"),
    ]
    return write(tmp_path / "in.parquet", {"question": "VARCHAR", "near": "VARCHAR"}, rows)


@pytest.mark.usefixtures("file")
def test_a_row_may_name_them(mapagent: CommandLine, table: Path, tmp_path: Path) -> None:
    assert mapagent("batch", table, tmp_path / "out.parquet").code == 0
    at_home, at_position = read(tmp_path / "out.parquet")
    assert at_home["answer"] == at_position["answer"]
    assert "a place of your own" in at_home["understood"]


@pytest.mark.usefixtures("file")
def test_unless_that_is_not_wanted(mapagent: CommandLine, table: Path, tmp_path: Path) -> None:
    assert mapagent("batch", table, tmp_path / "out.parquet", "--no-own-places").code == 0
    assert "of your own" not in str(read(tmp_path / "out.parquet"))


@pytest.mark.usefixtures("file")
def test_they_are_not_sent_to_other_machines(mapagent: CommandLine, table: Path, tmp_path: Path) -> None:
    ran = mapagent("batch", table, tmp_path / "out.parquet", "--own-places", "--executor", "ray")
    assert ran.code == 2
    assert "stay on this machine" in ran.err
    assert not part_of(tmp_path / "out.parquet").exists()


def test_a_batch_goes_on_with_the_places_it_was_begun_with(
    mapagent: CommandLine, table: Path, file: OwnPlacesFile, tmp_path: Path
) -> None:
    async def ask(_: BatchAsker, __: Row, ___: Limits) -> Outcome:
        raise ModelError("The model server is gone.")

    out = tmp_path / "out.parquet"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(BatchAsker, "ask", ask)
        assert mapagent("batch", table, out).code == 1
    begun = (part_of(out) / BATCH_FILE).read_text()
    kept = json.loads(begun)["own_places"]
    content, seen = file.path.read_bytes(), file.path.stat()
    file.add([OwnPlace(name="home", location=MOVED)])
    for flags in ((), ("--no-own-places",)):
        ran = mapagent("batch", table, out, *flags)
        assert ran.code == 2
        assert "its own_places is not that of this one" in ran.err
        assert kept in ran.err
    file.path.write_bytes(content)
    os.utime(file.path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert mapagent("batch", table, out).code == 0
    assert "home" not in begun
    assert "60.16" not in begun
