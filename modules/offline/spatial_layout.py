"""Which words of a question are its target, its places and its region: the best of all ways."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from modules.offline.lexicon import Cue
from modules.offline.spatial_journeys import is_journey
from modules.offline.spatial_names import Piece, Role, bare_names, may_begin, read_piece
from modules.offline.spatial_ranges import Reach, find_reach
from modules.offline.spatial_sides import Side, find_sides
from modules.offline.spatial_targets import Target
from modules.offline.spatial_words import Stretch, Words, overlaps, word_list

_LEADS: tuple[Role, ...] = ("from", "toward", "region")
_UNLED: tuple[Role, ...] = ("from", "region")
"""What a name without a phrase before it can be."""
_MOST_LEADS = 7
"""Phrases of one role that are tried as the beginning of a name."""
_LEFTOVER = 0.12
"""What each unexplained word takes off a layout."""
_LATE = 0.002
_BARE = 0.05
"""What a name without a phrase before it takes off."""


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to see the parts of a question.

    Attributes:
        target: The kind asked about; None if there is none.
        pieces: Names by role; `leads` the phrases before them.
        score: How well the parts explain the words.
    """

    target: Target | None
    side: Side | None
    reach: tuple[Reach, ...]
    pieces: dict[Role, Piece]
    leads: dict[Role, Cue]
    score: float = 0.0

    def parts(self) -> list[Stretch]:
        """The stretches of names, distances, side and target."""
        parts = [piece.stretch for piece in self.pieces.values()]
        parts += [reach.stretch for reach in self.reach]
        return parts + [part.stretch for part in (self.target, self.side) if part is not None]

    def used(self) -> list[Stretch]:
        """The stretches that have a part, the phrases before names among them."""
        return [*self.parts(), *((cue.first, cue.last) for cue in self.leads.values())]


def best_layout(words: Words, targets: Sequence[Target]) -> Layout | None:
    """The best layout with a place or a region; None if there is none."""
    best: list[Layout] = []
    for layout in _layouts(words, targets):
        best.append(layout)
        best.sort(key=lambda one: -one.score)
        del best[3:]
    return max((_forgiving(words, layout) for layout in best), key=lambda one: one.score, default=None)


def _layouts(words: Words, targets: Sequence[Target]) -> Iterator[Layout]:
    reach = find_reach(words)
    sides: list[Side | None] = [*find_sides(words), None]
    for target, side in product([*targets, None], sides):
        hard = _hard(target, side, reach)
        if hard is None:
            continue
        for leads in _choices(words, hard):
            layout = _layout(words, leads, hard, target=target, side=side, reach=reach)
            if layout is not None:
                yield layout


def _hard(target: Target | None, side: Side | None, reach: Sequence[Reach]) -> list[Stretch] | None:
    """The stretches no name can run into; None if they overlap."""
    parts = [one.stretch for one in reach]
    for part in (side, target):
        if part is None:
            continue
        if any(overlaps(part.stretch, other) for other in parts):
            return None
        parts.append(part.stretch)
    return parts


def _choices(words: Words, hard: Sequence[Stretch]) -> Iterator[dict[Role, Cue]]:
    """The ways to choose at most one phrase for each role."""
    options: list[list[Cue | None]] = []
    bare = _bare_leads(words)
    for role in _LEADS:
        free = [cue for cue in words.of(f"lead.{role}") if _leads_on(words, cue, hard)]
        unled = [cue for cue in bare if cue.key == role and _leads_on(words, cue, hard)]
        options.append([None, *free[-_MOST_LEADS:], *unled])
    for chosen in product(*options):
        leads = {role: cue for role, cue in zip(_LEADS, chosen, strict=True) if cue is not None}
        stretches = [(cue.first, cue.last) for cue in leads.values()]
        if leads and not any(
            overlaps(a, b) for number, a in enumerate(stretches) for b in stretches[:number]
        ):
            yield leads


def _bare_leads(words: Words) -> tuple[Cue, ...]:
    """Phrases of no length before names that none leads on to, for each role such a name can have."""
    found = []
    for first, last in bare_names(words):
        told = [cue.key for cue in words.of("after") if cue.first == last]
        found += [Cue(first, first, f"lead.{role}") for role in told or _UNLED]
    return tuple(found)


def _leads_on(words: Words, cue: Cue, hard: Sequence[Stretch]) -> bool:
    """True if the phrase is free, no part of a longer one ("which direction"), and a free word follows."""
    own, after = (cue.first, cue.last), (cue.last, cue.last + 1)
    aside = cue.within(words.of("filler")) or any(
        cue.within([one]) and one.last - one.first > cue.last - cue.first for one in words.of("ask.direction")
    )
    taken = aside or any(overlaps(own, part) or overlaps(after, part) for part in hard)
    return cue.last < len(words) and not taken and not _lacks_name(words, cue)


def _lacks_name(words: Words, cue: Cue) -> bool:
    """True where no place can follow: before a phrase ("have next door"), behind "run by", "direction"."""
    if any(one.first == cue.last and one.last > cue.last + 1 for one in words.of("lead.beside")):
        return True
    if words.norm(cue.first) == "by" and words.norm(cue.first - 1) in word_list("describing"):
        return True
    terse = words.say(cue.first, cue.last).casefold() in word_list("terse_leads")
    return terse and not may_begin(words, cue.last, small=False)


def _layout(
    words: Words,
    leads: dict[Role, Cue],
    hard: Sequence[Stretch],
    *,
    target: Target | None,
    side: Side | None,
    reach: tuple[Reach, ...],
) -> Layout | None:
    begins = [part[0] for part in hard]
    begins += [target.front] if target is not None else []
    pieces: dict[Role, Piece] = {}
    for role, cue in leads.items():
        others = [other.first for other in leads.values() if other is not cue]
        after = [begin for begin in (*begins, *others) if begin >= cue.last]
        piece = read_piece(words, cue.last, min(after, default=len(words)))
        if piece is None:
            return None
        pieces[role] = piece
    if not is_journey(words, leads, pieces):
        return None
    layout = Layout(target, side, reach, pieces, leads)
    return replace(layout, score=_score(words, layout))


def _score(words: Words, layout: Layout) -> float:
    """How well a layout explains the words; only layouts of one question are compared."""
    asked = [(cue.first, cue.last) for cue in words.of("ask", "pick", "filler", "fact", "relation", "after")]
    left = words.leftover([*layout.used(), *asked])
    names = sum(piece.quality - 0.4 for piece in layout.pieces.values())
    kind = 0.5 + layout.target.sure if layout.target is not None else 0.0
    return (
        names
        + kind
        + 0.3 * (layout.side is not None)
        + _fits(words, layout)
        - _LEFTOVER * left
        - _LATE * _late(layout)
        - _BARE * sum(cue.first == cue.last for cue in layout.leads.values())
    )


def _fits(words: Words, layout: Layout) -> float:
    """What goes well together, and what does not."""
    roles = layout.pieces.keys()
    fits = 0.0
    if "from" not in roles:
        fits -= 0.8 * bool(words.of("pick.nearest") and not words.of("pick.largest", "pick.longest"))
        fits -= 0.6 * bool(layout.reach) + 0.6 * (layout.side is not None) + 0.6 * ("toward" in roles)
        fits -= 0.6 * bool(words.of("lead.beside"))
    if "from" in roles and "region" in roles:
        fits -= 0.8
    if "toward" in roles and layout.side is not None:
        fits -= 0.5
    return fits


def _late(layout: Layout) -> int:
    """Tokens of names: of two readings with the same parts the one with the longer names is better."""
    return -sum(last - first for first, last in (piece.stretch for piece in layout.pieces.values()))


def _forgiving(words: Words, layout: Layout) -> Layout:
    """The layout with names judged by likeness too."""
    pieces = {
        role: replace(piece, quality=max(piece.quality, words.known.alike(piece.text)))
        for role, piece in layout.pieces.items()
    }
    again = replace(layout, pieces=pieces)
    return replace(again, score=_score(words, again))
