"""Questions over a spatial database: from words to a `SpatialIntent`."""

from dataclasses import dataclass

from map_tools.spatial_db.grounding.kinds import KindReader
from mapagent.ports import NameHints
from modules.offline.spatial_asks import Asked, asked, is_beside
from modules.offline.spatial_descriptions import whole_kind
from modules.offline.spatial_intent import BESIDE_M, SpatialIntent
from modules.offline.spatial_layout import Layout, best_layout
from modules.offline.spatial_names import DESCRIBED, SURE, describes_place, without_inner_cues
from modules.offline.spatial_pairs import pair_reading
from modules.offline.spatial_ranges import find_reach
from modules.offline.spatial_targets import find_targets
from modules.offline.spatial_words import Known, Words, pattern, word_list, words_of


@dataclass(frozen=True, slots=True)
class SpatialReading:
    """An intent, and how well it explains the words.

    Attributes:
        score: 0 to 1.
        known: True if the map knows every name and somebody knows the kind.
    """

    intent: SpatialIntent
    score: float
    known: bool


def read_spatial(text: str, names: NameHints | None, kinds: KindReader) -> SpatialReading | None:
    """The best reading of a question over a spatial database; None if it is none.

    Args:
        text: The question.
        names: Tells names from other words.
        kinds: Tells kinds from other words.
    """
    words = without_inner_cues(words_of(text, Known(names, kinds)))
    if _is_beyond(words):
        return None
    targets = find_targets(words)
    pair = pair_reading(words, targets)
    # Layouts are many and take long; without a target, or beside a sure pair, none of them can win.
    sure = pair is not None and pair.score >= 1
    layout = best_layout(words, targets) if targets and not sure else None
    if pair is not None and (layout is None or layout.target is None):
        return SpatialReading(pair.intent, min(pair.score, 1.0), known=pair.score >= SURE)
    if layout is None or layout.target is None or not layout.pieces or _loses_way(words, layout):
        return None
    known = all(piece.quality >= DESCRIBED for piece in layout.pieces.values())
    intent = _intent(words, layout, asked(words, layout))
    return SpatialReading(intent, _confidence(words, layout), known and kinds.knows(intent.what))


def _is_beyond(words: Words) -> bool:
    """True for what only looks like a search: "is A or B closer to C?", "the former", "the latter"."""
    norms = [words.norm(index) for index in range(len(words))]
    if pattern("beyond").search(words.text):
        return True
    offered = any(
        norm in word_list("choice_links") and words.tokens[index + 1].capital
        for index, norm in enumerate(norms[:-1])
    )
    ranges = {index for reach in find_reach(words) for index in range(*reach.stretch)}
    compared = (norm in word_list("comparatives") and index not in ranges for index, norm in enumerate(norms))
    return offered and any(compared)


def _loses_way(words: Words, layout: Layout) -> bool:
    """True for "in that direction" where no direction was found: without it another question is answered."""
    told = layout.side is not None or "toward" in layout.pieces
    return not told and bool(words.of("relation.that_way"))


def _intent(words: Words, layout: Layout, wanted: Asked) -> SpatialIntent:
    anchor, toward, region = (layout.pieces.get(role) for role in ("from", "toward", "region"))
    least = next((reach.metres for reach in layout.reach if reach.least), None)
    within = next((reach.metres for reach in layout.reach if not reach.least), None)
    ask = wanted.ask
    if is_beside(words, layout):
        within, ask = BESIDE_M, "names" if ask == "name" else ask
    return SpatialIntent(
        what=whole_kind(words, layout),
        anchor=_with_area(words, layout) if anchor else None,
        described=anchor is not None and _is_described(words, layout),
        toward=toward.text if toward else None,
        direction=layout.side.wind if layout.side else None,
        region=region.text if region and not _is_in(words, layout) else None,
        within_m=within,
        beyond_m=least,
        whole=bool(words.of("relation.whole")),
        pick=wanted.pick,
        k=wanted.k,
        n=wanted.n,
        ask=ask,
        fact=wanted.fact,
    )


def _with_area(words: Words, layout: Layout) -> str:
    """The place measured from, with the area it is said to be in: "Old Mill in Westport"."""
    anchor = layout.pieces["from"].text
    return f"{anchor}, {layout.pieces['region'].text}" if _is_in(words, layout) else anchor


def _is_in(words: Words, layout: Layout) -> bool:
    """True if the region tells where the place measured from is ("A in B", "A lies in B")."""
    anchor, lead = layout.pieces.get("from"), layout.leads.get("region")
    if anchor is None or lead is None or lead.first == lead.last:
        return False
    between = {words.norm(index) for index in range(anchor.stretch[1], lead.first)}
    return anchor.stretch[1] <= lead.first and between <= word_list("lies")


def _is_described(words: Words, layout: Layout) -> bool:
    """True if the place measured from is told by a fact and not named."""
    piece = layout.pieces["from"]
    return words.known.name(piece.text) < SURE and describes_place(words, *piece.stretch)


def _confidence(words: Words, layout: Layout) -> float:
    """0 to 1: names known and no word left over."""
    asks = [(cue.first, cue.last) for cue in words.of("ask", "pick", "filler", "fact", "relation")]
    left = words.leftover([*layout.used(), *asks])
    content = max(words.leftover([]), 1)
    names = [piece.quality for piece in layout.pieces.values()]
    return max(0.0, min(1.0, 0.5 + 0.3 * sum(names) / len(names) + 0.2 * (1 - left / content)))
