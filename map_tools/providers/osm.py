"""The default provider: an OpenStreetMap extract on this machine, with routing in process."""

from pathlib import Path
from typing import TYPE_CHECKING, Self

from map_tools.clock import Clock
from map_tools.errors import ConfigError
from map_tools.maps.info import MapInfo
from map_tools.maps.routing import Router
from map_tools.maps.store import MapStore
from map_tools.providers.base import ProviderSetting
from map_tools.providers.own_map import TERMS, MapProvider
from map_tools.types import Box

if TYPE_CHECKING:
    from map_tools.transit.journeys import Journeys

WORKERS = 2
"""Threads that search the map. A search is mostly Python, so more of them would only wait for each other."""


class OsmProvider(MapProvider):
    """Answers from a map that `mapagent map add` built.

    Args:
        store: The map.
        router: Routes over the map's tiles; None for a map without.
        clock: Tells when somebody leaves by public transport who says no time.
    """

    def __init__(self, store: MapStore, router: Router | None, clock: Clock | None = None) -> None:
        info = store.info
        super().__init__(
            store,
            router,
            name="osm",
            map_name=info.name,
            terms=TERMS.model_copy(
                update={"attribution": _credit(info), "attribution_url": info.attribution_url}
            ),
            facts=info.facts,
            workers=WORKERS,
            rides=_rides(store, router, clock),
        )
        self._store = store

    @classmethod
    def open(cls, map_path: Path) -> Self:
        """Opens a map's folder.

        Raises:
            MapStoreError: The folder is damaged, foreign or of another version.
        """
        store = MapStore.open(map_path)
        return cls(store, Router(store.tiles) if store.tiles else None)

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        """Opens the chosen map.

        Raises:
            ConfigError: There is no map.
            MapStoreError: As `open`.
        """
        if setting.map_path is None:
            raise ConfigError("There is no map yet.", "Add one with `mapagent map add FILE.osm.pbf`.")
        return cls.open(setting.map_path)

    @property
    def build(self) -> Path:
        """Folder of the build of the map, which never changes (`map_tools.maps.home`)."""
        return self._store.folder

    @property
    def timezone(self) -> str:
        """IANA name of the map's time zone."""
        return self._store.info.timezone

    @property
    def extent(self) -> Box:
        """The box that the extract covers."""
        return self._store.info.bbox

    @property
    def kinds(self) -> frozenset[str]:
        """The category ids of the map's places."""
        return self._store.kinds


def _credit(info: MapInfo) -> str:
    """Whose data it is."""
    if info.timetable is None:
        return info.attribution
    return f"{info.attribution}; timetable: {', '.join(info.timetable.publishers)}"


def _rides(store: MapStore, router: Router | None, clock: Clock | None) -> "Journeys | None":
    """Ways by the map's timetable; without roads nobody gets to a stop."""
    if router is None or store.info.timetable is None:
        return None
    from map_tools.transit.journeys import Journeys

    return Journeys(store.timetable, router.matrix, store.info.timezone, clock)
