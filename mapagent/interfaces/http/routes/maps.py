"""`GET /api/maps`, `GET /api/setup` and the tiles."""

from string import Template
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from map_tools.errors import MapStoreError
from mapagent import __version__
from mapagent.core.question import MAX_BYTES
from mapagent.interfaces.http.replies import Refusal, json_reply
from mapagent.interfaces.http.schemas import MapRecord, ProviderRecord, SetupRecord, failures
from mapagent.interfaces.http.service import Service, service_of
from mapagent.interfaces.http.tiles.grid import MAX_ZOOM, Tile
from mapagent.interfaces.http.tiles.service import TileService
from mapagent.interfaces.http.tiles.style import Theme, style
from mapagent.interfaces.takeaway.features import EMBEDDED_PROVIDER

MVT = "application/vnd.mapbox-vector-tile"
FOR_EVER = "private, max-age=31536000, immutable"
"""A tile's address names the build it is of, and a build never changes."""
AGAIN = "private, no-cache"
EXAMPLES = (
    Template("Which cafe is nearest to $a, and how far is it?"),
    Template("How long does it take to walk from $a to $b?"),
    Template("Which restaurants are within 300 m of $b?"),
    Template("Is $c north or south of $a?"),
)
"""Questions to begin with, about the best-known places of the map."""


def wanted_tile(z: int, x: int, y: int) -> Tile:
    """The tile of a path, if the grid has it."""
    tile = Tile(z, x, y)
    if not tile.exists:
        raise Refusal(404, f"There is no tile {z}/{x}/{y}.", f"Zoom levels go from 0 to {MAX_ZOOM}.")
    return tile


router = APIRouter(tags=["maps"], responses=failures(401, 404, 422))
Opened = Annotated[Service, Depends(service_of)]


@router.get("/api/setup")
async def setup(service: Opened) -> SetupRecord:
    """What a caller may choose from: models, providers, maps."""
    return SetupRecord(
        version=__version__,
        models=list(service.offers.models),
        providers=[
            ProviderRecord(name=name, uses_maps=name == EMBEDDED_PROVIDER)
            for name in service.offers.providers
        ],
        maps=await _maps(service.tiles),
        default_map=service.offers.default_map(),
        picture_bytes=MAX_BYTES,
    )


@router.get("/api/maps")
async def maps(service: Opened) -> list[MapRecord]:
    """The maps on this server."""
    return await _maps(service.tiles)


@router.get("/tiles/{name}/style.json")
async def map_style(name: str, service: Opened, theme: Theme = "light") -> Response:
    """The MapLibre style of a map."""
    told = await service.tiles.about(name)
    return json_reply(style(told.info, service.tiles.build(name), theme), {"Cache-Control": AGAIN})


@router.get("/tiles/{name}/{z}/{x}/{y}.mvt", responses={200: {"content": {MVT: {}}}, 204: {}})
async def tile(
    name: str, wanted: Annotated[Tile, Depends(wanted_tile)], request: Request, service: Opened
) -> Response:
    """A vector tile of a map."""
    build = service.tiles.build(name)
    mark = f'"{build}/{wanted.z}/{wanted.x}/{wanted.y}"'
    cache = FOR_EVER if request.query_params.get("build") == build else AGAIN
    headers = {"Cache-Control": cache, "ETag": mark}
    if request.headers.get("if-none-match") == mark:
        return Response(status_code=304, headers=headers)
    drawn = await service.tiles.tile(name, wanted)
    if not drawn:
        return Response(status_code=204, headers=headers)
    return Response(drawn, media_type=MVT, headers=headers | {"Content-Encoding": "gzip"})


async def _maps(tiles: TileService) -> list[MapRecord]:
    return [record for name in tiles.names() if (record := await _map(tiles, name)) is not None]


async def _map(tiles: TileService, name: str) -> MapRecord | None:
    """A map's description; None for a damaged one, which does not hide the others."""
    try:
        told = await tiles.about(name)
    except MapStoreError:
        return None
    info, box = told.info, told.info.bbox
    return MapRecord(
        name=info.name,
        bounds=(box.west, box.south, box.east, box.north),
        features=info.counts.get("features", 0),
        routable=info.routable,
        timetable=info.timetable is not None,
        timezone=info.timezone,
        attribution=info.attribution,
        attribution_url=info.attribution_url,
        style=f"/tiles/{info.name}/style.json",
        examples=_examples(told.landmarks),
    )


def _examples(landmarks: tuple[str, ...]) -> list[str]:
    if len(landmarks) < 3:
        return []
    a, b, c = landmarks[:3]
    return [template.substitute(a=a, b=b, c=c) for template in EXAMPLES]
