"""The provider contract: what every provider must keep, as checks that run against any of them.

    report = await check_provider(provider, sample)
    assert report.passed, report.failed

A `ContractSample` says what is known of the world behind the provider. See docs/how-to/add-a-provider.md.
"""

from map_tools.testing.contract.checking import (
    Check,
    ContractSample,
    Rehearsal,
    Rehearsed,
    Sampled,
    read_sample,
)
from map_tools.testing.contract.runner import (
    CHECKS,
    CapabilityTable,
    ContractReport,
    Finding,
    ModeRow,
    Outcome,
    check_provider,
)

__all__ = [
    "CHECKS",
    "CapabilityTable",
    "Check",
    "ContractReport",
    "ContractSample",
    "Finding",
    "ModeRow",
    "Outcome",
    "Rehearsal",
    "Rehearsed",
    "Sampled",
    "check_provider",
    "read_sample",
]
