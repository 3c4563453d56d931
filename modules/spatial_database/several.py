"""One solution of all ways to understand the names of a question.

A name may be that of several places: branches of a chain, churches of one saint. What differs from place to
place cannot be told then, but a list can: what lies next to any of them is next to "a" place of that name.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import inf

from mapagent.answer import Named, NameSet, Solution, Status
from modules.spatial_database.outcome import Outcome
from modules.spatial_database.outcome_lists import MOST_NAMED
from modules.offline.spatial_intent import SpatialIntent

CHAIN_SHARE = 2 / 3
"""What so many of the places of a name are is what they are, whatever the others say."""
MOST_TOLD = 5
"""Places that are told apart in words."""


def combined(
    intent: SpatialIntent,
    outcomes: Sequence[Outcome],
    notes: tuple[str, ...],
    meant: Mapping[str, Sequence[str]],
) -> Solution:
    """The solution they agree on, the only one there is, or for a list all of them together.

    Args:
        intent: What was asked.
        outcomes: What came out for each way to understand the names.
        notes: What a reader should know.
        meant: For each name the places it may be that of, in words.
    """
    found = [one for one in outcomes if one.value is not None]
    if not found:
        reason = next((one.reason for one in outcomes if one.reason), "Nothing was found.")
        return Solution(status=Status.UNANSWERABLE, reason=reason, warnings=notes, explanation=reason)
    different = Counter(one.told for one in found)
    told, times = different.most_common(1)[0]
    if intent.ask == "kind" and times >= CHAIN_SHARE * len(found):
        found = [one for one in found if one.told == told]
        different = Counter([told])
    if len(different) > 1:
        return _all(intent, found, notes) if _is_list(intent) else _ambiguous(meant, notes)
    if len(outcomes) > len(found):
        notes = (*notes, f"{len(outcomes)} places have the name; only around one is there anything.")
    return found[0].solution(notes)


def _is_list(intent: SpatialIntent) -> bool:
    """True if all features that fit are asked for: not the nearest ones, not so and so many."""
    return intent.ask == "names" and intent.pick == "any" and intent.n is None and intent.other is None


def _all(intent: SpatialIntent, found: Sequence[Outcome], notes: tuple[str, ...]) -> Solution:
    """What lies at any of the places: first what lies at most of them, then what lies nearest to one."""
    lists = [_names(one) for one in found]
    times = Counter(name for names in lists for name in names)
    nearest_m = {name: min(one.distances_m.get(name, inf) for one in found) for name in times}
    ranked = sorted(times, key=lambda name: (-times[name], nearest_m[name]))[:MOST_NAMED]
    apart = "; ".join(_some([_told(one, names) for one, names in zip(found, lists, strict=True)]))
    warning = f"{len(found)} places called '{intent.anchor or intent.region}' have some: {apart}."
    return Solution(
        status=Status.ANSWERED,
        value=NameSet(names=tuple(ranked)),
        explanation=f"{len(ranked)} fit, at any of {len(found)} places of that name.",
        evidence_ids=tuple(dict.fromkeys(cited for one in found for cited in one.evidence_ids)),
        warnings=(*notes, *dict.fromkeys(text for one in found for text in one.warnings), warning),
    )


def _names(outcome: Outcome) -> tuple[str, ...]:
    value = outcome.value
    if isinstance(value, NameSet):
        return value.names
    return (value.name,) if isinstance(value, Named) else ()


def _told(outcome: Outcome, names: Sequence[str]) -> str:
    return f"{outcome.where}: {', '.join(names)}"


def _ambiguous(meant: Mapping[str, Sequence[str]], notes: tuple[str, ...]) -> Solution:
    several = {name: sorted(places) for name, places in meant.items() if len(places) > 1}
    called = " and ".join(f"{len(places)} places are called '{name}'" for name, places in several.items())
    told = "; ".join(place for places in several.values() for place in _some(places))
    reason = f"{called}, and the answer is not the same for all: {told}."
    return Solution(status=Status.AMBIGUOUS, reason=reason, warnings=notes)


def _some(places: Sequence[str]) -> Iterator[str]:
    yield from places[:MOST_TOLD]
    if len(places) > MOST_TOLD:
        yield f"and {len(places) - MOST_TOLD} more"
