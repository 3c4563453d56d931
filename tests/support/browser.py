"""A headless Chromium for tests of the web page, driven by Playwright."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
VENDORED = ROOT / "mapagent" / "interfaces" / "http" / "page" / "vendor" / "maplibre-gl.mjs"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
"""Root has no sandbox, and a machine without graphics draws WebGL in software."""
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


@contextmanager
def browser() -> Iterator["Browser"]:
    """Starts Chromium; skips the test where it is missing and cannot be installed."""
    api = pytest.importorskip("playwright.sync_api", reason="needs the group 'browser'")
    program = _program()
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield started
        finally:
            started.close()


@contextmanager
def opened(
    browser: "Browser", url: str, *, dark: bool = False, size: dict[str, int] | None = None
) -> Iterator["Page"]:
    """A page of the server; what goes wrong in it, or leaves it for another host, fails the test."""
    wrong: list[str] = []
    context = browser.new_context(
        viewport=size or DESKTOP, color_scheme="dark" if dark else "light", reduced_motion="reduce"
    )
    try:
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("console", lambda said: wrong.append(said.text) if _is_wrong(said.type, said.text) else None)
        page.on("request", lambda asked: wrong.append(asked.url) if _is_foreign(asked.url, url) else None)
        page.goto(url)
        yield page
    finally:
        context.close()
    assert wrong == []


def _is_wrong(kind: str, text: str) -> bool:
    """Errors of scripts and of the content policy; that a request failed is for the page to say."""
    return kind == "error" and "Failed to load resource" not in text


def _is_foreign(asked: str, own: str) -> bool:
    return not asked.startswith((own.partition("#")[0].rstrip("/"), "data:", "blob:"))


def _program() -> str:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        install = ROOT / "scripts" / "install-browser"
        subprocess.run([str(install)], capture_output=True, timeout=900, check=False)
        found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("needs Chromium: run scripts/install-browser as root")
    return found
