"""Plug-ins: found once, loaded late, duplicates refused."""

from importlib.metadata import EntryPoint

import pytest

from map_tools.errors import ConfigError, UnknownNameError
from mapagent.runtime import plugins
from mapagent.runtime.plugins import Plugins

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
