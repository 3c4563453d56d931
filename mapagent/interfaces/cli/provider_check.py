"""`mapagent provider check NAME`: does a provider keep the contract, and what can it do?"""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from mapagent.interfaces.cli.command import add_config, settings_from

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from map_tools.providers.base import Provider
    from map_tools.testing.contract import ContractReport, ContractSample
    from mapagent.runtime.config import Settings


def add(actions: "_SubParsersAction[ArgumentParser]") -> None:
    """Declares the arguments."""
    parser = actions.add_parser("check", help="check that a provider keeps the provider contract")
    parser.add_argument("provider", metavar="NAME", help="osm, recorded:PATH, or a plug-in's name")
    parser.add_argument("--map", metavar="NAME", help="which map (default: the last one added)")
    parser.add_argument("--sample", type=Path, metavar="FILE", help="facts of its world, as TOML")
    parser.add_argument("--live", action="store_true", help="ask the real service; it may cost money")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    add_config(parser)
    parser.set_defaults(act=run)


def run(given: Namespace) -> int:
    """Prints the findings and the capabilities; exit code 0 if no check failed, else 1."""
    import asyncio

    from mapagent.interfaces.cli.provider_report import as_json, as_text
    from mapagent.interfaces.cli.show import prints_utf8

    settings = settings_from(given).settings
    report = asyncio.run(_check(settings, given.sample, live=given.live))
    print(as_json(report, ascii_only=not prints_utf8()) if given.json else as_text(report))
    return 0 if report.passed else 1


async def _check(settings: "Settings", sample_file: Path | None, *, live: bool) -> "ContractReport":
    """Over a stand-in for the service where there is one, unless the real service is asked for."""
    from map_tools.testing.contract import Rehearsed, check_provider
    from mapagent.runtime.providers import provider_factory, provider_setting

    factory, setting = provider_factory(settings), provider_setting(settings)
    keys = _keys(settings)
    if isinstance(factory, Rehearsed) and not live:
        async with factory.rehearsal(setting) as given:
            sample = _read(sample_file) or given.sample
            return await check_provider(given.provider, sample, secrets=(*keys, *given.secrets))
    provider = factory.from_setting(setting)
    sample = await _sample_for(provider, sample_file, live=live)
    return await check_provider(provider, sample, secrets=keys)


async def _sample_for(provider: "Provider", file: Path | None, *, live: bool) -> "ContractSample":
    """The sample for a provider, which is closed if there is none."""
    from map_tools.errors import MapAgentError

    try:
        if not live:
            _refuse_service(provider)
        return _read(file) or await _own_sample(provider)
    except MapAgentError:
        await provider.close()
        raise


def _refuse_service(provider: "Provider") -> None:
    """Only with `--live` is a service asked: where looking up names costs something, there is one."""
    from map_tools.errors import UsageError
    from map_tools.providers.base import Provider

    if isinstance(provider, Provider) and not provider.capabilities.cheap_names:
        raise UsageError(
            f"The provider '{provider.name}' asks a service, and has no rehearsal to be checked without it.",
            "Add --live to ask the service with your key.",
        )


def _read(file: Path | None) -> "ContractSample | None":
    from map_tools.testing.contract import read_sample

    return None if file is None else read_sample(file)


async def _own_sample(provider: "Provider") -> "ContractSample":
    from map_tools.errors import UsageError
    from map_tools.testing.contract import Sampled

    if isinstance(provider, Sampled):
        return await provider.contract_sample()
    raise UsageError(
        f"The provider '{provider.name}' needs a sample of its world.",
        "Name a TOML file with --sample; docs/how-to/add-a-provider.md says what stands in it.",
    )


def _keys(settings: "Settings") -> tuple[str, ...]:
    from mapagent.runtime.config import SECRETS

    keys = (getattr(settings, name) for name in SECRETS)
    return tuple(key.get_secret_value() for key in keys if key is not None)
