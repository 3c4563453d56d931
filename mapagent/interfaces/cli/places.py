"""`mapagent places add|import|list|remove`: the user's own places."""

import asyncio
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from map_tools.errors import InputFileError, MapStoreError, PlaceNotFoundError, UsageError
from map_tools.maps.home import MapHome
from map_tools.maps.info import read_info
from map_tools.own_places import OwnPlace
from map_tools.tools.base import ToolContext
from map_tools.tools.resolve import resolve
from map_tools.types import Box, LatLng
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_config, position, settings_from
from mapagent.interfaces.cli.show import harmless_json, prints_utf8
from mapagent.runtime.config import Settings
from mapagent.runtime.opening import map_home, open_provider
from mapagent.runtime.own_places import OwnPlacesFile, checked_name
from mapagent.runtime.places_import import read_places

SHOWN_FAULTS = 5
"""So many rows of a file that cannot be used are told one by one."""


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="name a place, or give a name another place")
    add.add_argument("name", metavar="NAME", help='such as "home"')
    add.add_argument(
        "where", metavar="WHERE", help="LAT,LON, or a name or address that is looked up on a map"
    )
    add.add_argument(
        "--provider", help="where a name or address is looked up: osm (default) or another one's name"
    )
    add.add_argument("--map", metavar="NAME", help="which map (default: the last one added)")
    add_config(add)
    take = actions.add_parser("import", help="take a list of places from a file")
    take.add_argument("file", type=Path, metavar="FILE.csv|FILE.geojson")
    take.add_argument("--kind", help='what they are, such as "client sites" (default: the name of the file)')
    add_config(take)
    listing = actions.add_parser("list", help="list your own places")
    listing.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    add_config(listing)
    remove = actions.add_parser("remove", help="forget a place, a list of them, or all")
    which = remove.add_mutually_exclusive_group(required=True)
    which.add_argument("name", nargs="?", metavar="NAME")
    which.add_argument("--kind", help="all places of this kind")
    which.add_argument("--all", action="store_true", help="all places")
    add_config(remove)


def run(given: Namespace) -> int:
    """Runs the action."""
    settings = settings_from(given).settings
    file = OwnPlacesFile(settings.data_home)
    actions = {"add": _add, "import": _import, "list": _list, "remove": _remove}
    return actions[given.action](given, settings, file)


def _add(given: Namespace, settings: Settings, file: OwnPlacesFile) -> int:
    name = checked_name(given.name)
    location, found_as = _located(given.where, settings)
    new = OwnPlace(name=name, location=location, found_as=found_as)
    replaced = file.add([new])
    print(f"{_told(new)} is yours.")
    for one in replaced:
        print(f"It was {_told(one)} before.", file=sys.stderr)
    if not found_as and (hint := _swapped(location, settings)):
        print(hint, file=sys.stderr)
    return 0


def _swapped(location: LatLng, settings: Settings) -> str:
    """What to say of a position that lies on none of the maps here but would with its numbers swapped."""
    boxes = dict(_boxes(map_home(settings)))
    if abs(location.lng) > 90 or any(box.contains(location) for box in boxes.values()):
        return ""
    turned = LatLng(lat=location.lng, lng=location.lat)
    there = next((name for name, box in boxes.items() if box.contains(turned)), None)
    return f"None of your maps is there; {turned}, the other way round, lies on “{there}”." if there else ""


def _boxes(home: MapHome) -> Iterator[tuple[str, Box]]:
    """Where the maps are; what a damaged one is asked will say so."""
    for name in home.list():
        with suppress(MapStoreError):
            yield name, read_info(home.path(name)).bbox


def _located(where: str, settings: Settings) -> tuple[LatLng, str]:
    """A position, or what a map finds of a name or address.

    Raises:
        UsageError: It is neither.
        PlaceNotFoundError: The map has nothing of the name.
    """
    if where.count(",") == 1 and not any(map(str.isalpha, where)):
        try:
            return position(where), ""
        except ArgumentTypeError as error:
            raise UsageError(f"{error}.") from error

    return asyncio.run(_looked_up(where, settings))


async def _looked_up(where: str, settings: Settings) -> tuple[LatLng, str]:
    provider = open_provider(settings)
    try:
        found = await resolve(where, provider, ToolContext())
    finally:
        await provider.close()
    ambiguity = found.ambiguity()
    if ambiguity is not None:
        raise UsageError(ambiguity.message, ambiguity.remedy)
    place = found.place
    if place.location is None:
        raise PlaceNotFoundError(f"The position of '{where}' is not known there.", "Give it as LAT,LON.")
    return place.location, ", ".join(
        filter(None, (place.name, place.address if place.address != place.name else ""))
    )


def _import(given: Namespace, _settings: Settings, file: OwnPlacesFile) -> int:
    found = read_places(given.file, given.kind)
    faults = [*found.faults[:SHOWN_FAULTS]]
    more = len(found.faults) - len(faults)
    if not found.places:
        why = f" The first reason: {faults[0]}" if faults else ""
        raise InputFileError(f"{given.file} has no place that can be used.{why}")
    before = len(file.read())
    file.add(found.places)
    added = len(file.read()) - before
    kind = found.places[0].kind
    known = len(found.places) - added
    print(f"New in your list “{kind}”: {added}." + (f" Known already: {known}." if known else ""))
    for fault in faults:
        print(f"Left out, {fault}", file=sys.stderr)
    if more:
        print(f"Left out, {more} more.", file=sys.stderr)
    return 0


def _list(given: Namespace, _settings: Settings, file: OwnPlacesFile) -> int:
    places = sorted(file.read(), key=lambda one: (one.kind.casefold(), one.name.casefold()))
    if given.json:
        print(
            harmless_json(
                {"places": [_record(one) for one in places]}, ascii_only=not prints_utf8(), indent=2
            )
        )
        return 0
    for one in places:
        print(_line(one))
    if not places:
        print("No places of your own yet; add one with `mapagent places add NAME LAT,LON`.")
    return 0


def _remove(given: Namespace, _settings: Settings, file: OwnPlacesFile) -> int:
    gone = file.remove(given.name, kind=given.kind)
    print(_forgotten(gone))
    return 0


def _forgotten(gone: "Sequence[OwnPlace]") -> str:
    if not gone:
        return "There was nothing to forget."
    return f"{_told(gone[0])} is forgotten." if len(gone) == 1 else f"{len(gone)} places are forgotten."


def _told(one: OwnPlace) -> str:
    found = f", {one.found_as}" if one.found_as else ""
    return f"“{one.name}” ({one.location}{found})"


def _line(one: OwnPlace) -> str:
    parts = (f"{one.name:<24} {one.location}", one.kind, one.found_as)
    return "   ".join(part for part in parts if part)


def _record(one: OwnPlace) -> dict[str, Any]:
    return {
        "name": one.name,
        "lat": one.location.lat,
        "lon": one.location.lng,
        "kind": one.kind,
        "found_as": one.found_as,
    }


COMMAND = Command(help=BUILT_IN["places"], configure=configure, run=run)
