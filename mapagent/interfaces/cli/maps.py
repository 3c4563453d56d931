"""`mapagent map add|update|list|remove|synth`: the embedded maps, and those in a database."""

import shutil
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from map_tools.clock import SystemClock
from mapagent.interfaces.cli import map_download, map_overture, map_regions
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_config, settings_from
from mapagent.interfaces.cli.progress import show_progress

if TYPE_CHECKING:
    from map_tools.maps.home import MapHome
    from map_tools.transit.info import TimetableInfo


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="make a map from an OpenStreetMap extract")
    add.add_argument("file", type=Path, metavar="FILE.osm.pbf", nargs="?")
    add.add_argument("--name", help="name of the map (default: the file's name, or the region's)")
    map_download.take_region(add)
    add.add_argument(
        "--gtfs", type=Path, metavar="FEED.zip", help="timetable of public transport to keep with it (GTFS)"
    )
    map_overture.take_places(add)
    map_regions.take_target(add)
    add_config(add)
    told = "apply what has changed since its extract was made (needs a network)"
    update = actions.add_parser("update", help=told, description=told)
    update.add_argument("name", metavar="NAME")
    add_config(update)
    listing = actions.add_parser("list", help="list the maps, and how old their data is")
    listing.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    map_regions.take_source(listing)
    add_config(listing)
    remove = actions.add_parser("remove", help="remove a map")
    remove.add_argument("name", metavar="NAME")
    map_regions.take_source(remove)
    add_config(remove)
    synth = actions.add_parser("synth", help="make an invented city whose truth is known")
    synth.add_argument("--seed", type=int, required=True)
    synth.add_argument("--size", type=int, required=True, help="number of features")
    synth.add_argument("--name", help="name of the map (default: synth-SEED-SIZE)")
    add_config(synth)


def run(given: Namespace) -> int:
    """Runs the action."""
    from mapagent.runtime.providers import map_home

    if given.action == "add":
        _check_source(given)
    in_database = {"add": map_regions.add, "list": map_regions.show, "remove": map_regions.remove}
    if map_regions.is_meant(given):
        return in_database[given.action](given)
    home = map_home(settings_from(given).settings)
    actions = {
        "add": _add,
        "update": map_download.update,
        "list": _list,
        "remove": _remove,
        "synth": _synth,
    }
    return actions[given.action](given, home)


def _check_source(given: Namespace) -> None:
    """One source, and what goes with it."""
    from map_tools.errors import UsageError

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
    map_overture.check(given)


def _add(given: Namespace, home: "MapHome") -> int:
    from map_tools.maps.ingest import add_map

    overture = map_overture.chosen(given)
    if given.region is not None:
        info = map_download.fetch_and_add(given, home, overture)
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
        map_overture.tell(info.overture)
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


def _list(given: Namespace, home: "MapHome") -> int:
    from mapagent.interfaces.cli.map_list import show_maps

    show_maps(home, SystemClock().now(), as_json=given.json)
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


COMMAND = Command(help=BUILT_IN["map"], configure=configure, run=run)
