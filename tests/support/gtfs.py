"""Writes GTFS feeds for tests: tables as texts, put into a zip archive."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

WEEKDAYS = "monday,tuesday,wednesday,thursday,friday,saturday,sunday"

HELSINKI: Mapping[str, str] = {
    "agency": """\
        agency_id,agency_name,agency_url,agency_timezone
        a,Demo Transport,https://example.org,Europe/Helsinki
        """,
    "stops": """\
        stop_id,stop_name,stop_lat,stop_lon
        glass,Glass Palace,60.1697,24.9372
        theatre,Theatre,60.1673,24.9437
        market,Market Square,60.1679,24.9520
        island,Island,60.1455,24.9880
        """,
    "routes": """\
        route_id,agency_id,route_short_name,route_type
        t4,a,4,0
        b16,a,16,3
        n1,a,N1,3
        f,a,,4
        """,
    "trips": """\
        route_id,service_id,trip_id,trip_headsign
        t4,week,t4-0800,Market Square
        t4,week,t4-0815,Market Square
        b16,week,b16-0822,Kamppi
        b16,week,b16-0852,Kamppi
        n1,week,n1-2430,Kamppi
        t4,sunday,t4-sun,Market Square
        f,week,f-0820,
        """,
    "stop_times": """\
        trip_id,stop_id,stop_sequence,arrival_time,departure_time
        t4-0800,glass,1,08:00:00,08:00:00
        t4-0800,theatre,2,08:02:00,08:02:30
        t4-0800,market,3,08:05:00,08:05:00
        t4-0815,glass,1,08:15:00,08:15:00
        t4-0815,theatre,2,08:17:00,08:17:30
        t4-0815,market,3,08:20:00,08:20:00
        b16-0822,market,1,08:22:00,08:22:00
        b16-0822,glass,2,08:26:00,08:26:00
        b16-0852,market,1,08:52:00,08:52:00
        b16-0852,glass,2,08:56:00,08:56:00
        n1-2430,market,1,24:30:00,24:30:00
        n1-2430,glass,2,24:34:00,24:34:00
        t4-sun,glass,1,10:00:00,10:00:00
        t4-sun,market,2,10:05:00,10:05:00
        f-0820,market,1,08:20:00,08:20:00
        f-0820,island,2,08:40:00,08:40:00
        """,
    "calendar": f"""\
        service_id,{WEEKDAYS},start_date,end_date
        week,1,1,1,1,1,0,0,20261101,20261231
        sunday,0,0,0,0,0,0,1,20261101,20261231
        """,
    "calendar_dates": """\
        service_id,date,exception_type
        week,20261225,2
        sunday,20261225,1
        """,
}
"""Three stops of central Helsinki and one beyond the demo map; a tram, a bus, a night bus and a ferry without a name.

On Christmas Day it goes as on Sundays. 2026-11-23 is a Monday.
"""


def write_feed(path: Path, tables: Mapping[str, str]) -> Path:
    """Writes a feed; lines of tables may be indented."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in tables.items():
            lines = (line.strip() for line in text.strip().splitlines())
            archive.writestr(f"{name}.txt", "\n".join(lines) + "\n")
    return path
