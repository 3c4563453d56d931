"""What came of checking a provider: one finding for each check, and a table of what it can do."""

from enum import StrEnum

from map_tools.providers.base import Terms
from map_tools.types import Frozen, TravelMode


class Outcome(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"


class Finding(Frozen):
    """What one check found.

    Attributes:
        check: Id of the check ("axis-order").
        sentence: What a provider must keep.
        outcome: Whether it does.
        seen: What was seen; for `NOT_APPLICABLE` why it could not be looked at.
        remedy: What to do about a failure, else empty.
    """

    check: str
    sentence: str
    outcome: Outcome
    seen: str = ""
    remedy: str = ""


class ModeRow(Frozen):
    """What a provider does for one mode of travel: declared, and seen to work."""

    declared: bool
    route: bool = False
    steps: bool = False
    alternatives: bool = False
    waypoints: bool = False
    matrix: bool = False


class CapabilityTable(Frozen):
    """What a provider can do, as declared and as seen with the sample."""

    find: bool
    details: bool
    nearby: bool
    areas: bool
    cheap_names: bool
    full_candidates: bool
    modes: dict[TravelMode, ModeRow]
    facts_declared: tuple[str, ...]
    facts_seen: tuple[str, ...]
    terms: Terms


class ContractReport(Frozen):
    """The result for one provider."""

    provider: str
    map: str | None
    findings: tuple[Finding, ...]
    capabilities: CapabilityTable | None = None

    @property
    def passed(self) -> bool:
        """True if no check failed."""
        return not self.failed

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The findings of the checks that failed."""
        return tuple(finding for finding in self.findings if finding.outcome is Outcome.FAILED)

    def count(self, outcome: Outcome) -> int:
        """How many checks ended so."""
        return sum(finding.outcome is outcome for finding in self.findings)
