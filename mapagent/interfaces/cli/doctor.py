"""`mapagent doctor`: what works, what does not, and what to do."""

import asyncio
import json
from argparse import ArgumentParser, Namespace

from mapagent.core.facttext import clean
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_settings, settings_from
from mapagent.runtime.config import LoadedSettings
from mapagent.runtime.diagnostics.extras import check_ocr, check_postgis
from mapagent.runtime.diagnostics.finding import Finding, State
from mapagent.runtime.diagnostics.maps import check_maps
from mapagent.runtime.diagnostics.model import check_model
from mapagent.runtime.diagnostics.provider import check_provider


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    add_settings(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def run(given: Namespace) -> int:
    """Looks at everything; exit code 0 if all that was asked for works, else 1."""
    findings = asyncio.run(_findings(settings_from(given)))
    fine = all(finding.state is not State.FAIL for finding in findings)
    if given.json:
        _print_json(findings, fine=fine)
    else:
        _print_text(findings)
    return 0 if fine else 1


async def _findings(loaded: LoadedSettings) -> tuple[Finding, ...]:
    settings = loaded.settings
    chosen = any(loaded.origins.get(name, "default") != "default" for name in ("provider", "map"))
    return (
        *await check_model(settings),
        *await check_provider(settings, asked=chosen),
        *check_maps(settings),
        *check_postgis(),
        *check_ocr(),
    )


def _print_json(findings: tuple[Finding, ...], *, fine: bool) -> None:
    rows = [finding.model_dump(mode="json") for finding in findings]
    print(json.dumps({"ok": fine, "findings": rows}, indent=1))


def _print_text(findings: tuple[Finding, ...]) -> None:
    for finding in findings:
        print(f"{finding.state:<5}{finding.area:<10}{finding.name:<16} {clean(finding.detail)}")
        if finding.remedy:
            print(f"{'':<32}→ {finding.remedy}")


COMMAND = Command(help=BUILT_IN["doctor"], configure=configure, run=run)
