"""A map's raw content as GS-QA's reference data base: places, areas, lines and regions by tag.

It reads the store's table of features and their shapes as they are; nothing of the searching code under test
is used. What the map leaves out (unnamed streets and streams, for example) is not counted anywhere.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from evals.generate.world import RawMap, fold

ADDRESS_KEYS = ("addr:street", "addr:city", "addr:state", "addr:postcode")
"""What an address is made of: the published one has no house number."""
_KNOWN_BY = ("wikidata", "wikipedia")
_ADDRESS_ONLY = "address"


@dataclass(frozen=True, eq=False, slots=True)
class Thing:
    """A feature of the map.

    Attributes:
        osm: Its OpenStreetMap id, such as "n123".
        name: Empty for what has none.
        point: (latitude, longitude) of the point that stands for it.
        shape: A shapely geometry in (longitude, latitude); None for a node.
    """

    osm: str
    name: str
    tags: Mapping[str, str]
    point: tuple[float, float]
    shape: Any

    @property
    def is_area(self) -> bool:
        """True for a polygon."""
        return self.shape is not None and self.shape.area > 0

    @property
    def is_line(self) -> bool:
        """True for a line."""
        return self.shape is not None and self.shape.area == 0

    @property
    def prominent(self) -> bool:
        """True for what has an address, or is known elsewhere (GS-QA, section 3.5)."""
        return any(key in self.tags for key in (*ADDRESS_KEYS, *_KNOWN_BY))

    @property
    def known(self) -> bool:
        """True for what has an article or an entry elsewhere."""
        return any(key in self.tags for key in _KNOWN_BY)

    @property
    def address(self) -> str:
        """Street, city, state, postcode; empty where the map has none."""
        return ", ".join(self.tags[key].strip() for key in ADDRESS_KEYS if self.tags.get(key))

    @property
    def spoken(self) -> str:
        """The name as a question says it: with the city, as far as it is known (GS-QA, section 3.2)."""
        city = self.tags.get("addr:city", "").strip()
        return f"{self.name}, {city}" if city and fold(city) not in fold(self.name) else self.name


class Reference:
    """The features of a map's folder.

    Raises:
        MapStoreError: The folder holds no map.
    """

    def __init__(self, folder: Path) -> None:
        self.raw = RawMap(folder)
        self._folder = folder
        self._by_tag = lru_cache(maxsize=None)(self._tagged)

    @cached_property
    def things(self) -> tuple[Thing, ...]:
        """All features but mere addresses, in the store's order."""
        return tuple(self._read())

    @cached_property
    def by_id(self) -> dict[str, Thing]:
        """All features by their OpenStreetMap id."""
        return {thing.osm: thing for thing in self.things}

    def tagged(self, tag: str) -> tuple[Thing, ...]:
        """Features with a tag, written "key=value"."""
        return self._by_tag(tag)

    def is_unique(self, name: str) -> bool:
        """True if just one feature goes by this name, in whatever language."""
        return self._bearers[fold(name)] == 1

    @cached_property
    def diagonal_m(self) -> float:
        """Length of the diagonal of what the map covers."""
        from evals.generate.world import distance_m

        box = self.raw.info["bbox"]
        return distance_m((box["south"], box["west"]), (box["north"], box["east"]))

    @cached_property
    def _bearers(self) -> Counter[str]:
        return Counter(name for thing in self.things for name in _names(thing))

    def _tagged(self, tag: str) -> tuple[Thing, ...]:
        key, _, value = tag.partition("=")
        return tuple(thing for thing in self.things if thing.tags.get(key) == value)

    def _read(self) -> Iterator[Thing]:
        import shapely

        lats, lngs = (np.load(self._folder / "index" / f"{name}.npy") for name in ("lats", "lngs"))
        uri = f"{(self._folder / 'features.sqlite').resolve().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as database:
            rows = database.execute(
                "SELECT row, kind, osm_id, tags, wkb FROM features LEFT JOIN shapes USING (row)"
                " WHERE categories <> ? ORDER BY row",
                (_ADDRESS_ONLY,),
            )
            for row, kind, number, tags_text, wkb in rows:
                tags = json.loads(tags_text)
                shape = shapely.from_wkb(wkb) if wkb is not None else None
                point = (float(lats[row]), float(lngs[row]))
                yield Thing(f"{kind}{number}", tags.get("name", "").strip(), tags, point, shape)


def _names(thing: Thing) -> set[str]:
    keys = ("name", "alt_name", "short_name", "official_name", "old_name", "loc_name", "brand")
    values = [text for key, text in thing.tags.items() if key in keys or key.startswith("name:")]
    return {fold(part) for text in values for part in text.split(";")} - {""}
