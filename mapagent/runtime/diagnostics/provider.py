"""Can the provider of map facts be opened?"""

from map_tools.errors import MapAgentError
from mapagent.runtime.config import Settings
from mapagent.runtime.diagnostics.finding import Finding, State, failed
from mapagent.runtime.providers import map_home, open_provider

AREA = "provider"


async def check_provider(settings: Settings, *, asked: bool) -> tuple[Finding, ...]:
    """Opens the settings' provider as a question would; nothing is asked of a service.

    Args:
        settings: Which provider, which map, which key.
        asked: Whether the user chose the provider or the map. Where nothing is chosen and nothing set up yet,
            nothing has failed.
    """
    if not asked and settings.provider == "osm" and not map_home(settings).list():
        return (
            Finding(
                area=AREA,
                name="osm",
                state=State.NO,
                detail="ready, but there is no map yet",
                remedy="Add one with `mapagent map add FILE.osm.pbf`.",
            ),
        )
    try:
        provider = open_provider(settings)
    except MapAgentError as error:
        return (failed(AREA, settings.provider, error),)
    try:
        where = f"map '{provider.map_name}'" if provider.map_name else "opened"
        modes = ", ".join(sorted(mode.value for mode in provider.capabilities.modes)) or "no routes"
        return (Finding(area=AREA, name=provider.name, state=State.OK, detail=f"{where}; {modes}"),)
    finally:
        await provider.close()
