"""Which maps are there, and are they whole?"""

from map_tools.errors import MapAgentError, MapStoreError
from map_tools.maps.info import MapInfo, check_sizes, read_info
from mapagent.runtime.config import Settings
from mapagent.runtime.diagnostics.finding import Finding, State
from mapagent.runtime.providers import map_home

AREA = "maps"


def check_maps(settings: Settings) -> tuple[Finding, ...]:
    """One finding for each map of the store. A damaged one fails only if it is the one to be used."""
    home = map_home(settings)
    names = home.list()
    if not names:
        return (
            Finding(
                area=AREA,
                name="store",
                state=State.NO,
                detail=f"no maps yet in {home.root}",
                remedy="Add one with `mapagent map add FILE.osm.pbf`.",
            ),
        )
    used = settings.map or home.last_added()
    findings = []
    for name in names:
        try:
            info = read_info(home.path(name))
            check_sizes(home.path(name), info)
            findings.append(Finding(area=AREA, name=name, state=State.OK, detail=_told(info)))
        except MapStoreError as error:
            state = State.FAIL if name == used and settings.provider == "osm" else State.NO
            findings.append(
                Finding(area=AREA, name=name, state=state, detail=error.message, remedy=error.remedy)
            )
        except MapAgentError as error:  # removed while we looked
            findings.append(Finding(area=AREA, name=name, state=State.NO, detail=error.message))
    return tuple(findings)


def _told(info: MapInfo) -> str:
    routes = "with routes" if info.routable else "without routes"
    size_mb = sum(mark.size_bytes for mark in info.files.values()) / 1e6
    return f"{info.counts.get('features', 0):,} features, {routes}, {size_mb:.1f} MB, from {info.source_file}"
