"""What goes wrong between us and the database is said in a sentence, and never with a password."""

import asyncio
import traceback
from pathlib import Path

import psycopg
import pytest

from map_tools.errors import ConfigError, MapAgentError, MapStoreError, ProviderError
from map_tools.maps.home import MapHome
from map_tools.providers.base import ProviderSetting
from map_tools.providers.postgis.load import load_region
from map_tools.providers.postgis.provider import PostgisProvider
from map_tools.types import LatLng
from tests.map_tools.providers.postgis.conftest import as_reader, load_village, new_database, opened
from tests.support.data import demo_extract

PASSWORD = "hunter2-marker"


def refused(dsn: str | None, argument: str = "") -> MapAgentError:
    """The error of opening the provider, which names no password."""
    options = {} if dsn is None else {"dsn": dsn}
    with pytest.raises(MapAgentError) as caught:
        PostgisProvider.from_setting(ProviderSetting(name="postgis", argument=argument, options=options))
    assert PASSWORD not in "".join(traceback.format_exception(caught.value))
    return caught.value


def test_no_database_is_named() -> None:
    assert "No database is named" in str(refused(None))


@pytest.mark.parametrize(
    "dsn",
    [
        f"host=127.0.0.1 port=1 user=x password={PASSWORD}",
        f"postgresql://x:{PASSWORD}@127.0.0.1:1/maps",
        f"host=127.0.0.1 port=1 password {PASSWORD}",
        f"nonsense={PASSWORD}",
        f"postgresql://x:{PASSWORD}@127.0.0.1:port/maps",
        f"postgresql://x:{PASSWORD}%zz@127.0.0.1/maps",
    ],
)
def test_an_address_that_leads_nowhere(dsn: str) -> None:
    assert isinstance(refused(dsn), ConfigError)


def test_nobody_listens() -> None:
    error = refused("host=127.0.0.1 port=1 user=x dbname=maps")
    assert "cannot be reached" in error.message
    assert "127.0.0.1" in error.remedy


def test_a_password_in_the_name_of_the_provider_is_refused() -> None:
    for argument in (
        f"host=127.0.0.1 password={PASSWORD}",
        f"postgresql://x:{PASSWORD}@h/d",
        f"{PASSWORD} x",
    ):
        assert "is recorded" in refused(None, argument).message


def test_no_such_role(server: str) -> None:
    error = refused(server.replace("user=owner", "user=nobody_here"))
    assert "refuses this role" in error.message
    assert 'role "nobody_here" does not exist' in error.remedy


def test_a_database_without_maps(server: str) -> None:
    error = refused(new_database(server, "without_maps"))
    assert "no maps yet" in error.message
    assert "map add" in error.remedy


def test_a_role_that_may_not_read(server: str, helsinki: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE ROLE stranger LOGIN")
    error = refused(helsinki.replace("user=owner", "user=stranger"))
    assert "'stranger' may not read" in error.message


def test_the_reader_can_only_read(helsinki: str) -> None:
    with psycopg.connect(as_reader(helsinki)) as connection:
        for statement in (
            "DELETE FROM mapagent.regions",
            "CREATE TABLE mapagent.x (y int)",
            "DROP SCHEMA mapagent",
        ):
            with pytest.raises(psycopg.errors.Error):
                connection.execute(statement)
            connection.rollback()


def test_a_foreign_schema_is_left_alone(server: str, tmp_path: Path) -> None:
    dsn = new_database(server, "foreign_schema")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA mapagent")
        connection.execute("CREATE TABLE mapagent.regions (x int)")
    assert "not one that this program reads" in refused(dsn).message
    with pytest.raises(ConfigError, match="not one that this program reads"):
        load_region(demo_extract(), dsn, home=MapHome(tmp_path))


def test_a_region_of_another_version(server: str, tmp_path: Path) -> None:
    dsn = new_database(server, "another_version")
    load_village(dsn, "old", tmp_path)
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("UPDATE mapagent.regions SET info = jsonb_set(info, '{schema_version}', '1')")
    error = refused(as_reader(dsn))
    assert isinstance(error, MapStoreError)
    assert "'old'" in error.message


def test_a_role_that_may_not_make_tables(server: str, tmp_path: Path) -> None:
    dsn = new_database(server, "not_mine")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE ROLE guest LOGIN")
    with pytest.raises(ConfigError) as caught:
        load_region(demo_extract(), dsn.replace("user=owner", "user=guest"), home=MapHome(tmp_path))
    assert "cannot take the map" in caught.value.message
    assert "CREATE EXTENSION postgis" in caught.value.remedy


def test_a_locale_without_letters(server: str, tmp_path: Path) -> None:
    """Under the locale C pg_trgm finds no name that is not written in Latin letters."""
    dsn = new_database(server, "plain_c", "TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
    with pytest.raises(ConfigError, match="letters beyond ASCII"):
        load_region(demo_extract(), dsn, home=MapHome(tmp_path))


def test_connections_that_the_server_cut(helsinki: str, server: str, data_home: Path) -> None:
    """Whoever asks after the server was started anew is answered."""
    provider = opened(helsinki, data_home)
    assert asyncio.run(provider.find_place("Ateneum"))
    cut(server)
    assert asyncio.run(provider.find_place("Ateneum"))
    asyncio.run(provider.close())


def cut(server: str) -> None:
    """Ends all connections of the reading role, and waits until they are gone."""
    with psycopg.connect(server, autocommit=True) as connection:
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = 'mapagent_reader'"
        ).fetchall()
    assert ended
    assert all(done for (done,) in ended)


def test_a_query_that_takes_too_long(helsinki: str) -> None:
    options = {"dsn": as_reader(helsinki), "timeout_s": 0.001}
    with pytest.raises(ProviderError, match="could not answer: canceling statement"):
        asyncio.run(look_around(ProviderSetting(name="postgis", options=options)))


async def look_around(setting: ProviderSetting) -> None:
    provider = PostgisProvider.from_setting(setting)
    try:
        await provider.nearby(LatLng(lat=60.17, lng=24.94), radius_m=100_000, limit=None)
    finally:
        await provider.close()
