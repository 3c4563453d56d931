"""`mapagent config`, `mapagent doctor`, `mapagent cache`: what is set here, what works, and what is kept.

Each loads what it needs when it runs: `config show` is to be quick.
"""

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from mapagent.interfaces.cli.command import BUILT_IN, Command, add_config, add_settings, settings_from

if TYPE_CHECKING:
    from mapagent.runtime.config import LoadedSettings
    from mapagent.runtime.diagnostics import Finding


def configure_config(parser: ArgumentParser) -> None:
    """Declares the arguments of `mapagent config`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="print the settings and their origins")
    add_settings(show)


def show_settings(given: Namespace) -> int:
    """Prints one line per setting, its value and where it comes from; secrets are only said to be set."""
    for name, value, origin in settings_from(given).shown():
        print(f"{name:<16} {value:<50} ({origin})")
    return 0


def configure_doctor(parser: ArgumentParser) -> None:
    """Declares the arguments of `mapagent doctor`."""
    add_settings(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def examine(given: Namespace) -> int:
    """Looks at everything; exit code 0 if all that was asked for works, else 1."""
    import asyncio

    from mapagent.runtime.diagnostics import State

    findings = asyncio.run(_findings(settings_from(given)))
    fine = all(finding.state is not State.FAIL for finding in findings)
    if given.json:
        _print_json(findings, fine=fine)
    else:
        _print_text(findings)
    return 0 if fine else 1


async def _findings(loaded: "LoadedSettings") -> "tuple[Finding, ...]":
    from mapagent.runtime.diagnostics import (
        check_maps,
        check_model,
        check_ocr,
        check_postgis,
        check_provider,
    )

    settings = loaded.settings
    chosen = any(loaded.origins.get(name, "default") != "default" for name in ("provider", "map"))
    return (
        *await check_model(settings),
        *await check_provider(settings, asked=chosen),
        *check_maps(settings),
        *check_postgis(),
        *check_ocr(),
    )


def _print_json(findings: "tuple[Finding, ...]", *, fine: bool) -> None:
    rows = [finding.model_dump(mode="json") for finding in findings]
    print(json.dumps({"ok": fine, "findings": rows}, indent=1))


def _print_text(findings: "tuple[Finding, ...]") -> None:
    from mapagent.core.rendering import clean

    for finding in findings:
        print(f"{finding.state:<5}{finding.area:<10}{finding.name:<16} {clean(finding.detail)}")
        if finding.remedy:
            print(f"{'':<32}→ {finding.remedy}")


def configure_cache(parser: ArgumentParser) -> None:
    """Declares the arguments of `mapagent cache`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    explain = actions.add_parser("explain", help="say why the latest request was not answered from a cache")
    add_config(explain)
    add_config(actions.add_parser("clear", help="forget all kept replies"))


def explain_or_clear(given: Namespace) -> int:
    """Explains or clears every cache there is."""
    from mapagent.core.rendering import clean
    from mapagent.runtime.caches import known_caches

    for cache in known_caches(settings_from(given).settings):
        if given.action == "clear":
            print(f"{cache.name}: {cache.clear()} replies forgotten.")
            continue
        report = cache.report()
        print(f"{report.name}: {report.entries} replies kept in {report.path}")
        for line in report.explanation:
            print(f"  {clean(line) if not line.startswith('  ') else '  ' + clean(line)}")
    return 0


CONFIG = Command(help=BUILT_IN["config"], configure=configure_config, run=show_settings)
DOCTOR = Command(help=BUILT_IN["doctor"], configure=configure_doctor, run=examine)
CACHE = Command(help=BUILT_IN["cache"], configure=configure_cache, run=explain_or_clear)
