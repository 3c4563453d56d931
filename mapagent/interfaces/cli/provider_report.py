"""How the result of checking a provider is shown."""

import json
from collections.abc import Iterator

from map_tools.testing.contract import CapabilityTable, ContractReport, Finding, ModeRow, Outcome
from mapagent.core.facttext import clean

MARKS = {Outcome.PASSED: "ok", Outcome.FAILED: "FAILED", Outcome.NOT_APPLICABLE: "-"}


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
