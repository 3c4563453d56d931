"""A browser and a server over the demo map, shared by the tests of a module."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import VENDORED, browser, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.support.http_server import Client


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    """A browser; skips without one, or without what scripts/vendor-web fetches."""
    if not VENDORED.is_file():
        pytest.skip("needs MapLibre GL JS: run scripts/vendor-web")
    with browser() as started:
        yield started


@pytest.fixture
def page(chromium: "Browser", client: "Client") -> Iterator["Page"]:
    """The page of the server over the demo map."""
    with opened(chromium, str(client.base_url)) as page:
        yield page
