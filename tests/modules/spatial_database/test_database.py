"""Which SQL database is asked: a server that is set, else the embedded one of the map."""

import asyncio
from pathlib import Path

import pytest

from map_tools.errors import ConfigError, UnsupportedError
from map_tools.providers.base import ProviderSetting
from map_tools.providers.osm import OsmProvider
from mapagent.runtime.config import LoadedSettings, Settings
from modules.spatial_database.database import SqlSetting, open_database, source_of
from tests.evals.methods.context import harbour
from tests.support.maps import demo_map


def told(**sql: object) -> Settings:
    return Settings(modules={"spatial_database": {"sql": sql}})


def test_the_limits_of_gsqa_are_the_default() -> None:
    assert SqlSetting.of(Settings()) == SqlSetting(timeout_s=60, max_rows=20)
    assert SqlSetting.of(told(timeout_s=120)).timeout_s == 120


@pytest.mark.parametrize("sql", [{"timeout_s": 0}, {"max_rows": 5000}, {"rows": 3}])
def test_a_wrong_setting_is_named(sql: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=next(iter(sql))):
        SqlSetting.of(told(**sql))


def test_the_address_of_a_server_is_not_shown() -> None:
    settings = told(dsn="host=127.0.0.1 password=hush")
    assert "hush" not in repr(SqlSetting.of(settings))
    shown = LoadedSettings(settings, {}).shown()
    assert "***" in {name: value for name, value, _ in shown}["modules"]
    assert not any("hush" in value for _, value, _ in shown)


def test_a_server_that_is_set_is_asked_and_nothing_else(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be reached"):
        open_database(told(dsn="host=127.0.0.1 port=1 dbname=none connect_timeout=2"), tmp_path)


def test_the_embedded_one_is_made_of_the_providers_map(tmp_path: Path) -> None:
    provider = OsmProvider.from_setting(ProviderSetting(name="osm", map_path=demo_map()))
    database = open_database(Settings(data_home=tmp_path), source_of(provider))
    try:
        assert {table.name for table in database.schema().tables} == {
            "pois",
            "parks",
            "lakes",
            "roads",
            "regions",
        }
    finally:
        database.close()
        asyncio.run(provider.close())


def test_a_provider_without_a_map_has_none() -> None:
    with pytest.raises(UnsupportedError, match="'recorded'"):
        source_of(harbour())
