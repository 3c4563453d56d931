"""The web page: its files, and what was vendored for it."""

from pathlib import Path

from fastapi import APIRouter, FastAPI
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parents[1] / "page"

router = APIRouter(include_in_schema=False)


@router.get("/")
async def index() -> FileResponse:
    """The page."""
    return FileResponse(FOLDER / "index.html", headers={"Cache-Control": "no-cache"})


def add_page(app: FastAPI) -> None:
    """Serves the page and its files; nothing outside their folder can be reached."""
    app.include_router(router)
    app.mount("/page", StaticFiles(directory=FOLDER), name="page")
