"""Questions where, or of which kind, there are more: "more cafes or more bars?", "does X or Y have more?"."""

import re
from dataclasses import dataclass
from itertools import pairwise

from modules.offline.analysis import Analysis, Span
from modules.offline.intents import Compare, What
from modules.offline.lexicon import word_set
from modules.offline.marks import Mention
from modules.offline.slots import Wanted, joined, listed

_JOINT = re.compile(r"\s*,?\s*(?:or|and|than|vs\.?|versus)\s+(?:more |fewer |less )?", re.IGNORECASE)
_YES_NO = frozenset({"are", "is", "does", "do", "has", "have"})


@dataclass(frozen=True, slots=True)
class More:
    """What is compared by number: `kinds` around one place, or one kind around `places`."""

    pick: Compare
    kinds: tuple[What, ...] = ()
    places: tuple[Mention, ...] = ()
    claims: bool = False
    spans: tuple[Span, ...] = ()


def more_asked(analysis: Analysis, found: Wanted) -> More | None:
    """The comparison a question asks for; None if it asks for none."""
    pick = _pick(analysis)
    if pick is None or analysis.distances[1:]:
        return None
    return _of_kinds(analysis, pick) or _of_places(analysis, found, pick)


def _pick(analysis: Analysis) -> Compare | None:
    """Whether most or fewest are wanted: by the word before the first kind."""
    for mark in analysis.kinds:
        word = analysis.word_before(mark.start)
        if word in word_set("more", "many"):
            return Compare.MAX
        if word in word_set("more", "few"):
            return Compare.MIN
    return None


def _of_kinds(analysis: Analysis, pick: Compare) -> More | None:
    for one, two in pairwise(analysis.kinds):
        gap = analysis.text[one.end : two.start]
        if not _JOINT.fullmatch(gap) or one.value.ids == two.value.ids:
            continue
        kinds = tuple(
            What(text=analysis.text[mark.start : mark.end].casefold(), categories=mark.value.ids)
            for mark in (one, two)
        )
        claims = "than" in gap.casefold() and bool(analysis.starts & _YES_NO)
        return More(pick, kinds=kinds, claims=claims, spans=((one.start, one.end), (two.start, two.end)))
    return None


def _of_places(analysis: Analysis, found: Wanted, pick: Compare) -> More | None:
    named = listed(
        item for item in analysis.places if not any(low <= item.start < high for low, high in found.spans)
    )
    than = bool(analysis.by_role("than"))
    if len(named) < 2 or not (than or joined(analysis, named)):
        return None
    claims = than and bool(analysis.starts & _YES_NO)
    return More(pick, places=tuple(named), claims=claims, spans=found.spans)
