"""What a question wants to know of its target."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from modules.offline.lexicon import Cue
from modules.offline.spatial_cues import free_cues
from modules.offline.spatial_facts import facts_asked
from modules.offline.spatial_focus import MEASURES, focus_of
from modules.offline.spatial_intent import SIZES, TOTALS, Ask, Pick
from modules.offline.spatial_layout import Layout
from modules.offline.spatial_picks import is_line, numbers_of, pick_of
from modules.offline.spatial_sides import winds_offered
from modules.offline.spatial_words import Words, word_list

_SINGLE: tuple[Ask, ...] = ("distance", "direction", "location")
"""What is asked of one feature, the surest first where a question has words for several."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is wanted: see `SpatialIntent`; `words` are those that say so."""

    ask: Ask
    pick: Pick
    k: int = 1
    n: int | None = None
    fact: str = ""


def asked(words: Words, layout: Layout) -> Asked:
    """Reads what is wanted from the words that have no other part."""
    cues, facts_told = free_cues(words, layout, "ask"), free_cues(words, layout, "fact")
    focus = focus_of(words, layout, [*cues, *facts_told])
    asks = _asks(words, layout, cues, focus)
    pick = pick_of(words, layout)
    k, n = numbers_of(words, layout)
    if pick == "any" and not layout.reach and "from" in layout.pieces and not is_beside(words, layout):
        pick = "nearest"
    if pick in SIZES:
        return Asked("name", pick, k, n)
    total = _total(words, layout, asks, pick)
    if total is not None:
        return Asked(total, "any")
    facts = facts_asked(words, layout, facts_told, focus)
    if pick == "nearest" and facts and not asks.keys() & {"distance", "direction"}:
        return Asked("fact", pick, k, fact=", ".join(facts))
    measure = next((ask for ask in _SINGLE if ask in asks), None)
    if measure is not None:
        return Asked(measure, pick, k)
    plural = layout.target is not None and layout.target.plural
    several = plural and pick == "any" and not words.of("ask.one")
    return Asked("names" if several or (n or 1) > 1 else "name", pick, k, n)


def _total(
    words: Words, layout: Layout, asks: dict[str, Cue], pick: Pick
) -> Literal["area", "length", "count"] | None:
    """The total asked for: an area, a length, a number; None for what is asked of one feature."""
    size = _size(words, layout, asks)
    counted = asks.get("count")
    if size is not None or counted is None:
        return size
    return "count" if _before_target(counted, layout) or (pick == "any" and "distance" not in asks) else None


def is_beside(words: Words, layout: Layout) -> bool:
    """True for "next to A", "near A" without a distance, a direction or a superlative."""
    lead = layout.leads.get("from")
    if lead is None or layout.reach or layout.side is not None or "toward" in layout.pieces:
        return False
    if pick_of(words, layout) != "any":
        return False
    return any(
        (cue.first <= lead.first < cue.last and lead.last <= cue.last) or _points_back(words, cue)
        for cue in words.of("lead.beside")
    )


def _points_back(words: Words, cue: Cue) -> bool:
    """True for "... adjacent to it": the place was named before."""
    vague = {"near", "close", "nearby"} & {words.norm(index) for index in range(cue.first, cue.last)}
    behind = words.norm(cue.last)
    back = behind in word_list("back") | word_list("interrogative")
    return not vague and (back or not behind[:1].isalnum())


def _asks(words: Words, layout: Layout, cues: Sequence[Cue], focus: str | None) -> dict[str, Cue]:
    """The phrases that say what is wanted, by what that is."""
    if focus is not None:
        # What a clause tells of the target is not asked: "a zoo that lies at a short distance".
        cues = [cue for cue in cues if cue.key not in MEASURES or cue.key == focus or _is_total(cue, focus)]
    asks = {cue.key: cue for cue in cues}
    if "length" in asks and "from" in layout.pieces:
        # How long the way to something is, is how far it is.
        asks.setdefault("distance", asks.pop("length"))
    offered = winds_offered(words)
    return asks if offered is None else asks | {"direction": offered}


def _is_total(cue: Cue, focus: str) -> bool:
    """True for words for an area where a length is asked for and the other way round: the kind decides."""
    return focus in TOTALS and cue.key in TOTALS


def _size(words: Words, layout: Layout, asks: dict[str, Cue]) -> Literal["area", "length"] | None:
    """Whether a total area or length is asked for: there is a region and no place.

    The kind tells which of them: "the total extent" of rivers is a length, that of parks an area.
    """
    if "region" not in layout.pieces or "from" in layout.pieces:
        return None
    measures = [asks[key] for key in ("area", "length", "distance") if key in asks]
    counted = asks.get("count")
    if not measures or (counted is not None and _counts_rather(counted, measures, layout)):
        return None
    return "length" if is_line(words, layout) or "area" not in asks else "area"


def _counts_rather(counted: Cue, measures: Sequence[Cue], layout: Layout) -> bool:
    """True if "the number of" stands between words for a measure and the target ("how large is the ...")."""
    begin = layout.target.stretch[0] if layout.target is not None else 0
    return all(cue.last <= counted.first < begin for cue in measures)


def _before_target(cue: Cue, layout: Layout) -> bool:
    return layout.target is not None and 0 <= layout.target.stretch[0] - cue.last <= 2
