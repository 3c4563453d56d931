"""`mapagent map add|update|list|remove|synth`: the embedded maps, and those in a PostGIS database (`--to`, `--in`)."""

import json
import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from map_tools.clock import SystemClock
from map_tools.errors import UnknownNameError, UsageError
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_config, settings_from
from mapagent.interfaces.cli.map_sources import (
    FetchProgress,
    check_places,
    fetch_and_add,
    places_chosen,
    show_progress,
    take_places,
    take_region,
    tell_places,
)

if TYPE_CHECKING:
    from map_tools.maps.home import MapHome
    from map_tools.maps.info import MapInfo
    from map_tools.transit.info import TimetableInfo

_DAYS_OF_MONTH, _DAYS_OF_YEAR = 30.44, 365.25
_MOST_DAYS, _MOST_MONTHS = 60, 24
"""Up to here an age is told in days, or months."""
_DSN = "address of the database, as libpq's 'host=... dbname=...' or a URL; its password file is read"


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="make a map from an OpenStreetMap extract")
    add.add_argument("file", type=Path, metavar="FILE.osm.pbf", nargs="?")
    add.add_argument("--name", help="name of the map (default: the file's name, or the region's)")
    take_region(add)
    add.add_argument(
        "--gtfs", type=Path, metavar="FEED.zip", help="timetable of public transport to keep with it (GTFS)"
    )
    take_places(add)
    take_target(add)
    add_config(add)
    told = "apply what has changed since its extract was made (needs a network)"
    update = actions.add_parser("update", help=told, description=told)
    update.add_argument("name", metavar="NAME")
    add_config(update)
    listing = actions.add_parser("list", help="list the maps, and how old their data is")
    listing.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    take_source(listing)
    add_config(listing)
    remove = actions.add_parser("remove", help="remove a map")
    remove.add_argument("name", metavar="NAME")
    take_source(remove)
    add_config(remove)
    synth = actions.add_parser("synth", help="make an invented city whose truth is known")
    synth.add_argument("--seed", type=int, required=True)
    synth.add_argument("--size", type=int, required=True, help="number of features")
    synth.add_argument("--name", help="name of the map (default: synth-SEED-SIZE)")
    add_config(synth)


def take_target(parser: ArgumentParser) -> None:
    """Declares where a map is added to."""
    parser.add_argument("--to", metavar="DSN", help=f"add it to a PostGIS database instead: {_DSN}")
    parser.add_argument("--reader", metavar="ROLE", help="role that may read there (mapagent_reader)")


def take_source(parser: ArgumentParser) -> None:
    """Declares whose maps are meant."""
    parser.add_argument("--in", dest="database", metavar="DSN", help=f"those of a PostGIS database: {_DSN}")


def run(given: Namespace) -> int:
    """Runs the action."""
    from mapagent.runtime.opening import map_home

    if given.action == "add":
        _check_source(given)
    if in_database(given):
        of_regions = {"add": add_to_database, "list": show_database, "remove": remove_from_database}
        return of_regions[given.action](given)
    home = map_home(settings_from(given).settings)
    actions = {
        "add": _add,
        "update": _update,
        "list": _list,
        "remove": _remove,
        "synth": _synth,
    }
    return actions[given.action](given, home)


def _check_source(given: Namespace) -> None:
    """One source, and what goes with it."""
    if (given.file is None) == (given.region is None):
        raise UsageError(
            "`mapagent map add` takes either a file or a region.", "Give FILE.osm.pbf, or --region NAME."
        )
    if given.yes and given.region is None:
        raise UsageError("--yes is for fetching a region.", "Leave it out, or give --region NAME.")
    if given.to and (given.region is not None or given.keep_extract):
        raise UsageError(
            "--region and --keep-extract are for maps on this machine.", "Add a file to the database."
        )
    if given.to and given.gtfs:
        raise UsageError("A database keeps no timetable.", "Leave out --to, or --gtfs.")
    check_places(given)


def _add(given: Namespace, home: "MapHome") -> int:
    from map_tools.maps.making.ingest import add_map

    overture = places_chosen(given)
    if given.region is not None:
        info = fetch_and_add(given, home, overture)
        if info is None:
            return 0
    else:
        keep = shutil.copyfile if given.keep_extract else None
        info = add_map(
            given.file,
            name=given.name,
            home=home,
            gtfs=given.gtfs,
            overture=overture,
            progress=show_progress,
            keep=keep,
        )
    print(f"Map '{info.name}' is ready: {info.counts['features']} features. {info.attribution}")
    if info.timetable is not None:
        _tell_timetable(info.timetable)
    if info.overture is not None:
        tell_places(info.overture)
    if not info.routable:
        print("No routes: it has no roads, or its routing tiles could not be built.", file=sys.stderr)
    return 0


def _tell_timetable(timetable: "TimetableInfo") -> None:
    counts = timetable.counts
    print(
        f"Timetable of {', '.join(timetable.publishers)}: {counts['lines']} lines, {counts['trips']} trips, "
        f"{counts['stops_on_map']} of {counts['stops']} stops on the map, "
        f"from {timetable.first_day} to {timetable.last_day}."
    )
    if timetable.last_day < SystemClock().now().date().isoformat():
        print(
            "The timetable has expired: only days in it can be asked for (--at). Get a newer feed.",
            file=sys.stderr,
        )


def _update(given: Namespace, home: "MapHome") -> int:
    """Applies what has changed since a map's extract was made."""
    from map_tools.downloads.fetching import Fetcher
    from map_tools.maps.making.update import update_map

    with Fetcher() as fetcher:
        updated = update_map(
            given.name,
            home=home,
            fetcher=fetcher,
            fetched=FetchProgress().changes,
            progress=show_progress,
        )
    info = updated.info
    age = age_in_words(age_days(info.data_time, SystemClock().now()))
    if not updated.changes:
        print(f"Map '{info.name}' has all changes that are published: its data is {age} ({info.data_time}).")
        return 0
    print(
        f"Map '{info.name}' is updated from {updated.before.data_time or 'an unknown date'} to "
        f"{info.data_time}: {updated.changes:,} changes, {info.counts['features']} features. {info.attribution}"
    )
    if info.overture is not None:
        tell_places(info.overture)
    return 0


def _remove(given: Namespace, home: "MapHome") -> int:
    home.remove(given.name)
    print(f"Map '{given.name}' is removed.")
    return 0


def _synth(given: Namespace, home: "MapHome") -> int:
    from map_tools.maps.synth import synth
    from map_tools.maps.synth.truth import TRUTH_FILE

    info = synth(seed=given.seed, size=given.size, home=home, name=given.name)
    print(f"Map '{info.name}' is ready: {info.counts['features']} features. {info.attribution}")
    print(f"Its truth: {home.path(info.name) / TRUTH_FILE}")
    return 0


def _list(given: Namespace, home: "MapHome") -> int:
    show_maps(home, SystemClock().now(), as_json=given.json)
    return 0


def show_maps(home: "MapHome", now: datetime, *, as_json: bool) -> None:
    """Lists the maps on this machine; a damaged one does not hide the others."""
    from map_tools.errors import MapStoreError
    from map_tools.maps.info import EXTRACT_FILE, read_info

    rows = []
    for name in home.list():
        folder = home.path(name)
        try:
            kept = (folder / EXTRACT_FILE).is_file()
            rows.append(_row(read_info(folder), now) | {"updatable": kept})
        except MapStoreError as error:
            rows.append({"name": name, "error": str(error)})
    _print_rows(rows, as_json=as_json)
    if not rows and not as_json:
        print("No maps yet; add one with `mapagent map add FILE.osm.pbf`.")


def show_infos(infos: Iterable["MapInfo"], now: datetime, *, as_json: bool) -> None:
    """Lists maps by their descriptions: those of a database, which are never updated."""
    _print_rows([_row(info, now) | {"updatable": False} for info in infos], as_json=as_json)


def age_in_words(days: int | None) -> str:
    """How old data is: "3 days old", "8 months old"."""
    if days is None:
        return "of unknown age"
    if days < 1:
        return "less than a day old"
    if days < _MOST_DAYS:
        return _counted(days, "day")
    months = int(days / _DAYS_OF_MONTH)
    return _counted(months, "month") if months < _MOST_MONTHS else _counted(int(days / _DAYS_OF_YEAR), "year")


def age_days(data_time: str, now: datetime) -> int | None:
    """Whole days since the moment an extract names; None if it names none."""
    try:
        moment = datetime.fromisoformat(data_time)
    except ValueError:
        return None
    return (now - (moment if moment.tzinfo else moment.replace(tzinfo=UTC))).days


def _row(info: "MapInfo", now: datetime) -> dict[str, Any]:
    return {
        "name": info.name,
        "features": info.counts.get("features", 0),
        "source_file": info.source_file,
        "data_time": info.data_time or None,
        "data_age_days": age_days(info.data_time, now),
        "routable": info.routable,
        "timetable_until": info.timetable.last_day if info.timetable is not None else None,
        "overture_places": info.overture.held if info.overture is not None else None,
        "attribution": info.attribution,
    }


def _print_rows(rows: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"maps": rows}, indent=1))
        return
    for row in rows:
        if "error" in row:
            print(f"{row['name']:<20} {row['error']}")
            continue
        size = f"{row['features']:>10} features"
        until = f"   timetable to {row['timetable_until']}" if row["timetable_until"] else ""
        places = row["overture_places"]
        second = f"   {places} places of Overture Maps" if places is not None else ""
        told = f"{row['source_file']}, {_dated(row)}   {row['attribution']}{until}{second}"
        print(f"{row['name']:<20} {size}   {told}")


def _dated(row: dict[str, Any]) -> str:
    age = age_in_words(row["data_age_days"])
    return f"{age} ({row['data_time'][:10]})" if row["data_age_days"] is not None else age


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'} old"


def in_database(given: Namespace) -> bool:
    """Whether an action is about the maps of a database.

    Raises:
        UsageError: A role is named, but no database.
    """
    if getattr(given, "reader", None) and not given.to:
        raise UsageError("--reader names a role of a database.", "Say which database with --to DSN.")
    return bool(getattr(given, "to", None) or getattr(given, "database", None))


def add_to_database(given: Namespace) -> int:
    """Adds an extract to a database."""
    from map_tools.providers.postgis.load import load_region
    from map_tools.providers.postgis.tables import READER

    reader = given.reader or READER
    home = _tiles(given)
    info = load_region(
        given.file, given.to, name=given.name, home=home, reader=reader, progress=show_progress
    )
    print(f"Region '{info.name}' is in the database: {info.counts['features']} features. {info.attribution}")
    print(f"Ask it with --provider postgis, as the role '{reader}'.")
    if not info.routable:
        print("No routes: it has no roads, or its routing tiles could not be built.", file=sys.stderr)
    return 0


def show_database(given: Namespace) -> int:
    """Lists the regions of a database."""
    from map_tools.providers.postgis.database import MapDatabase

    database = MapDatabase.open(given.database)
    try:
        infos = [region.info for region in database.regions()]
        show_infos(infos, SystemClock().now(), as_json=given.json)
    finally:
        database.close()
    return 0


def remove_from_database(given: Namespace) -> int:
    """Removes a region and its routing tiles on this machine."""
    from map_tools.providers.postgis.load import remove_region

    if not remove_region(given.database, given.name):
        raise UnknownNameError(
            f"The database has no region '{given.name}'.", "`mapagent map list --in DSN` lists them."
        )
    home = _tiles(given)
    if given.name in home.list():
        home.remove(given.name)
    print(f"Region '{given.name}' is removed.")
    return 0


def _tiles(given: Namespace) -> "MapHome":
    """Where the routing tiles of regions are kept; as the provider is told, if the configuration says so."""
    from map_tools.maps.home import MapHome
    from map_tools.providers.postgis.provider import REGIONS_FOLDER

    settings = settings_from(given).settings
    folder = settings.providers.get("postgis", {}).get("tiles", settings.data_home / REGIONS_FOLDER)
    return MapHome(Path(folder))


COMMAND = Command(help=BUILT_IN["map"], configure=configure, run=run)
