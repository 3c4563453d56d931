"""`mapagent map list`: each map with how old its data is."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from map_tools.maps.home import MapHome
    from map_tools.maps.info import MapInfo

_DAYS_OF_MONTH, _DAYS_OF_YEAR = 30.44, 365.25
_MOST_DAYS, _MOST_MONTHS = 60, 24
"""Up to here an age is told in days, or months."""


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
    _print(rows, as_json=as_json)
    if not rows and not as_json:
        print("No maps yet; add one with `mapagent map add FILE.osm.pbf`.")


def show_infos(infos: Iterable["MapInfo"], now: datetime, *, as_json: bool) -> None:
    """Lists maps by their descriptions: those of a database, which are never updated."""
    _print([_row(info, now) | {"updatable": False} for info in infos], as_json=as_json)


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


def _print(rows: list[dict[str, Any]], *, as_json: bool) -> None:
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
