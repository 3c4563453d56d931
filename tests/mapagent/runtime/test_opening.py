"""Plug-ins are found once and loaded late; a provider is opened with its own options and nobody else's secrets."""

import asyncio
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import ClassVar

import pytest
from pydantic import SecretStr

from map_tools.errors import ConfigError, UnknownNameError
from map_tools.providers.base import Entrusted, ProviderSetting
from map_tools.providers.google.provider import GoogleProvider
from map_tools.providers.google_legacy.provider import GoogleLegacyProvider
from map_tools.providers.osm import OsmProvider
from map_tools.providers.osm_web.provider import OsmWebProvider
from map_tools.testing.emulate.osm.services import osm_services, osm_web_options
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.runtime import plugins
from mapagent.runtime.config import Settings, load_settings
from mapagent.runtime.opening import provider_setting
from mapagent.runtime.plugins import Plugins
from tests.support.maps import demo_map

KEY = SecretStr("AIzaOnlyForGoogle")


def settings(provider: str, **more: object) -> Settings:
    return Settings.model_validate({"provider": provider, "google_key": KEY, **more})


@pytest.mark.parametrize("provider", ["google", "google-legacy"])
def test_google_gets_its_key_its_address_and_its_retention(provider: str) -> None:
    chosen = settings(provider, google_base_url="http://127.0.0.1:1", google_keep_payload_days=3)
    setting = provider_setting(chosen)
    assert (setting.key, setting.base_url, setting.keep_payload_days) == (KEY, "http://127.0.0.1:1", 3)


@pytest.mark.parametrize("provider", ["osm-web", "recorded:world.json"])
def test_nobody_else_sees_the_key(provider: str) -> None:
    setting = provider_setting(settings(provider, google_base_url="http://127.0.0.1:1"))
    assert (setting.key, setting.base_url, setting.keep_payload_days) == (None, None, 0)


@pytest.mark.parametrize("factory", [GoogleProvider, GoogleLegacyProvider])
def test_what_is_entrusted_are_settings(factory: type) -> None:
    assert isinstance(factory, Entrusted)
    assert factory.entrusted.keys() <= type(provider_setting(settings("osm-web"))).model_fields.keys()
    assert set(factory.entrusted.values()) <= Settings.model_fields.keys()


def test_each_provider_is_told_its_own_part_of_the_configuration(tmp_path: Path) -> None:
    file = tmp_path / "mapagent.toml"
    file.write_text(
        'contact = "maps@univ.edu"\n'
        "[providers.osm-web]\nrequests_per_s = 5\n"
        '[providers.recorded]\nanything = "else"\n',
        "utf-8",
    )
    told = load_settings(config=file, flags={"provider": "osm-web"}, environ={}).settings
    setting = provider_setting(told)
    assert (setting.options, setting.contact) == ({"requests_per_s": 5}, "maps@univ.edu")


def test_the_contact_comes_from_the_environment() -> None:
    environ = {"MAPAGENT_CONTACT": "maps@univ.edu", "MAPAGENT_PROVIDERS": "ignored"}
    assert load_settings(flags={}, environ=environ).settings.contact == "maps@univ.edu"


def test_a_provider_of_ones_own_can_be_entrusted_with_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mine:
        entrusted: ClassVar[Mapping[str, str]] = {"key": "google_key"}

    monkeypatch.setattr("mapagent.runtime.opening.provider_factory", lambda _: Mine)
    assert provider_setting(settings("mine")).key == KEY


QUESTIONS = (
    "How many pharmacies are within 500 m of Ateneum?",
    "Is Ateneum open on Monday at 11 am?",
    "How long does it take to walk from Kiasma to Ateneum?",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_answers(question: str) -> None:
    async def ask() -> tuple[Answer, Answer]:
        async with osm_services(demo_map()) as (base, _):
            setting = ProviderSetting(name="osm-web", options=osm_web_options(base))
            async with (
                MapAgent(provider=OsmWebProvider.from_setting(setting)) as online,
                MapAgent(provider=OsmProvider.open(demo_map())) as embedded,
            ):
                return await online.ask(question), await embedded.ask(question)

    online, embedded = asyncio.run(ask())
    assert online.text
    assert (online.status, online.text) == (embedded.status, embedded.text)


OURS = ("answer_generator", "context_reader", "map_service", "sequencer", "solution_generator")


def entries(*pairs: tuple[str, str]) -> tuple[EntryPoint, ...]:
    return tuple(EntryPoint(name=name, value=value, group="mapagent.modules") for name, value in pairs)


def test_our_own_modules_are_found_the_way_anybody_elses_are() -> None:
    assert set(OURS) <= set(Plugins("mapagent.modules", "module").names())


def test_two_packages_with_one_name_are_an_error_that_names_both(monkeypatch: pytest.MonkeyPatch) -> None:
    both = entries(("weather", "one:Weather"), ("weather", "two:Weather"))
    monkeypatch.setattr(plugins, "entry_points", lambda group: both)
    with pytest.raises(ConfigError, match=r"one:Weather and two:Weather"):
        Plugins("mapagent.modules", "module")


def test_a_name_in_process_may_not_hide_an_installed_one() -> None:
    with pytest.raises(ConfigError, match=r"'sequencer' is registered twice"):
        Plugins("mapagent.modules", "module", {"sequencer": object()})


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match=r"no module 'telepathy'.*sequencer"):
        Plugins("mapagent.modules", "module").load("telepathy")


def test_a_plugin_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    one = entries(("weather", "no_such_package_anywhere:Weather"))
    monkeypatch.setattr(plugins, "entry_points", lambda group: one)
    with pytest.raises(ConfigError, match=r"'weather' cannot be loaded.*no_such_package_anywhere"):
        Plugins("mapagent.modules", "module").load("weather")
