"""Phrases of a question that lie in no other part of it."""

from modules.offline.lexicon import Cue
from modules.offline.spatial_layout import Layout
from modules.offline.spatial_words import Stretch, Words, overlaps


def free_cues(words: Words, layout: Layout, family: str) -> list[Cue]:
    """The phrases of a family that lie in no other part, the longest first where they overlap."""
    used = layout.parts()
    if family == "ask":
        used += _descriptions(words, layout)
    ends = {piece.stretch[1] for piece in layout.pieces.values()}
    longer = [*words.of("lead.toward", "filler"), *layout.leads.values()]
    longer += [cue for cue in words.of("after") if cue.first in ends]
    free = [
        cue
        for cue in words.of(family)
        if not any(overlaps((cue.first, cue.last), part) for part in used)
        and not any(is_within(cue, other) for other in longer)
        and not (family == "ask" and cue.within(layout.leads.values()))
    ]
    free.sort(key=lambda cue: cue.first - cue.last)
    kept: list[Cue] = []
    for cue in free:
        if not any(cue.group != one.group and is_within(cue, one) for one in kept):
            kept.append(cue)
    return sorted(kept, key=lambda cue: cue.first)


def _descriptions(words: Words, layout: Layout) -> list[Stretch]:
    """Superlatives that describe the target before them: "which hotel is the least distance away"."""
    if layout.target is None:
        return []
    return [(cue.first, cue.last) for cue in words.of("pick") if cue.first >= layout.target.stretch[1]]


def is_within(cue: Cue, other: Cue) -> bool:
    """True if the other phrase holds this one and more."""
    return (
        other.first <= cue.first
        and cue.last <= other.last
        and (other.last - other.first) > (cue.last - cue.first)
    )
