"""Downloads that are cut off, go on, and are only taken when they are what was announced."""

import fcntl
import hashlib
from pathlib import Path

import pytest

from map_tools.downloads.fetching import Fetcher, RemoteFile
from map_tools.downloads.resumable import Download, published_md5
from map_tools.errors import DownloadError, LimitError, MapStoreError, UsageError
from tests.support.disks import files_up_to
from tests.support.loopback import Scripted
from tests.support.published import EXTRACT, Published, etag_of

BODY = bytes(range(256)) * 4000
MD5 = hashlib.md5(BODY).hexdigest()
WHAT = "the extract of Helsinki"
CUT = 300_000
ATTEMPTS = 4


@pytest.fixture(autouse=True)
def _body(published: Published) -> None:
    published.put_extract(BODY)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "downloads" / "helsinki.osm.pbf"


def download(fetcher: Fetcher, published: Published, target: Path) -> Download:
    remote = fetcher.announced(published.url + EXTRACT, WHAT)
    assert remote.size_bytes == len(BODY)
    return Download(fetcher, remote, target, what=WHAT)


def cut_off(body: bytes = BODY, at: int = CUT) -> Scripted:
    return Scripted(body=body, headers={"etag": etag_of(body)}, cut=at)


def leave_a_part(fetcher: Fetcher, published: Published, target: Path, body: bytes = BODY) -> None:
    """An earlier run was cut off after 300,000 bytes, and refused each time that it wanted to go on."""
    published.instead[EXTRACT] = [cut_off(body), *[Scripted(drop=True)] * (ATTEMPTS - 1)]
    remote = RemoteFile(published.url + EXTRACT, len(body))
    with pytest.raises(
        DownloadError, match=r"^The server 127.0.0.1:\d+ broke off while the extract of Hel.*again"
    ):
        Download(fetcher, remote, target, what=WHAT).run(None)
    assert not target.exists()


def asked_ranges(published: Published) -> list[str | None]:
    return [asked.headers.get("range") for asked in published.asked(EXTRACT)]


def test_a_file_arrives_whole_and_alone(fetcher: Fetcher, published: Published, target: Path) -> None:
    told: list[tuple[int, int | None]] = []
    remote = fetcher.announced(published.url + EXTRACT, WHAT)
    Download(fetcher, remote, target, what=WHAT, arrived=lambda *far: told.append(far)).run(MD5)
    assert target.read_bytes() == BODY
    assert [path.name for path in target.parent.iterdir()] == ["helsinki.osm.pbf"]
    assert told[-1] == (len(BODY), len(BODY))


def test_a_cut_is_gone_on_from_within_a_run(fetcher: Fetcher, published: Published, target: Path) -> None:
    published.instead[EXTRACT] = [cut_off()]
    download(fetcher, published, target).run(MD5)
    assert target.read_bytes() == BODY
    assert asked_ranges(published) == [None, f"bytes={CUT}-"]
    assert published.asked(EXTRACT)[1].headers["if-range"] == etag_of(BODY)


def test_the_next_run_goes_on_from_a_cut(fetcher: Fetcher, published: Published, target: Path) -> None:
    leave_a_part(fetcher, published, target)
    following = download(fetcher, published, target)
    assert following.have_bytes == CUT
    following.run(MD5)
    assert target.read_bytes() == BODY
    assert asked_ranges(published)[-1] == f"bytes={CUT}-"


def test_a_file_that_was_replaced_meanwhile_is_fetched_anew(
    fetcher: Fetcher, published: Published, target: Path
) -> None:
    leave_a_part(fetcher, published, target, body=BODY[::-1])
    download(fetcher, published, target).run(MD5)
    assert target.read_bytes() == BODY


def test_without_a_validator_nothing_is_gone_on_with(
    fetcher: Fetcher, published: Published, target: Path
) -> None:
    weak = Scripted(body=BODY, headers={"etag": 'W/"1"'}, cut=CUT)
    published.instead[EXTRACT] = [weak, weak]
    download(fetcher, published, target).run(MD5)
    assert target.read_bytes() == BODY
    assert asked_ranges(published) == [None, None, None]


def test_a_server_that_ignores_if_range_does_not_mix_two_files(
    fetcher: Fetcher, published: Published, target: Path
) -> None:
    leave_a_part(fetcher, published, target, body=BODY[::-1])
    part = {"etag": etag_of(BODY), "content-range": f"bytes {CUT}-{len(BODY) - 1}/{len(BODY)}"}
    published.instead[EXTRACT] = [Scripted(206, BODY[CUT:], part)]
    download(fetcher, published, target).run(None)
    assert target.read_bytes() == BODY


@pytest.mark.parametrize("told", ["bytes 7-1023999/1024000", "bytes */1024000", ""])
def test_another_part_than_was_asked_for_begins_anew(
    fetcher: Fetcher, published: Published, target: Path, told: str
) -> None:
    leave_a_part(fetcher, published, target)
    published.instead[EXTRACT] = [Scripted(206, BODY[7:], {"content-range": told, "etag": etag_of(BODY)})]
    download(fetcher, published, target).run(MD5)
    assert target.read_bytes() == BODY


def test_a_whole_part_is_only_checked(fetcher: Fetcher, published: Published, target: Path) -> None:
    leave_a_part(fetcher, published, target)
    target.with_name(f"{target.name}.part").write_bytes(BODY)
    before = len(published.asked(EXTRACT))
    download(fetcher, published, target).run(MD5)
    assert target.read_bytes() == BODY
    assert len(published.asked(EXTRACT)) == before


def test_a_finished_file_of_an_earlier_run_is_taken(
    fetcher: Fetcher, published: Published, target: Path
) -> None:
    target.parent.mkdir()
    target.write_bytes(BODY)
    download(fetcher, published, target).run(MD5)
    assert published.asked(EXTRACT) == []


def test_a_wrong_checksum_keeps_nothing(fetcher: Fetcher, published: Published, target: Path) -> None:
    with pytest.raises(DownloadError, match=f"does not have its checksum .it has {MD5}, not 0{{32}}"):
        download(fetcher, published, target).run("0" * 32)
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("sent", [BODY[:-1], BODY + b"more"], ids=("less", "more"))
def test_another_size_than_announced_is_refused(
    fetcher: Fetcher, published: Published, target: Path, sent: bytes
) -> None:
    published.instead[EXTRACT] = [Scripted(body=sent)]
    with pytest.raises(
        DownloadError, match=f"announced 1,024,000 bytes for {WHAT} and sends {len(sent):,} bytes"
    ):
        download(fetcher, published, target).run(None)
    assert not target.exists()


def test_a_promise_that_is_never_kept_is_told(fetcher: Fetcher, published: Published, target: Path) -> None:
    """The header says the announced length each time; the body is always shorter, and cannot be gone on with."""
    published.instead[EXTRACT] = [Scripted(body=BODY, cut=10)] * ATTEMPTS
    with pytest.raises(DownloadError, match="broke off"):
        download(fetcher, published, target).run(MD5)
    assert not target.exists()


def test_a_busy_server_is_asked_again(fetcher: Fetcher, published: Published, target: Path) -> None:
    published.instead[EXTRACT] = [Scripted(503), Scripted(429)]
    download(fetcher, published, target).run(MD5)
    assert target.read_bytes() == BODY


@pytest.mark.parametrize(("status", "told"), [(404, "is not there"), (403, "refuses the extract")])
def test_what_is_refused_is_asked_for_once(
    fetcher: Fetcher, published: Published, target: Path, status: int, told: str
) -> None:
    published.instead[EXTRACT] = [Scripted(status)]
    with pytest.raises(DownloadError, match=rf"{told}.*{EXTRACT} \(HTTP {status}\)"):
        download(fetcher, published, target).run(MD5)
    assert len(published.asked(EXTRACT)) == 1


def test_redirects_are_followed(fetcher: Fetcher, published: Published, target: Path) -> None:
    published.files["/dated.osm.pbf"] = BODY
    published.instead[EXTRACT] = [Scripted(302, b"", {"location": "/dated.osm.pbf"})]
    download(fetcher, published, target).run(MD5)
    assert target.read_bytes() == BODY


def test_two_processes_do_not_write_one_file(fetcher: Fetcher, published: Published, target: Path) -> None:
    target.parent.mkdir()
    with target.with_name(f"{target.name}.part").open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(UsageError, match="Another process is fetching the extract of Helsinki"):
            download(fetcher, published, target).run(MD5)


def test_a_full_disk_keeps_what_has_come(fetcher: Fetcher, published: Published, target: Path) -> None:
    with files_up_to(CUT), pytest.raises(MapStoreError, match=r"part cannot be written.*space"):
        download(fetcher, published, target).run(MD5)
    following = download(fetcher, published, target)
    assert 0 < following.have_bytes <= CUT
    following.run(MD5)
    assert target.read_bytes() == BODY


def test_checksums_beside_files(fetcher: Fetcher, published: Published) -> None:
    url = published.url + EXTRACT
    assert published_md5(fetcher, url, WHAT) == MD5
    published.files[f"{EXTRACT}.md5"] = b"<html>Sorry</html>"
    with pytest.raises(DownloadError, match="is no MD5 checksum"):
        published_md5(fetcher, url, WHAT)
    del published.files[f"{EXTRACT}.md5"]
    assert published_md5(fetcher, url, WHAT) is None


def test_what_is_too_long_is_not_read_to_its_end(fetcher: Fetcher, published: Published) -> None:
    with pytest.raises(LimitError, match=r"longer than 0\.1 MB"):
        fetcher.read(published.url + EXTRACT, WHAT, limit_bytes=100_000)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/x", "ftp://127.0.0.1/x", "no address", "http://[::1"])
def test_an_address_where_nobody_is(fetcher: Fetcher, url: str) -> None:
    with pytest.raises(DownloadError, match=r"[tT]he extract of Helsinki"):
        fetcher.announced(url, WHAT)
