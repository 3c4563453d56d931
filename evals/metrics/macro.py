"""Means over templates, where each template counts the same whatever its number of questions."""

from collections.abc import Iterable, Mapping

ENTITY_TEMPLATES = tuple(f"T{number}" for number in range(1, 23))
"""GS-QA's templates whose answer is a name, a location or a direction (Geo-ReAct, table 2, last row)."""
NUMERIC_TEMPLATES = tuple(f"T{number}" for number in range(23, 29))
"""Those whose answer is a number."""


def macro(accuracies: Mapping[str, float], templates: Iterable[str] | None = None) -> float | None:
    """The mean of the accuracies of these templates (default: all); those not measured are left out.

    None if none was measured. Geo-ReAct, section 6.2: "we average this binary signal within and across
    templates".
    """
    wanted = accuracies.keys() if templates is None else templates
    found = [accuracies[name] for name in wanted if name in accuracies]
    return sum(found) / len(found) if found else None
