"""The superlative of a question: the nearest, the largest, the second longest."""

from modules.offline.spatial_cues import free_cues, is_within
from modules.offline.spatial_intent import Pick
from modules.offline.spatial_layout import Layout
from modules.offline.spatial_words import Words, overlaps

_BY_SIZE: dict[str, tuple[Pick, Pick]] = {
    "top": ("largest", "longest"),
    "largest": ("largest", "longest"),
    "smallest": ("smallest", "shortest"),
    "longest": ("longest", "longest"),
    "shortest": ("shortest", "shortest"),
}
"""What a superlative means of areas, and of lines."""
_BY_DISTANCE: tuple[Pick, ...] = ("nearest", "farthest")
_ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5}
_NUMBERS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}


def pick_of(words: Words, layout: Layout) -> Pick:
    """The superlative; of "the nearest of the largest" the one closest to the target."""
    found = free_cues(words, layout, "pick")
    if not found:
        # "the nearest to A" may be a part of the phrase that leads on to A.
        lead = layout.leads.get("from")
        near = lead is not None and {"nearest", "closest"} & {
            words.norm(i) for i in range(lead.first, lead.last)
        }
        return "nearest" if near else "any"
    found = [cue for cue in found if not any(is_within(cue, other) for other in words.of("lead.beside"))]
    if "region" in layout.pieces and "from" not in layout.pieces:
        size = next((cue.key for cue in found if cue.key in _BY_SIZE), None)
        if size is not None:
            return _BY_SIZE[size][is_line(words, layout)]
    return next((pick for cue in found for pick in _BY_DISTANCE if pick == cue.key), "any")


def is_line(words: Words, layout: Layout) -> bool:
    """True if the target's size is its length."""
    kind = words.known.kinds.read(layout.target.what) if layout.target is not None else None
    return kind is not None and kind.is_line


def numbers_of(words: Words, layout: Layout) -> tuple[int, int | None]:
    """Which of the order ("second nearest"), and how many are wanted ("three nearest")."""
    k, n = 1, None
    used = [reach.stretch for reach in layout.reach]
    for cue in words.of("pick"):
        if any(overlaps((cue.first, cue.last), part) for part in used):
            continue
        before = words.norm(cue.first - 1)
        k = _ORDINALS.get(before, k)
        n = _NUMBERS.get(before, int(before) if before.isdecimal() and int(before) <= 50 else n)
        after = words.norm(cue.last)
        n = _NUMBERS.get(after, int(after) if after.isdecimal() and int(after) <= 50 else n)
    return k, n
