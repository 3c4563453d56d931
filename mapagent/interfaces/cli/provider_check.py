"""Providers of one's own: `mapagent provider new NAME` begins a package, `provider check NAME` tells what it lacks.

The new package is the folder `template` of `map_tools.testing.contract`, with `@NAME@`, `@MODULE@` and `@CLASS@`
filled in in its names and texts.
"""

import asyncio
import json
import re
from argparse import Namespace
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from map_tools.errors import MapAgentError, UsageError
from map_tools.providers.base import Provider
from map_tools.testing.contract import (
    CapabilityTable,
    ContractReport,
    ContractSample,
    Finding,
    ModeRow,
    Outcome,
    Rehearsed,
    Sampled,
    check_provider,
    read_sample,
)
from mapagent.core.rendering import clean
from mapagent.interfaces.cli.command import settings_from
from mapagent.interfaces.cli.show import prints_utf8
from mapagent.runtime.config import SECRETS, Settings
from mapagent.runtime.opening import provider_factory, provider_setting

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SUFFIX = ".tmpl"


def write_skeleton(name: str, folder: Path) -> tuple[Path, ...]:
    """Writes the package `NAME` below a folder.

    Args:
        name: Name of the provider, as `--provider` will take it ("my-maps").
        folder: Where the package's folder is made.

    Returns:
        The files written.

    Raises:
        UsageError: The name is not one, or there is such a folder already, or it cannot be written.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"'{name}' cannot be the name of a provider.",
            "Use small letters, digits and single '-', beginning with a letter.",
        )
    target = folder / name
    if target.exists():
        raise UsageError(
            f"There is a '{target}' already.", "Choose another name, or another folder with --to."
        )
    words = {
        "@NAME@": name,
        "@MODULE@": name.replace("-", "_"),
        "@CLASS@": "".join(part.capitalize() for part in name.split("-")),
    }
    try:
        return tuple(_copy(files("map_tools.testing.contract") / "template", target, words))
    except OSError as error:
        raise UsageError(
            f"The folder {target} cannot be written: {error.strerror}.", "Name another folder with --to."
        ) from error


def _copy(source: Traversable, target: Path, words: dict[str, str]) -> list[Path]:
    target.mkdir(parents=True)
    written: list[Path] = []
    for entry in sorted(source.iterdir(), key=lambda each: each.name):
        name = _filled(entry.name, words).removesuffix(SUFFIX)
        if entry.is_dir():
            written += _copy(entry, target / name, words)
        else:
            (target / name).write_text(_filled(entry.read_text("utf-8"), words), "utf-8")
            written.append(target / name)
    return written


def _filled(text: str, words: dict[str, str]) -> str:
    for mark, word in words.items():
        text = text.replace(mark, word)
    return text


MARKS = {Outcome.PASSED: "ok", Outcome.FAILED: "FAILED", Outcome.NOT_APPLICABLE: "-"}


def run(given: Namespace) -> int:
    """Prints the findings and the capabilities; exit code 0 if no check failed, else 1."""
    settings = settings_from(given).settings
    report = asyncio.run(_check(settings, given.sample, live=given.live))
    print(as_json(report, ascii_only=not prints_utf8()) if given.json else as_text(report))
    return 0 if report.passed else 1


def as_json(report: ContractReport, *, ascii_only: bool = False) -> str:
    """One JSON object: `passed`, `counts`, and the fields of `ContractReport`."""
    counts = {outcome.value: report.count(outcome) for outcome in Outcome}
    record = {"passed": report.passed, "counts": counts, **report.model_dump(mode="json")}
    return json.dumps(record, ensure_ascii=ascii_only, indent=2)


def as_text(report: ContractReport) -> str:
    """The findings line by line, what to do about failures, and the capabilities as a table."""
    place = f", map {report.map}" if report.map else ""
    lines = [clean(f"Provider {report.provider}{place}"), ""]
    for finding in report.findings:
        lines += _finding(finding)
    lines += ["", _counts(report)]
    if report.capabilities is not None:
        lines += ["", *_capabilities(report.capabilities)]
    return "\n".join(lines)


def _finding(finding: Finding) -> Iterator[str]:
    yield f"{MARKS[finding.outcome]:<7} {finding.check:<23} {finding.sentence}"
    if finding.outcome is not Outcome.PASSED:
        yield f"{'':<32}{clean(finding.seen)}"
    if finding.remedy:
        yield f"{'':<32}→ {finding.remedy}"


def _counts(report: ContractReport) -> str:
    counts = (f"{report.count(outcome)} {outcome.value}" for outcome in Outcome)
    return f"{len(report.findings)} checks: {', '.join(counts)}"


def _capabilities(table: CapabilityTable) -> Iterator[str]:
    columns = tuple(ModeRow.model_fields)
    yield f"{'mode':<11}" + "".join(f"{column:<14}" for column in columns).rstrip()
    for mode, row in table.modes.items():
        cells = (_yes(getattr(row, column)) for column in columns)
        yield f"{mode.value:<11}" + "".join(f"{cell:<14}" for cell in cells).rstrip()
    yield ""
    calls = {"find": table.find, "details": table.details, "nearby": table.nearby, "areas": table.areas}
    yield "calls      " + ", ".join(f"{name} {_yes(works)}" for name, works in calls.items())
    yield f"facts      {', '.join(table.facts_declared) or 'none'}"
    unseen = [fact for fact in table.facts_declared if fact not in table.facts_seen]
    if unseen:
        yield f"not seen   {', '.join(unseen)}"
    terms = table.terms
    days = terms.keep_payload_days
    kept = "for ever" if days is None else f"{days} days"
    yield f"terms      {clean(terms.attribution)} ({clean(terms.attribution_url)})"
    yield f"keep       {kept}"
    yield f"draw on    {clean(terms.base_map)} map"
    for mode, warning in terms.travel_warnings.items():
        yield f"{mode.value:<11}{clean(warning)}"


def _yes(works: object) -> str:
    return "yes" if works else "no"


async def _check(settings: Settings, sample_file: Path | None, *, live: bool) -> ContractReport:
    """Over a stand-in for the service where there is one, unless the real service is asked for."""
    factory, setting = provider_factory(settings), provider_setting(settings)
    keys = _keys(settings)
    if isinstance(factory, Rehearsed) and not live:
        async with factory.rehearsal(setting) as given:
            sample = _read(sample_file) or given.sample
            return await check_provider(given.provider, sample, secrets=(*keys, *given.secrets))
    provider = factory.from_setting(setting)
    sample = await _sample_for(provider, sample_file, live=live)
    return await check_provider(provider, sample, secrets=keys)


async def _sample_for(provider: Provider, file: Path | None, *, live: bool) -> ContractSample:
    """The sample for a provider, which is closed if there is none."""
    try:
        if not live:
            _refuse_service(provider)
        return _read(file) or await _own_sample(provider)
    except MapAgentError:
        await provider.close()
        raise


def _refuse_service(provider: Provider) -> None:
    """Only with `--live` is a service asked: where looking up names costs something, there is one."""
    if isinstance(provider, Provider) and not provider.capabilities.cheap_names:
        raise UsageError(
            f"The provider '{provider.name}' asks a service, and has no rehearsal to be checked without it.",
            "Add --live to ask the service with your key.",
        )


def _read(file: Path | None) -> ContractSample | None:
    return None if file is None else read_sample(file)


async def _own_sample(provider: Provider) -> ContractSample:
    if isinstance(provider, Sampled):
        return await provider.contract_sample()
    raise UsageError(
        f"The provider '{provider.name}' needs a sample of its world.",
        "Name a TOML file with --sample; docs/how-to/add-a-provider.md says what stands in it.",
    )


def _keys(settings: Settings) -> tuple[str, ...]:
    keys = (getattr(settings, name) for name in SECRETS)
    return tuple(key.get_secret_value() for key in keys if key is not None)
