"""`mapagent vectors`: embeds the places of a map once, so that wishes need not wait for it."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace

from map_tools.errors import ConfigError
from map_tools.maps.store import MapStore
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_config, settings_from
from mapagent.runtime.opening import map_home
from modules.recommender.setting import RecommenderSetting
from modules.recommender.vectors import make_vectors


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--map", metavar="NAME", help="which map (default: the last one added)")
    add_config(parser)


def run(given: Namespace) -> int:
    """Makes and keeps the vectors of a map with the configured model."""
    settings = settings_from(given).settings
    setting = RecommenderSetting.of(settings)
    home = map_home(settings)
    name = settings.map or home.last_added()
    if name is None:
        raise ConfigError("There is no map yet.", "Add one with `mapagent map add FILE.osm.pbf`.")
    embedder = setting.embedder()
    store = MapStore.open(home.path(name))

    async def make() -> int:
        try:
            made = await make_vectors(setting.vectors, store, embedder, setting.precision)
            return len(made.semantic)
        finally:
            await embedder.close()

    try:
        count = asyncio.run(make())
    finally:
        store.close()
    sys.stdout.write(f"Vectors of {count:,} places of the map '{name}' are kept ({embedder.identity}).\n")
    return 0


COMMAND = Command(help=BUILT_IN["vectors"], configure=configure, run=run)
