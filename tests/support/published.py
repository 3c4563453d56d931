"""A server that publishes extracts as Geofabrik does: an index, files with checksums, numbered changes.

The extract is the real one of Helsinki's centre, with a header that says where its changes are.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import osmium

from tests.support.data import demo_extract
from tests.support.loopback import Asked, Loopback, Scripted, serving

INDEX = "/index-v1-nogeom.json"
EXTRACT = "/europe/finland/helsinki-latest.osm.pbf"
UPDATES = "/europe/finland/helsinki-updates"
SEQUENCE = 2041
MADE = datetime.fromisoformat("2026-03-10T21:21:21Z")
"""When the extract was made, and what the last change in it is."""
ENGEL, JAVA, EKBERG = 307465178, 60068035, 151006533
"""Nodes of three cafés: Cafe Engel, Cafe Java, Cafe Ekberg."""
RENAMED = (
    f'<modify><node id="{ENGEL}" version="90" timestamp="2026-03-11T10:00:00Z" lat="60.1689130" lon="24.9517450">'
    '<tag k="amenity" v="cafe"/><tag k="name" v="Kahvila Merituuli"/></node></modify>'
)
OPENED = (
    '<create><node id="99000000001" version="1" timestamp="2026-03-12T10:00:00Z" lat="60.1700" lon="24.9400">'
    '<tag k="amenity" v="cafe"/><tag k="name" v="Kahvila Uusi"/></node></create>'
)
CLOSED = f'<delete><node id="{JAVA}" version="90" timestamp="2026-03-12T11:00:00Z"/></delete>'


def dated_extract(
    target: Path, url: str | None, sequence: int = SEQUENCE, sorting: str = "Type_then_ID"
) -> Path:
    """The demo extract with a header as Geofabrik writes it, or (without an address) with the date alone."""
    with osmium.io.Reader(str(demo_extract())) as reader:
        header = osmium.io.Header()
        header.add_box(reader.header().box())
        header.set("osmosis_replication_timestamp", f"{MADE:%Y-%m-%dT%H:%M:%SZ}")
        header.set("sorting", sorting)
        if url is not None:
            header.set("osmosis_replication_base_url", url)
            header.set("osmosis_replication_sequence_number", str(sequence))
        writer = osmium.io.Writer(str(target), header)
        osmium.MergeInputReader().apply_to_reader(reader, writer)
        writer.close()
    return target


def change(body: str) -> bytes:
    """A change file (https://wiki.openstreetmap.org/wiki/OsmChange)."""
    return gzip.compress(f'<osmChange version="0.6">{body}</osmChange>'.encode())


def state(sequence: int, time: datetime) -> bytes:
    """A state file as Osmosis writes it: a properties file of Java, its colons escaped."""
    told = f"{time:%Y-%m-%dT%H:%M:%SZ}".replace(":", r"\:")
    return f"# written by a test\ntimestamp={told}\nsequenceNumber={sequence}\n".encode()


def feature(id_: str, name: str, url: str | None, **more: Any) -> dict[str, Any]:
    """A region of the index."""
    urls = {} if url is None else {"pbf": url, "shp": f"{url}.shp.zip"}
    return {"type": "Feature", "properties": {"id": id_, "name": name, "urls": urls, **more}}


@dataclass
class Published:
    """What the server has, by path; `instead` has replies that come first, each once, in order."""

    server: Loopback | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    instead: dict[str, list[Scripted]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        assert self.server is not None
        return self.server.url

    def asked(self, path: str, method: str = "GET") -> list[Asked]:
        assert self.server is not None
        return [asked for asked in self.server.asked if (asked.path, asked.method) == (path, method)]

    def put_index(self, *features: dict[str, Any]) -> None:
        self.files[INDEX] = json.dumps({"type": "FeatureCollection", "features": features}).encode()

    def put_extract(self, body: bytes) -> None:
        self.files[EXTRACT] = body
        self.files[f"{EXTRACT}.md5"] = f"{hashlib.md5(body).hexdigest()}  helsinki-latest.osm.pbf\n".encode()

    def put_change(self, sequence: int, body: bytes, time: datetime | None = None) -> None:
        """Publishes a change: a day later than the one before it, unless a time is given."""
        told = state(sequence, time or MADE + timedelta(days=sequence - SEQUENCE))
        stem = f"{UPDATES}/000/{sequence // 1000:03}/{sequence % 1000:03}"
        self.files |= {f"{stem}.osc.gz": body, f"{stem}.state.txt": told, f"{UPDATES}/state.txt": told}

    def reply(self, asked: Asked) -> Scripted:
        if asked.method == "GET" and self.instead.get(asked.path):
            return self.instead[asked.path].pop(0)
        if asked.path not in self.files:
            return Scripted(404, b"not here")
        return ranged(asked, self.files[asked.path])


def etag_of(body: bytes) -> str:
    return f'"{hashlib.md5(body).hexdigest()[:12]}"'


def ranged(asked: Asked, body: bytes) -> Scripted:
    """A file, or the rest of it if that is asked for and it is still the same (RFC 9110, section 14)."""
    etag = etag_of(body)
    found = re.fullmatch(r"bytes=(\d+)-", asked.headers.get("range", ""))
    if found is None or asked.headers.get("if-range", etag) != etag:
        return Scripted(body=body, headers={"etag": etag, "accept-ranges": "bytes"})
    start = int(found[1])
    if start >= len(body):
        return Scripted(416, b"", {"content-range": f"bytes */{len(body)}"})
    told = f"bytes {start}-{len(body) - 1}/{len(body)}"
    return Scripted(206, body[start:], {"etag": etag, "content-range": told})


@contextmanager
def publishing(folder: Path) -> Iterator[Published]:
    """Serves the extract of "Helsinki" in an index with other regions, and the state in which it was made."""
    published = Published()
    with serving(published.reply) as server:
        published.server = server
        url = f"{server.url}{EXTRACT}"
        published.put_index(
            feature("europe", "Europe", None),
            feature("finland", "Finland", url, parent="europe", **{"iso3166-1:alpha2": ["FI"]}),
            feature("helsinki", "Helsinki", url, parent="finland"),
            feature("georgia", "Georgia", url, parent="europe", **{"iso3166-1:alpha2": ["GE"]}),
            feature("us/georgia", "Georgia", url, parent="us", **{"iso3166-2": ["US-GA"]}),
            feature("ivory-coast", "Côte d'Ivoire", url, parent="africa"),
        )
        published.put_extract(dated_extract(folder / "published.osm.pbf", server.url + UPDATES).read_bytes())
        published.put_change(SEQUENCE, change(""))
        yield published
